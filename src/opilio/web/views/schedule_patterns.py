"""Schedule patterns: the list, one of them, a new one."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.curation.actions.schedule_patterns import create_schedule_pattern, update_schedule_pattern
from opilio.curation.cron.parsing import parse
from opilio.curation.cron.words import explain
from opilio.curation.queries import schedules as queries
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.schedules import EditPatternForm, PatternForm
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import SchedulePattern

PATH = "/admin/schedule-patterns"
_COLUMNS: "tuple[Column[SchedulePattern], ...]" = (
    Column(name="name", label="Pattern", cell=lambda row: Link(text=row.name, url=f"{PATH}/{row.pk}"), sort="name"),
    Column(name="when", label="When", cell=lambda row: Text(text=explain(parse(row.cron)))),
    Column(name="cron", label="Expression", cell=lambda row: Text(text=row.cron, code=True)),
    Column(name="number", label="Number", cell=lambda row: Number(number=row.number), sort="number", numeric=True),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated", shown=False),
)
PATTERNS: "ListPage[SchedulePattern]" = ListPage(
    name="schedule-patterns", path=PATH, title="Schedule patterns", words=("pattern", "patterns"),
    rows=queries.patterns,
    intro="Expressions with a name, offered to everybody who makes a schedule. “Mondays at 21:00” is always offered.",
    columns=_COLUMNS, order=("name", "id"), filters=(Words(columns=("name", "cron")),),
    new=New(label="New pattern", path=f"{PATH}/new", privilege=Privilege.CONFIGURE_PARAMETERS),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
             privilege=Privilege.CONFIGURE_PARAMETERS, warning="Schedules that were made with them stay as they are.",
             run=lambda actor, row: delete_row(actor, kind_name="schedule-pattern", row_id=row.pk)),
    ),
    empty=Empty(title="No pattern of your own yet", text="Make one for times that you use often.", icon="repeat"),
)  # fmt: skip


@section("schedule-patterns")
def patterns(request: PageRequest) -> HttpResponseBase:
    """The schedule patterns of the installation."""
    return show(request, PATTERNS)


@section("schedule-patterns")
def new_pattern(request: PageRequest) -> HttpResponse:
    """Make a schedule pattern."""

    def save(data: dict[str, Any]) -> str:
        made = create_schedule_pattern(request.actor, **data)
        messages.success(request, f"The pattern {made.name} is made.")
        return PATH

    return answer(
        request, PatternForm(request), FormPage(title="New pattern", back=PATH, button="Make pattern"), save=save
    )


@section("schedule-patterns")
def pattern(request: PageRequest, pattern_id: int) -> HttpResponse:
    """Change a schedule pattern."""
    row = queries.pattern(request.actor, pattern_id)
    values = {"name": row.name, "cron": row.cron}

    def save(data: dict[str, Any]) -> str:
        update_schedule_pattern(request.actor, pattern_id=row.pk, **data)
        messages.success(request, "Saved. Schedules that were made with it stay as they are.")
        return PATH

    page = FormPage(title=row.name, back=PATH, context={"row": row, "kind": "schedule-pattern"})
    form = EditPatternForm(request, initial={**values, "version": row.version})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
