"""Names of hosts: the key under which politeness counts, the registrable domain, and names for people to read.

The registrable domain follows the bundled Public Suffix List with its private section: whoever may register names
below a suffix (`github.io`) owns a domain of its own.
"""

import functools
import ipaddress
import re
import unicodedata

import ada_url
from publicsuffixlist import PublicSuffixList

from opilio.kernel.errors import BadUrl
from opilio.kernel.urls import canonical, shown

_NOT_IN_A_HOST = re.compile(r"[\s/\\?#@]|\]:")
_AUTHORITY = re.compile(r"https?://([^/?#@]+)/")
# Latin letters of living European languages and Vietnamese; without those that look like others (ı ĸ ŀ ŉ ſ).
_LATIN = re.compile(r"[a-z0-9\-ß-öø-İĲ-ķĹ-ľŁ-ňŊ-žƠơƯưẠ-ỹ]*")
_SCRIPTS = (
    "LATIN",
    "GREEK",
    "CYRILLIC",
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "HANGUL",
    "ARABIC",
    "HEBREW",
    "DEVANAGARI",
    "THAI",
)
_MIXABLE = (frozenset({"CJK", "HIRAGANA", "KATAKANA"}), frozenset({"CJK", "HANGUL"}))
_LIKE_LATIN = frozenset({"GREEK", "CYRILLIC"})


def host_key(url: str) -> str:
    """`host` or `host:port` of a URL: what politeness and buckets count by. http and https share one key.

    Quick for canonical URLs; any other is made canonical first.
    """
    found = _AUTHORITY.match(canonical(url))
    if found is None:
        raise BadUrl("the URL names no host", where=shown(url), remedy="Give an http or https URL.")
    return found[1]


@functools.lru_cache(maxsize=16_384)
def registrable_domain(host: str) -> str | None:
    """The part of a host name that somebody registered: `bbc.co.uk` of `news.bbc.co.uk`.

    None for IP addresses, for single names (`localhost`) and for public suffixes themselves.
    """
    name = host.lower().rstrip(".")
    if _is_address(name):
        return None
    found = _suffixes().privatesuffix(name)
    return str(found) if found else None


def to_ascii(host: str) -> str:
    """The host as it goes over the wire: lower case, punycode, IPv4 in four decimal numbers."""
    if _NOT_IN_A_HOST.search(host) or (":" in host and not host.startswith("[")):
        raise _bad_host(host)
    try:
        return ada_url.URL(f"http://{host}/").hostname
    except ValueError:
        raise _bad_host(host) from None


def to_unicode(host: str) -> str:
    """The host as people may read it: a punycode label in its own script, where no other name looks the same.

    A label is shown in Unicode only if it survives the way back, keeps to one script (Japanese and Korean may mix
    theirs with Han), is of a common script, and, in Greek or Cyrillic, stands under a top-level name of that script.
    Otherwise the label stays `xn--…`.
    """
    labels = host.split(".")
    scripts = _scripts(_decoded(labels[-1]) or labels[-1])
    return ".".join(_safe_label(label, scripts) for label in labels)


@functools.cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _safe_label(label: str, top: frozenset[str]) -> str:
    if not label.startswith("xn--"):
        return label
    text = _decoded(label)
    return text if text and _looks_like_itself(text, top) else label


def _decoded(label: str) -> str:
    """The Unicode form of a punycode label; empty when the two do not stand for each other."""
    if not label.startswith("xn--") or not label.isascii():
        return ""
    text = ada_url.idna_to_unicode(label)
    return text if text != label and ada_url.idna_to_ascii(text) == label.encode() else ""


def _looks_like_itself(text: str, top: frozenset[str]) -> bool:
    scripts = _scripts(text)
    if not scripts or not scripts <= set(_SCRIPTS):
        return False
    if scripts == {"LATIN"}:
        return _LATIN.fullmatch(text) is not None
    if len(scripts) > 1:
        return any(scripts <= mix for mix in _MIXABLE)
    return not scripts & _LIKE_LATIN or scripts == top


def _scripts(text: str) -> frozenset[str]:
    """The scripts of the letters; a sign that is neither letter, mark, digit nor hyphen counts as its own script."""
    return frozenset(unicodedata.name(char, "UNNAMED").split(" ", 1)[0] for char in text if char not in "-0123456789ー")


def _bad_host(host: str) -> BadUrl:
    return BadUrl(
        f"“{shown(host)}” is not the name of a host", remedy="Give a name such as example.org or an IP address."
    )
