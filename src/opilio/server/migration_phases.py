"""When a migration may be applied in an upgrade without stopping: before the older programs ended, or after.

The name tells, so that a program which does not know a migration can still say whether it can live with it:
`0007_after_drop_notes` takes something away that the older version uses; every other one only adds
(docs/howto/upgrade.md). `tests/upgrade` checks that each migration is what its name says.
"""

import re
from collections.abc import Iterable
from enum import Enum

Name = tuple[str, str]  # app, migration

_AFTER = re.compile(r"\d+_after_.+")


class Phase(Enum):
    """A half of an upgrade."""

    BEFORE = "before"  # while the older version still runs: its programs work with it as without it
    AFTER = "after"  # when only the newer version runs


def phase_of(name: Name) -> Phase:
    """To which half a migration belongs."""
    return Phase.AFTER if _AFTER.fullmatch(name[1]) else Phase.BEFORE


def of_phase(names: Iterable[Name], phase: Phase) -> tuple[Name, ...]:
    """Those of one half, in their order."""
    return tuple(name for name in names if phase_of(name) is phase)


def spoken(names: Iterable[Name]) -> str:
    """A few of them, for people."""
    listed = [".".join(name) for name in names]
    rest = f" and {len(listed) - 3} more" if len(listed) > 3 else ""
    return ", ".join(listed[:3]) + rest
