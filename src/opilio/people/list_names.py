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
    ConstrainedList(
        name="access-status", label="Access statuses", sentence="Who may read what a permission covers.",
        starts_with=("Open (unrestricted) access", "Limited to 3 concurrent users", "Restricted by location",
                     "Restricted by person", "Embargoed"),
    ),
    ConstrainedList(
        name="selection-type", label="Selection types", sentence="How a target came to be selected.",
        starts_with=("one-off", "ad hoc", "regular"),
    ),
    ConstrainedList(
        name="harvest-type", label="Harvest types", sentence="Which approach a target is collected for.",
        starts_with=("subject", "event", "theme"),
    ),
    ConstrainedList(
        name="group-type", label="Group types", sentence="What kind of group a group is.",
        starts_with=("Collection", "Subject", "Thematic", "Event", "Functional", "Sub-Group"),
    ),
    ConstrainedList(
        name="dublin-core-type", label="Types of works", sentence="Kinds of work in descriptions.",
        starts_with=("Collection", "Dataset", "Event", "Image", "Interactive Resource", "Moving Image",
                     "Physical Object", "Service", "Software", "Sound", "Still Image", "Text"),
    ),
)  # fmt: skip
BY_NAME = {one.name: one for one in LISTS}
