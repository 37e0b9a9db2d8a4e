"""The states of harvests: every move, and the log of events that leads to the state."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.curation.harvest_workflow import DISPLAY_ORDER, EXPECTED, HARVESTS, NEXT_STEP, replayed
from opilio.curation.models import HarvestState
from opilio.curation.workflow import NoSuchMove
from opilio.people.privileges import Privilege

#: Written down apart from the product: from where each verb may be used, and where it leads.
MOVES = {
    "queue": ("scheduled", "queued"), "launch": ("scheduled", "queued"), "begin": ("queued", "running"),
    "pause": ("running", "paused"), "resume": ("paused", "running"), "stop": ("running paused", "stopping"),
    "finish": ("running paused", "stopping"), "keep": ("stopping", "harvested"),
    "abort": ("queued running paused stopping", "aborted"),
    "fail": ("scheduled queued running paused stopping", "aborted"), "skip": ("scheduled", "aborted"),
    "return": ("queued", "scheduled"), "patch": ("harvested", "patching"), "patched": ("patching", "harvested"),
    "end-patch": ("patching", "harvested"), "endorse": ("harvested", "endorsed"), "reject": ("harvested", "rejected"),
    "unendorse": ("endorsed", "harvested"), "archive": ("endorsed", "archiving"), "archived": ("archiving", "archived"),
    "refused": ("archiving", "endorsed"),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Event:
    """As far as a replay needs it."""

    name: str
    source: str
    target: str


@st.composite
def walks(draw):
    """A walk from move to move, with remarks in between that leave the state."""
    state, events = HARVESTS.first, []
    for _ in range(draw(st.integers(0, 20))):
        moves = HARVESTS.moves_from(state)
        if not moves or draw(st.booleans()):
            events.append(Event(name=draw(st.sampled_from(["ordered", "trouble"])), source=state, target=state))
            continue
        move = draw(st.sampled_from(moves))
        events.append(Event(name=move.name, source=state, target=move.target))
        state = move.target
    return state, events


def test_the_moves_are_those_of_the_table():
    """No more and no fewer."""
    found = {(move.name, move.source.value, move.target.value) for move in HARVESTS.moves}
    assert found == {(name, source, to) for name, (sources, to) in MOVES.items() for source in sources.split()}


def test_people_need_a_privilege_for_what_they_do():
    """Launching has its own, and so has each decision of reviewers and archivists; the system's moves have none."""
    needed = {move.name: move.privilege for move in HARVESTS.moves}
    people = {name: privilege for name, privilege in needed.items() if privilege is not None}
    assert people.pop("launch") == Privilege.LAUNCH_TARGET_INSTANCE_IMMEDIATE
    assert people.pop("unendorse") == Privilege.UNENDORSE_HARVEST
    assert people.pop("archive") == Privilege.ARCHIVE_HARVEST
    review = {name: people.pop(name) for name in ("endorse", "reject", "patch", "end-patch")}
    assert set(review.values()) == {Privilege.ENDORSE_HARVEST}
    assert people == dict.fromkeys(("pause", "resume", "stop", "abort"), Privilege.MANAGE_TARGET_INSTANCES)


def test_every_state_has_its_words():
    """A place in lists and a next step; expected times only where a state can last too long."""
    assert set(DISPLAY_ORDER) == set(NEXT_STEP) == set(HarvestState)
    assert len(set(DISPLAY_ORDER.values())) == len(HarvestState)
    assert HarvestState.RUNNING not in EXPECTED


@given(walks())
def test_a_log_leads_to_the_state(walk):
    """Whatever happened in whatever order."""
    state, events = walk
    assert replayed(events) == state


@given(walks(), st.data())
def test_a_log_with_a_gap_is_refused(walk, data):
    """A move that is missing is noticed, as the next one starts elsewhere."""
    _, events = walk
    moves = [number for number, event in enumerate(events) if event.source != event.target]
    if len(moves) < 2:
        return
    gone = data.draw(st.sampled_from(moves[:-1]))
    with pytest.raises(NoSuchMove, match="leads from"):
        replayed([event for number, event in enumerate(events) if number != gone])


@given(walks(), st.data())
def test_a_log_with_another_end_is_refused(walk, data):
    """An event that claims a state to which its move does not lead."""
    _, events = walk
    moves = [number for number, event in enumerate(events) if event.source != event.target]
    if not moves:
        return
    chosen = data.draw(st.sampled_from(moves))
    others = [one.value for one in HarvestState if one not in (events[chosen].target, events[chosen].source)]
    changed = replace(events[chosen], target=data.draw(st.sampled_from(others)))
    with pytest.raises(NoSuchMove):
        replayed([*events[:chosen], changed])
