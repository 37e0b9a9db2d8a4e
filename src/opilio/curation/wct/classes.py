"""The classes of the Web Curator Tool that annotations, tasks and audit rows name, and what they are here."""

from dataclasses import dataclass

from opilio.curation.wct.tables import Cells

_CORE = "org.webcurator.domain.model.core"
_AUTH = "org.webcurator.domain.model.auth"


@dataclass(frozen=True, kw_only=True)
class ClassName:
    """One class: its full name, its table there, our kind of row."""

    name: str
    table: str
    kind: str

    @property
    def short(self) -> str:
        """The name without its package."""
        return self.name.rpartition(".")[2]


CLASSES = (
    ClassName(name=f"{_CORE}.Target", table="ABSTRACT_TARGET", kind="target"),
    ClassName(name=f"{_CORE}.TargetGroup", table="ABSTRACT_TARGET", kind="group"),
    ClassName(name=f"{_CORE}.TargetInstance", table="TARGET_INSTANCE", kind="harvest"),
    ClassName(name=f"{_CORE}.Site", table="SITE", kind="authorisation"),
    ClassName(name=f"{_CORE}.Permission", table="PERMISSION", kind="permission"),
    ClassName(name=f"{_CORE}.AuthorisingAgent", table="AUTHORISING_AGENT", kind="authorising-agent"),
    ClassName(name=f"{_CORE}.Profile", table="PROFILE", kind="profile"),
    ClassName(name=f"{_CORE}.Schedule", table="SCHEDULE", kind="schedule"),
    ClassName(name=f"{_CORE}.Seed", table="SEED", kind="seed"),
    ClassName(name=f"{_CORE}.PermissionTemplate", table="PERMISSION_TEMPLATE", kind="permission-template"),
    ClassName(name=f"{_CORE}.Task", table="TASK", kind="task"),
    ClassName(name=f"{_AUTH}.Agency", table="AGENCY", kind="agency"),
    ClassName(name=f"{_AUTH}.User", table="WCTUSER", kind="user"),
    ClassName(name=f"{_AUTH}.Role", table="WCTROLE", kind="role"),
)
_BY_SHORT = {one.short.lower(): one for one in CLASSES}
_BY_KIND = {one.kind: one for one in CLASSES}


def class_named(text: str | None) -> ClassName | None:
    """The class of this name, with or without its package."""
    return _BY_SHORT.get((text or "").strip().rpartition(".")[2].lower())


def kind_of(text: str | None) -> str:
    """Our kind of row; an unknown class keeps its name."""
    found = class_named(text)
    return found.kind if found else (text or "").strip()[:64]


def name_of(kind: str) -> str:
    """The class over there; what is no kind that it knows keeps its name."""
    found = _BY_KIND.get(kind)
    return found.name if found else kind


def table_from(column: str) -> "_TableFrom":
    """The table that a number refers to, as another column's class tells."""
    return _TableFrom(column)


@dataclass(frozen=True)
class _TableFrom:
    column: str

    def __call__(self, cells: Cells) -> str:
        found = class_named(cells.get(self.column))
        return found.table if found else ""
