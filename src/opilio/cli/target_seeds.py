"""The commands of `opilio target` about seeds; a seed is named by its number."""

from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.collected import target_named
from opilio.cli.command import typed
from opilio.cli.output import Answer, Fields, Part, Rows
from opilio.cli.tables import read_text
from opilio.curation.actions import seeds as actions
from opilio.curation.days import day_in
from opilio.curation.queries import targets
from opilio.curation.queries.seed_rights import rights_of_seeds
from opilio.kernel.errors import InvalidInput
from opilio.people.actions.rows import delete_row

_TARGET = Annotated[str, typer.Argument(metavar="TARGET", help="Name or number of the target.", show_default=False)]
_SEED = Annotated[int, typer.Argument(metavar="SEED", help="Number of the seed.", min=0, show_default=False)]
_PERMISSION = Annotated[int, typer.Option(help="Number of the permission.", min=0, show_default=False)]
_LINK = Annotated[str, typer.Option(help="auto, later, or the number of a permission.")]
_ROOT = Annotated[str, typer.Option(help="Beginning that URLs must have; empty: no such rule.")]
_DEPTH = Annotated[str, typer.Option("--depth", help="Most links from here; empty: no limit.")]
_PAGES = Annotated[str, typer.Option("--pages", help="Most pages from here; empty: no limit.")]
_APPEND = Annotated[str, typer.Option(help="Text that is added to every request URL.")]
_CREDENTIAL = Annotated[str, typer.Option(help="Number of a credential of the target; empty: none.")]
_PRIMARY = Annotated[bool, typer.Option("--primary/--secondary", help="Whether it stands for the target.")]
_ACTIVE = Annotated[bool, typer.Option("--active/--inactive", help="Whether harvests start there.")]
_POSITION = Annotated[int, typer.Option(help="Place in the list, smallest first.", min=0)]
_NUMBERS = {"depth": "depth_limit", "pages": "page_limit", "credential": "credential_id"}


def register(app: typer.Typer) -> None:
    """Give `opilio target` these commands."""
    for name, body in (
        ("seeds", seeds), ("seed-add", add), ("seed-change", change), ("seed-delete", delete), ("seed-link", link),
        ("seed-unlink", unlink), ("seed-match", match), ("seed-list", import_list),
    ):  # fmt: skip
        catalogue_command(app, name)(body)


def seeds(target: _TARGET) -> Answer:
    """List the seeds of a target with their rights."""
    row = target_named(operator(), target)
    found = list(targets.seeds_of(row))
    documents = _told(found)
    shown = [(one["id"], one["url"], one["active"], one["primary"], one["allowed"], one["rights"]) for one in documents]
    columns = ("id", "seed", "active", "primary", "allowed", "rights")
    return Answer(document={"seeds": documents}, parts=[Rows(columns=columns, rows=shown, empty="No seed yet.")])


def add(
    context: typer.Context,
    target: _TARGET,
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the harvest starts.", show_default=False)],
    link: _LINK = "auto",
    root: _ROOT = "",
    depth: _DEPTH = "",
    pages: _PAGES = "",
    append: _APPEND = "",
    credential: _CREDENTIAL = "",
    primary: _PRIMARY = False,
    active: _ACTIVE = True,
) -> Answer:
    """Add a seed, and link it with permissions."""
    fields = _fields(context, "target", "url", "link")
    row = target_named(operator(), target)
    made = actions.add_seed(operator(), target_id=row.pk, url=url, **_link(link), **fields)
    return _one(made.id)


def change(
    context: typer.Context,
    seed: _SEED,
    url: Annotated[str, typer.Option(help="Another URL; links by patterns are looked up anew.")] = "",
    root: _ROOT = "",
    depth: _DEPTH = "",
    pages: _PAGES = "",
    append: _APPEND = "",
    credential: _CREDENTIAL = "",
    primary: _PRIMARY = False,
    active: _ACTIVE = True,
    position: _POSITION = 0,
) -> Answer:
    """Change what is named of a seed, and leave the rest as it is."""
    row = targets.seed(operator(), seed)
    actions.update_seed(operator(), seed_id=row.id, version=row.version, **_fields(context, "seed"))
    return _one(row.id)


