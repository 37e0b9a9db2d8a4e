"""Runs one delivery session: lists all sources, fetches, unpacks, validates, loads; each task is kept."""

import os
import socket
import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

from opilio.deliveries.commands import run as run_command
from opilio.deliveries.profile import Command, DeliveryProfile
from opilio.deliveries.pulling import Account, Became, Place, Puller, Told
from opilio.deliveries.sources.opened import opened
from opilio.deliveries.states import Phase
from opilio.deliveries.survey import Listed, Opener
from opilio.jobs.errors import Fenced
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import OpilioError
from opilio.kernel.files import ensure_folder
from opilio.tracker import again, intake, loading, reporting
from opilio.tracker.clerk import Clerk
from opilio.tracker.database_journal import Context, DatabaseJournal, LookingJournal
from opilio.tracker.intake import Desk
from opilio.tracker.models import Attempt, Centre, DeliverySession, SessionTask, Source
from opilio.tracker.reporting import ToPut
from opilio.tracker.source_values import engine_source, name_of
from opilio.works.sharing.delivery_files import DeliveryFiles

_COMMENT = 256


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """How a session is run."""

    profile: DeliveryProfile
    files: DeliveryFiles
    by: str
    downloaders: int = 2
    validators: int = 1
    limit: float = 600.0  # seconds that listing a source may take
    lease: timedelta = timedelta(seconds=60)
    opener: Opener = opened
    clock: Clock = SYSTEM
    told: Told | None = None
    stopped: Callable[[], bool] = lambda: False
    begun: Callable[[Phase], None] = lambda _: None  # told of each task
    dry_run: bool = False  # look at sources and say what would be fetched; nothing is fetched or changed


@dataclass(kw_only=True)
class Ended:
    """What a session came to."""

    session: int
    tasks: list[tuple[str, int, str]] = field(default_factory=list)  # phase, status, comment
    account: Account | None = None

    @property
    def good(self) -> bool:
        """Whether every task went well."""
        return not any(status for _, status, _ in self.tasks)


def run(wishes: Wishes) -> Ended:
    """Run a session to its end; `SessionRuns` while another is under way."""
    owner = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
    clerk = Clerk(owner=owner, clock=wishes.clock, lease=wishes.lease)
    try:
        return _Session(wishes, clerk, owner).run()
    finally:
        clerk.close()


