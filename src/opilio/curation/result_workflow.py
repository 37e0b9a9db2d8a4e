"""The states of a result and every move between them, as a table."""

from collections.abc import Iterable

from opilio.curation.models import ResultState
from opilio.curation.workflow import Machine, Move
from opilio.people.privileges import Privilege

_MAKING = (ResultState.CRAWLING, ResultState.MODIFYING, ResultState.INDEXING)
_ENDORSE = Privilege.ENDORSE_HARVEST


def _moves(
    name: str,
    label: str,
    sources: Iterable[ResultState],
    target: ResultState,
    privilege: Privilege | None,
    sentence: str,
) -> tuple[Move[ResultState], ...]:
    return tuple(
        Move(name=name, label=label, source=source, target=target, privilege=privilege, sentence=sentence)
        for source in sources
    )


RESULTS: Machine[ResultState] = Machine(
    noun="result", first=ResultState.INDEXING, states=tuple(ResultState),
    moves=(
        *_moves("modify", "Modify", (ResultState.CRAWLING,), ResultState.MODIFYING, None,
                "What was missing is fetched; the result is made."),
        *_moves("made", "Made", (ResultState.MODIFYING,), ResultState.INDEXING, None,
                "Its files are whole; reviewers can soon search it."),
        *_moves("ready", "Ready", (ResultState.INDEXING,), ResultState.UNASSESSED, None,
                "It can be searched and waits for a decision."),
        *_moves("fail", "Fail", _MAKING, ResultState.ABORTED, None, "It could not be made; the reason says why."),
        *_moves("abort", "Give up", (ResultState.CRAWLING, ResultState.MODIFYING), ResultState.ABORTED, _ENDORSE,
                "Nothing of it is kept."),
        *_moves("undo", "Undo", (ResultState.UNASSESSED, ResultState.REJECTED), ResultState.ABORTED, _ENDORSE,
                "Remove a derived result; its parent stays as it is."),
        *_moves("endorse", "Endorse", (ResultState.UNASSESSED,), ResultState.ENDORSED, _ENDORSE,
                "It is good: the harvest is endorsed with it, its other results are rejected."),
        *_moves("reject", "Reject", (ResultState.UNASSESSED, ResultState.INDEXING), ResultState.REJECTED, _ENDORSE,
                "It is not good, for a reason from the list."),
        *_moves("pass-over", "Pass over", (ResultState.UNASSESSED, ResultState.INDEXING), ResultState.REJECTED, None,
                "Another result of the harvest was endorsed."),
        *_moves("unendorse", "Take the endorsement back", (ResultState.ENDORSED,), ResultState.UNASSESSED,
                Privilege.UNENDORSE_HARVEST, "Decide again."),
        *_moves("take-up", "Take up again", (ResultState.REJECTED,), ResultState.UNASSESSED, None,
                "The endorsement of another result was taken back, because of which it had been passed over."),
    ),
)  # fmt: skip

#: States in which a result has files that can be looked at, packed and derived from.
WHOLE = (ResultState.UNASSESSED, ResultState.ENDORSED, ResultState.REJECTED, ResultState.INDEXING)
