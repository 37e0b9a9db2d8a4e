"""Markup that is escaped by construction: whatever is not Markup already becomes text. For pages without templates."""

from html import escape

_EMPTY = frozenset({"br", "col", "hr", "img", "input", "link", "meta"})  # elements without an end
_SVG_EMPTY = frozenset({"circle", "line", "path", "polyline", "rect"})


class Markup(str):
    """Text that is HTML or SVG; made by the functions here only."""

    __slots__ = ()


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """An element. `class_` stands for class, other underscores for hyphens; attributes that are None are left out."""
    given = "".join(
        f' {_named(key)}="{escape(str(value), quote=True)}"' for key, value in attributes.items() if value is not None
    )
    if name in _EMPTY:
        return Markup(f"<{name}{given}>")
    if name in _SVG_EMPTY and not children:
        return Markup(f"<{name}{given}/>")
    return Markup(f"<{name}{given}>{joined(*children)}</{name}>")


def joined(*children: object) -> Markup:
    """Children one after the other; None is nothing, and what is not Markup is escaped."""
    return Markup("".join(_child(child) for child in children))


def _child(child: object) -> str:
    if child is None:
        return ""
    return child if isinstance(child, Markup) else escape(str(child), quote=False)


def _named(key: str) -> str:
    return key.rstrip("_").replace("_", "-")
