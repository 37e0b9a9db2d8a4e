"""Does the job PatchResult: crawls the URLs that a result lacks, beside it, and hands what came to MakeResult.

Every write to the catalogue is fenced by the lease of the job. A patch that was cut off goes on where it was; one that
was crawled to its end is only handed over.
"""

import shutil
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connections, transaction

from opilio.agents.context import Interrupted, RunContext
from opilio.agents.periodic import Periodic, Turn
from opilio.agents.shield import DATABASE_LOST
from opilio.crawl.engine.brake import Brake
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.report.live import Look
from opilio.curation import harvest_plan, snapshots
from opilio.curation.actions import patch_running
from opilio.curation.actions.patch_running import Begun, Fetched
from opilio.curation.harvest_folders import folder_of
from opilio.curation.patch_jobs import FOLDER, PatchResult
from opilio.curation.patch_plan import Asked, PatchPlan, patch_plan
from opilio.curation.queries import patches as query
from opilio.jobs.errors import Fenced
from opilio.kernel.errors import InvalidInput, Missing, NoSpace, NotWritable, OpilioError, Unavailable
from opilio.kernel.logs import logger
from opilio.people.actor import Actor, system
from opilio.works.crawl_to_archive import Crew
from opilio.works.patch_crawl import PatchedUrl, outcomes_of, stood_for
from opilio.works.run_harvest import FolderInUse, HarvestFolder
from opilio.works.seal_at_end import Sealing

_LATER = timedelta(seconds=5)  # until a folder that is in use is tried again
_NOTHING = "Nothing of it could be fetched; the list says why."

_log = logger(__name__)


def patch_result(payload: PatchResult, context: RunContext) -> None:
    """Fetch, or go on; whatever happened before, the patch ends in one state, once."""
    _Patch(payload.result, context).run()


