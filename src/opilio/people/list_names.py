"""The constrained lists of the installation and what each starts with; pages let an institution change them."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ConstrainedList:
    """A list from which a field takes its value."""

    name: str
    label: str
    sentence: str
    starts_with: tuple[str, ...]


LISTS: tuple[ConstrainedList, ...] = (
    ConstrainedList(
        name="user-title", label="Titles of users", sentence="Forms of address that a user can choose.",
        starts_with=("Dr", "Mr", "Mrs", "Ms", "Mx", "Prof"),
    ),
)  # fmt: skip
BY_NAME = {one.name: one for one in LISTS}
