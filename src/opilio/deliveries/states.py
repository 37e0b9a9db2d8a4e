"""Where a document, a download or a delivery stands: one function decides every change. Pure.

Phases are in the order of the pipeline, statuses in the order of their weight. A failure wins, and of several failures
the one in the earliest phase; without a failure a standing only moves forward. What was cancelled stays so.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import reduce


class Phase(IntEnum):
    """Steps in the order in which they are taken."""

    NAME = 1  # the name of a delivery is judged
    SETTLE = 2  # it is written to its end at the source
    DOWNLOAD = 3
    CHECKSUM = 4
    UNPACK = 5
    DOCUMENT_NAME = 6
    SCHEMA = 7
    LOAD = 8
    INTEGRITY = 9
    CONTEXT = 10  # a hook
    OVERVIEW = 11  # a hook
    QUALITY = 12  # a hook

    @property
    def title(self) -> str:
        """As people read it."""
        return self.name.replace("_", " ").capitalize()


class Status(IntEnum):
    """How a step stands; higher is heavier."""

    PENDING = 1
    RUNNING = 2
    DONE = 3
    CANCELLED = 4  # by a person, with a reason
    FAILED = 5


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Standing:
    """A phase and how it stands."""

    phase: Phase
    status: Status

    @property
    def over(self) -> bool:
        """Whether nothing more happens to it by itself."""
        return self.status in (Status.FAILED, Status.CANCELLED)


START = Standing(phase=Phase.NAME, status=Status.PENDING)


def advanced(now: Standing, offered: Standing) -> Standing:
    """What a standing becomes when it is told another one; itself, when that would be a step back."""
    if Status.FAILED in (now.status, offered.status):
        failures = [one for one in (now, offered) if one.status is Status.FAILED]
        return min(failures, key=lambda one: one.phase)
    if now.status is Status.CANCELLED:
        return now
    if offered.status is Status.CANCELLED:
        return offered
    return max(now, offered)


def promoted(now: Standing, parts: Iterable[Standing]) -> Standing:
    """What the whole becomes by its parts, whatever the order in which they tell: it fails with the first of them to
    fail, and is as far as the slowest of those that were not cancelled."""
    found = list(parts)
    failures = [one for one in found if one.status is Status.FAILED]
    going = [one for one in found if one.status is not Status.CANCELLED]
    if failures:
        return reduce(advanced, failures, now)
    return advanced(now, min(going)) if going else reduce(advanced, found, now)
