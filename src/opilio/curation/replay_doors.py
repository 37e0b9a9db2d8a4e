"""How somebody is let in to the replay of one result: the names of its hosts, and addresses that hold a token.

The token is for one result and one person and lasts a minute; replay exchanges it for a session of its own.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode, urlsplit

from django.conf import settings

from opilio.archive.replay.archive_paths import stamp_of
from opilio.archive.replay.hosts import HostNames
from opilio.archive.replay.seals import Seals
from opilio.kernel.clock import SYSTEM, Clock
from opilio.people.actor import Actor

SECONDS = 60  # from the link to the page
OPERATOR = "0"  # whoever is at the machine itself, where no user acts
_NEWEST = "99991231235959"
_USUAL = {"http": "80", "https": "443"}


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where the pages are reached: replay answers at the same port, under names of its own."""

    scheme: str
    port: str  # empty: the usual one

    @classmethod
    def of(cls, address: str) -> "Place":
        """From the address of a page."""
        parts = urlsplit(address)
        port = str(parts.port or "")
        return cls(scheme=parts.scheme, port="" if port == _USUAL.get(parts.scheme) else port)


def key() -> bytes:
    """What signs the tokens, the same in every process of the installation."""
    return hashlib.sha256(b"opilio replay\0" + settings.SECRET_KEY.encode()).digest()


def names() -> HostNames:
    """The names below which results are replayed."""
    return HostNames(base=settings.OPILIO.replay_host.lower())


def person(actor: Actor) -> str:
    """How tokens name somebody."""
    return OPERATOR if actor.user is None else str(actor.user)


def address(
    actor: Actor, result: int, url: str, place: Place, *, at: datetime | None = None, clock: Clock = SYSTEM
) -> str:
    """The address that opens a page of a result, at a time or as it was last captured; for a minute."""
    hosts = names()
    token = Seals(key=key(), host=hosts.base, clock=clock).make("open", result, seconds=SECONDS, note=person(actor))
    told = urlencode({"token": token, "url": url, "time": stamp_of(at) if at is not None else _NEWEST})
    return f"{origin(result, place)}/_opilio/open?{told}"


def origin(result: int, place: Place) -> str:
    """The scheme and host under which a result is replayed; a public name stands behind a proxy on the usual port."""
    hosts = names()
    port = f":{place.port}" if place.port and hosts.local else ""
    return f"{place.scheme}://{hosts.name_of(result)}{port}"
