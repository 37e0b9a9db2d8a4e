"""Payload classes of the tests of the jobs; their kinds start with `test.`."""

from dataclasses import dataclass

from opilio.jobs.payload import job
from opilio.jobs.states import Priority


@job(kind="test.effect", max_attempts=1_000)
@dataclass(frozen=True, kw_only=True)
class Effect:
    """Writes one row; `held_for` is how many milliseconds its transaction stays open."""

    number: int
    held_for: int = 0


@job(kind="test.gate", max_attempts=3)
@dataclass(frozen=True, kw_only=True)
class Gate:
    """Waits for a file named after the process before it writes its row."""

    folder: str


@job(kind="test.patient", max_attempts=3)
@dataclass(frozen=True, kw_only=True)
class Patient:
    """Runs until it is told to stop."""


@job(kind="test.stubborn", max_attempts=3)
@dataclass(frozen=True, kw_only=True)
class Stubborn:
    """Runs for ever, whatever it is told."""


@job(kind="test.broken", max_attempts=1)
@dataclass(frozen=True, kw_only=True)
class Broken:
    """Always fails."""


@job(kind="test.unimportant", max_attempts=2, priority=Priority.LOW)
@dataclass(frozen=True, kw_only=True)
class Unimportant:
    """A job of low priority."""

    number: int = 0
