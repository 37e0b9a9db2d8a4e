"""Pictures of the seeds of a harvest while it runs, where its plan wants them; a browser that fails costs nothing."""

import contextlib
from types import TracebackType
from typing import Self

from django.conf import settings

from opilio.agents.context import RunContext
from opilio.kernel import config
from opilio.works.pictures_beside import PicturesBeside
from opilio.works.run_harvest import HarvestFolder

_PATIENCE = 60.0  # seconds beyond the crawl for the last pictures
_BEAT = 1.0  # seconds
_MOST_TOLD = 5


class HarvestPictures(contextlib.AbstractContextManager["HarvestPictures"]):
    """For the length of one attempt."""

    def __init__(self, folder: HarvestFolder, context: RunContext, *, wanted: bool) -> None:
        self._context = context
        program = settings.OPILIO.browser_program
        self._beside = PicturesBeside(folder, program=program, environ=config.environment()) if wanted else None

    def __enter__(self) -> Self:
        if self._beside is not None:
            self._beside.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._beside is not None:
            self._beside.__exit__(kind, error, trace)

    def finished(self, *, whole: bool) -> str:
        """Wait for the last ones, if the crawl came to its end; what is missing and why, or nothing."""
        if self._beside is None:
            return ""
        if whole:
            self._wait(self._beside)
        problems = self._beside.problems
        more = [f"and {len(problems) - _MOST_TOLD} more"] if len(problems) > _MOST_TOLD else []
        return "No screenshot: " + "; ".join([*problems[:_MOST_TOLD], *more]) if problems else ""

    def _wait(self, beside: PicturesBeside) -> None:
        beside.end()
        end = self._context.clock.monotonic() + _PATIENCE
        while beside.working(_BEAT) and self._context.clock.monotonic() < end and not self._context.should_stop():
            self._context.heartbeat()
