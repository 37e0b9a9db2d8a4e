"""The head of an archived HTTP response, taken apart leniently: servers write anything."""

import re
from dataclasses import dataclass

_STATUS = re.compile(r"HTTP/[0-9.]{1,5}[ \t]+(\d{3})(?!\d)")
_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}")
_BAD = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchivedHead:
    """Status and header fields; names as written, values without what could break a header."""

    status: int = 200
    fields: tuple[tuple[str, str], ...] = ()

    def values(self, name: str) -> list[str]:
        """All values of a header, in order."""
        return [value for key, value in self.fields if key.lower() == name]

    def first(self, name: str) -> str:
        """The first value of a header; empty without one."""
        return next(iter(self.values(name)), "")


def parse_head(head: bytes) -> ArchivedHead:
    """The head; without a status line it is that of a document which came without one."""
    lines = re.sub(r"\r?\n[ \t]+", " ", head.decode("latin-1")).splitlines()
    found = _STATUS.match(lines[0]) if lines else None
    fields = []
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if colon and _NAME.fullmatch(name.strip()):
            fields.append((name.strip(), _BAD.sub(" ", value).strip()))
    return ArchivedHead(status=int(found[1]) if found else 200, fields=tuple(fields))
