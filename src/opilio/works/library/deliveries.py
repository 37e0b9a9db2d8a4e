"""Deliveries for programs: whether a file would be taken, and what is wrong with it."""

from collections.abc import Collection
from os import PathLike
from pathlib import Path

from opilio.deliveries.checking import Checked, check
from opilio.deliveries.profile import profile as profile_named
from opilio.kernel.errors import Missing


def check_delivery(
    file: str | PathLike[str], *, profile: str = "impc", centres: Collection[str] | None = None
) -> Checked:  # fmt: skip
    """Check a delivery by the rules it will meet: name, archive, schemas, records. Nothing is sent or kept.

    `profile` is one that comes with Opilio, or the path of a TOML file; `centres` those that may deliver, else those of
    the profile.
    """
    path = Path(file)
    if not path.is_file():
        raise Missing("there is no such file", where=str(path), remedy="Give the path of a delivery.")
    return check(path, profile_named(profile), frozenset(centres) if centres else None)
