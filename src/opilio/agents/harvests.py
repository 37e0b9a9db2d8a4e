"""Does the job RunHarvest: crawls what was frozen, carries orders out, and writes down what becomes of it.

Every write to the catalogue is fenced by the lease of the job: an agent that lost it writes nothing more.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connections, transaction

from opilio.agents.context import Interrupted, RunContext, Stop
from opilio.agents.harvest_aftermath import look_back
from opilio.agents.harvest_help import rhythm_of, shared_by
from opilio.agents.harvest_pictures import HarvestPictures
from opilio.agents.harvest_sheet import HarvestSheet
from opilio.agents.shield import DATABASE_LOST
from opilio.crawl.engine.brake import Brake
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.report.live import Look
from opilio.curation import harvest_folders, harvest_plan, snapshots
from opilio.curation.actions import harvest_revisits, harvest_running
from opilio.curation.actions.harvest_broken import tell_broken_links
from opilio.curation.actions.harvest_running import File
from opilio.curation.harvest_jobs import RunHarvest
from opilio.curation.words import HarvestState
from opilio.jobs.errors import Fenced
from opilio.kernel.errors import NoSpace, NotWritable, OpilioError, Unavailable
from opilio.kernel.logs import bound, logger
from opilio.kernel.traces import span
from opilio.people.actor import Actor, system
from opilio.works.crawl_to_archive import CrawlSummary, Crew
from opilio.works.harvest_reports.broken import broken_links
from opilio.works.run_harvest import FolderInUse, Outcome, figures_of, outcome_of
from opilio.works.seal_at_end import Sealing

_LATER = timedelta(seconds=5)  # until a folder that is in use is tried again
_BETWEEN_FIGURES = 2.0  # seconds

_log = logger(__name__)


def run_harvest(payload: RunHarvest, context: RunContext) -> None:
    """Run, or go on; whatever happened before, the harvest ends in one state, once."""
    run = _Run(payload.harvest, context)
    with bound(harvest=payload.harvest), span("harvest", harvest=payload.harvest):
        if run.begin():
            run.work()


class _Run:
    """One attempt at one harvest."""

    def __init__(self, harvest: int, context: RunContext) -> None:
        self._harvest = harvest
        self._context = context
        self._agent = context.claimed.owner
        self._actor: Actor = system(name="agent", clock=context.clock)
        self._folder = harvest_folders.place_of(harvest)
        self._shared = shared_by(context, harvest, self._folder, ordered=self._ordered)
        self._sheet = HarvestSheet(harvest, self._folder)
        self._brake = Brake()
        self._stopped = self._aborted = False
        self._paused = False  # whether it was paused when this attempt began
        self._figured = 0.0
        self._share: int | None = None  # kB/s
        self._since = ""  # folder of the earlier harvest, if it goes by one

    def begin(self) -> bool:
        """Whether there is something to do."""
        begun = self._fenced(harvest_running.begin, harvest_id=self._harvest, agent=self._agent)
        self._share = begun.allocated_bandwidth if begun is not None else None
        self._since = self._earlier(begun.since_id) if begun is not None and begun.since_id else ""
        self._paused = begun is not None and begun.state == HarvestState.PAUSED
        if begun is not None and begun.state == HarvestState.STOPPING:
            self._stop({})  # another agent was told to stop, and fell before it had sealed
        return begun is not None

    def _earlier(self, harvest: int) -> str:
        """Where the earlier harvest lies; empty when it cannot be read here, which the log says."""
        folder = harvest_folders.folder_of(harvest)
        if folder.readable():
            return str(folder.path)
        begun = self._folder.begun()
        self._fenced(harvest_revisits.fetch_all, harvest_id=self._harvest, agent=self._agent, begun=begun)
        return ""

    def work(self) -> None:
        """Crawl, then settle what became of it."""
        try:
            with self._pictures() as pictures:
                summary = self._crawled()
                outcome = outcome_of(summary, stopped=self._stopped, aborted=self._aborted)
                self._settle(outcome, _why(summary), pictures)
        except FolderInUse as busy:
            _log.warning("harvest_in_use", harvest=self._harvest, reason=busy.what)
            self._context.put_off(self._context.clock.now() + _LATER)
        except (NoSpace, NotWritable) as away:
            self._wait_for_disk(away)
        except (Fenced, Interrupted):
            raise
        except OpilioError as error:
            self._trouble(error)
            raise

    def _crawled(self) -> CrawlSummary | None:
        if self._shared is None:
            return self._folder.run(self._plan(), self._crew())
        self._ask_for_help()
        return self._shared.run(self._plan(), self._crew())

    def _ask_for_help(self) -> None:
        """Have others take part, where the crawl store can be shared."""
        wanted = snapshots.frozen_plan(self._harvest).fetch.agents
        if wanted > 1 and self._folder.address.url:
            self._fenced(harvest_running.ask_for_help, harvest_id=self._harvest, agents=wanted)

    def _wait_for_disk(self, away: OpilioError) -> None:
        """Give it back for whoever has room; it loses no attempt, however long that takes."""
        _log.error("harvest_without_disk", harvest=self._harvest, reason=str(away))
        self._fenced(harvest_running.trouble, harvest_id=self._harvest, agent=self._agent, reason=str(away))
        self._context.put_off(self._context.clock.now() + timedelta(seconds=settings.OPILIO.agent_lease_seconds))

    def _pictures(self) -> HarvestPictures:
        wanted = snapshots.frozen_plan(self._harvest).report.screenshots
        return HarvestPictures(self._folder, self._context, wanted=wanted)

    def _settle(self, outcome: Outcome, reason: str, pictures: HarvestPictures) -> None:
        if outcome is Outcome.LEFT:
            raise Interrupted("The crawl was left for another agent", where=f"harvest {self._harvest}")
        if outcome is Outcome.ABORTED:
            with self._context.finishing():
                harvest_running.give_up(
                    self._actor, harvest_id=self._harvest, agent=self._agent, reason="Aborted by order.", ordered=True
                )
                self._sheet.close(self._context.clock.now())
            return
        self._fenced(harvest_running.finish, harvest_id=self._harvest, agent=self._agent, reason=reason)
        if missing := pictures.finished(whole=outcome is Outcome.WHOLE):
            self._fenced(harvest_running.without_pictures, harvest_id=self._harvest, agent=self._agent, reason=missing)
        sealing = self._folder if self._shared is None else self._shared
        sealing.seal(lambda step, done, total: self._context.heartbeat())
        files = [
            File(name=one.name, size=one.size, digest=one.digest, compressed=one.name.endswith(".gz"))
            for one in self._folder.files()
        ]
        figures = {**self._folder.figures(), "updated_at": self._context.clock.now(), "job_name": self._agent}
        aftermath = look_back(self._harvest, self._folder)
        broken, least = broken_links(self._folder), snapshots.frozen_plan(self._harvest).report.broken_links
        with self._context.finishing():
            harvest_running.figures(self._harvest, figures)
            self._sheet.close(figures["updated_at"])
            harvest_running.keep(self._actor, harvest_id=self._harvest, agent=self._agent, reason=reason, files=files)
            aftermath.write(self._actor, figures["updated_at"])
            tell_broken_links(self._actor, harvest_id=self._harvest, broken=broken, least=least)

    def _plan(self) -> CrawlPlan:
        """What was frozen, going by the earlier harvest, within what the line gives it from its first request on."""
        plan = snapshots.frozen_plan(self._harvest)
        plan = replace(plan, fetch=replace(plan.fetch, since=self._since))
        if self._share is None:
            return plan
        most = min(self._share * 1_000, plan.manners.bandwidth or self._share * 1_000)
        return replace(plan, manners=replace(plan.manners, bandwidth=max(most, 1)))

    def _crew(self) -> Crew:
        plan = self._plan()
        return Crew(
            workers=settings.OPILIO.harvest_workers, brake=self._brake, look=self._attend,
            book=harvest_plan.book_for(plan), clock=self._context.clock, sealing=Sealing(),
            paused=self._paused, settings=rhythm_of(settings.OPILIO),
        )  # fmt: skip

    def _attend(self, look: Look) -> None:
        """Called about every second beside the crawl: orders, figures, and whether to leave."""
        if self._context.should_stop():
            self._leave()
            return
        try:
            self._obey()
            self._figure(look)
        except Fenced:
            self._context.tell(Stop.LOST)
            self._leave()
        except (*DATABASE_LOST, Unavailable) as error:
            _log.warning("harvest_without_database", harvest=self._harvest, error=str(error).strip())
        finally:
            connections.close_all()

    def _ordered(self) -> str:
        return "abort" if self._aborted else "stop" if self._stopped else ""

    def _leave(self) -> None:
        if not self._brake.pulls:
            self._brake.pull()

    def _obey(self) -> None:
        for identifier, what, arguments in harvest_running.waiting_orders(self._harvest):
            refused = self._carry_out(what, arguments)
            self._fenced(harvest_running.obeyed, order_id=identifier, agent=self._agent, refused=refused)

    def _carry_out(self, what: str, arguments: dict[str, Any]) -> str:
        """Why it could not be done; empty: it was."""
        try:
            _ORDERS[what](self, arguments)
        except OpilioError as error:
            return str(error)
        return ""

    def _stop(self, arguments: dict[str, Any]) -> None:
        self._stopped = True
        self._leave()

    def _abort(self, arguments: dict[str, Any]) -> None:
        self._aborted = True
        self._brake.pull()
        self._brake.pull()

    def _tell(self, what: str, arguments: dict[str, Any]) -> None:
        orders = self._folder.orders(self._agent)
        getattr(orders, what)(**arguments)

    def _figure(self, look: Look) -> None:
        if look.at - self._figured >= _BETWEEN_FIGURES:
            self._figured = look.at
            values = {**figures_of(look), "updated_at": self._context.clock.now(), "job_name": self._agent}
            with transaction.atomic():
                self._context.heartbeat()
                harvest_running.figures(self._harvest, values)
                self._sheet.write(look, values["updated_at"])

    def _trouble(self, error: OpilioError) -> None:
        self._context.heartbeat()
        last = self._context.claimed.attempt >= self._context.claimed.max_attempts
        if last:
            self._fenced(
                harvest_running.give_up, harvest_id=self._harvest, agent=self._agent, reason=str(error), ordered=False
            )
        else:
            self._fenced(harvest_running.trouble, harvest_id=self._harvest, agent=self._agent, reason=str(error))

    def _fenced(self, write: Callable[..., Any], **arguments: Any) -> Any:
        """Write to the catalogue, if the job is still ours."""
        with transaction.atomic():
            self._context.heartbeat()
            return write(self._actor, **arguments)


_ORDERS: dict[str, Callable[[_Run, dict[str, Any]], None]] = {
    "stop": _Run._stop,
    "abort": _Run._abort,
    "pause": lambda run, _: run._tell("pause", {}),
    "resume": lambda run, _: run._tell("go_on", {}),
    "limits": lambda run, given: run._tell(
        "limit", {"pages": given.get("pages"), "bytes_": given.get("bytes"), "seconds": given.get("seconds")}
    ),
    "delay": lambda run, given: run._tell("delay", given),
    "bandwidth": lambda run, given: run._tell("bandwidth", given),
    "exclude": lambda run, given: run._tell("exclude", given),
    "priority": lambda run, given: run._tell("prioritise", given),
}


def _why(summary: Any) -> str:
    if summary is None:
        return "An earlier attempt had sealed it."
    limit = summary.ended.limit
    return (
        f"It reached its limit of {limit}."
        if limit
        else {"stopped": "It was stopped."}.get(summary.ended.ending.value, "Nothing was left to fetch.")
    )