def delete(seed: _SEED) -> Answer:
    """Delete a seed so that it can be restored."""
    row = targets.seed(operator(), seed)
    delete_row(operator(), kind_name="seed", row_id=row.id)
    return Answer(document={"deleted": str(row.id)}, parts=[f"Deleted {row.url}."])


def link(seed: _SEED, permission: _PERMISSION) -> Answer:
    """Let a seed rely on a permission of its agency."""
    actions.link_seed(operator(), seed_id=seed, permission_id=permission)
    return _one(seed)


def unlink(seed: _SEED, permission: _PERMISSION) -> Answer:
    """Let a seed rely on a permission no longer."""
    actions.unlink_seed(operator(), seed_id=seed, permission_id=permission)
    return _one(seed)


def match(seed: _SEED) -> Answer:
    """Link a seed with every permission that matches its URL."""
    actions.match_seed(operator(), seed_id=seed)
    return _one(seed)


def import_list(
    target: _TARGET,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One URL on each line, in UTF-8.", show_default=False)],
    link: _LINK = "auto",
    only_good: Annotated[bool, typer.Option("--only-good", help="Add good lines although others are bad.")] = False,
) -> Answer:
    """Add seeds from a list; with bad lines nothing is added, unless only the good ones are asked for."""
    row = target_named(operator(), target)
    taken = actions.import_seeds(
        operator(), target_id=row.pk, text=read_text(file), only_good=only_good, **_link(link)
    )  # fmt: skip
    faults = [{"line": one.line, "text": one.text, "reason": one.reason} for one in taken.faults]
    document = {"done": taken.done, "good": taken.good, "added": [str(one) for one in taken.added], "faults": faults}
    words = f"Added {len(taken.added)} seeds." if taken.done else "Nothing was added."
    bad = Rows(columns=("line", "text", "why"), rows=[(one.line, one.text, one.reason) for one in taken.faults])
    parts: list[Part] = [bad, words] if faults else [words]
    return Answer(document=document, parts=parts, exit_code=0 if taken.done else InvalidInput.exit_code)


def _link(text: str) -> dict[str, Any]:
    if text in ("auto", "later"):
        return {"link": actions.Link(text)}
    return {"link": actions.Link.PERMISSION, "permission_id": _number("--link", text)}


def _fields(context: typer.Context, *but: str) -> dict[str, Any]:
    """The options that were typed, as the action takes them; an empty limit means none."""
    given = {name: context.params[name] for name in typed(context) if name not in (*but, "as_json")}
    for option, column in _NUMBERS.items():
        if option in given:
            text = given.pop(option)
            given[column] = _number(f"--{option}", text) if text else None
    return given


def _number(option: str, text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise InvalidInput(f"{text[:64]!r} is no number", where=option, remedy="Write digits only.")
    return int(text)


def _one(seed_id: int) -> Answer:
    document = _told([targets.seed(operator(), seed_id)])[0]
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(rows: list[Any]) -> list[dict[str, Any]]:
    if not rows:
        return []
    today = day_in(operator().clock.now(), rows[0].target.agency.time_zone)
    rights = rights_of_seeds(rows, today)
    return [
        {
            "id": str(row.id), "url": row.url, "target": row.target.name, "active": row.active, "primary": row.primary,
            "root": row.root, "depth_limit": row.depth_limit, "page_limit": row.page_limit, "append": row.append,
            "credential": str(row.credential_id or ""), "position": row.position, "allowed": rights[row.id].allowed,
            "rights": rights[row.id].sentence,
            "permissions": [str(one.id) for one in rights[row.id].links], "version": row.version,
        }
        for row in rows
    ]  # fmt: skip
