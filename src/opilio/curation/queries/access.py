"""The compiled rules of access, as people who look after them see them; and why a reader sees a capture or not."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from opilio.curation.access_compile import compiled
from opilio.curation.models import Harvest
from opilio.curation.sight import seen
from opilio.kernel.access import PUBLIC, Decision, Reader, Rules, decide
from opilio.kernel.access_file import CompiledRules, read_rules
from opilio.kernel.access_keys import checking_key
from opilio.people.actor import Actor
from opilio.people.queries.visible import one
from opilio.works.access_home import access_place
from opilio.works.search_setup import shared_rules


@dataclass(frozen=True, kw_only=True)
class RuleFile:
    """The file that nodes pull, and the key by which they know it as genuine."""

    path: Path
    public_key: str
    held: CompiledRules


def rule_file() -> RuleFile | None:
    """The file as it is on this machine; None as long as there was nothing to rule."""
    place, shared = access_place(settings.OPILIO), shared_rules(settings.OPILIO)
    if shared is not None:
        shared.bring()
    if not place.public_key.exists() or not place.rules.exists():
        return None
    key = checking_key(place.public_key)
    text = place.public_key.read_text("ascii")
    return RuleFile(path=place.rules, public_key=text, held=read_rules(place.rules, key))


def explained(actor: Actor, harvest_id: int, url: str, captured: datetime | None, address: str) -> Decision:
    """What a reader at an address would be told of a capture, by the rules as the catalogue has them now."""
    rows = seen(Harvest.objects.all(), actor)
    row = one(rows, "harvest", harvest_id)
    found = compiled()
    now = actor.clock.now()
    return decide(
        Rules(found.rules, rooms=found.rooms), url=url, captured=captured or row.started_at or now, now=now,
        agency=str(row.agency_id), target=str(row.abstract_target_id), harvest=str(row.pk),
        reader=Reader(address=address) if address else PUBLIC,
    )  # fmt: skip
