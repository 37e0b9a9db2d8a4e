"""The list of what one result lacks."""

from typing import TYPE_CHECKING, Any

from opilio.curation.actions.missing_urls import wait_again
from opilio.curation.missing_finding import LOOKS
from opilio.curation.queries import missing_urls
from opilio.curation.words import HarvestState, MissingFrom, PatchState
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Choice, Words
from opilio.web.requests import PageRequest
from opilio.web.result_page import PATH, frame

if TYPE_CHECKING:
    from opilio.curation.models import MissingUrl, Result

_SHOWN = 200  # characters of a URL
_TONES = {PatchState.FETCHED: "good", PatchState.FAILED: "bad", PatchState.TAKEN: "info"}


def _url(row: "MissingUrl") -> Cell:
    return Link(text=row.url[:_SHOWN], note=f"for {row.page[:_SHOWN]}" if row.page else "")


def _state(row: "MissingUrl") -> Cell:
    return Badge(text=PatchState(row.state).label.lower(), tone=_TONES.get(PatchState(row.state), "quiet"))


_COLUMNS: "tuple[Column[MissingUrl], ...]" = (
    Column(name="url", label="URL", cell=_url, sort="url"),
    Column(name="page", label="Page that needs it", cell=lambda row: Text(text=row.page), shown=False),
    Column(name="noticed", label="Noticed", cell=lambda row: Text(text=MissingFrom(row.noticed).label), sort="noticed"),
    Column(name="state", label="State", cell=_state, sort="state"),
    Column(name="outcome", label="Outcome", cell=lambda row: Text(text=row.outcome)),
    Column(name="patched_in", label="Result", cell=lambda row: Text(text=str(row.patched_in or "")), sort="patched_in"),
    Column(name="created", label="Since", cell=lambda row: Moment(at=row.created), sort="created"),
)
_BULK = (
    Bulk(name="again", label="Wait again", icon="rotate-ccw", done="waiting again", privilege=Privilege.ENDORSE_HARVEST,
         warning="The next patch tries them once more.",
         run=lambda actor, row: wait_again(actor, missing_id=row.id)),
    Bulk(name="delete", label="Take off the list", icon="trash-2", done="taken off the list", danger=True,
         privilege=Privilege.ENDORSE_HARVEST, warning="No patch fetches them. They can be restored.",
         run=lambda actor, row: delete_row(actor, kind_name="missing-url", row_id=row.id)),
)  # fmt: skip


def missing_list(request: PageRequest, row: "Result") -> "ListPage[MissingUrl]":
    """The list of one result."""
    shown = frame(request.actor, row, "missing")
    return ListPage(
        name="missing-urls", path=f"{PATH}/{row.pk}/missing", title=f"Missing from {shown['name']}",
        words=("missing URL", "missing URLs"), rows=lambda actor: missing_urls.of_result(actor, row),
        columns=_COLUMNS, order=("id",), tabs=tuple(shown["tabs"]),
        intro=f"What result {row.number} lacks: a patch fetches it into a new result, and this one stays as it is.",
        filters=(
            Words(columns=("url", "page")),
            Choice(name="state", label="State", column="state", offered=lambda _: list(PatchState.choices)),
            Choice(name="noticed", label="Noticed", column="noticed", offered=lambda _: list(MissingFrom.choices)),
        ),
        bulk=_BULK, above="web/results/_missing_above.html", extra=_extra(request, row, shown),
        empty=Empty(title="Nothing is missing so far", icon="puzzle",
                    text="Look at the pages in replay, look for failed embeds, or name URLs yourself."),
    )  # fmt: skip


def _extra(request: PageRequest, row: "Result", shown: dict[str, Any]) -> dict[str, Any]:
    counts = missing_urls.counts(request.actor, row)
    state = HarvestState(row.harvest.state)
    return {
        **shown, "counts": counts, "looks": LOOKS, "waiting": counts[PatchState.WAITING],
        "may_patch": shown["may_endorse"] and state is HarvestState.HARVESTED,
        "patching": missing_urls.patch_under_way(request.actor, row),
    }  # fmt: skip
