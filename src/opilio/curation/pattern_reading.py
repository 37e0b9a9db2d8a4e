"""Reads URL patterns as people write them, and brings them to their normal form.

What cannot be meant is refused with the place and the remedy: a star anywhere but as the first label of the host or
the last character of the path, another scheme than http and https, user names, fragments.
"""

import re

from opilio.curation.patterns import UrlPattern
from opilio.curation.places import ANY_HOST, DEFAULT_PORTS, Place, place_of
from opilio.kernel.errors import BadUrl, InvalidInput
from opilio.kernel.urls import shown

MAX_PATTERN = 2_048  # characters

_BELOW = "*."
_DOTS = ".\u3002\uff0e\uff61"  # what IDNA reads as a dot
_SCHEME = re.compile(r"([^/?#\\]*?)://(.*)", re.DOTALL)
_HALF_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d)")
_AUTHORITY = re.compile(r"([^/?#\\]*)(.*)", re.DOTALL)
_ADDRESS = re.compile(r"\[.*\]|[\d.]+")
_CUT_ESCAPE = re.compile(r"%[0-9A-Fa-f]?\Z")
_STAND_IN = "x"  # takes the star's place while the path is brought to its canonical form: `/a/..*` is not `/*`
_SOME_HOST = "host.invalid"  # takes the place of any host meanwhile


class BadPattern(InvalidInput):
    """A URL pattern that cannot be meant: a star in the wrong place, no host, another scheme."""


def parse_pattern(text: str, *, strict_scheme: bool = False) -> UrlPattern:
    """Read a pattern and bring it to its normal form; `BadPattern` says what is wrong, where, and what to write."""
    clean = _checked(text)
    scheme, rest = _without_scheme(clean, strict_scheme)
    found = _AUTHORITY.fullmatch(rest)
    authority, path = found.groups() if found else ("", "")
    star, authority = _without_host_star(authority, clean)
    begins, path = _without_path_star(path, clean)
    place = _place(f"{scheme}://{authority}{path or '/'}{_STAND_IN if begins else ''}", clean)
    host = "" if star == ANY_HOST else place.host
    below = star == _BELOW
    _check_host(host, below, clean)
    return UrlPattern(
        scheme=scheme,
        host=host,
        below=below,
        port=place.port,
        path=place.path[: -len(_STAND_IN)] if begins else place.path,
        begins=begins,
        strict_scheme=strict_scheme,
    )


def _checked(text: str) -> str:
    if not isinstance(text, str):
        raise BadPattern("a URL pattern must be text", remedy="Write it as http://example.org/*.")
    clean = text.strip()
    if not clean:
        raise BadPattern("the URL pattern is empty", remedy="Write it as http://example.org/*.")
    if len(clean) > MAX_PATTERN:
        remedy = "Shorten its path with a star at the end."
        raise BadPattern(f"the URL pattern is longer than {MAX_PATTERN} characters", where=shown(clean), remedy=remedy)
    if any(char < " " or char == "\x7f" for char in clean):
        raise BadPattern(
            "the URL pattern holds a control character", where=shown(clean), remedy="Give one pattern on one line."
        )
    if "#" in clean:
        raise BadPattern(
            "a URL pattern has no fragment", where=shown(clean), remedy="Leave out “#” and what follows it."
        )
    return clean


def _without_scheme(clean: str, strict: bool) -> tuple[str, str]:
    """The scheme and what follows `://`; http where none is named."""
    found = _SCHEME.fullmatch(clean)
    if found is None:
        return "http", _schemeless(clean, strict)
    scheme, rest = found[1].lower(), found[2]
    if "*" in scheme:
        raise _star(clean, "in the scheme", "Leave the scheme out: a pattern covers http and https alike.")
    if scheme not in DEFAULT_PORTS:
        remedy = "Only http and https can be collected: write one of them, or no scheme."
        raise BadPattern(
            f"a URL pattern cannot be about the scheme “{shown(scheme)}”", where=shown(clean), remedy=remedy
        )
    return scheme, rest


def _schemeless(clean: str, strict: bool) -> str:
    if _HALF_SCHEME.match(clean):
        remedy = "Write the scheme as http:// or https://, or leave it out."
        raise BadPattern("the scheme of the URL pattern is not complete", where=shown(clean), remedy=remedy)
    if strict:
        remedy = "Begin it with http:// or https://, or do not ask for a strict scheme."
        raise BadPattern("a pattern with a strict scheme must name it", where=shown(clean), remedy=remedy)
    return clean.removeprefix("//")


def _without_host_star(authority: str, clean: str) -> tuple[str, str]:
    """The star (`*`, `*.` or none), and the authority without it."""
    if "@" in authority:
        raise BadPattern(
            "a URL pattern holds no user name or password",
            where=shown(clean),
            remedy="Leave out what stands before “@”.",
        )
    host, colon, port = authority.partition(":") if not authority.startswith("[") else (authority, "", "")
    if "*" in port:
        raise _star(clean, "in the port", "Give one pattern for each port.")
    if not host:
        raise BadPattern(
            "the URL pattern names no host", where=shown(clean), remedy="Write it as http://example.org/*."
        )
    star, name = _split_star(host, clean)
    return star, f"{name}{colon}{port}"


def _split_star(host: str, clean: str) -> tuple[str, str]:
    if host == ANY_HOST:
        return ANY_HOST, _SOME_HOST
    starred = host.startswith(ANY_HOST)
    name = host[1:] if starred else host
    if "*" in name:
        raise _star(clean, "inside the host", "Only the first label may be a star: *.example.org.")
    if not starred:
        return "", name
    if name[0] not in _DOTS:
        remedy = f"Write {shown(name)} for that host alone, and *.{shown(name)} for the hosts below it."
        raise _star(clean, "before a part of a label", remedy)
    return _BELOW, name[1:]


def _without_path_star(path: str, clean: str) -> tuple[bool, str]:
    begins = path.endswith("*")
    rest = path[:-1] if begins else path
    if "*" in rest:
        remedy = "It may be the last character only; a star that belongs to the URL itself is written %2A."
        raise _star(clean, "inside the path", remedy)
    if begins and not rest:
        rest = "/"
    if begins and _CUT_ESCAPE.search(rest):
        raise _star(clean, "inside an escape", "Complete the escape: a percent sign and two hexadecimal digits.")
    return begins, rest


def _place(url: str, clean: str) -> Place:
    try:
        return place_of(url)
    except BadUrl as error:
        remedy = "Write it as http://example.org/*, with the name of a host or an IP address."
        raise BadPattern("the URL pattern cannot be read", where=shown(clean), remedy=remedy) from error


def _check_host(host: str, below: bool, clean: str) -> None:
    """What a browser's rules let through, and a permission cannot mean."""
    if "*" in host:
        raise _star(clean, "inside the host", "Only the first label may be a star: *.example.org.")
    if below and _ADDRESS.fullmatch(host):
        raise _star(clean, "before an IP address", "An address has no sub-domains: name the addresses one by one.")
    if host and not host.startswith("[") and "" in host.split("."):
        raise BadPattern("the host of the URL pattern has an empty label", where=shown(clean), remedy="Remove one dot.")


def _star(clean: str, place: str, remedy: str) -> BadPattern:
    return BadPattern(f"a star may not stand {place} of a URL pattern", where=shown(clean), remedy=remedy)
