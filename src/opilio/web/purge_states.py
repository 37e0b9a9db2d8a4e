"""The states in which a harvest may be purged, as the list filters by them, and the judgement of one of its rows."""

from typing import TYPE_CHECKING

from django.db.models import Q

from opilio.curation.purging import OVER, Judgement, judged
from opilio.kernel.clock import SYSTEM

if TYPE_CHECKING:
    from opilio.curation.models import Harvest

STATES = {state.value: (state.label, Q(state=state)) for state in OVER}


def judgement_of(row: "Harvest") -> Judgement:
    """Whether the data of a row of the list may go now."""
    return judged(row, SYSTEM.now())