class _Session:
    def __init__(self, wishes: Wishes, clerk: Clerk, owner: str) -> None:
        self._wishes, self._clerk, self._owner = wishes, clerk, owner
        self._files = replace(wishes.files, stopped=self._stopped)
        self._row = 0
        self._ended = Ended(session=0)

    def run(self) -> Ended:
        self._row = self._clerk.write(self._begin)
        self._ended.session = self._row
        try:
            self._steps()
        except Fenced:
            raise
        except OpilioError as error:
            self._clerk.write(partial(self._end, str(error)))
            raise
        put = self._clerk.write(lambda: self._end(""))
        if put:
            refused = reporting.put_back(put, self._wishes.opener, self._stopped)
            self._clerk.write(lambda: self._reported(len(put), refused))
        return self._ended

    def _steps(self) -> None:
        ensure_folder(self._files.folder)
        sources = self._clerk.read(self._sources)
        if self._wishes.dry_run:
            self._foresee(sources)
            return
        desk = self._desk()
        self._files.tidy(self._clerk.read(_folders))
        self._clerk.write(lambda: again.opened(desk, self._row))
        self._pull(sources)
        self._task(Phase.UNPACK, lambda: intake.unpack_all(desk), "unpacked")
        self._task(Phase.SCHEMA, lambda: intake.validate_all(desk, self._wishes.validators), "validated")
        self._task(Phase.LOAD, lambda: loading.load_all(desk), "loaded")
        hooks = self._wishes.profile.hooks
        if hooks.context is not None:
            self._task(Phase.CONTEXT, lambda: loading.context_all(desk), "given their context")
        else:
            self._task(Phase.CONTEXT, lambda: (0, 0), "no step")
        for phase, command in ((Phase.OVERVIEW, hooks.overview), (Phase.QUALITY, hooks.quality)):
            self._hook(phase, command)

    def _desk(self) -> Desk:
        codes = self._clerk.read(lambda: list(Centre.objects.values_list("short_name", flat=True)))
        return Desk(
            clerk=self._clerk, profile=self._wishes.profile, files=self._files, clock=self._wishes.clock,
            by=self._wishes.by, centres=frozenset(codes), stopped=self._stopped,
        )  # fmt: skip

    def _came(self, place: Place) -> tuple[int, str]:
        """What came is sent to the other machines first; it is unpacked in a later step."""
        self._files.send(place.archive)
        return 0, ""

    def _stopped(self) -> bool:
        return self._wishes.stopped() or self._clerk.lost.is_set()

    def _sources(self) -> list[Source]:
        """Available sources of active centres that deliver by this profile."""
        rows = Source.objects.filter(
            state__short_name="available", centre__active=True, centre__deleted=False,
            centre__profile=self._wishes.profile.name,
        )  # fmt: skip
        return list(rows.select_related("centre", "protocol", "state").order_by("id"))

    def _begin(self) -> int:
        now = self._wishes.clock.now()
        DeliverySession.objects.filter(finish_time=None).update(finish_time=now, cut_off=True, status=-1)
        SessionTask.objects.filter(finish_time=None).update(finish_time=now, status=1, comment="It was cut off.")
        row = DeliverySession(
            start_time=now, created=now, profile=self._wishes.profile.name, owner=self._owner,
            by=self._wishes.by[:150], dry_run=self._wishes.dry_run,
        )  # fmt: skip
        row.save()
        return int(row.pk)

    def _puller(self, rows: Sequence[Source], kind: type[DatabaseJournal]) -> Puller:
        by_name = {name_of(row): row for row in rows}
        context = Context(
            session=self._row, profile=self._wishes.profile.name, by=self._wishes.by, clock=self._wishes.clock
        )
        return Puller(
            self._wishes.profile, [engine_source(row) for row in rows], kind(self._clerk, by_name, context),
            self._files.folder, centres=self._desk().centres, opener=self._wishes.opener, clock=self._wishes.clock,
            told=self._wishes.told, opened=self._came, stopped=self._stopped,
        )  # fmt: skip

    def _look(self, puller: Puller) -> list[Listed]:
        """All sources are listed, or given up, before anything is fetched."""
        listed: list[Listed] = []

        def look() -> tuple[int, int]:
            listed.extend(self._clerk.serve(lambda: puller.look(limit=self._wishes.limit)))
            return len(listed), sum(one.error is not None for one in listed)

        self._task(Phase.NAME, look, "sources listed")
        return listed

    def _pull(self, rows: Sequence[Source]) -> None:
        puller = self._puller(rows, DatabaseJournal)
        listed = self._look(puller)

        def fetch() -> tuple[int, int]:
            account = self._clerk.serve(lambda: puller.fetch(listed, downloaders=self._wishes.downloaders))
            self._ended.account = account
            bad = [line for line in account.lines if line.became in (Became.FAILED, Became.REFUSED, Became.DAMAGED)]
            return len(account.lines), len(bad) + len(account.disagree)

        self._task(Phase.DOWNLOAD, fetch, "deliveries offered")

    def _foresee(self, rows: Sequence[Source]) -> None:
        puller = self._puller(rows, LookingJournal)
        listed = self._look(puller)

        def foresee() -> tuple[int, int]:
            account = self._clerk.serve(lambda: puller.foresee(listed))
            self._ended.account = account
            wanted = [line for line in account.lines if line.became is Became.WANTED]
            return len(wanted), sum(line.became is Became.REFUSED for line in account.lines)

        self._task(Phase.DOWNLOAD, foresee, "would be fetched")

    def _hook(self, phase: Phase, command: Command | None) -> None:
        if command is None or self._stopped():
            self._task(phase, lambda: (0, 0), "no step")
            return
        words: list[str] = []

        def step() -> tuple[int, int]:
            ran = run_command(command, {"session": self._row, "profile": self._wishes.profile.name})
            words.append(ran.words)
            return 1, int(not ran.good)

        self._task(phase, step, "step", words)

    def _task(self, phase: Phase, work: Callable[[], tuple[int, int]], what: str, words: Sequence[str] = ()) -> None:
        """A task with its history: it fails when something in it did."""
        self._wishes.begun(phase)
        key = self._clerk.write(lambda: self._task_begins(phase))
        try:
            number, bad = work()
        except OpilioError as error:
            self._clerk.write(partial(self._task_ends, key, 1, str(error)))
            raise
        comment = words[0] if words else what if what == "no step" else f"{number} {what}, {bad} not good"
        self._clerk.write(lambda: self._task_ends(key, int(bool(bad)), comment))
        self._ended.tasks.append((phase.title, int(bool(bad)), comment))

    def _task_begins(self, phase: Phase) -> int:
        now = self._wishes.clock.now()
        row = SessionTask(session_id=self._row, phase_id=int(phase), start_time=now, created=now)
        row.save()
        return int(row.pk)

    def _task_ends(self, key: int, status: int, comment: str) -> None:
        SessionTask.objects.filter(pk=key).update(
            finish_time=self._wishes.clock.now(), status=status, comment=comment[:_COMMENT]
        )

    def _end(self, fault: str) -> Sequence[ToPut]:
        """Close the session and tell everybody; the reports that are to be put on sources."""
        failed = SessionTask.objects.filter(session_id=self._row, status=1).order_by("id").first()
        row = DeliverySession.objects.get(pk=self._row)
        row.finish_time, row.status = self._wishes.clock.now(), failed.pk if failed else -1 if fault else 0
        row.figures = self._figures(fault)
        row.save()
        return () if self._wishes.dry_run else reporting.tell(row, self._wishes.clock.now())

    def _figures(self, fault: str) -> dict[str, Any]:
        figures: dict[str, Any] = {"fault": fault} if fault else {}
        if self._wishes.stopped():
            figures["stopped"] = True
        if self._ended.account is not None:
            figures["deliveries"] = dict(Counter(line.became.value for line in self._ended.account.lines))
        return figures

    def _reported(self, number: int, refused: Mapping[str, str]) -> None:
        row = DeliverySession.objects.get(pk=self._row)
        row.figures = {**row.figures, "reports": number - len(refused), "refused_reports": dict(refused)}
        row.save()


def _folders() -> frozenset[str]:
    """Of attempts whose files are kept."""
    return frozenset(Attempt.objects.exclude(folder="").values_list("folder", flat=True).distinct())
