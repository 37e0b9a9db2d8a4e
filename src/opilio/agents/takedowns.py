"""Destroys captures: the job for one harvest, what follows when all are done, and the chore that reminds."""

from datetime import timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings

from opilio.agents.context import RunContext
from opilio.agents.harvest_index import name_of
from opilio.agents.periodic import Periodic, Turn
from opilio.archive.store.ocfl.archive import Archive
from opilio.curation.actions import takedown_running as actions
from opilio.curation.harvest_jobs import index_soon
from opilio.curation.queries import takedowns as queries
from opilio.curation.takedown_jobs import DestroyCaptures
from opilio.curation.takedown_proofs import Found
from opilio.kernel.clock import Clock
from opilio.kernel.errors import Conflict, Missing
from opilio.kernel.logs import logger
from opilio.people.actor import Actor, system
from opilio.works.redact_archive import ArchivedRedaction, left_in_archive, redact_archive
from opilio.works.redact_harvest import Redaction, left, redact
from opilio.works.redact_places import drop_working_index, forget_changes
from opilio.works.redact_search import payloads_left
from opilio.works.search_setup import search_home

_LATER = timedelta(seconds=30)  # until a folder or index that is in use is tried again
_HOUR = 3_600.0  # seconds
_MOST_TOLD = 100
SAME = "same bytes at other URLs"

_log = logger(__name__)


def destroy_captures(payload: DestroyCaptures, context: RunContext) -> None:
    """Destroy at home, in the archive, in the working index and the history of changes; prove each."""
    work = queries.to_destroy(payload.takedown, payload.harvest)
    if work is None:
        return
    try:
        _One(work, context).run()
    except Conflict as busy:
        _log.info("takedown_waits", takedown=payload.takedown, harvest=payload.harvest, reason=busy.what)
        context.put_off(context.clock.now() + _LATER)
        return
    with context.finishing():
        pass
    settle(payload.takedown, context.clock)


class _One:
    """The destruction in one harvest."""

    def __init__(self, work: queries.Work, context: RunContext) -> None:
        self._work = work
        self._context = context
        self._actor: Actor = system(name="takedown", clock=context.clock)

    def run(self) -> None:
        """Every step looks at what is there, so that all may be done again."""
        work = self._work
        here = work.folder.is_dir()
        if not here and work.expected:
            remedy = "Run an agent where the data of the harvest lies, or share the home folder."
            raise Missing("the folder of the harvest is not here", where=str(work.folder), remedy=remedy)
        if here:
            self._at_home()
        self._in_archive()
        self._beside()

    def _at_home(self) -> None:
        work = self._work
        done = redact(work.folder, work.order, clock=self._context.clock)
        if not done.empty:
            found = Found(
                records=done.records, resources=done.resources, warcs=done.warcs,
                results={each.number: each.after for each in done.results},
            )  # fmt: skip
            actions.destroyed(self._actor, takedown_id=work.takedown, harvest_id=work.harvest, found=found)
            _log.info("captures_destroyed", takedown=work.takedown, harvest=work.harvest, records=done.records)
            self._prove(f"harvest {work.harvest}", _words(done), left(work.folder, work.order), _details(done))

    def _in_archive(self) -> None:
        work = self._work
        if work.archive is None:
            return
        aside = settings.OPILIO.home / "takedowns" / f"{work.takedown}-{work.harvest}"
        redact_archive(
            work.archive, work.identifier, work.order, aside,
            prove=partial(self._prove_archived, work.archive, aside.with_name(f"{aside.name}-look")),
            clock=self._context.clock,
        )  # fmt: skip

    def _prove_archived(self, archive: Archive, look: Path, done: ArchivedRedaction) -> None:
        work = self._work
        remaining = left_in_archive(archive, work.identifier, work.order, look)
        words = f"{done.versions} versions of {work.identifier} were written anew."
        self._prove(f"archive, harvest {work.harvest}", words, remaining, _archived(done))

    def _beside(self) -> None:
        work = self._work
        forgotten = forget_changes(settings.OPILIO.home, work.target, work.order)
        if forgotten:
            self._prove(f"history of changes, target {work.target}", f"{forgotten} pages were forgotten.", [], {})
        again = drop_working_index(search_home(settings.OPILIO).working_folder, name_of(work.harvest))
        for name in again:
            index_soon(int(name.rpartition("-")[2]), self._context.clock.now())
        if again:
            self._prove(f"working index, harvest {work.harvest}", "It was thrown away and is made anew.", [], {})

    def _prove(self, place: str, words: str, remaining: list[str], details: dict[str, Any]) -> None:
        what = f"{words} Left: {'; '.join(remaining[:20])}." if remaining else f"{words} Nothing is left."
        actions.proved(self._actor, takedown_id=self._work.takedown, place=place, done=not remaining, what=what,
                       details=details)  # fmt: skip


def settle(takedown: int, clock: Clock) -> None:
    """Look at the places that no harvest's job sees to, and end the destruction if nothing is left."""
    actor = system(name="takedown", clock=clock)
    for place in queries.places_elsewhere(takedown):
        actions.proved(actor, takedown_id=takedown, place=place.name, done=place.done, what=place.what)
    if not queries.waiting(takedown):
        _search_payloads(actor, takedown)
    if actions.settle(actor, takedown_id=takedown):
        _log.info("takedown_done", takedown=takedown)


def _search_payloads(actor: Actor, takedown: int) -> None:
    digests = queries.destroyed_payloads(takedown)
    found = list(islice(payloads_left(settings.OPILIO.home / "harvests", digests), _MOST_TOLD))
    if not digests or (found and queries.accepted(takedown, SAME)):
        return
    what = "No other capture of any harvest has a payload with one of the destroyed digests."
    if found:
        named = ", ".join(f"{url} in harvest {harvest}" for harvest, url in found[:10])
        what = f"{len(found)} captures that the order does not name have the same bytes: {named[:3_000]}."
    actions.proved(actor, takedown_id=takedown, place=SAME, done=not found, what=what,
                   details={"captures": [list(each) for each in found]})  # fmt: skip


def look_after_takedowns(turn: Turn) -> None:
    """Remind of those whose day has come, and end destructions of which nothing is left any more."""
    actor = system(name="takedown", clock=turn.clock)
    for takedown in queries.due_for_review(turn.clock.now()):
        actions.remind(actor, takedown_id=takedown)
    for takedown in queries.unsettled():
        if turn.should_stop():
            return
        settle(takedown, turn.clock)


def _words(done: Redaction) -> str:
    return f"Destroyed: {done.records} records in {len(done.files)} WARC files, {done.resources} resources of results."


def _details(done: Redaction) -> dict[str, Any]:
    return {
        "files": [{"name": each.name, "before": each.before, "after": each.after, "records": each.records}
                  for each in done.files[:_MOST_TOLD]],
        "results": [{"number": each.number, "before": each.before, "after": each.after} for each in done.results],
        "payloads": list(done.payloads[: _MOST_TOLD * 10]),
    }  # fmt: skip


def _archived(done: ArchivedRedaction) -> dict[str, Any]:
    pairs = list(done.files.items())[:_MOST_TOLD]
    return {"files": [{"name": name, "before": before, "after": after} for name, (before, after) in pairs]}


TAKEDOWN_CHORES = (Periodic(name="look_after_takedowns", every=lambda _: _HOUR, work=look_after_takedowns),)
