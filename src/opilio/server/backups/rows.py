"""Counts rows and makes a digest of a table that does not depend on the order in which rows come."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

from opilio.server.backups.manifest import TableEntry

_BITS = 1 << 256


def entry(rows: Iterable[Sequence[object]]) -> TableEntry:
    """The sum of the rows' digests, modulo 2²⁵⁶: the same for the same rows in any order."""
    count, total = 0, 0
    for row in rows:
        text = json.dumps(list(row), default=_plain, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
        total = (total + int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")) % _BITS
        count += 1
    return TableEntry(rows=count, digest=f"{total:064x}")


def differences(expected: Mapping[str, TableEntry], found: Mapping[str, TableEntry]) -> list[str]:
    """In words, which tables differ; empty when none does."""
    said = []
    for name in sorted({*expected, *found}):
        was, is_now = expected.get(name), found.get(name)
        if was is None or is_now is None:
            said.append(f"table {name} is {'not in the manifest' if was is None else 'missing'}")
        elif was.rows != is_now.rows:
            said.append(f"table {name} has {is_now.rows} rows instead of {was.rows}")
        elif was.digest != is_now.digest:
            said.append(f"table {name} has other contents")
    return said


def _plain(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
