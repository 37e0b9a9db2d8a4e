"""Writes the sheet of a running harvest into the catalogue, where everybody who watches it looks."""

import contextlib
from datetime import datetime

from opilio.archive.screenshots.pictures import PictureKind
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.crawl.report.live import Look
from opilio.curation.actions import harvest_live
from opilio.kernel.errors import OpilioError
from opilio.works.live_sheet import MOST_LINES, Beside, LiveSheet, points_of
from opilio.works.log_tail import last_lines
from opilio.works.run_harvest import HarvestFolder

_MOST_PICTURES = 12


class HarvestSheet:
    """The sheets of one attempt at a harvest; the plot of an earlier attempt goes on."""

    def __init__(self, harvest: int, folder: HarvestFolder) -> None:
        self._harvest = harvest
        self._folder = folder
        self._sheet: LiveSheet | None = None
        self._shelf = PictureShelf(folder.path)
        self._pictures: tuple[float, list[tuple[str, float]]] = (0.0, [])  # when the index was written, and its end

    def write(self, look: Look, now: datetime) -> None:
        """Write down what was seen."""
        if self._sheet is None:
            self._sheet = LiveSheet(points=points_of(harvest_live.last_sheet(self._harvest)))
        beside = Beside(log=self._log(), pictures=self._taken())
        harvest_live.write_sheet(self._harvest, at=now, sheet=self._sheet.taken(look, beside))

    def close(self, now: datetime) -> None:
        """The harvest ended."""
        harvest_live.close_sheet(self._harvest, at=now)

    def _log(self) -> list[str]:
        """The last lines; trouble with them is told in their place, as the crawl itself may go on."""
        try:
            return last_lines(self._folder.crawl.log, MOST_LINES)
        except OpilioError as error:
            return [str(error)]

    def _taken(self) -> list[tuple[str, float]]:
        """Pages of which there is a picture, the newest first; their index is read when it was written anew.

        While it cannot be read, those that are known stay: `opilio archive verify` tells of damage.
        """
        with contextlib.suppress(FileNotFoundError, OpilioError):
            written = self._shelf.index.stat().st_mtime
            if written != self._pictures[0]:
                shown = sorted(self._shelf.all(PictureKind.THUMBNAIL), key=lambda one: one.at, reverse=True)
                found = [(one.url, one.at.timestamp()) for one in shown[:_MOST_PICTURES]]
                self._pictures = (written, found)
        return self._pictures[1]
