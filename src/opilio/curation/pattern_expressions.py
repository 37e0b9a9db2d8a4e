"""URL patterns as RE2 expressions over canonical URLs, as the scope of a crawl takes them."""

import re2

from opilio.curation.patterns import UrlPattern
from opilio.curation.places import DEFAULT_PORTS

_ANY_HOST = r"(?:\[[^\]/]*\]|[^/:]+)"
_ANY_LABELS = r"[^/:]+\."
_STAR = "%2A"  # how a pattern writes a star of the URL itself
_STAR_EITHER = r"(?:\*|%2A)"


def expression(pattern: UrlPattern) -> str:
    """The expression that finds exactly the URLs that the pattern covers."""
    host = (_ANY_LABELS if pattern.below else "") + re2.escape(pattern.host) if pattern.host else _ANY_HOST
    doors = "|".join(_door(scheme, port, host) for scheme, port in sorted(pattern.doors))
    path = _STAR_EITHER.join(re2.escape(part) for part in pattern.path.split(_STAR))
    return f"^(?:{doors}){path}{'' if pattern.begins else '$'}"


def _door(scheme: str, port: int, host: str) -> str:
    return f"{scheme}://{host}" + ("" if DEFAULT_PORTS[scheme] == port else f":{port}")
