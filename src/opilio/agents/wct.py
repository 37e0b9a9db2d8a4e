"""Does the job ImportWct: takes an uploaded dump of the Web Curator Tool over for whoever asked.

All of it is one transaction, in which nothing is written to the job itself: its heart must be able to beat meanwhile.
"""

from opilio.agents.context import RunContext
from opilio.curation.actions.wct_import import ImportWct, import_dump
from opilio.curation.wct import runs, uploads
from opilio.kernel.errors import OpilioError
from opilio.people.actor import Actor, Via, system
from opilio.people.errors import NotAllowed
from opilio.people.queries.account import actor_for


def import_wct(payload: ImportWct, context: RunContext) -> None:
    """Import; what is wrong with the dump is told in the report, not by trying again."""
    row = runs.begin(payload.import_id)
    if row is None:
        return
    report, failure, settled = None, "it ended unexpectedly; the log of the agent says why", False
    try:
        report = import_dump(
            _asker(row.asked_by_id, context), path=uploads.named(row.path), dry_run=row.dry_run,
            time_zone=row.time_zone, encoding=row.encoding, report_file=uploads.report_path(row.id),
            progress=lambda table, done: context.check(),
        )  # fmt: skip
        failure, settled = "", True
    except OpilioError as error:
        context.check()  # told to stop: not the dump's fault
        failure, settled = str(error), True
    finally:
        if settled or not context.should_stop():  # nobody waits for an import that will not be done
            runs.finish(payload.import_id, report, at=context.clock.now(), failure=failure)


def _asker(user_id: int | None, context: RunContext) -> Actor:
    if user_id is None:
        return system(clock=context.clock)
    found = actor_for(user_id, via=Via.SYSTEM, clock=context.clock)
    if found is None:
        raise NotAllowed(
            "whoever asked for the import may not sign in any more",
            where="wct.import",
            remedy="Let somebody who may sign in ask for it again.",
        )
    return found
