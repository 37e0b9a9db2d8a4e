"""The board of this process, and what ends it; made when the first viewer comes."""

import functools

from opilio.web.live.board import Board
from opilio.web.live.ending import Ending
from opilio.web.live.source import CatalogueSource


@functools.cache
def board() -> Board:
    """The board that all viewers of this process share."""
    return Board(CatalogueSource())


@functools.cache
def ending() -> Ending:
    """Listens for the end of this process."""
    return Ending(board().close)
