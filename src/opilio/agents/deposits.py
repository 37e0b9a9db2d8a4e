"""Does the job DepositResult: packs an endorsed result aside, hands it over, reads it again, and tells the outcome.

Each step looks at what is there, so that an agent that takes over after a fall does only what is left; every write to
the catalogue is fenced by the lease of the job.
"""

import errno
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction

from opilio.agents.context import Interrupted, RunContext
from opilio.agents.periodic import Periodic, Turn
from opilio.curation.actions import deposit_running
from opilio.curation.deposit_addresses import open_row
from opilio.curation.deposit_facts import facts_of
from opilio.curation.deposit_jobs import DepositResult
from opilio.curation.harvest_folders import folder_of
from opilio.jobs.errors import Fenced
from opilio.kernel.errors import Missing, NoSpace, OpilioError, Unavailable
from opilio.kernel.files import ensure_folder
from opilio.kernel.logs import logger
from opilio.people.actor import Actor, system
from opilio.works.archive_results import identifier_of_harvest
from opilio.works.depositories.handing import hand_over, proven
from opilio.works.depositories.ocfl import Sealed
from opilio.works.depositories.values import Depository, Package
from opilio.works.package_documents import enclosed
from opilio.works.package_result import Packaged, PackageWishes, packaged

if TYPE_CHECKING:
    from opilio.curation.models import Deposit

_log = logger(__name__)


def look_after_deposits(turn: Turn) -> None:
    """End deposits that no job does any more, however that came, and remove what was packed for those that are over."""
    ended = deposit_running.end_lost(system(name="deposits", clock=turn.clock))
    if ended:
        _log.warning("deposits_lost", count=ended)
    place: Path = turn.settings.home / "deposits"
    for folder in place.iterdir() if place.is_dir() else ():
        if folder.name.isdecimal() and not deposit_running.is_open(int(folder.name), turn.clock.now()):
            shutil.rmtree(folder, ignore_errors=True)


DEPOSIT_CHORES: tuple[Periodic, ...] = (
    Periodic(name="look_after_deposits", every=lambda settings: settings.agent_lease_seconds, work=look_after_deposits),
)


def deposit_result(payload: DepositResult, context: RunContext) -> None:
    """Do what is left of a deposit; nothing when it is over."""
    _Run(payload.deposit, context).run()


class _Run:
    """One attempt."""

    def __init__(self, deposit: int, context: RunContext) -> None:
        self._deposit = deposit
        self._context = context
        self._actor: Actor = system(name="deposits", clock=context.clock)
        self._aside: Path = settings.OPILIO.home / "deposits" / str(deposit)

    def run(self) -> None:
        row = self._write(deposit_running.begin)
        if row is None:
            self._clear()
            return
        try:
            check = self._done(row)
        except (Interrupted, Fenced):
            raise
        except OpilioError as error:
            self._trouble(error)
            return
        except OSError as error:
            self._trouble(_told_by_system(error))
            return
        with self._context.finishing():
            deposit_running.finish(self._actor, deposit_id=self._deposit, check=check)
        self._clear()
        _log.info("deposit_received", deposit=self._deposit, harvest=row.harvest_id, depository=row.depository.name)

    def _done(self, row: "Deposit") -> dict[str, Any]:
        crawl = self._crawl(row)
        made, depository = self._packed(row, crawl)
        answers = {str(name): str(text) for name, text in row.answers.items()}
        receipt = hand_over(depository, made.package, answers, self._told)
        answer = {"id": receipt.archive_id, "where": receipt.where, "size": receipt.size, "sha512": receipt.sha512,
                  **dict(receipt.told)}  # fmt: skip
        self._write(
            deposit_running.sent, archive_id=receipt.archive_id, answer=answer, size=receipt.size,
            digest=f"sha512:{receipt.sha512}",
        )  # fmt: skip
        checked = proven(depository, made.package, receipt, self._told)
        return {"files": checked.files, "bytes": checked.bytes, "how": checked.how}

    def _packed(self, row: "Deposit", crawl: Path) -> tuple[Packaged, Depository]:
        facts = facts_of(row)
        if row.depository.form == "ocfl":
            documents = ensure_folder(self._aside)
            sealed = Sealed(
                folder=crawl, result=row.result, identifier=identifier_of_harvest(row.harvest_id),
                enclosed=lambda: enclosed(crawl, facts, documents, beside=False),
                user=facts.packed_by, without_originals=not row.depository.self_contained,
            )  # fmt: skip
            depository = open_row(row.depository, clock=self._context.clock, sealed=sealed)
            package = Package(key=row.package, path=crawl, parts=(), title=facts.title, identifier=facts.identifier)
            return Packaged(package=package), depository
        depository = open_row(row.depository, clock=self._context.clock)
        wishes = PackageWishes(
            key=row.package, result=row.result, form=row.depository.form, self_contained=row.depository.self_contained,
            one_file=row.depository.kind in ("http", "command"),
        )  # fmt: skip
        ensure_folder(self._aside.parent)
        made = packaged(crawl, self._aside, facts, wishes, told=self._told)
        self._write(
            deposit_running.packed, size=made.package.size, digest=f"sha512:{made.package.sha512}", needed=made.needed
        )
        return made, depository

    def _crawl(self, row: "Deposit") -> Path:
        folder = folder_of(row.harvest_id)
        if not folder.sealed():
            remedy = "Run an agent where the data of the harvest lies, or share the home folder."
            raise _NotHere("the result of the harvest is not here", where=str(folder.path), remedy=remedy)
        return folder.path

    def _trouble(self, error: OpilioError) -> None:
        """What may pass is tried again; anything else, and the last attempt, ends the deposit."""
        claimed = self._context.claimed
        again = isinstance(error, _NotHere | Unavailable) and not isinstance(error, NoSpace)
        if again and claimed.attempt < claimed.max_attempts:
            self._write(deposit_running.trouble, reason=str(error))
            _log.warning("deposit_troubled", deposit=self._deposit, error=str(error))
            raise error
        _log.warning("deposit_failed", deposit=self._deposit, error=str(error))
        with self._context.finishing():
            deposit_running.fail(self._actor, deposit_id=self._deposit, reason=str(error))
        if isinstance(error, NoSpace):
            self._clear()

    def _told(self, step: str, done: int, total: int) -> None:
        self._context.check()
        self._context.progress(min(99, done * 100 // total) if total else None, step)

    def _write(self, write: Callable[..., Any], **arguments: Any) -> Any:
        """Write to the catalogue, if the job is still ours."""
        with transaction.atomic():
            self._context.heartbeat()
            return write(self._actor, deposit_id=self._deposit, **arguments)

    def _clear(self) -> None:
        shutil.rmtree(self._aside, ignore_errors=True)


def _told_by_system(error: OSError) -> OpilioError:
    """What the operating system refuses, as an error of ours; a full disk does not mend itself."""
    words, place = error.strerror or str(error), str(error.filename or "")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return NoSpace(f"the disk is full: {words}", where=place, remedy="Free some space, then archive again.")
    return Unavailable(f"a file could not be used: {words}", where=place, remedy="It is tried again.")


class _NotHere(Missing):
    """The data of the harvest lies on another machine."""
