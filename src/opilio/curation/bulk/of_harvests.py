"""Bulk work on harvests and results: decide, flag, delist."""

from collections.abc import Callable, Mapping
from typing import Any

from opilio.curation.actions.deposits import archive_harvest
from opilio.curation.actions.flags import put_flag
from opilio.curation.actions.result_decisions import (
    endorse_harvest,
    endorse_result,
    reject_harvest,
    reject_result,
    unendorse_result,
)
from opilio.curation.actions.results import delist
from opilio.curation.bulk import choosing
from opilio.curation.bulk.arguments import Argument, Control
from opilio.curation.bulk.steps import Named
from opilio.curation.bulk.verbs import Begin, Noun, Step, Subject, Verb, each
from opilio.curation.models import Advice, Flag, Harvest, HarvestState, RejectionReason, Result, ResultState
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege

_ENDORSE = (Privilege.ENDORSE_HARVEST,)
_MOST_OFFERED = 500
_NOTE = Argument(name="note", label="Note", control=Control.PARAGRAPH, required=False)
_WHY = Argument(name="reason", label="Why", control=Control.PARAGRAPH)


def _names(model: Any) -> Callable[[Actor], list[tuple[str, str]]]:
    def offered(actor: Actor) -> list[tuple[str, str]]:
        rows = seen(model.objects.all(), actor).order_by("name").values_list("name", flat=True).distinct()
        return [(name, name) for name in rows[:_MOST_OFFERED]]

    return offered


_REASON = Argument(
    name="reason", label="Reason", control=Control.NAME, options=_names(RejectionReason),
    help="By its name; each harvest takes the reason of its own agency.",
)  # fmt: skip
_FLAG = Argument(
    name="flag", label="Flag", control=Control.NAME, options=_names(Flag),
    help="By its name; each harvest takes the flag of its own agency.",
)  # fmt: skip


def _harvest(subject: Subject) -> Harvest:
    found: Harvest | None = Harvest.objects.filter(pk=subject.row_id or 0).first()
    if found is None:
        raise NotFound(f"There is no harvest {subject.row_id}", remedy="Was it deleted?")
    return found


def _of_result(subject: Subject) -> Harvest:
    found: Result | None = Result.objects.filter(pk=subject.row_id or 0).select_related("harvest").first()
    if found is None:
        raise NotFound(f"There is no result {subject.row_id}", remedy="Was it deleted?")
    harvest: Harvest = found.harvest
    return harvest


def _reject(action: Callable[..., object], key: str, harvest: Callable[[Subject], Harvest]) -> Begin:
    def begin(actor: Actor, given: Mapping[str, Any]) -> Step:
        reasons = Named(RejectionReason, "reason", for_harvests=True)

        def step(subject: Subject) -> object:
            reason = reasons(harvest(subject).agency_id, given["reason"])
            return action(actor, **{key: subject.row_id}, reason_id=reason, note=given["note"] or "")

        return step

    return begin


def _archive(harvest: Callable[[Subject], Harvest]) -> Begin:
    return lambda actor, given: lambda subject: archive_harvest(actor, harvest_id=harvest(subject).pk)


def _delist(harvest: Callable[[Subject], Harvest]) -> Begin:
    return lambda actor, given: (
        lambda subject: delist(actor, target_id=harvest(subject).abstract_target_id, reason=given["reason"])
    )


def _colour(harvest: Callable[[Subject], Harvest], *, remove: bool = False) -> Begin:
    def begin(actor: Actor, given: Mapping[str, Any]) -> Step:
        flags = Named(Flag, "flag")

        def step(subject: Subject) -> object:
            row = harvest(subject)
            flag = None if remove else flags(row.agency_id, given["flag"])
            return put_flag(actor, harvest_id=row.pk, flag_id=flag)

        return step

    return begin


def _verbs(endorse: Begin, reject: Begin, harvest: Callable[[Subject], Harvest]) -> tuple[Verb, ...]:
    flags = (Privilege.MANAGE_TARGET_INSTANCES,)
    return (
        Verb(name="endorse", label="Endorse", done="endorsed or proposed", icon="circle-check", privileges=_ENDORSE,
             warning="They are good: others of the same harvest are passed over, and those who archive are asked.",
             arguments=(_NOTE,), begin=endorse),
        Verb(name="reject", label="Reject", done="rejected", icon="circle-x", danger=True, privileges=_ENDORSE,
             warning="They are not good, for a reason from the list; their data is removed after two weeks.",
             arguments=(_REASON, _NOTE), begin=reject),
        Verb(name="archive", label="Archive", done="being archived", icon="archive",
             privileges=(Privilege.ARCHIVE_HARVEST,), begin=_archive(harvest),
             warning="Agents hand their endorsed results to the depository that is proposed first."),
        Verb(name="delist", label="Delist", done="delisted", icon="calendar-x", danger=True,
             privileges=(Privilege.ADD_SCHEDULE_TO_TARGET,), arguments=(_WHY,), begin=_delist(harvest),
             warning="The schedules of their targets end; what was collected stays."),
        Verb(name="colour", label="Put flag on", done="flagged", icon="tag", privileges=flags, arguments=(_FLAG,),
             warning="They show the coloured flag of their agency.", begin=_colour(harvest)),
        Verb(name="uncolour", label="Take flag off", done="without a coloured flag", icon="flag-off", privileges=flags,
             warning="They show no coloured flag any more.", begin=_colour(harvest, remove=True)),
    )  # fmt: skip


HARVESTS = Noun(
    name="harvest", words=("harvest", "harvests"), path="/harvests",
    rows=lambda actor: seen(Harvest.objects.all(), actor),
    filters={
        "q": choosing.words("abstract_target__name", "reason"),
        "agency": choosing.named("agency", "agency__name"),
        "owner": choosing.named("owner", "owner__username"),
        "flag": choosing.named("flag", "flag__name"),
        "state": choosing.state("state", {state.value: state for state in HarvestState}),
    },
    verbs=_verbs(each(endorse_harvest, "harvest_id"), _reject(reject_harvest, "harvest_id", _harvest), _harvest),
)  # fmt: skip
RESULTS = Noun(
    name="result", words=("result", "results"), path="/review",
    rows=lambda actor: seen(Result.objects.all(), actor, agency_path="harvest__agency_id"),
    filters={
        "q": choosing.words("harvest__abstract_target__name"),
        "agency": choosing.named("agency", "harvest__agency__name"),
        "owner": choosing.named("owner", "harvest__owner__username"),
        "flag": choosing.named("flag", "harvest__flag__name"),
        "state": choosing.state("state", {state.label.casefold(): state for state in ResultState}),
        "advice": choosing.state("assessment__advice", {one.label.casefold(): one for one in Advice}),
    },
    verbs=(
        *_verbs(each(endorse_result, "result_id"), _reject(reject_result, "result_id", _of_result), _of_result),
        Verb(name="unendorse", label="Take the endorsement back", done="opened again", icon="rotate-ccw",
             privileges=(Privilege.UNENDORSE_HARVEST,), arguments=(_NOTE,), begin=each(unendorse_result, "result_id"),
             warning="They are decided upon again; what was rejected for a reason stays so."),
    ),
)  # fmt: skip
