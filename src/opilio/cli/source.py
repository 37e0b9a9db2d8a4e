"""`opilio source`: the servers and folders on which centres offer files."""

from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.centre import centre_named
from opilio.cli.command import noun_app
from opilio.cli.output import Answer, Fields, Rows
from opilio.cli.passwords import first_line
from opilio.kernel.files import reading
from opilio.people.errors import NotFound
from opilio.tracker import trying
from opilio.tracker.actions.sources import Keys, create_source, update_source
from opilio.tracker.queries import deliveries as query

app = noun_app("List, make, change and try sources of centres.")
_CENTRE = Annotated[str, typer.Argument(metavar="CENTRE", help="Code of the centre.", show_default=False)]
_NAME = Annotated[str, typer.Argument(metavar="NAME", help="What the source is called.", show_default=False)]
_KEY_FILE = Annotated[Path | None, typer.Option("--key-file", help="File of a private key; it is sealed and kept.")]
_PASSWORD = Annotated[bool, typer.Option("--password-stdin", help="Read its password from standard input.")]
_HOST_KEY = Annotated[list[str] | None, typer.Option("--host-key", help="Fingerprint that was compared; repeatable.")]
_LONGEST = 65_536  # bytes of a key


@catalogue_command(app, "list")
def list_sources() -> Answer:
    """List the sources; their secrets are never shown."""
    found = [_told(row) for row in query.sources(operator()).order_by("centre__short_name", "name")]
    columns = ("centre", "name", "protocol", "host", "base", "state", "preference")
    rows = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"sources": found}, parts=[Rows(columns=columns, rows=rows, empty="No source yet.")])


@catalogue_command(app, "create")
def create(
    centre: _CENTRE,
    name: _NAME,
    protocol: Annotated[str, typer.Option(help="sftp, ftp, ftps, https, http or folder.", show_default=False)],
    host: Annotated[str, typer.Option(help="Host name or address.")] = "",
    port: Annotated[int | None, typer.Option(min=1, max=65_535, help="Port; left out: the usual one.")] = None,
    base: Annotated[str, typer.Option(help="Folder that holds the folders of actions.")] = "/",
    user: Annotated[str, typer.Option(help="User name.")] = "",
    preference: Annotated[int, typer.Option(help="Higher is asked first.")] = 0,
    password: _PASSWORD = False,
    key_file: _KEY_FILE = None,
    host_key: _HOST_KEY = None,
) -> Answer:
    """Make a source of a centre."""
    made = create_source(
        operator(), centre_id=centre_named(centre).pk, name=name, protocol=protocol, hostname=host, port=port,
        base_path=base, username=user, preference=preference, host_keys=host_key or [],
        keys=_keys(password, key_file),
    )  # fmt: skip
    return _one(made.pk)


@catalogue_command(app, "update")
def update(
    centre: _CENTRE,
    name: _NAME,
    state: Annotated[str, typer.Option(help="available, maintenance or removed.")] = "",
    host: Annotated[str | None, typer.Option(help="Host name or address.")] = None,
    base: Annotated[str | None, typer.Option(help="Folder that holds the folders of actions.")] = None,
    user: Annotated[str | None, typer.Option(help="User name.")] = None,
    preference: Annotated[int | None, typer.Option(help="Higher is asked first.")] = None,
    password: _PASSWORD = False,
    key_file: _KEY_FILE = None,
    host_key: _HOST_KEY = None,
) -> Answer:
    """Change a source; what is not given stays."""
    row = _named(centre, name)
    given = {"hostname": host, "base_path": base, "username": user, "preference": preference, "host_keys": host_key}
    fields: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    update_source(
        operator(), source_id=row.pk, version=row.version, state=state, keys=_keys(password, key_file), **fields
    )
    return _one(row.pk)


@catalogue_command(app, "try")
def try_source(centre: _CENTRE, name: _NAME) -> Answer:
    """Sign in to a source and list it, without fetching anything."""
    tried = trying.tried(_named(centre, name))
    document = {"reached": tried.reached, "why": tried.why, "folders": dict(tried.folders)}
    pairs = [("reached", tried.reached), *([("why", tried.why)] if tried.why else []), *tried.folders.items()]
    return Answer(document=document, parts=[Fields(pairs=pairs)], exit_code=0 if tried.reached else 1)


def _keys(password: bool, key_file: Path | None) -> Keys:
    return Keys(password=first_line() if password else "", private_key=_content(key_file) if key_file else "")


def _content(path: Path) -> str:
    with reading(path), path.open("rb") as stream:
        return stream.read(_LONGEST).decode("utf-8", "replace")


def _named(centre: str, name: str) -> Any:
    found = query.sources(operator()).filter(centre__short_name__iexact=centre, name__iexact=name).first()
    if found is None:
        remedy = "`opilio source list` names them."
        raise NotFound(f"{centre[:64]} has no source {name[:64]!r}", where="source", remedy=remedy)
    return found


def _one(identifier: int) -> Answer:
    document = _told(query.sources(operator()).get(pk=identifier))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "centre": row.centre.short_name, "name": row.name, "protocol": row.protocol.short_name,
        "host": row.hostname, "port": row.port, "base": row.base_path, "user": row.username,
        "secret": "kept" if row.access_key else "none", "state": row.state.short_name, "preference": row.preference,
        "host keys": list(row.host_keys), "version": row.version,
    }  # fmt: skip
