"""The states of a harvest and every move between them, as a table; the log of events is replayed against it."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Protocol

from opilio.curation.models import HarvestState
from opilio.curation.result_workflow import RESULTS
from opilio.curation.workflow import MACHINES, Machine, Move, NoSuchMove
from opilio.people.privileges import Privilege

_WAITING = (HarvestState.SCHEDULED, HarvestState.QUEUED)
_ACTIVE = (HarvestState.RUNNING, HarvestState.PAUSED)
_MANAGE = Privilege.MANAGE_TARGET_INSTANCES


def _moves(
    name: str,
    label: str,
    sources: Iterable[HarvestState],
    target: HarvestState,
    privilege: Privilege | None,
    sentence: str,
) -> tuple[Move[HarvestState], ...]:
    return tuple(
        Move(name=name, label=label, source=source, target=target, privilege=privilege, sentence=sentence)
        for source in sources
    )


HARVESTS: Machine[HarvestState] = Machine(
    noun="harvest", first=HarvestState.SCHEDULED,
    states=tuple(HarvestState),
    moves=(
        *_moves("queue", "Queue", (HarvestState.SCHEDULED,), HarvestState.QUEUED, None,
                "Its time came and its rights hold: it is frozen and waits for an agent."),
        *_moves("launch", "Launch now", (HarvestState.SCHEDULED,), HarvestState.QUEUED,
                Privilege.LAUNCH_TARGET_INSTANCE_IMMEDIATE, "Harvest now instead of at its time, if its rights hold."),
        *_moves("begin", "Begin", (HarvestState.QUEUED,), HarvestState.RUNNING, None, "An agent crawls."),
        *_moves("pause", "Pause", (HarvestState.RUNNING,), HarvestState.PAUSED, _MANAGE,
                "Ask for nothing more until it goes on."),
        *_moves("resume", "Go on", (HarvestState.PAUSED,), HarvestState.RUNNING, _MANAGE, "End the pause."),
        *_moves("stop", "Stop", _ACTIVE, HarvestState.STOPPING, _MANAGE,
                "End the crawl and keep what it collected, ready for review."),
        *_moves("finish", "Finish", _ACTIVE, HarvestState.STOPPING, None, "The crawl ended by itself."),
        *_moves("keep", "Keep", (HarvestState.STOPPING,), HarvestState.HARVESTED, None,
                "What was collected is sealed and waits for review."),
        *_moves("abort", "Abort", (*_WAITING[1:], *_ACTIVE, HarvestState.STOPPING), HarvestState.ABORTED, _MANAGE,
                "End it and give up what it collected; the data is removed after a week."),
        *_moves("fail", "Fail", (*_WAITING, *_ACTIVE, HarvestState.STOPPING), HarvestState.ABORTED, None,
                "It cannot be done; the reason says why."),
        *_moves("skip", "Skip", (HarvestState.SCHEDULED,), HarvestState.ABORTED, None,
                "Its time passed while nothing ran; a later one of its schedule is run instead."),
        *_moves("return", "Put back", (HarvestState.QUEUED,), HarvestState.SCHEDULED, None,
                "Its rights ended while it waited for an agent."),
        *_moves("patch", "Patch", (HarvestState.HARVESTED,), HarvestState.PATCHING, Privilege.ENDORSE_HARVEST,
                "Fetch what is missing into a new result."),
        *_moves("patched", "Patched", (HarvestState.PATCHING,), HarvestState.HARVESTED, None,
                "The patch ended, well or not; the results wait for review."),
        *_moves("end-patch", "End the patch", (HarvestState.PATCHING,), HarvestState.HARVESTED,
                Privilege.ENDORSE_HARVEST, "Give the patch up; what it fetched is not kept."),
        *_moves("endorse", "Endorse", (HarvestState.HARVESTED,), HarvestState.ENDORSED, Privilege.ENDORSE_HARVEST,
                "One of its results is good; the others are rejected."),
        *_moves("reject", "Reject", (HarvestState.HARVESTED,), HarvestState.REJECTED, Privilege.ENDORSE_HARVEST,
                "None of its results is good, for a reason from the list; the data is removed after two weeks."),
        *_moves("unendorse", "Take the endorsement back", (HarvestState.ENDORSED,), HarvestState.HARVESTED,
                Privilege.UNENDORSE_HARVEST, "Decide again; results that were rejected before stay so."),
        *_moves("archive", "Archive", (HarvestState.ENDORSED,), HarvestState.ARCHIVING, Privilege.ARCHIVE_HARVEST,
                "Pack the endorsed result and hand it to a depository."),
        *_moves("archived", "Archived", (HarvestState.ARCHIVING,), HarvestState.ARCHIVED, None,
                "The depository has it: its receipt was read and checked."),
        *_moves("refused", "Refused", (HarvestState.ARCHIVING,), HarvestState.ENDORSED, None,
                "The deposit failed; the reason says why, and it can be tried again."),
    ),
)  # fmt: skip

#: All of curation, as the page of states draws them.
EVERY_MACHINE: tuple[Machine[Any], ...] = (*MACHINES, HARVESTS, RESULTS)

#: Numbers by which lists order harvests, running ones first; those of the Web Curator Tool (TI_DISPLAY_ORDER).
DISPLAY_ORDER = {
    HarvestState.RUNNING: 1, HarvestState.STOPPING: 10, HarvestState.PAUSED: 20, HarvestState.QUEUED: 30,
    HarvestState.SCHEDULED: 40, HarvestState.HARVESTED: 50, HarvestState.ENDORSED: 60, HarvestState.ABORTED: 70,
    HarvestState.REJECTED: 80, HarvestState.ARCHIVING: 89, HarvestState.ARCHIVED: 90, HarvestState.PATCHING: 100,
}  # fmt: skip

#: What comes next in each state, for people.
NEXT_STEP = {
    HarvestState.SCHEDULED: "It is queued when its time comes.",
    HarvestState.QUEUED: "The next free agent takes it.",
    HarvestState.RUNNING: "It ends by itself, at a limit, or when it is stopped.",
    HarvestState.PAUSED: "Let it go on, or stop it.",
    HarvestState.STOPPING: "The agent seals what was collected.",
    HarvestState.HARVESTED: "Review it: read the recommendation, look at its pages, then endorse or reject it.",
    HarvestState.ABORTED: "Nothing; its data is removed after a week.",
    HarvestState.REJECTED: "Nothing; its data is removed after two weeks.",
    HarvestState.ENDORSED: "Archive it.",
    HarvestState.ARCHIVING: "An agent packs it, hands it over and checks the receipt.",
    HarvestState.ARCHIVED: "Nothing; the archive has it, and its data here is removed after two weeks.",
    HarvestState.PATCHING: "The missing pages are crawled.",
}

#: How long a state should last at most, where that can be said; past it the harvest is flagged.
EXPECTED = {
    HarvestState.QUEUED: timedelta(hours=12),
    HarvestState.STOPPING: timedelta(hours=1),
    HarvestState.ARCHIVING: timedelta(hours=6),
    HarvestState.PAUSED: timedelta(days=7),
    HarvestState.PATCHING: timedelta(hours=12),
}


class Happened(Protocol):
    """An event, as far as a replay needs it."""

    @property
    def name(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...


def replayed(events: Iterable[Happened]) -> HarvestState:
    """The state that a log of events leads to, from Scheduled; `NoSuchMove` where one does not follow from the last."""
    state = HARVESTS.first
    for event in events:
        state = _after(state, event)
    return state


def _after(state: HarvestState, event: Happened) -> HarvestState:
    target = HarvestState(event.target)
    stays = target == state and event.source == state
    if stays or (event.source == state and HARVESTS.move(event.name, state).target == target):
        return target
    raise NoSuchMove(
        f"The event {event.name} leads from {event.source or 'nothing'} to {event.target}, not from {state}",
        where="harvest", remedy="The log was changed outside Opilio; restore a backup.",
    )  # fmt: skip
