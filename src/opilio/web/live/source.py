"""Asks the catalogue how harvests go, over one connection of its own, and draws the answers once for all viewers."""

import json
from collections.abc import Mapping

from django.db import InterfaceError, OperationalError, connections

from opilio.curation.queries.harvest_live import Live, live_of
from opilio.kernel.logs import logger
from opilio.web.live.board import Shown
from opilio.web.live.parts import parts_of, spoken

_log = logger(__name__)


class CatalogueSource:
    """The states of harvests, from the catalogue."""

    def __init__(self) -> None:
        self._lost = False

    def ask(self, harvests: frozenset[int]) -> Mapping[int, Shown] | None:
        """By one question; None while the database cannot be reached, which is told once."""
        try:
            found = live_of(harvests)
        except (OperationalError, InterfaceError) as error:
            if not self._lost:
                _log.warning("live_view_without_database", error=str(error).strip())
            self._lost = True
            connections.close_all()
            return None
        self._lost = False
        return {harvest: shown_of(live) for harvest, live in found.items()}

    def close(self) -> None:
        """Let the connection go."""
        connections.close_all()


def shown_of(live: Live) -> Shown:
    """A state as a server-sent event; JSON has no line breaks of its own."""
    told = {
        "state": live.document["state"], "label": live.document["state_label"], "tone": live.document["tone"],
        "over": live.over, "spoken": spoken(live), "parts": parts_of(live),
    }  # fmt: skip
    data = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    event = f"id: {live.mark}\nevent: sheet\ndata: {data}\n\n"
    return Shown(mark=live.mark, event=event.encode("utf-8", "replace"), over=live.over)
