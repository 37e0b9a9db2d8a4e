"""The commands of `opilio group` about what is in a group: tree, seeds of a harvest, description."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.collected import group_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.dublin_core import save_dublin_core
from opilio.curation.group_harvest import preview
from opilio.curation.queries import groups
from opilio.curation.words import ELEMENTS, State
from opilio.kernel.errors import InvalidInput

_GROUP = Annotated[str, typer.Argument(metavar="GROUP", help="Name or number of the group.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Give `opilio group` these commands."""
    catalogue_command(app, "tree")(tree)
    catalogue_command(app, "seeds")(seeds)
    catalogue_command(app, "describe")(describe)


def tree(group: _GROUP) -> Answer:
    """Show everything that is in a group, however deep."""
    top = groups.tree(operator(), group_named(operator(), group))
    return Answer(document=_document(top), parts=["\n".join(_lines(top, 0))])


def seeds(group: _GROUP) -> Answer:
    """Show with which seeds a combined harvest would start now, and who would be left out and why."""
    found = preview(operator(), group_named(operator(), group)).found
    document = {
        "seeds": [{"url": one.url, "target": one.target_name, "target_id": str(one.target)} for one in found.seeds],
        "left_out": [{"name": one.name, "id": str(one.id), "reason": one.reason} for one in found.left_out],
    }  # fmt: skip
    chosen = Rows(
        columns=("seed", "target"), rows=[(one.url, one.target_name) for one in found.seeds],
        empty="A harvest now would collect nothing.",
    )  # fmt: skip
    rest = Rows(columns=("left out", "why"), rows=[(one.name, one.reason) for one in found.left_out])
    return Answer(document=document, parts=[chosen, rest] if found.left_out else [chosen])


def describe(
    group: _GROUP,
    element: Annotated[
        list[str] | None, typer.Option(help="NAME=TEXT, as title=Elections; repeatable.", show_default=False)
    ] = None,
) -> Answer:
    """Show the description of a group, or change elements of it."""
    row = group_named(operator(), group)
    core: Any = row.dublin_core
    if element:
        core = save_dublin_core(
            operator(), kind_name="group", row_id=row.pk, version=None, **dict(_pair(text) for text in element)
        )
    document = {name: getattr(core, name) if core else "" for name in ELEMENTS}
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or name not in ELEMENTS:
        raise InvalidInput(
            f"{text[:64]!r} names no element",
            where="--element",
            remedy=f"Write NAME=TEXT; known: {', '.join(ELEMENTS)}.",
        )
    return name, value


def _document(node: groups.Node) -> dict[str, Any]:
    return {
        "id": str(node.row.pk), "name": node.row.name, "kind": "group" if node.is_group else "target",
        "state": State(node.row.state).label.lower(), "members": [_document(one) for one in node.members],
        "cut": node.cut,
    }  # fmt: skip


def _lines(node: groups.Node, depth: int) -> Iterator[str]:
    mark = "▸ " if node.is_group else "  "
    yield f"{'  ' * depth}{mark}{node.row.name} ({State(node.row.state).label.lower()})"
    for one in node.members:
        yield from _lines(one, depth + 1)
    if node.cut:
        yield f"{'  ' * (depth + 1)}…"
