"""`opilio profile`: how to crawl."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli import profile_overrides
from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.curation_lookups import profile_named
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.profiles import (
    copy_profile,
    create_profile,
    set_default_profile,
    switch_profile,
    transfer_profile,
    update_profile,
)
from opilio.curation.profile_documents import document_of, read_document
from opilio.curation.profile_settings import Politeness, difference, from_plain, preset, to_plain
from opilio.curation.queries import profiles as queries
from opilio.curation.words import ProfileStatus
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import reading, write_atomically
from opilio.people.actions.rows import delete_row

app = noun_app("List, make, compare, import and export profiles; overrides and credentials.")
_PROFILE = Annotated[
    str, typer.Argument(metavar="PROFILE", help="NAME, NAME@AGENCY or the number.", show_default=False)
]
_AGENCY = Annotated[str, typer.Option(help="Agency whose targets may use it.", show_default=False)]
_LEVEL = Annotated[int, typer.Option(help="Level that a user needs in order to choose it.", min=1, max=3)]
_FILE = Annotated[Path | None, typer.Option(help="JSON with the settings.", show_default=False)]


@catalogue_command(app, "list")
def list_profiles(
    agency: Annotated[str | None, typer.Option(help="Only of this agency.", show_default=False)] = None,
) -> Answer:
    """List the profiles with the number of targets and groups that use them."""
    rows = queries.profiles(operator())
    if agency is not None:
        rows = rows.filter(agency_id=agency_named(operator(), agency).id)
    found = [_told(row) for row in rows.order_by("agency__name", "name")]
    columns = ("agency", "name", "level", "status", "default", "used", "id")
    shown = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"profiles": found}, parts=[Rows(columns=columns, rows=shown, empty="No profile yet.")])


@catalogue_command(app, "show")
def show(profile: _PROFILE) -> Answer:
    """Show one profile with its settings."""
    return _one(profile_named(operator(), profile))


@catalogue_command(app, "create")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the profile.", show_default=False)],
    agency: _AGENCY,
    politeness: Annotated[Politeness, typer.Option(help="How gently servers are asked.")] = Politeness.MEDIUM,
    settings: _FILE = None,
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
    level: _LEVEL = 1,
) -> Answer:
    """Make a profile, from a politeness or from a file of settings."""
    given = _read_json(settings) if settings else to_plain(preset(politeness))
    made = create_profile(
        operator(), agency_id=agency_named(operator(), agency).id, name=name, settings=given, description=description,
        level=level,
    )  # fmt: skip
    return _one(queries.profile(operator(), made.pk))


@catalogue_command(app, "change")
def change(
    profile: _PROFILE,
    settings: _FILE = None,
    name: Annotated[str | None, typer.Option(help="New name.", show_default=False)] = None,
    description: Annotated[str | None, typer.Option(help="New description.", show_default=False)] = None,
    level: Annotated[int | None, typer.Option(help="New level.", min=1, max=3, show_default=False)] = None,
) -> Answer:
    """Change a profile; the settings before are kept as a version."""
    row = profile_named(operator(), profile)
    given = {"name": name, "description": description, "level": level}
    changes: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if settings is not None:
        changes["settings"] = _read_json(settings)
    update_profile(operator(), profile_id=row.pk, version=row.version, **changes)
    return _one(queries.profile(operator(), row.pk))


@catalogue_command(app, "copy")
def copy(
    profile: _PROFILE,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the copy.", show_default=False)],
) -> Answer:
    """Make a profile like another one."""
    made = copy_profile(operator(), profile_id=profile_named(operator(), profile).pk, name=name)
    return _one(queries.profile(operator(), made.pk))


@catalogue_command(app, "activate")
def activate(profile: _PROFILE) -> Answer:
    """Let targets choose a profile again."""
    return _switched(profile, "activate")


@catalogue_command(app, "deactivate")
def deactivate(profile: _PROFILE) -> Answer:
    """Let no target choose a profile any more; those that have it keep it."""
    return _switched(profile, "deactivate")


@catalogue_command(app, "default")
def default(profile: _PROFILE) -> Answer:
    """Make a profile the default of its agency."""
    row = profile_named(operator(), profile)
    set_default_profile(operator(), profile_id=row.pk)
    return _one(queries.profile(operator(), row.pk))


@catalogue_command(app, "transfer")
def transfer(
    profile: _PROFILE,
    into: Annotated[str, typer.Argument(metavar="INTO", help="The other profile.", show_default=False)],
) -> Answer:
    """Give all targets and groups that use a profile another one."""
    source, target = profile_named(operator(), profile), profile_named(operator(), into)
    count = transfer_profile(operator(), profile_id=source.pk, into_id=target.pk)
    return Answer(document={"moved": count}, parts=[f"{count} targets and groups have {target.name} now."])


@catalogue_command(app, "versions")
def versions(profile: _PROFILE) -> Answer:
    """List the versions of a profile's settings."""
    row = profile_named(operator(), profile)
    found = [
        {"number": one.number, "at": one.at, "by": str(one.by or "")} for one in queries.versions(operator(), row.pk)
    ]
    columns = ("number", "at", "by")
    shown = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"versions": found}, parts=[Rows(columns=columns, rows=shown, empty="None was kept.")])


