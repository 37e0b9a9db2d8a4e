"""Sources: the list, a new one, one of them, whether it answers, and its host key."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.tracker.actions.sources import Keys, create_source, update_source
from opilio.tracker.queries import deliveries as query
from opilio.tracker.queries import sources as sources_query
from opilio.web.delivery_list import CentreChoice
from opilio.web.delivery_words import PATH
from opilio.web.forms.delivery_sources import NewSourceForm, SourceForm, window_lines
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Choice, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.tracker.models import Source

SOURCES_PATH = f"{PATH}/sources"
_MANAGE = Privilege.MANAGE_SOURCES
_TONES = {"available": "good", "maintenance": "warn", "removed": "quiet"}
_FIELDS = ("name", "hostname", "port", "base_path", "username", "preference", "timeout", "connections",
           "bytes_per_second", "authority")  # fmt: skip
_SECRETS = ("password", "private_key", "passphrase")
_BROKEN = 3  # failures in a row after which a source is marked


def _state(row: "Source") -> Cell:
    return Badge(text=row.state.short_name, tone=_TONES.get(row.state.short_name, "quiet"))


def _record(row: "Source") -> Cell:
    tried, failed = int(row.record.get("attempts", 0)), int(row.record.get("failures", 0))
    in_a_row = int(row.record.get("failed_in_a_row", 0))
    if not tried:
        return Text(text="not used yet", quiet=True)
    if in_a_row >= _BROKEN:
        return Badge(text=f"{in_a_row} failures in a row", tone="bad")
    return Text(text=f"{tried - failed:,} of {tried:,} fetched")


_COLUMNS: "tuple[Column[Source], ...]" = (
    Column(name="name", label="Source", sort="name",
           cell=lambda row: Link(text=row.name, url=f"{SOURCES_PATH}/{row.pk}", note=row.hostname or row.base_path)),
    Column(name="centre", label="Centre", sort="centre__short_name",
           cell=lambda row: Text(text=row.centre.short_name)),
    Column(name="protocol", label="Protocol", sort="protocol_id",
           cell=lambda row: Text(text=row.protocol.short_name)),
    Column(name="state", label="State", sort="state_id", cell=_state),
    Column(name="preference", label="Preference", numeric=True, sort="preference",
           cell=lambda row: Number(number=row.preference)),
    Column(name="record", label="How it did", cell=_record),
    Column(name="updated", label="Changed", sort="updated", cell=lambda row: Moment(at=row.updated)),
    Column(name="windows", label="Time windows", shown=False,
           cell=lambda row: Text(text=window_lines(row.windows).replace("\n", "; ") or "always")),
)  # fmt: skip
SOURCES: "ListPage[Source]" = ListPage(
    name="delivery-sources", path=SOURCES_PATH, title="Sources", words=("source", "sources"), rows=query.sources,
    intro="Servers and folders on which centres offer files. What opens them is kept sealed.", columns=_COLUMNS,
    order=("centre__short_name", "-preference", "name", "id"),
    filters=(
        Words(columns=("name", "hostname", "base_path")),
        CentreChoice(name="centre", label="Centre", column="centre_id",
                     offered=lambda actor: [(str(key), name) for key, name in sources_query.centre_choices(actor)]),
        Choice(name="protocol", label="Protocol", column="protocol__short_name",
               offered=lambda actor: sources_query.protocol_choices()),
        Choice(name="state", label="State", column="state__short_name",
               offered=lambda actor: sources_query.state_choices()),
    ),
    new=New(label="New source", path=f"{SOURCES_PATH}/new", privilege=_MANAGE),
    bulk=(
        Bulk(name="maintenance", label="Leave alone for a while", icon="pause", done="left alone", privilege=_MANAGE,
             warning="Sessions do not visit them until they are made available again.",
             run=lambda actor, row: update_source(actor, source_id=row.pk, version=row.version, state="maintenance")),
        Bulk(name="available", label="Make available", icon="play", done="made available", privilege=_MANAGE,
             warning="The next session visits them.",
             run=lambda actor, row: update_source(actor, source_id=row.pk, version=row.version, state="available")),
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True, privilege=_MANAGE,
             warning="They are not visited any more; what came from them stays. They can be restored.",
             run=lambda actor, row: delete_row(actor, kind_name="source", row_id=row.pk)),
    ),
    empty=Empty(title="No source yet", icon="hard-drive-download",
                text="Make one for a centre: the server or folder on which it offers its files."),
)  # fmt: skip


@section("delivery-sources")
def sources(request: PageRequest) -> HttpResponseBase:
    """The sources of the centres that the asker may see."""
    return show(request, SOURCES)


@section("delivery-sources")
def new_source(request: PageRequest) -> HttpResponse:
    """Make a source."""

    def save(data: dict[str, Any]) -> str:
        made = create_source(request.actor, centre_id=data.pop("centre"), keys=_keys(data), **data)
        messages.success(request, "Made. Try whether it answers.")
        return f"{SOURCES_PATH}/{made.pk}"

    form = NewSourceForm(
        request, centres=sources_query.centre_choices(request.actor, _MANAGE),
        protocols=sources_query.protocol_choices(), states=sources_query.state_choices(),
        initial={"centre": request.GET.get("centre", "")[:20], "timeout": 30, "connections": 2, "preference": 0},
    )  # fmt: skip
    page = FormPage(title="New source", back=SOURCES_PATH, button="Make source",
                    intro="The folders add, edit and delete lie directly below its base folder.")  # fmt: skip
    return answer(request, form, page, save=save)


@section("delivery-sources")
def source(request: PageRequest, source_id: int) -> HttpResponse:
    """One source."""
    row = query.source(request.actor, source_id)

    def save(data: dict[str, Any]) -> str:
        update_source(request.actor, source_id=row.pk, keys=_keys(data), **data)
        messages.success(request, "Saved.")
        return f"{SOURCES_PATH}/{row.pk}"

    values = _values(row)
    form = SourceForm(
        request, protocols=sources_query.protocol_choices(), states=sources_query.state_choices(),
        initial={**values, "version": row.version},
    )  # fmt: skip
    page = FormPage(
        title=str(row), back=SOURCES_PATH, template="web/deliveries/source.html", context=_context(request, row)
    )
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


@section("delivery-sources")
@require_POST
def try_source(request: PageRequest, source_id: int) -> HttpResponse:
    """Sign in to a source and list its folders; nothing is fetched."""
    found = sources_query.probe(request.actor, source_id)
    row = query.source(request.actor, source_id)
    context = {**_context(request, row), "title": f"{row}: trial", "tried": found, "pinned": list(row.host_keys)}
    return render(request, "web/deliveries/tried.html", context)


@section("delivery-sources")
@require_POST
def pin(request: PageRequest, source_id: int) -> HttpResponse:
    """Enrol the host key that a trial showed, once it was compared."""
    row = query.source(request.actor, source_id)
    key = request.POST.get("key", "")[:200].strip()
    keys = [one for one in row.host_keys if request.POST.get("replace") != "yes"]
    version = request.POST.get("version", "")
    update_source(
        request.actor, source_id=row.pk, version=int(version) if version.isdecimal() and len(version) < 10 else 0,
        host_keys=[*keys, key] if key not in keys else keys,
    )  # fmt: skip
    messages.success(request, "The key was enrolled. Try the source again.")
    return HttpResponseRedirect(f"{SOURCES_PATH}/{row.pk}")


def _context(request: PageRequest, row: "Source") -> dict[str, Any]:
    may = sources_query.may_manage(request.actor, row)
    return {
        "row": row, "kind": "source" if may else "", "may_manage": may, "secret": bool(row.access_key),
        "state_tone": _TONES.get(row.state.short_name, "quiet"), "did": _record(row),
    }  # fmt: skip


def _values(row: "Source") -> dict[str, Any]:
    return {
        **{name: getattr(row, name) for name in _FIELDS}, "protocol": row.protocol.short_name,
        "state": row.state.short_name, "host_keys": "\n".join(row.host_keys), "windows": window_lines(row.windows),
    }  # fmt: skip


def _keys(data: dict[str, Any]) -> Keys:
    return Keys(**{name: data.pop(name, "") for name in _SECRETS})
