"""What may stand in the URL fields of seeds and excluded URLs: canonical http and https addresses, without secrets."""

import re

from opilio.curation.places import place_of
from opilio.kernel.errors import BadUrl
from opilio.kernel.urls import canonical, parse
from opilio.people.errors import InvalidFields

LONGEST = 2_048  # characters, in the canonical form
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LINE = re.compile(r"[^\s\x00-\x1f\x7f]*")


def page_url(text: str, field: str = "url") -> str:
    """The canonical form of an address as somebody typed it; without a scheme, http is meant."""
    typed = text.strip()
    if not typed:
        raise InvalidFields({field: ["Write the address of a page, as http://www.example.org/."]})
    try:
        found = canonical(typed if _SCHEME.match(typed) else f"http://{typed}")
        parts = parse(typed if _SCHEME.match(typed) else f"http://{typed}")
    except BadUrl as error:
        raise InvalidFields({field: [str(error)]}) from error
    if parts.username or parts.password:
        raise InvalidFields({field: ["It holds a user name or password; leave them out and make a credential."]})
    if len(found) > LONGEST:
        raise InvalidFields({field: [f"It is {len(found):,} characters long; at most {LONGEST:,} can be kept."]})
    return found


def root_string(text: str) -> str:
    """The canonical beginning that URLs must have; empty where there is no such rule."""
    return page_url(text, "root") if text.strip() else ""


def append_string(text: str) -> str:
    """Text for the end of request URLs: visible characters without a gap."""
    if not _LINE.fullmatch(text.strip()):
        raise InvalidFields({"append": ["It cannot hold spaces, line breaks or control characters; escape them."]})
    return text.strip()


def host_of(url: str) -> str:
    """The host of a canonical URL, as seeds are looked up by it."""
    return place_of(url).host[:255]
