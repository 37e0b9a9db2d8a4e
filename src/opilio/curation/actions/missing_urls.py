"""URLs that a result lacks: named by reviewers, found by a look, noted by replay. Deleting one is `row.delete`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from opilio.curation.kinds import RESULT
from opilio.curation.missing_urls import MOST_URLS, BadMissing, Wanted, read_missing
from opilio.curation.models import MissingFrom, MissingUrl, PatchState, Result
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege

_PORTION = 500  # keys of one question
_BY_ITSELF = 1_000  # URLs that replay notes for a result


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What became of URLs that were to go on the list."""

    added: int
    known: int  # stood there already
    faults: tuple[BadMissing, ...] = ()


@action("missing_url.add", "Name URLs that a result lacks.", privilege=Privilege.ENDORSE_HARVEST)
def add_missing(act: Act, /, *, result_id: int, text: str) -> Taken:
    """One on each line, or a table with the columns url and page; bad lines are told, the others are taken."""
    row = _result(act, result_id)
    found = read_missing(text)
    if not found.urls and not found.faults:
        raise InvalidFields({"text": ["Write at least one URL."]}, where=act.name)
    if not found.urls:
        raise InvalidFields({"text": [f"Line {one.line}: {one.reason}" for one in found.faults[:20]]}, where=act.name)
    return _taken(act, row, found.urls, MissingFrom.REVIEWER, found.faults)


@action("missing_url.take", "Take what was found missing into the list.", privilege=Privilege.ENDORSE_HARVEST)
def take_missing(act: Act, /, *, result_id: int, noticed: MissingFrom, urls: Sequence[Wanted]) -> Taken:
    """What a look at the result found."""
    return _taken(act, _result(act, result_id), urls, noticed)


@action("missing_url.note", "Replay notes what it could not show.")
def note_missing(act: Act, /, *, result_id: int, urls: Sequence[Wanted]) -> Taken:
    """Up to a bound, so that a page that asks for endless addresses fills nothing."""
    act.require_that(act.actor.is_system, "note what replay missed", "Only replay does.")
    row: Result = act.fetch(RESULT, result_id)
    noted = MissingUrl.objects.filter(harvest=row.harvest_id, result=row.number, noticed=MissingFrom.REPLAY).count()
    return _taken(act, row, urls[: max(0, _BY_ITSELF - noted)], MissingFrom.REPLAY)


@action("missing_url.again", "Let URLs that could not be fetched wait again.", privilege=Privilege.ENDORSE_HARVEST)
def wait_again(act: Act, /, *, missing_id: int) -> MissingUrl:
    """The next patch tries it once more."""
    row: MissingUrl | None = MissingUrl.objects.select_for_update().filter(pk=missing_id).first()
    if row is None:
        raise InvalidFields({"id": [f"There is no missing URL {missing_id}."]}, where=act.name)
    act.require(Privilege.ENDORSE_HARVEST, RESULT.subject(row), f"patch the harvest of {row.harvest.abstract_target}")
    if row.state in (PatchState.FAILED, PatchState.FETCHED):
        act.update(row, {"state": PatchState.WAITING, "outcome": "", "patched_in": None})
    return row


def _result(act: Act, result_id: int) -> Result:
    row: Result = act.fetch(RESULT, result_id)
    act.require(Privilege.ENDORSE_HARVEST, RESULT.subject(row), f"name what {row} lacks")
    return row


def _taken(
    act: Act, row: Result, urls: Iterable[Wanted], noticed: MissingFrom, faults: tuple[BadMissing, ...] = ()
) -> Taken:
    """Put URLs on the list that are not there; one entry of the audit log says how many."""
    wanted = {one.key: one for one in urls}
    rows = MissingUrl.objects.filter(harvest=row.harvest_id, result=row.number)
    keys = list(wanted)
    known = {
        key for start in range(0, len(keys), _PORTION)
        for key in rows.filter(key__in=keys[start : start + _PORTION]).values_list("key", flat=True)
    }  # fmt: skip
    fresh = [one for key, one in wanted.items() if key not in known][: max(0, MOST_URLS - rows.count())]
    now = act.clock.now()
    for one in fresh:
        MissingUrl(
            harvest_id=row.harvest_id, result=row.number, url=one.url, key=one.key, noticed=noticed, page=one.page,
            created=now, updated=now, updated_by_id=act.actor.user,
        ).save(force_insert=True)  # fmt: skip
    if fresh:
        after = {"missing": len(fresh), "noticed": noticed.value, "first": fresh[0].url[:2_000]}
        act.record(row, message=f"{len(fresh)} URLs that it lacks are on the list.", after=after)
    return Taken(added=len(fresh), known=len(wanted) - len(fresh), faults=faults)
