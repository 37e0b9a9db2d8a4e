"""What a worker tells while it runs, for whoever watches."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """Sums of one worker's life, after a commit."""

    worker: str
    pages: int = 0
    bytes: int = 0
    errors: int = 0
    hosts: int = 0  # that it is asking now
    found: int = 0  # URLs that were new


Watch = Callable[[Progress], None]


def nobody(_: Progress) -> None:
    """Nobody watches."""
