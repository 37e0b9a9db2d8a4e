"""What reviewers look at: results that wait, how they came about, what was recommended, and what the asker may do."""

from dataclasses import dataclass

from django.db.models import F, QuerySet

from opilio.curation.models import (
    Flag,
    Harvest,
    HarvestState,
    ModificationNote,
    PreservationEvent,
    RejectionReason,
    Result,
    ResultState,
    ReviewPolicy,
)
from opilio.curation.queries.results import may, results
from opilio.curation.result_lineage import Node, lineage
from opilio.curation.result_undoing import UNDO
from opilio.curation.result_workflow import RESULTS
from opilio.curation.sight import READERS, seen
from opilio.curation.workflow import Move
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import one

Choices = list[tuple[int, str]]
#: Riskiest first, then those that wait longest.
LIST_ORDER = ("-risk", "state_since", "id")
_IN_REVIEW = (HarvestState.HARVESTED, HarvestState.PATCHING)
_UNDECIDED = (ResultState.UNASSESSED, ResultState.INDEXING, ResultState.CRAWLING, ResultState.MODIFYING)
_NEEDS = {  # verb → state of the harvest in which it can be done; in the order of pages
    "endorse": HarvestState.HARVESTED, "reject": HarvestState.HARVESTED, "unendorse": HarvestState.ENDORSED,
    "undo": HarvestState.HARVESTED,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A decision that could be made, whether the asker may, and what stands against it."""

    move: Move[ResultState]
    allowed: bool
    problem: str = ""


def listed(actor: Actor) -> QuerySet[Result]:
    """Results with what was recommended, and `risk`, by which lists show the doubtful ones first."""
    rows = results(actor).select_related("assessment", "harvest__flag", "rejection_reason")
    return rows.annotate(risk=F("assessment__advice"))


def waiting(actor: Actor) -> QuerySet[Result]:
    """Those that nobody decided about yet."""
    return listed(actor).filter(state__in=_UNDECIDED, harvest__state__in=_IN_REVIEW)


def waiting_count(actor: Actor) -> int:
    """How many wait."""
    rows = seen(Result.objects.all(), actor, agency_path="harvest__agency_id")
    return rows.filter(state__in=_UNDECIDED, harvest__state__in=_IN_REVIEW).count()


def tree(harvest: Harvest) -> tuple[Node, ...]:
    """All results of a harvest, as they were derived from one another."""
    rows = list(Result.objects.filter(harvest=harvest).select_related("made_by", "decided_by").order_by("number"))
    notes: dict[int, tuple[str, ...]] = {}
    for note in ModificationNote.objects.filter(result__in=rows).order_by("result", "position"):
        notes[note.result_id] = (*notes.get(note.result_id, ()), note.note)
    return lineage(rows, notes)


def notes_of(row: Result) -> list[str]:
    """What was changed to make it, in order."""
    return list(ModificationNote.objects.filter(result=row).order_by("position").values_list("note", flat=True))


def way_to(row: Result) -> list[int]:
    """The numbers from the crawl's own result to this one."""
    parents = dict(Result.objects.filter(harvest_id=row.harvest_id).values_list("number", "derived_from"))
    way, number = [row.number], row.derived_from
    while number is not None and number in parents and number < way[0]:
        way.insert(0, number)
        number = parents[number]
    return way


def events_of(row: Result) -> QuerySet[PreservationEvent]:
    """What happened to a result as a thing to be preserved, oldest first."""
    return PreservationEvent.objects.filter(harvest_id=row.harvest_id, result=row.number).order_by("id")


def offers(actor: Actor, row: Result) -> list[Offer]:
    """What people can decide about it, each with whether the asker may and what stands against it."""
    found = [
        Offer(move=move, allowed=may(actor, row, move.privilege), problem=_problem(actor, row, move.name))
        for move in RESULTS.by_people(ResultState(row.state))
        if move.privilege is not None and move.name in _NEEDS and not (move.name == "undo" and row.number == 1)
    ]
    return sorted(found, key=lambda offer: tuple(_NEEDS).index(offer.move.name))


def two_must_agree(row: Result) -> bool:
    """Whether the agency wants a second person."""
    return ReviewPolicy.objects.filter(agency_id=row.harvest.agency_id, four_eyes=True).exists()


def reasons_for(row: Result) -> Choices:
    """The reasons for which it may be rejected."""
    return reasons_of(row.harvest.agency_id)


def reasons_of(agency_id: int) -> Choices:
    """The reasons of an agency for which harvests may be rejected."""
    rows = RejectionReason.objects.filter(agency_id=agency_id, for_harvests=True).order_by("name", "id")
    return list(rows.values_list("id", "name"))


def flags(actor: Actor) -> QuerySet[Flag]:
    """Flags of the agencies whose harvests the asker sees."""
    rows: QuerySet[Flag] = Flag.objects.select_related("agency")
    return seen(rows, actor, privileges=READERS | {Privilege.MANAGE_FLAGS})


def flag(actor: Actor, flag_id: int) -> Flag:
    """One flag, or `NotFound`."""
    return one(flags(actor), "flag", flag_id)


def flag_choices(actor: Actor) -> Choices:
    """Flags to choose from, with their agency."""
    rows = flags(actor).order_by("name", "id").values_list("id", "name", "agency__name")
    return [(number, f"{name} ({agency})") for number, name, agency in rows]


def flags_for(harvest: Harvest) -> Choices:
    """Flags that a harvest may get."""
    return list(Flag.objects.filter(agency_id=harvest.agency_id).order_by("name", "id").values_list("id", "name"))


def _problem(actor: Actor, row: Result, verb: str) -> str:
    wanted, state = _NEEDS[verb], HarvestState(row.harvest.state)
    if state != wanted:
        return f"The harvest is {state.label.lower()}."
    if row.change.get(UNDO):
        return "It is being undone."
    if verb == "endorse" and row.seconded_by_id is not None and row.seconded_by_id == actor.user:
        return "You proposed this; another person must agree."
    return ""
