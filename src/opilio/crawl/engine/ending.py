"""How a worker's run ended."""

from dataclasses import dataclass
from enum import StrEnum


class Ending(StrEnum):
    """Why a worker, or a crawl, stopped."""

    FINISHED = "finished"  # nothing more is to be fetched
    LIMIT = "limit"  # a limit of the plan was reached
    STOPPED = "stopped"  # somebody said so; it can be resumed
    ABORTED = "aborted"  # the same, at once


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """An ending, with the limit that was reached."""

    ending: Ending
    limit: str = ""  # pages, bytes or seconds
