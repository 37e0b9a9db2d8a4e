"""The states of curation and every move between them, as tables; nothing else moves a row.

Docs draw their pictures from these tables, actions look their moves up here, tests prove that no other move exists.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from opilio.curation.models import NominationState, PermissionStatus, ProfileStatus, State
from opilio.kernel.errors import Conflict
from opilio.people.privileges import Privilege

S = TypeVar("S", bound=Enum)


class NoSuchMove(Conflict):
    """The row is in a state from which this cannot be done."""


@dataclass(frozen=True, kw_only=True)
class Move(Generic[S]):
    """One way from a state to another."""

    name: str  # the verb, as in addresses: approve
    label: str  # as on a button
    source: S
    target: S
    privilege: Privilege | None  # None: the system moves it, no person
    sentence: str  # what it means and changes


@dataclass(frozen=True, kw_only=True)
class Machine(Generic[S]):
    """The states of one noun, the first of them, and all moves."""

    noun: str
    first: S
    states: tuple[S, ...]
    moves: tuple[Move[S], ...]

    def move(self, name: str, source: S) -> Move[S]:
        """The move of this name from this state, or `NoSuchMove` with what is possible."""
        for move in self.moves:
            if move.name == name and move.source == source:
                return move
        offered = ", ".join(sorted({move.name for move in self.moves_from(source)})) or "nothing"
        raise NoSuchMove(
            f"A {self.noun} that is {_word(source)} cannot be moved by “{name}”", where=self.noun,
            remedy=f"From there it can: {offered}.",
        )  # fmt: skip

    def moves_from(self, source: S) -> tuple[Move[S], ...]:
        """All moves from a state."""
        return tuple(move for move in self.moves if move.source == source)

    def by_people(self, source: S) -> tuple[Move[S], ...]:
        """The moves from a state that a person may make, given the privilege."""
        return tuple(move for move in self.moves_from(source) if move.privilege is not None)


def _moves(
    name: str, label: str, sources: Iterable[S], target: S, privilege: Privilege | None, sentence: str
) -> tuple[Move[S], ...]:
    return tuple(
        Move(name=name, label=label, source=source, target=target, privilege=privilege, sentence=sentence)
        for source in sources
    )


def _word(state: Enum) -> str:
    return str(getattr(state, "label", state.value)).lower()


_NEW = (State.PENDING, State.REINSTATED)
_OPEN = (*_NEW, State.NOMINATED)

TARGETS: Machine[State] = Machine(
    noun="target", first=State.PENDING,
    states=(State.PENDING, State.REINSTATED, State.NOMINATED, State.REJECTED, State.APPROVED, State.CANCELLED,
            State.COMPLETED),
    moves=(
        *_moves("nominate", "Nominate", _NEW, State.NOMINATED, Privilege.MODIFY_TARGET,
                "Ask those who approve targets to decide; a task waits in their in-tray."),
        *_moves("approve", "Approve", _OPEN, State.APPROVED, Privilege.APPROVE_TARGET,
                "Collect it from now on: its schedules are planned."),
        *_moves("reject", "Reject", _OPEN, State.REJECTED, Privilege.APPROVE_TARGET,
                "Do not collect it, for a reason from the list."),
        *_moves("cancel", "Cancel", (State.APPROVED,), State.CANCELLED, Privilege.CANCEL_TARGET,
                "Stop collecting it: what is planned is removed."),
        *_moves("reinstate", "Reinstate", (State.REJECTED, State.CANCELLED, State.COMPLETED), State.REINSTATED,
                Privilege.REINSTATE_TARGET, "Take it up again; it can be edited like a new one."),
        *_moves("complete", "Complete", (State.APPROVED,), State.COMPLETED, None,
                "Nothing is planned any more, and no schedule will plan anything."),
        *_moves("return", "Return", (State.APPROVED,), State.NOMINATED, None,
                "Somebody who may not approve changed it: it is decided upon again."),
        *_moves("resume", "Resume", (State.COMPLETED,), State.APPROVED, None,
                "A schedule was added, or a harvest asked for, by somebody who may approve and reinstate."),
    ),
)  # fmt: skip

#: States in which schedules of a target are planned.
SCHEDULABLE = (State.APPROVED, State.COMPLETED, State.GROUP_ACTIVE)

_ALL_PERMISSIONS = (PermissionStatus.PENDING, PermissionStatus.REQUESTED, PermissionStatus.APPROVED,
                    PermissionStatus.REJECTED)  # fmt: skip

PERMISSIONS: Machine[PermissionStatus] = Machine(
    noun="permission", first=PermissionStatus.PENDING, states=_ALL_PERMISSIONS,
    moves=(
        *_moves("request", "Request", (PermissionStatus.PENDING,), PermissionStatus.REQUESTED,
                Privilege.GENERATE_TEMPLATE, "A letter or e-mail asked the authorising agent."),
        *_moves("approve", "Approve", (PermissionStatus.PENDING, PermissionStatus.REQUESTED, PermissionStatus.REJECTED),
                PermissionStatus.APPROVED, Privilege.CONFIRM_PERMISSION, "The authorising agent granted it."),
        *_moves("reject", "Reject", (PermissionStatus.PENDING, PermissionStatus.REQUESTED, PermissionStatus.APPROVED),
                PermissionStatus.REJECTED, Privilege.CONFIRM_PERMISSION, "The authorising agent refused it."),
    ),
)  # fmt: skip

PROFILES: Machine[ProfileStatus] = Machine(
    noun="profile", first=ProfileStatus.ACTIVE,
    states=(ProfileStatus.ACTIVE, ProfileStatus.INACTIVE, ProfileStatus.LOCKED),
    moves=(
        *_moves("deactivate", "Deactivate", (ProfileStatus.ACTIVE,), ProfileStatus.INACTIVE, Privilege.MANAGE_PROFILES,
                "No target can choose it any more; those that have it keep it."),
        *_moves("activate", "Activate", (ProfileStatus.INACTIVE,), ProfileStatus.ACTIVE, Privilege.MANAGE_PROFILES,
                "Targets can choose it again."),
    ),
)  # fmt: skip

NOMINATIONS: Machine[NominationState] = Machine(
    noun="nomination", first=NominationState.WAITING,
    states=(NominationState.WAITING, NominationState.ACCEPTED, NominationState.DECLINED),
    moves=(
        *_moves("accept", "Accept", (NominationState.WAITING,), NominationState.ACCEPTED, Privilege.CREATE_TARGET,
                "A target is made of it."),
        *_moves("decline", "Decline", (NominationState.WAITING,), NominationState.DECLINED, Privilege.CREATE_TARGET,
                "It is not taken up."),
    ),
)  # fmt: skip

GROUP_STATES = (State.GROUP_PENDING, State.GROUP_ACTIVE, State.GROUP_INACTIVE)  # computed, never set by hand

MACHINES = (TARGETS, PERMISSIONS, PROFILES, NOMINATIONS)
