"""How deposits are told on pages: state, what was received, and what was read again."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opilio.curation.queries import deposits as queries
from opilio.curation.words import DepositState
from opilio.web.find_words import size

if TYPE_CHECKING:
    from opilio.curation.models import Deposit

_TONES = {DepositState.DONE: "good", DepositState.FAILED: "bad", DepositState.WAITING: "quiet"}


def tone_of(state: str) -> str:
    """The tone of a deposit's badge."""
    return _TONES.get(DepositState(state), "info")


@dataclass(frozen=True, kw_only=True)
class DepositRow:
    """A deposit as the pages of results show it."""

    row: "Deposit"
    label: str
    tone: str
    where: str
    size: str  # of the package
    read: str  # how much was read again
    check: dict[str, Any]
    proven: bool
    needed: int
    under_way: bool
    progress: dict[str, Any] | None


def told(row: "Deposit") -> DepositRow:
    """All that is shown of a deposit."""
    over = row.state in (DepositState.DONE, DepositState.FAILED)
    check = row.receipt.get("check") or {}
    return DepositRow(
        row=row, label=DepositState(row.state).label, tone=tone_of(row.state),
        where=str((row.receipt.get("answer") or {}).get("where", "")), check=check,
        size=size(row.size) if row.size else "", read=size(int(check.get("bytes") or 0)),
        proven=queries.is_proven(row), needed=int(row.receipt.get("needed") or 0), under_way=not over,
        progress=queries.progress_of(row),
    )  # fmt: skip
