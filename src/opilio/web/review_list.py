"""The list of results that wait for a decision: its columns and filters; bulk work brings its own verbs."""

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import Q

from opilio.curation.queries import harvests, review
from opilio.curation.words import Advice, ResultState, result_tone_of
from opilio.people.actor import Actor
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Tags, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, Tab
from opilio.web.lists.filters import Choice, Options, States, Words
from opilio.web.result_page import PATH as RESULTS

if TYPE_CHECKING:
    from opilio.curation.models import Assessment, Result

PATH = "/review"
_TONES = {
    Advice.ENDORSE: "good", Advice.LOOK: "info", Advice.PATCH: "warn", Advice.DELIST: "warn", Advice.REJECT: "bad",
    Advice.FAILED: "bad",
}  # fmt: skip


def advice_badge(advice: int) -> tuple[str, str]:
    """What is recommended, in words and tone."""
    return Advice(advice).label.lower(), _TONES.get(Advice(advice), "quiet")


def _assessed(row: "Result") -> "Assessment | None":
    found: Assessment | None = getattr(row, "assessment", None)
    return found


def _name(row: "Result") -> Cell:
    number = f"Result {row.number}" if row.number == 1 else f"Result {row.number}, derived from {row.derived_from}"
    note = f"{number} · {row.harvest.agency.name}"
    return Link(text=row.harvest.abstract_target.name, url=f"{RESULTS}/{row.pk}", note=note)


def _state(row: "Result") -> Cell:
    return Badge(text=ResultState(row.state).label.lower(), tone=result_tone_of(row.state))


def _advice(row: "Result") -> Cell:
    found = _assessed(row)
    text, tone = advice_badge(found.advice) if found else ("not assessed", "quiet")
    return Badge(text=text, tone=tone)


def _headline(row: "Result") -> Cell:
    found = _assessed(row)
    return Text(text=found.headline if found else "")


def _completeness(row: "Result") -> Cell:
    found = _assessed(row)
    return Text(text=f"{found.completeness:.0%}" if found and found.completeness is not None else "", quiet=True)


def _pages(row: "Result") -> Cell:
    found = _assessed(row)
    return Number(number=found.pages) if found else Text(text="")


def _marks(row: "Result") -> Cell:
    marks = (("flagged", row.harvest.flagged), ("proposed", row.seconded_by_id is not None))
    flag = (row.harvest.flag.name,) if row.harvest.flag else ()
    return Tags(texts=(*flag, *(word for word, holds in marks if holds)))


def _texts(choices: list[tuple[int, str]]) -> Options:
    return [(str(number), label) for number, label in choices]


_COLUMNS: "tuple[Column[Result], ...]" = (
    Column(name="target", label="Target", cell=_name, sort="harvest__abstract_target__name"),
    Column(name="state", label="State", cell=_state, sort="state"),
    Column(name="advice", label="Recommended", cell=_advice, sort="risk"),
    Column(name="headline", label="Why", cell=_headline, sort="assessment__headline"),
    Column(name="pages", label="Pages", cell=_pages, sort="assessment__pages", numeric=True),
    Column(name="resources", label="Resources", cell=lambda row: Number(number=row.resources), sort="resources",
           numeric=True, shown=False),
    Column(name="completeness", label="Complete", cell=_completeness, sort="assessment__completeness", numeric=True),
    Column(name="marks", label="Marks", cell=_marks),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.harvest.agency.name),
           sort="harvest__agency__name", shown=False),
    Column(name="owner", label="Owner", cell=lambda row: Text(text=row.harvest.owner.username),
           sort="harvest__owner__username", shown=False),
    Column(name="since", label="Since", cell=lambda row: Moment(at=row.state_since), sort="state_since"),
    Column(name="harvest", label="Harvest", shown=False, sort="harvest_id",
           cell=lambda row: Link(text=str(row.harvest_id), url=f"/harvests/{row.harvest_id}")),
    Column(name="reason", label="Reason", cell=lambda row: Text(text=row.reason[:160], quiet=True), shown=False),
)  # fmt: skip
_STATES = {state.name.lower(): (state.label, Q(state=state)) for state in ResultState}
_STATES["proposed"] = ("Proposed for endorsement", Q(state=ResultState.UNASSESSED, seconded_by__isnull=False))
_ADVICE = {
    **{advice.name.lower(): (advice.label, Q(assessment__advice=advice)) for advice in Advice if advice.value},
    "none": ("Not assessed", Q(assessment=None)),
}  # fmt: skip
REVIEW: "ListPage[Result]" = ListPage(
    name="results", path=PATH, title="Review", words=("result", "results"), rows=review.waiting,
    intro="Results of harvests that wait for a decision, the doubtful ones first.",
    columns=_COLUMNS, order=review.LIST_ORDER,
    filters=(
        Words(columns=("harvest__abstract_target__name", "assessment__headline")),
        States(name="state", label="State", states=_STATES),
        States(name="advice", label="Recommended", states=_ADVICE),
        Choice(name="flag", label="Flag", column="harvest__flag_id",
               offered=lambda actor: _texts(review.flag_choices(actor))),
        Choice(name="owner", label="Owner", column="harvest__owner_id",
               offered=lambda actor: _texts(harvests.owner_choices(actor))),
        Choice(name="agency", label="Agency", column="harvest__agency_id",
               offered=lambda actor: _texts(harvests.agency_choices(actor))),
    ),
    empty=Empty(title="Nothing waits for review", icon="circle-check",
                text="When a harvest ends, its result stands here with a recommendation. Decided ones are found under"
                     " All results."),
)  # fmt: skip


def page_for(actor: Actor, *, every: bool) -> "ListPage[Result]":
    """What waits, or all results."""
    tabs = (
        Tab(label="Waiting", path=PATH, here=not every, count=review.waiting_count(actor)),
        Tab(label="All results", path=f"{PATH}/all", here=every),
    )
    if not every:
        columns = tuple(replace(one, shown=False) if one.name == "state" else one for one in REVIEW.columns)
        return replace(REVIEW, tabs=tabs, columns=columns)  # nearly all of them wait in the same state
    intro = "Every result of every harvest: what was decided about it, and what waits."
    return replace(REVIEW, path=f"{PATH}/all", rows=review.listed, tabs=tabs, title="All results", intro=intro)
