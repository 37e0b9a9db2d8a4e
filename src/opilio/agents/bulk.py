"""Does the job RunBulk: settles the rows of bulk work one by one, and leaves when told to; a later attempt goes on."""

from opilio.agents.context import RunContext
from opilio.curation.bulk import running
from opilio.curation.bulk.running import RunBulk

_BETWEEN_LOOKS = 20  # rows between looks whether somebody stopped it


def run_bulk(payload: RunBulk, context: RunContext) -> None:
    """Settle all rows; the job and the bulk work are done together."""
    looks = iter(range(1_000_000_000))

    def check() -> None:
        context.check()
        if next(looks) % _BETWEEN_LOOKS == 0 and running.is_stopped(payload.run):
            raise running.StoppedByUser(f"Bulk work {payload.run} was stopped", where="bulk work")

    def report(done: int, of: int) -> None:
        context.progress(done * 100 // max(of, 1), f"{done:,} of {of:,} rows")

    try:
        running.work(payload.run, clock=context.clock, report=report, check=check)
    except running.StoppedByUser:
        with context.finishing():
            running.tell(payload.run, context.clock)
        return
    with context.finishing():
        running.finish(payload.run, context.clock)
