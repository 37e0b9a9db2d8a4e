"""Where the page of a row is."""

from opilio.people.kinds import kind_named, kinds
from opilio.people.row_pages import PAGES, path_of

__all__ = ["list_of", "path_of", "spoken"]


def list_of(kind_name: str) -> str:
    """The address of the list in which rows of the kind stand; the in-tray for kinds without one."""
    pattern = PAGES.get(kind_name)
    return pattern.removesuffix("/{}") if pattern else "/"


def spoken(kind_name: str) -> str:
    """The name of a kind, as people read it."""
    return kind_named(kind_name).label if kind_name in {kind.name for kind in kinds()} else kind_name.replace("_", " ")
