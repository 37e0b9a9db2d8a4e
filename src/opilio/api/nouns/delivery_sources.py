"""Sources of centres: list, show, make, change, delete, try; secrets come in, and never go out again."""

import datetime
from typing import Annotated, Any, Literal

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.centres import see
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Line, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.tracker.actions import sources as actions
from opilio.tracker.actions.sources import Keys
from opilio.tracker.kinds import SOURCE
from opilio.tracker.queries import deliveries as queries
from opilio.tracker.queries import sources as sources_query

router = Router(tags=["deliveries"])
_ORDER = Order(name="delivery-sources", column="name")
_MANAGE = Privilege.MANAGE_SOURCES
_CLOCK = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
Protocol = Literal["sftp", "ftp", "ftps", "https", "http", "folder"]
State = Literal["available", "maintenance", "removed"]
SourceName = Annotated[str, Field(min_length=1, max_length=64, examples=["main"])]
Host = Annotated[str, Field(max_length=512, examples=["files.centre.example"])]
Port = Annotated[int, Field(strict=True, ge=1, le=65_535)]
Folder = Annotated[str, Field(max_length=256, description="It holds the folders of actions.")]
User = Annotated[str, Field(max_length=128)]
Password = Annotated[str, Field(max_length=4_000, description="Kept sealed; never shown.")]
PrivateKey = Annotated[str, Field(max_length=65_536, description="In PEM or OpenSSH form. Kept sealed; never shown.")]
Preference = Annotated[int, Field(strict=True, ge=-1_000_000, le=1_000_000, description="Higher is asked first.")]
Seconds = Annotated[int, Field(strict=True, ge=1, le=86_400, description="Seconds without a byte.")]
Connections = Annotated[int, Field(strict=True, ge=1, le=64, description="Connections at once.")]
Rate = Annotated[int, Field(strict=True, ge=1, le=2**53, description="Bytes a second, of all connections together.")]
Certificates = Annotated[str, Field(max_length=64_000, description="Certificates to trust, in PEM form.")]
Clock = Annotated[str, Field(pattern=_CLOCK, examples=["22:00"])]
HostKey = Annotated[
    str, Field(min_length=1, max_length=200, examples=["SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"])
]
HostKeys = Annotated[list[HostKey], Field(max_length=50, description="SFTP: fingerprints that were compared.")]


class SourceWindow(Schema):
    """When a source may be used, in its own time; over midnight if it ends before it starts."""

    days: list[Annotated[int, Field(strict=True, ge=0, le=6)]] = Field(
        default_factory=lambda: list(range(7)), max_length=7, description="0 is Monday."
    )
    start: Clock = "00:00"
    end: Clock = Field("00:00", description="00:00: the end of the day.")


Windows = Annotated[list[SourceWindow], Field(max_length=50, description="Empty: always.")]


class SourceAnswer(Answer):
    """A server or folder on which a centre offers files, without its secrets."""

    id: Id
    centre: Id = Field(alias="centre_id")
    centre_code: str
    name: str
    protocol: str
    host: str = Field(alias="hostname")
    port: int | None
    base: str = Field(alias="base_path")
    user: str = Field(alias="username")
    has_secret: bool = Field(description="Whether secrets are kept.")
    state: str
    preference: int
    host_keys: list[str]
    authority: str
    timeout: int
    connections: int
    bytes_per_second: int | None
    windows: list[SourceWindow]
    record: dict[str, Any] = Field(description="How it did so far.")
    created: datetime.datetime
    updated: datetime.datetime
    version: int

    @staticmethod
    def resolve_centre_code(row: Any) -> str:
        """The code of its centre."""
        return str(row.centre.short_name)

    @staticmethod
    def resolve_has_secret(row: Any) -> bool:
        """Only whether there is one."""
        return bool(row.access_key)

    @staticmethod
    def resolve_protocol(row: Any) -> str:
        """Its name."""
        return str(row.protocol.short_name)

    @staticmethod
    def resolve_state(row: Any) -> str:
        """Its name."""
        return str(row.state.short_name)


class SourceFilters(Schema):
    """Which sources are listed."""

    q: Line = Field("", description="Part of the name or the host.")
    centre: Identifier | None = None
    state: State | None = None
    protocol: Protocol | None = None


class SourceNew(Body):
    """A source to be made."""

    centre: Identifier
    name: SourceName
    protocol: Protocol
    host: Host = ""
    port: Port | None = None
    base: Folder = "/"
    user: User = ""
    password: Password = ""
    private_key: PrivateKey = ""
    passphrase: Password = ""
    state: State = "available"
    preference: Preference = 0
    host_keys: HostKeys = Field(default_factory=list)
    authority: Certificates = ""
    timeout: Seconds = 30
    connections: Connections = 2
    bytes_per_second: Rate | None = None
    windows: Windows = Field(default_factory=list)


