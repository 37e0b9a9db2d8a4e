"""The states of jobs and agents, a sentence for each, and the moves that a job may make."""

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType

from django.db import models


class JobState(models.TextChoices):
    """Where a job stands."""

    READY = "ready", "Ready"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    DEAD = "dead", "Dead"
    CANCELLED = "cancelled", "Cancelled"

    @property
    def sentence(self) -> str:
        """What the state means, for whoever reads a list of jobs."""
        return _JOB_SENTENCES[self]


class AgentState(models.TextChoices):
    """What an agent does."""

    WORKING = "working", "Working"
    PAUSED = "paused", "Paused"
    DRAINING = "draining", "Draining"
    STOPPED = "stopped", "Stopped"
    LOST = "lost", "Lost"

    @property
    def sentence(self) -> str:
        """What the state means, for whoever reads a list of agents."""
        return _AGENT_SENTENCES[self]


class Order(models.TextChoices):
    """What a command tells an agent, or the runner of a job, to do."""

    PAUSE = "pause", "Pause"
    RESUME = "resume", "Resume"
    DRAIN = "drain", "Drain"
    STOP = "stop", "Stop"

    @property
    def sentence(self) -> str:
        """What follows from the order."""
        return _ORDER_SENTENCES[self]


class Priority(IntEnum):
    """Which of two due jobs goes first: the lower number."""

    URGENT = 10  # somebody waits for it at a screen
    NORMAL = 100
    LOW = 1_000  # housekeeping


_JOB_SENTENCES = {
    JobState.READY: "Waits for its time and for an agent.",
    JobState.RUNNING: "An agent holds its lease and works on it.",
    JobState.DONE: "Finished; its effects are committed.",
    JobState.DEAD: "Failed as often as it may; somebody must look and requeue or leave it.",
    JobState.CANCELLED: "Taken back by a person before it was finished.",
}

_AGENT_SENTENCES = {
    AgentState.WORKING: "Takes jobs and runs them.",
    AgentState.PAUSED: "Finishes what it runs and takes nothing new until it is resumed.",
    AgentState.DRAINING: "Finishes or gives back what it runs, then stops.",
    AgentState.STOPPED: "Ended in good order.",
    AgentState.LOST: "Fell silent; its jobs went to others when their leases ended.",
}

_ORDER_SENTENCES = {
    Order.PAUSE: "To an agent: take no new jobs.",
    Order.RESUME: "To an agent: take jobs again.",
    Order.DRAIN: "To an agent: finish or give back what runs, then stop.",
    Order.STOP: "To a running job: its runner ends at the next point where it safely can.",
}

AGENT_ORDERS = frozenset({Order.PAUSE, Order.RESUME, Order.DRAIN})
JOB_ORDERS = frozenset({Order.STOP})

UNFINISHED = (JobState.READY, JobState.RUNNING)
FINISHED = (JobState.DONE, JobState.DEAD, JobState.CANCELLED)
LIVING = (AgentState.WORKING, AgentState.PAUSED, AgentState.DRAINING)

#: From each state, where a job may go.
MOVES: Mapping[JobState, frozenset[JobState]] = MappingProxyType(
    {
        JobState.READY: frozenset({JobState.RUNNING, JobState.CANCELLED}),
        JobState.RUNNING: frozenset({JobState.DONE, JobState.READY, JobState.DEAD, JobState.CANCELLED}),
        JobState.DONE: frozenset(),
        JobState.DEAD: frozenset({JobState.READY}),
        JobState.CANCELLED: frozenset({JobState.READY}),
    }
)


def sources(to: JobState) -> tuple[JobState, ...]:
    """The states from which a job may go to `to`."""
    return tuple(state for state in JobState if to in MOVES[state])
