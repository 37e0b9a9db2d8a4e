"""The authorising agent's own answer, by a form that opens once. A wrong address is counted, and must wait."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db import transaction

from opilio.curation import deciding
from opilio.curation.invitations import open_invitation
from opilio.curation.models import Channel, Invitation, Permission
from opilio.people import throttle
from opilio.people.acting import Act, action
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields

_THROTTLE = "answer"
_LONGEST_NAME = 255
_LONGEST_TEXT = 4_000


class Word(StrEnum):
    """What an authorising agent answers."""

    GRANT = "grant"
    CONDITIONS = "conditions"
    REFUSE = "refuse"


_SENTENCES = {Word.GRANT: "Granted", Word.CONDITIONS: "Granted with conditions", Word.REFUSE: "Refused"}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What was filled in."""

    word: Word
    name: str  # who answers
    text: str = ""  # conditions, or what else there is to say


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the form shows to whoever holds its address."""

    agency: str
    site: str
    contact: str
    urls: tuple[str, ...]
    left_out: tuple[str, ...]
    starts: str
    ends: str
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of an answer: taken, refused because the form is not open, or too soon after failures."""

    taken: bool = False
    wait: float = 0.0  # seconds


def asked_by(actor: Actor, token: str, rules: throttle.Rules) -> Asked | Outcome:
    """What the form asks; an `Outcome` when the token opens none. Says nothing about why."""
    now = actor.clock.now()
    left = throttle.wait_left({_THROTTLE: actor.address}, now)
    if left > 0:
        return Outcome(wait=left)
    found = open_invitation(token, now)
    if found is None or found.permission is None:
        with transaction.atomic():
            return Outcome(wait=throttle.count_failure({_THROTTLE: actor.address}, now, rules))
    return _asked(found, found.permission)


@action("permission.answer", "Answer a permission request, by the address of a form that opens once.")
def answer_permission(act: Act, /, *, token: str, reply: Reply, rules: throttle.Rules) -> Outcome:
    """Grant and refusal count at once; conditions are put before those who confirm permissions."""
    now = act.clock.now()
    left = throttle.wait_left({_THROTTLE: act.actor.address}, now)
    found = open_invitation(token, now, lock=True) if left <= 0 else None
    if found is None or found.permission is None:
        waiting = left if left > 0 else throttle.count_failure({_THROTTLE: act.actor.address}, now, rules)
        return Outcome(wait=waiting)
    act.require_that(True, "answer", "")
    _check(reply)
    _settle(act, found, found.permission, reply)
    return Outcome(taken=True)


def _settle(act: Act, invitation: Invitation, row: Permission, reply: Reply) -> None:
    now, said = act.clock.now(), _said(reply)
    invitation.used_at, invitation.used_from = now, act.actor.address[:64]
    invitation.answer = {"word": reply.word.value, "name": reply.name.strip(), "text": reply.text.strip()}
    invitation.save(update_fields=["used_at", "used_from", "answer"])
    deciding.log(
        act, row, channel=Channel.FORM, outgoing=False, subject=_SENTENCES[reply.word], text=said,
        address=invitation.email,
    )  # fmt: skip
    act.record(row, message=f"Answered by form: {said}", after={"answer": invitation.answer})
    if reply.word is Word.CONDITIONS:
        act.update(row, {"response": deciding.added(row.response, said)}, message="Conditions were named.")
        deciding.seek(act, row, f"{said}\n\nAccept the conditions by approving the permission, or reject it.")
    else:
        verb = deciding.APPROVE if reply.word is Word.GRANT else deciding.REJECT
        deciding.decide(act, row, verb, response=said)


def _said(reply: Reply) -> str:
    more = f": {reply.text.strip()}" if reply.text.strip() else "."
    return f"{_SENTENCES[reply.word]} by {reply.name.strip()}{more}"


def _check(reply: Reply) -> None:
    if not reply.name.strip() or len(reply.name) > _LONGEST_NAME:
        raise InvalidFields({"name": [f"Write your name, in at most {_LONGEST_NAME} characters."]})
    if len(reply.text) > _LONGEST_TEXT:
        raise InvalidFields({"text": [f"Write at most {_LONGEST_TEXT} characters."]})
    if reply.word is Word.CONDITIONS and not reply.text.strip():
        raise InvalidFields({"text": ["Write the conditions."]})


def _asked(found: Invitation, row: Permission) -> Asked:
    patterns = row.patterns.filter(deleted=False).values_list("pattern", flat=True)
    return Asked(
        agency=row.agency.name, site=row.authorisation.title, contact=row.agent.contact or row.agent.name,
        urls=tuple(patterns), left_out=tuple(row.exclusions.filter(deleted=False).values_list("url", flat=True)),
        starts=row.start_date.isoformat(), ends=row.end_date.isoformat() if row.end_date else "",
        expires_at=found.expires_at,
    )  # fmt: skip
