"""Writes the compiled rules of access into the signed file that search, replay, CDX and nodes read."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime, timedelta

from opilio.curation.access_compile import Compiled, compiled
from opilio.curation.access_harvests import READABLE
from opilio.curation.models import Harvest, ReadingRoom, Takedown
from opilio.kernel.access_file import FRESH_FOR, read_rules, write_rules
from opilio.kernel.access_json import rule_to_json
from opilio.kernel.access_keys import checking_key, make_keys, signing_key
from opilio.kernel.errors import OpilioError
from opilio.kernel.files import ensure_folder
from opilio.kernel.settings import Settings
from opilio.works.access_home import AccessPlace, access_place

#: A file that says nothing new is signed again when it is so old, long before readers would take it for stale.
SIGN_AGAIN_AFTER = FRESH_FOR / 3
_SECRET_FOLDER = 0o700
_MILLISECONDS = 1_000


@dataclass(frozen=True, kw_only=True)
class Written:
    """A file of rules that was written."""

    sequence: int
    made: datetime
    rules: int
    digest: str  # of what the rules say, whenever they were written


def needed(place: AccessPlace) -> bool:
    """Whether there is, or ever was, anything that rules keep from readers or open to them."""
    return (
        place.public_key.exists()
        or Harvest.objects.filter(state__in=READABLE).exists()
        or Takedown.everything.exists()
        or ReadingRoom.everything.exists()
    )


def write_access_file(settings: Settings, now: datetime, last: Written | None = None) -> Written:
    """Compile the rules, and write them unless `last` said the same a short while ago."""
    found = compiled()
    digest = _digest(found)
    if last is not None and last.digest == digest and timedelta() <= now - last.made < SIGN_AGAIN_AFTER:
        return last
    place = access_place(settings)
    _make_keys(place)
    key = signing_key(place.private_key)
    before = last.sequence if last is not None else _sequence(place)
    sequence = max(before + 1, int(now.timestamp() * _MILLISECONDS))
    count = write_rules(place.rules, found.rules, key, sequence=sequence, made=now, rooms=found.rooms)
    return Written(sequence=sequence, made=now, rules=count, digest=digest)


def _make_keys(place: AccessPlace) -> None:
    ensure_folder(place.private_key.parent, mode=_SECRET_FOLDER)
    ensure_folder(place.rules.parent)
    if not place.private_key.exists() or not place.public_key.exists() or not _belong_together(place):
        make_keys(place.private_key, place.public_key)


def _belong_together(place: AccessPlace) -> bool:
    """Not where the rules of a machine with another key were fetched: from now on those of this one hold."""
    return checking_key(place.public_key) == signing_key(place.private_key).public_key()


def _sequence(place: AccessPlace) -> int:
    """The number of the file that is there; 0 when none can be read, which time makes up for."""
    try:
        return read_rules(place.rules, signing_key(place.private_key).public_key()).sequence
    except OpilioError:
        return 0


def _digest(found: Compiled) -> str:
    held = hashlib.sha256()
    for rule in found.rules:
        held.update(json.dumps(rule_to_json(rule), sort_keys=True).encode())
    held.update(json.dumps({name: list(nets) for name, nets in sorted(found.rooms.items())}).encode())
    return held.hexdigest()