class _Patch:
    """One attempt at one patch."""

    def __init__(self, result: int, context: RunContext) -> None:
        self._result = result
        self._context = context
        self._actor: Actor = system(name="agent", clock=context.clock)
        self._brake = Brake()
        self._given_up = False

    def run(self) -> None:
        begun = self._fenced(patch_running.begin)
        if begun is None:
            return
        try:
            self._work(begun)
        except FolderInUse as busy:
            self._later(busy, _LATER)
        except (NoSpace, NotWritable) as away:
            self._fenced(patch_running.trouble, reason=str(away))
            self._later(away, timedelta(seconds=settings.OPILIO.agent_lease_seconds))
        except (Fenced, Interrupted):
            raise
        except InvalidInput as wrong:
            self._fail(str(wrong), {})
        except OpilioError as error:
            self._trouble(error)
            raise

    def _work(self, begun: Begun) -> None:
        place = folder_of(begun.harvest)
        if not place.sealed():
            remedy = "Run an agent where the data of the harvest lies, or share the home folder."
            raise Missing("the result of the harvest is not here", where=str(place.path), remedy=remedy)
        folder = HarvestFolder(path=place.path / FOLDER / str(begun.number))
        wanted = self._plan(begun)
        if wanted.plan is None:
            self._fail(_NOTHING, _refused(wanted))
            return
        folder.path.parent.mkdir(parents=True, exist_ok=True)
        folder.run(wanted.plan, self._crew(wanted.plan, begun))
        if self._given_up:
            shutil.rmtree(folder.path, ignore_errors=True)
            return
        if self._context.should_stop():
            raise Interrupted("The patch was left for another agent", where=f"result {self._result}")
        folder.seal(lambda step, done, total: self._context.heartbeat())
        self._hand_over(begun, place.path, folder, wanted)

    def _plan(self, begun: Begun) -> PatchPlan:
        """The plan of the harvest, cut down, with what permissions exclude by now."""
        facts = query.facts(begun.harvest, self._context.clock.now())
        asked = [Asked(url=url, embedded=embedded) for url, embedded in begun.urls]
        return patch_plan(
            snapshots.frozen_plan(begun.harvest), asked, embeds=begun.wishes.embeds, today=facts.today,
            forbidden=facts.forbidden,
        )  # fmt: skip

    def _crew(self, plan: CrawlPlan, begun: Begun) -> Crew:
        return Crew(
            workers=1, brake=self._brake, look=lambda look: self._attend(look, len(begun.urls)),
            book=harvest_plan.book_for(plan), clock=self._context.clock, sealing=Sealing(),
        )  # fmt: skip

    def _attend(self, look: Look, wanted: int) -> None:
        """Called about every second beside the crawl: whether to go on, and how far it is."""
        try:
            if not self._context.should_stop() and not self._given_up:
                self._context.progress(None, f"{look.counts.pages} answered, {wanted} wanted")
                self._given_up = not query.goes_on(self._result)
            if (self._context.should_stop() or self._given_up) and not self._brake.pulls:
                self._brake.pull()
        except (*DATABASE_LOST, Unavailable) as error:
            _log.warning("patch_without_database", result=self._result, error=str(error).strip())
        finally:
            connections.close_all()

    def _hand_over(self, begun: Begun, harvest: Path, folder: HarvestFolder, wanted: PatchPlan) -> None:
        found = outcomes_of(folder.path, [url for url, _ in begun.urls])
        outcomes = {**_told(found), **_refused(wanted)}
        if not any(one.there for one in outcomes.values()):
            self._fail(_NOTHING, outcomes)
            return
        files = self._files(begun, folder, found)
        names = [path.relative_to(harvest).as_posix() for path in files]
        with self._context.finishing():
            patch_running.fetched(self._actor, result_id=self._result, files=names, outcomes=outcomes)
        _log.info("patch_fetched", harvest=begun.harvest, result=begun.number, files=len(names))

    def _files(self, begun: Begun, folder: HarvestFolder, found: Mapping[str, PatchedUrl]) -> list[Path]:
        if not begun.wishes.stands_for:
            return sorted(folder.crawl.warcs.glob("*.warc*"))
        (url, _), *_others = begun.urls
        return [stood_for(folder.path, url, begun.wishes.stands_for)]

    def _fail(self, reason: str, outcomes: Mapping[str, Fetched]) -> None:
        with self._context.finishing():
            patch_running.fail(self._actor, result_id=self._result, reason=reason, outcomes=outcomes)

    def _later(self, why: OpilioError, wait: timedelta) -> None:
        _log.info("patch_put_off", result=self._result, reason=why.what)
        self._context.put_off(self._context.clock.now() + wait)

    def _trouble(self, error: OpilioError) -> None:
        last = self._context.claimed.attempt >= self._context.claimed.max_attempts
        self._fenced(patch_running.fail if last else patch_running.trouble, reason=str(error))

    def _fenced(self, write: Callable[..., Any], **arguments: Any) -> Any:
        """Write to the catalogue, if the job is still ours."""
        with transaction.atomic():
            self._context.heartbeat()
            return write(self._actor, result_id=self._result, **arguments)


def _told(found: Mapping[str, PatchedUrl]) -> dict[str, Fetched]:
    return {url: Fetched(there=one.there, outcome=one.outcome) for url, one in found.items()}


def _refused(wanted: PatchPlan) -> dict[str, Fetched]:
    return {url: Fetched(there=False, outcome=reason) for url, reason in wanted.refused.items()}


def look_after_patches(turn: Turn) -> None:
    """Give patches that lost their job another one, and remove what patches and imports left on this machine."""
    actor = system(name="agents", clock=turn.clock)
    healed = sum(not turn.should_stop() and patch_running.heal(actor, result_id=each) for each in query.orphans())
    if healed:
        _log.warning("patches_healed", count=healed)
    for harvest, name in query.left_over(turn.clock.now()):
        if turn.should_stop():
            return
        shutil.rmtree(folder_of(harvest).path / name, ignore_errors=True)


PATCH_CHORES: tuple[Periodic, ...] = (
    Periodic(name="look_after_patches", every=lambda settings: settings.agent_lease_seconds, work=look_after_patches),
)
