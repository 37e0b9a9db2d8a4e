"""Does a step to one subject and says what became of it; a trial is taken back."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from opilio.curation.bulk.telling import told
from opilio.curation.models import Outcome
from opilio.kernel.errors import Conflict, Denied, InvalidInput, Missing, OpilioError
from opilio.people.errors import InvalidFields
from opilio.people.overhearing import overheard


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """What became, or would become, of a subject."""

    outcome: Outcome
    told: str = ""  # what would change, or why it is refused


def tried(step: Callable[[], object]) -> Attempt:
    """What the step would do; nothing stays of it."""
    try:
        with transaction.atomic(), overheard() as entries:
            step()
            words = told(entries)
            transaction.set_rollback(True)
    except (InvalidInput, Conflict, Denied, Missing) as error:
        return refused(error)
    return Attempt(outcome=Outcome.CHANGED if entries else Outcome.UNCHANGED, told=words)


def done(step: Callable[[], object]) -> Attempt:
    """Do the step, all or nothing, within the transaction of the caller, who notes the outcome in it."""
    try:
        with transaction.atomic(), overheard() as entries:
            step()
    except (InvalidInput, Conflict, Denied, Missing) as error:
        return refused(error)
    return Attempt(outcome=Outcome.CHANGED if entries else Outcome.UNCHANGED)


def refused(error: OpilioError) -> Attempt:
    """Why a subject is left as it is."""
    return Attempt(outcome=Outcome.REFUSED, told=reason(error))


def reason(error: OpilioError) -> str:
    """An error in the words of a table's cell."""
    if isinstance(error, InvalidFields):
        return "; ".join(f"{field}: {' '.join(texts)}" for field, texts in error.messages.items())
    return str(error)