@catalogue_command(app, "diff")
def diff(
    profile: _PROFILE,
    before: Annotated[int, typer.Argument(metavar="BEFORE", help="Number of the earlier version.", show_default=False)],
    after: Annotated[int, typer.Argument(metavar="AFTER", help="Number of the later version.", show_default=False)],
) -> Answer:
    """Show what differs between two versions of a profile."""
    row = profile_named(operator(), profile)
    old, new = (queries.profile_version(operator(), row.pk, number) for number in (before, after))
    found = difference(from_plain(old.settings), from_plain(new.settings))
    rows = [(one.place, json.dumps(one.before), json.dumps(one.after)) for one in found]
    document = [{"place": one.place, "before": one.before, "after": one.after} for one in found]
    columns = ("setting", str(before), str(after))
    return Answer(document={"changes": document}, parts=[Rows(columns=columns, rows=rows, empty="Nothing differs.")])


@catalogue_command(app, "export")
def export(
    profile: _PROFILE,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="JSON file to write.", show_default=False)],
) -> Answer:
    """Write a profile to a JSON file that another installation can import."""
    text = json.dumps(document_of(profile_named(operator(), profile)), indent=2, ensure_ascii=False) + "\n"
    write_atomically(path, text.encode())
    return Answer(document={"written": str(path)}, parts=[f"Written to {path}."])


@catalogue_command(app, "import")
def import_profile(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="JSON file to read.", show_default=False)],
    agency: _AGENCY,
    name: Annotated[str, typer.Option(help="Another name than the file's.")] = "",
) -> Answer:
    """Make a profile of a JSON file that `opilio profile export` wrote."""
    found = read_document(_read(path))
    made = create_profile(
        operator(), agency_id=agency_named(operator(), agency).id, name=name or found.name, settings=found.settings,
        description=found.description, level=found.level,
    )  # fmt: skip
    return _one(queries.profile(operator(), made.pk))


@catalogue_command(app, "delete")
def delete(profile: _PROFILE) -> Answer:
    """Delete a profile that nothing uses; the page Deleted restores it."""
    row = profile_named(operator(), profile)
    delete_row(operator(), kind_name="profile", row_id=row.pk)
    return Answer(document={"deleted": str(row.pk)}, parts=[f"{row.name} is deleted."])


def _switched(profile: str, verb: str) -> Answer:
    row = profile_named(operator(), profile)
    switch_profile(operator(), profile_id=row.pk, verb=verb)
    return _one(queries.profile(operator(), row.pk))


def _read(path: Path) -> str:
    with reading(path):
        return path.read_bytes().decode("utf-8", "replace")


def _read_json(path: Path) -> dict[str, Any]:
    """The settings in a file, alone or inside of an exported profile."""
    try:
        found = json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"Not JSON: {str(error)[:200]}", where=str(path), remedy="Mend it.") from None
    if not isinstance(found, dict):
        raise InvalidInput("Not an object with settings", where=str(path), remedy='Write {"limits": {…}}.')
    inner = found.get("settings", found)
    return inner if isinstance(inner, dict) else found


def _one(row: Any) -> Answer:
    document = {**_told(row), "description": row.description, "settings": row.settings}
    pairs = [(name, json.dumps(value) if name == "settings" else value) for name, value in document.items()]
    return Answer(document=document, parts=[Fields(pairs=pairs)])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "name": row.name, "agency": row.agency.name, "level": row.level,
        "status": ProfileStatus(row.status).name.lower(), "default": row.is_default, "used": row.use_count,
        "version": row.version,
    }  # fmt: skip


profile_overrides.register(app)
