"""Order, confirm, review and lift takedowns, and write down what was done for them elsewhere."""

from datetime import date, datetime

from opilio.curation.kinds import TAKEDOWN
from opilio.curation.models import Takedown, TakedownLevel, TakedownProof, TakedownState
from opilio.curation.takedown_checks import first_state, made
from opilio.curation.takedown_jobs import destroy_soon
from opilio.curation.takedown_tasks import CONFIRM, REVIEW, about, ask
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.intray import close_tasks
from opilio.people.privileges import Privilege, Subject

_LONGEST_PLACE = 255


@action("takedown.order", "Hide, block or destroy captures, by somebody's authority.", privilege=Privilege.TAKEDOWN)
def order_takedown(
    act: Act, /, *, agency_id: int, level: str, reach: str, value: str, authority: str, reason: str,
    reference: str = "", target_id: int | None = None, harvest_id: int | None = None,
    captured_from: datetime | None = None, captured_to: datetime | None = None, review_on: date | None = None,
) -> Takedown:  # fmt: skip
    """Readers see it no more within seconds; a destruction waits for a second person, and blocks meanwhile."""
    act.require(Privilege.TAKEDOWN, Subject(agency=agency_id), "take captures of this agency down")
    row = made(
        agency_id=agency_id, level=level, reach=reach, value=value, authority=authority, reason=reason,
        reference=reference, target_id=target_id, harvest_id=harvest_id, captured_from=captured_from,
        captured_to=captured_to,
    )  # fmt: skip
    row.state, row.review_on = first_state(level), review_on
    row.ordered_at, row.ordered_by_id = act.clock.now(), act.actor.user
    act.insert(row, message=row.reason)
    _begin(act, row)
    return row


@action("takedown.confirm", "Confirm a destruction that somebody else proposed.", privilege=Privilege.TAKEDOWN)
def confirm_takedown(act: Act, /, *, takedown_id: int, version: int | None = None) -> Takedown:
    """From then on agents destroy; it cannot be taken back."""
    row = _fetched(act, takedown_id, "confirm")
    if row.state != TakedownState.PROPOSED:
        raise _not_now(row, "Only a proposal can be confirmed.")
    other = act.actor.user != row.ordered_by_id
    act.require_that(other, "confirm the own proposal", "Another person who holds TAKEDOWN must confirm it.")
    act.update(row, {"state": TakedownState.IN_FORCE, "ordered_at": act.clock.now()}, version=version,
               message="Confirmed by a second person.")  # fmt: skip
    close_tasks(kind=CONFIRM, resource=about(row))
    _begin(act, row)
    return row


@action("takedown.lift", "Lift a takedown, so that readers see again what rules allow.", privilege=Privilege.TAKEDOWN)
def lift_takedown(act: Act, /, *, takedown_id: int, why: str, version: int | None = None) -> Takedown:
    """What was destroyed stays so."""
    row = _fetched(act, takedown_id, "lift")
    if not why.strip():
        raise InvalidFields({"why": ["Say why."]}, where=act.name)
    if row.state not in (TakedownState.PROPOSED, TakedownState.IN_FORCE):
        raise _not_now(row, "It is over.")
    if row.level == TakedownLevel.DESTROY and row.state != TakedownState.PROPOSED:
        raise _not_now(row, "What was destroyed stays so.")
    act.update(
        row, {"state": TakedownState.LIFTED, "lifted_at": act.clock.now(), "lifted_by_id": act.actor.user,
              "lifted_why": why.strip(), "review_on": None},
        version=version, message=why.strip(),
    )  # fmt: skip
    for kind in (CONFIRM, REVIEW):
        close_tasks(kind=kind, resource=about(row))
    return row


@action("takedown.review", "Look at a takedown again, and say when to do so next.", privilege=Privilege.TAKEDOWN)
def review_takedown(
    act: Act, /, *, takedown_id: int, note: str = "", review_on: date | None = None, version: int | None = None
) -> Takedown:
    """It stays in force; without a day nobody is asked again."""
    row = _fetched(act, takedown_id, "review")
    if row.state == TakedownState.LIFTED:
        raise _not_now(row, "It was lifted.")
    act.update(row, {"review_on": review_on}, version=version, message=f"Looked at again. {note.strip()}".strip())
    _proof(act, row, place="review", done=True, what=note.strip() or "It was looked at again and stays in force.")
    close_tasks(kind=REVIEW, resource=about(row))
    return row


@action("takedown.prove", "Write down what was done for a takedown elsewhere.", privilege=Privilege.TAKEDOWN)
def prove_takedown(act: Act, /, *, takedown_id: int, place: str, what: str, done: bool = True) -> TakedownProof:
    """For depositories, backups and replicas that Opilio cannot reach by itself."""
    row = _fetched(act, takedown_id, "add a proof to")
    faults = {name: ["Say it."] for name, text in (("place", place), ("what", what)) if not text.strip()}
    if len(place.strip()) > _LONGEST_PLACE:
        faults["place"] = [f"Write at most {_LONGEST_PLACE} characters."]
    if faults:
        raise InvalidFields(faults, where=act.name)
    proof = _proof(act, row, place=place.strip(), done=done, what=what.strip())
    act.record(row, message=f"{proof.place}: {proof.what[:500]}")
    return proof


def _begin(act: Act, row: Takedown) -> None:
    if row.state == TakedownState.PROPOSED:
        ask(act, row, CONFIRM, "Confirm that captures are destroyed")
    elif row.level == TakedownLevel.DESTROY:
        destroy_soon(row, act.clock.now())


def _fetched(act: Act, takedown_id: int, verb: str) -> Takedown:
    row: Takedown = act.fetch(TAKEDOWN, takedown_id)
    act.require(Privilege.TAKEDOWN, TAKEDOWN.subject(row), f"{verb} the takedown of {row.value[:80]}")
    return row


def _proof(act: Act, row: Takedown, *, place: str, done: bool, what: str) -> TakedownProof:
    proof = TakedownProof(
        takedown=row, at=act.clock.now(), place=place, done=done, what=what[:4_000],
        details={"by": act.actor.username},
    )  # fmt: skip
    proof.save()
    return proof


def _not_now(row: Takedown, why: str) -> Conflict:
    label = TakedownState(row.state).label.lower()
    return Conflict(f"The takedown of {row.value[:80]} is {label}", where="takedown", remedy=why)
