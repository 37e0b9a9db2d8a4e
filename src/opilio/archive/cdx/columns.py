"""The older CDX files: a legend in the first line, then columns. Read as CDXJ, with the keys that they have."""

import json
from collections.abc import Sequence

from opilio.archive.cdx.rows import UNKNOWN
from opilio.archive.cdx.seeking import Line
from opilio.kernel.errors import Damaged

_NAMES = {
    "N": "urlkey", "b": "timestamp", "a": "url", "m": "mime", "s": "status", "k": "digest", "S": "length",
    "V": "offset", "g": "filename",
}  # fmt: skip
_NEEDED = {"urlkey", "timestamp", "url", "offset", "filename"}


def legend_of(head: bytes, where: str) -> tuple[str, ...]:
    """The names of the columns, from the first bytes of a file; empty for a file of another kind."""
    first, end, _ = head.partition(b"\n")
    if not first.startswith(b" CDX "):
        return ()
    letters = first.decode("ascii", "replace").split()[1:] if end else []
    names = tuple(_NAMES.get(letter, "") for letter in letters)
    if not set(names) >= _NEEDED or names[:2] != ("urlkey", "timestamp"):
        remedy = "Nine or eleven columns are understood: N b a m s k r (M S) V g."
        raise Damaged(f"{first[:80]!r} is no legend of a CDX file", where=where, remedy=remedy)
    return names


def as_cdxj(line: Line, legend: Sequence[str]) -> Line:
    """The same capture as a line of CDXJ."""
    words = line.text.decode("utf-8", "backslashreplace").split(" ")
    if len(words) != len(legend):
        what = f"the line has {len(words)} columns, where the legend has {len(legend)}"
        raise Damaged(what, where=line.where, remedy="Make the index again.")
    named = dict(zip(legend, words, strict=True))
    fields = {name: value for name, value in named.items() if name and value != UNKNOWN}
    key, time = fields.pop("urlkey", ""), fields.pop("timestamp", "")
    return line._replace(text=f"{key} {time} {json.dumps(fields)}".encode("utf-8", "backslashreplace"))