class SourceChange(Body):
    """Fields to change; whoever leads it elsewhere gives its secrets anew."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: SourceName | None = None
    protocol: Protocol | None = None
    host: Host | None = None
    port: Port | None = None
    base: Folder | None = None
    user: User | None = None
    password: Password | None = None
    private_key: PrivateKey | None = None
    passphrase: Password | None = None
    state: State | None = None
    preference: Preference | None = None
    host_keys: HostKeys | None = None
    authority: Certificates | None = None
    timeout: Seconds | None = None
    connections: Connections | None = None
    bytes_per_second: Rate | None = None
    windows: Windows | None = None


class SourceTried(Answer):
    """How a trial went."""

    reached: bool
    why: str = Field(description="What is wrong; empty: nothing.")
    folders: dict[str, int] = Field(description="Names in the folder of each action.")
    missing: list[str] = Field(description="Folders of actions that are not there.")
    shown_keys: list[str] = Field(description="SFTP: fingerprints that the server shows.")
    strange_keys: list[str] = Field(description="Those of them that were not enrolled.")


_COLUMNS = {"host": "hostname", "base": "base_path", "user": "username"}
_SECRETS = ("password", "private_key", "passphrase")


@router.get("", response=Page[SourceAnswer])
def list_delivery_sources(
    request: ApiRequest, filters: Query[SourceFilters], paging: Query[Paging]
) -> Page[SourceAnswer]:
    """List the sources of centres whose deliveries you may see, by name.

    Needs VIEW_DELIVERIES, MANAGE_DELIVERIES, MANAGE_SOURCES or RUN_SESSION.
    """
    see(request.auth)
    rows = queries.sources(request.auth)
    if filters.q:
        rows = rows.filter(name__icontains=filters.q) | rows.filter(hostname__icontains=filters.q)
    chosen = {"centre_id": filters.centre, "state__short_name": filters.state, "protocol__short_name": filters.protocol}
    rows = rows.filter(**{name: value for name, value in chosen.items() if value is not None})
    return page(rows, _ORDER, paging, SourceAnswer)


@router.post("", response={201: SourceAnswer})
def create_delivery_source(request: ApiRequest, response: HttpResponse, body: SourceNew) -> SourceAnswer:
    """Make a source of a centre.

    Needs MANAGE_SOURCES over the agency of the centre.
    """
    need(request.auth, "make sources", _MANAGE)
    queries.centre(request.auth, body.centre)
    given = _columns(body.model_dump(exclude={"centre", *_SECRETS}))
    made = actions.create_source(request.auth, centre_id=body.centre, keys=_keys(body), **given)
    return _shown(request.auth, made.pk, response)


@router.get("/{source_id}", response=SourceAnswer)
def show_delivery_source(request: ApiRequest, response: HttpResponse, source_id: Identifier) -> SourceAnswer:
    """Show a source.

    Needs a privilege about deliveries over the agency of its centre.
    """
    return _shown(request.auth, source_id, response)


@router.patch("/{source_id}", response=SourceAnswer)
def change_delivery_source(
    request: ApiRequest, response: HttpResponse, source_id: Identifier, body: SourceChange
) -> SourceAnswer:
    """Change a source; secrets that are not sent stay as they are.

    Needs MANAGE_SOURCES over the agency of its centre.
    """
    need(request.auth, "change sources", _MANAGE)
    queries.source(request.auth, source_id)
    version = base_version(request, body.version)
    changes = _columns(body.model_dump(include=set(body.changes(*_SECRETS))))
    actions.update_source(request.auth, source_id=source_id, version=version, keys=_keys(body), **changes)
    return _shown(request.auth, source_id, response)


@router.delete("/{source_id}", response={204: None})
def delete_delivery_source(request: ApiRequest, source_id: Identifier) -> None:
    """Delete a source so that it can be restored; what came from it stays.

    Needs MANAGE_SOURCES over the agency of its centre.
    """
    delete(request.auth, SOURCE, source_id, matched_version(request))


@router.post("/{source_id}/try", response=SourceTried)
def try_delivery_source(request: ApiRequest, source_id: Identifier) -> SourceTried:
    """Sign in to a source and list its folders; nothing is fetched. The host key of an SFTP server is told.

    Needs MANAGE_SOURCES over the agency of its centre.
    """
    need(request.auth, "try sources", _MANAGE)
    found = sources_query.probe(request.auth, source_id)
    return SourceTried(
        reached=found.reached, why=found.why, folders=dict(found.folders), missing=list(found.missing),
        shown_keys=list(found.shown_keys), strange_keys=list(found.strange_keys),
    )  # fmt: skip


def _columns(given: dict[str, Any]) -> dict[str, Any]:
    return {_COLUMNS.get(name, name): value for name, value in given.items()}


def _keys(body: SourceNew | SourceChange) -> Keys:
    return Keys(**{name: getattr(body, name) or "" for name in _SECRETS})


def _shown(actor: Actor, source_id: int, response: HttpResponse) -> SourceAnswer:
    see(actor)
    row = queries.source(actor, source_id)
    tag(response, row.version)
    return SourceAnswer.from_orm(row)
