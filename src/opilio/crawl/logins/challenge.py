"""Reads `WWW-Authenticate`: several headers, several challenges in one (RFC 9110 §11.6.1). Tolerant, never fatal."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

_LONGEST = 16_384  # characters of one header that are read
_MOST = 20  # challenges
_TOKEN = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"  # noqa: S105 - the syntax of RFC 9110, no password
_ITEM = re.compile(
    rf"[\s,]*(?:(?P<name>{_TOKEN})\s*=\s*(?:\"(?P<quoted>(?:[^\"\\]|\\.)*)\"|(?P<bare>[^\s,\"]+)(?=[\s,]|$))"
    rf"|(?P<scheme>{_TOKEN})(?:[ \t]+(?P<token>[A-Za-z0-9\-._~+/]+=*)(?=[ \t]*(?:,|$)))?(?=[\s,]|$))"
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Challenge:
    """What a server asks for."""

    scheme: str  # lower case
    token: str = ""  # token68, as Negotiate has it
    parameters: Mapping[str, str] = field(default_factory=dict)  # names in lower case

    @property
    def realm(self) -> str:
        """The protected area."""
        return self.parameters.get("realm", "")


def challenges(values: Iterable[str]) -> list[Challenge]:
    """All challenges in their order; what makes no sense ends its header."""
    found: list[Challenge] = []
    for value in values:
        found += _of_one(value[:_LONGEST])
    return found[:_MOST]


def _of_one(value: str) -> list[Challenge]:
    found: list[tuple[str, str, dict[str, str]]] = []
    position = 0
    while (item := _ITEM.match(value, position)) is not None and item.end() > position:
        position = item.end()
        if item["scheme"] is not None:
            found.append((item["scheme"].lower(), item["token"] or "", {}))
        elif found:
            text = item["bare"] if item["quoted"] is None else re.sub(r"\\(.)", r"\1", item["quoted"])
            if _CONTROL.search(text) is None:  # it will be sent back in a header
                found[-1][2].setdefault(item["name"].lower(), _decoded(text))
    return [Challenge(scheme=scheme, token=token, parameters=given) for scheme, token, given in found]


def _decoded(text: str) -> str:
    """Headers come as Latin-1 so that no byte is lost; most servers mean UTF-8."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text
