"""Looks through a result for what its pages need and it has not, and puts that on its list."""

from dataclasses import dataclass

from opilio.curation.actions.missing_urls import Taken, take_missing
from opilio.curation.missing_urls import MOST_LINES, readable
from opilio.curation.models import MissingFrom, Result
from opilio.curation.queries import result_pages
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields
from opilio.works.missing_resources import Found, failed_embeds, sitemap_gaps

PATIENCE = 5.0  # seconds that one look takes at most
_LOOKS = {MissingFrom.EMBED: failed_embeds, MissingFrom.SITEMAP: sitemap_gaps}
#: What can be looked for, in words.
LOOKS = {kind.value: kind.label for kind in _LOOKS}


@dataclass(frozen=True, kw_only=True)
class Looked:
    """What a look came to."""

    taken: Taken
    pages: int  # that were looked at
    whole: bool  # False: it ended early


def find_missing(actor: Actor, row: Result, what: str, *, patience: float = PATIENCE) -> Looked:
    """Look for one kind of gap; the files are read before the list is locked."""
    if what not in LOOKS:
        raise InvalidFields({"what": [f"{what[:40]!r} is none of {', '.join(LOOKS)}."]}, where="missing_url.take")
    noticed = MissingFrom(what)
    found = _looked(actor, row, noticed, patience)
    urls = tuple(readable((gap.url, gap.page) for gap in found.gaps))
    taken = take_missing(actor, result_id=row.pk, noticed=noticed, urls=urls)
    return Looked(taken=taken, pages=found.pages, whole=found.whole)


def _looked(actor: Actor, row: Result, noticed: MissingFrom, patience: float) -> Found:
    end = actor.clock.monotonic() + patience
    with result_pages.opened(row) as view:
        return _LOOKS[noticed](view, most=MOST_LINES, more=lambda: actor.clock.monotonic() < end)
