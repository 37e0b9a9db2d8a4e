"""Does the job SendMail: hands one letter of the outbox to the SMTP server and notes what became of it.

While no server is configured the letter waits, and the attempts of its job are not used up.
"""

from datetime import timedelta

from django.conf import settings

from opilio.agents.context import RunContext
from opilio.kernel.errors import Unavailable
from opilio.kernel.logs import logger
from opilio.people import delivery, mail
from opilio.people.delivery import Fate, Result
from opilio.people.mail import SendMail

WAIT_FOR_SERVER = timedelta(minutes=5)  # between looks whether one is configured

_log = logger(__name__)


class MailNotSent(Unavailable):
    """The SMTP server did not take a letter, but may do so later."""


def send_mail(payload: SendMail, context: RunContext) -> None:
    """Send the letter; it counts as sent in the transaction that finishes the job."""
    letter = mail.letter(payload.message)
    if letter is None:
        return
    server = delivery.server_from(settings.OPILIO)
    if server is None:
        context.put_off(context.clock.now() + WAIT_FOR_SERVER)
        return
    context.heartbeat()  # whoever lost the job does not send it
    result = delivery.send(letter, server, now=context.clock.now())
    if result.fate is Fate.AGAIN and context.claimed.attempt < context.claimed.max_attempts:
        _try_again(payload, context, result)
    with context.finishing():
        _note(payload, context, result)


def _note(payload: SendMail, context: RunContext, result: Result) -> None:
    now = context.clock.now()
    if result.fate is Fate.SENT:
        mail.mark_sent(payload.message, now)
    else:
        words = result.words if result.fate is not Fate.AGAIN else _given_up(context, result)
        _log.warning("mail_refused", message=payload.message, answer=words)
        mail.note_failure(payload.message, words, final=True, now=now)


def _given_up(context: RunContext, result: Result) -> str:
    return f"Given up after {context.claimed.attempt} tries: {result.words}"


def _try_again(payload: SendMail, context: RunContext, result: Result) -> None:
    context.heartbeat()  # whoever lost the job meanwhile notes nothing
    mail.note_failure(payload.message, result.words, final=False, now=context.clock.now())
    raise MailNotSent(
        f"Message {payload.message} was not taken: {result.words}",
        where="mail_host",
        remedy="It is tried again; if that goes on, look at the settings mail_* and at the SMTP server.",
    )
