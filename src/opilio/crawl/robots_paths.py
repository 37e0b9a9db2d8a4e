"""Paths of URLs against patterns of robots.txt (RFC 9309 §2.2.2 and §2.2.3), both brought to one spelling first.

Outside ASCII and where a URL cannot have a character, it is escaped; escapes are upper case, unreserved ones decoded.
"""

import re
from dataclasses import dataclass

_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})|[\x00-\x20\"<>`{}\x7f-\xff]")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*([^#]*)|([^#]*)")
_USUAL = re.compile(r"https?://[^/?#]+(/[!&'()+,\-./0-9:;=?@A-Z\[\]\\^_a-z|~]*)")  # nothing to be spelt anew
_STARS = re.compile(r"\*+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Pattern:
    """A path pattern: `*` stands for anything, `$` at the end for the end."""

    weight: int  # octets; the longer pattern wins
    plain: str | None  # the prefix, when there is neither * nor $
    parts: tuple[str, ...] = ()  # what must come one after another, the first at the start
    to_the_end: bool = False

    @classmethod
    def of(cls, text: str) -> "Pattern":
        """A pattern as the file writes it."""
        written = _normal(text)
        weight = len(written)
        to_the_end = written.endswith("$")
        body = (written[:-1] if to_the_end else written).replace("$", "%24")
        if "*" not in body and not to_the_end:
            return cls(weight=weight, plain=body)
        return cls(weight=weight, plain=None, parts=tuple(_STARS.split(body)), to_the_end=to_the_end)

    def matches(self, path: str) -> bool:
        """Whether the path, as `path_of` gives it, matches from its start. Time grows with the path, not its powers."""
        if self.plain is not None:
            return path.startswith(self.plain)
        first, *rest = self.parts
        if not path.startswith(first):
            return False
        at = len(first)
        if not rest:
            return at == len(path)  # only `$` made it special
        last = rest.pop() if self.to_the_end else ""
        for part in rest:
            found = path.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        return path.endswith(last) and len(path) - len(last) >= at


def path_of(url: str) -> str:
    """Path and query of a URL (or a bare path) in the spelling of patterns; `*` and `$` in it are literal."""
    if usual := _USUAL.fullmatch(url):
        return usual[1]
    found = _PATH.match(url)
    rest = (found[1] if found and found[1] is not None else found[2] if found else "") or ""
    path = rest if rest.startswith("/") else f"/{rest}"
    return _normal(path).replace("*", "%2A").replace("$", "%24")


def _normal(text: str) -> str:
    data = text.encode("utf-8", "surrogateescape" if _only_escapes(text) else "surrogatepass")
    return _ESCAPE.sub(_spelt, data).decode("ascii")


def _only_escapes(text: str) -> bool:
    """Whether all surrogates stand for undecodable bytes; others come from broken text of somebody else."""
    return all("\udc80" <= char <= "\udcff" for char in text if "\ud800" <= char <= "\udfff")


def _spelt(found: re.Match[bytes]) -> bytes:
    if found[1] is None:
        return b"%%%02X" % found[0][0]
    code = int(found[1], 16)
    return bytes((code,)) if code in _UNRESERVED else b"%%%02X" % code
