"""Hands one letter of the outbox to the SMTP server, and judges what the server, or the network, said to that.

Delivery is at least once: a crash between the server's yes and our note of it sends the letter again, with the same
Message-ID (RFC 5322 §3.6.4), by which mail programs recognise it.
"""

import contextlib
import datetime
import re
import smtplib
import ssl
import unicodedata
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from enum import Enum

import idna

from opilio.kernel.errors import BadSetting, InvalidInput
from opilio.kernel.settings import Settings
from opilio.people.mail import Letter

IN_TRAY = "/in-tray"  # where the pages show what the letter tells of
_LOCAL_PART = re.compile(r"[^\s@<>()\[\],;:\\\"]{1,64}")
_LONGEST_WORDS = 500  # characters of a server's answer
_TOO_LARGE = 552  # RFC 5321 §4.2.3: the server said so when it learned the size, before it saw the letter


@dataclass(frozen=True, kw_only=True)
class MailServer:
    """The SMTP server that takes letters, and how to speak to it."""

    host: str
    port: int
    security: str  # none, starttls, tls
    username: str
    password: str
    sender: str
    timeout: float  # seconds for each answer
    public_url: str  # where people reach the pages; empty: letters carry no link


class Fate(Enum):
    """What became of a letter."""

    SENT = "sent"
    REFUSED = "refused"  # for good: the same letter will never be taken
    AGAIN = "again"  # not now


@dataclass(frozen=True, kw_only=True)
class Result:
    """What became of a letter, and why."""

    fate: Fate
    words: str = ""


def server_from(settings: Settings) -> MailServer | None:
    """The server that the settings name; None when they name none."""
    if not settings.mail_host:
        return None
    return MailServer(
        host=settings.mail_host, port=settings.mail_port, security=settings.mail_security,
        username=settings.mail_username, password=settings.mail_password, sender=settings.mail_from,
        timeout=settings.mail_timeout, public_url=settings.server_public_url.rstrip("/"),
    )  # fmt: skip


def send(letter: Letter, server: MailServer, *, now: datetime.datetime) -> Result:
    """Try once; never raises for what the network or the server does."""
    try:
        message = compose(letter, server, now=now)
    except InvalidInput as error:
        # A letter to nowhere stays one; a wrong setting will be mended.
        return Result(fate=Fate.AGAIN if isinstance(error, BadSetting) else Fate.REFUSED, words=str(error))
    try:
        connection = _connected(server)
    except (smtplib.SMTPException, OSError) as error:
        return Result(fate=Fate.AGAIN, words=_spoken(error, server))
    try:
        connection.send_message(message)
    except (smtplib.SMTPException, OSError) as error:
        return Result(fate=judged(error), words=_spoken(error, server))
    finally:
        _leave(connection)
    return Result(fate=Fate.SENT)


def compose(letter: Letter, server: MailServer, *, now: datetime.datetime) -> EmailMessage:
    """The letter as it travels: plain text with a way back to the pages; the same at every attempt but for the date."""
    message = EmailMessage(policy=SMTP)
    envelope = letter.envelope
    message["From"] = _address(envelope.sender) if envelope.sender else _sender(server.sender)
    message["To"] = _address(letter.to)
    for header, addresses in (("Cc", envelope.cc), ("Bcc", envelope.bcc), ("Reply-To", (envelope.reply_to,))):
        if any(addresses):
            message[header] = [_address(each) for each in addresses]
    message["Subject"] = " ".join(_printable(letter.subject).split())
    message["Date"] = format_datetime(now)
    message["Message-ID"] = re.sub(r"[^\x21-\x7e]", "", letter.message_id)
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: holiday notes do not answer it
    link = f"\n{server.public_url}{IN_TRAY}\n" if server.public_url and not envelope.outside else ""
    message.set_content(_printable(letter.body).rstrip("\n") + "\n" + link)
    return message


def judged(error: Exception) -> Fate:
    """Whether a letter that could not be handed over may be tried again."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
        return Fate.REFUSED if codes and all(code >= 500 for code in codes) else Fate.AGAIN
    if isinstance(error, smtplib.SMTPDataError):
        return Fate.REFUSED if error.smtp_code >= 500 else Fate.AGAIN
    if isinstance(error, smtplib.SMTPSenderRefused):
        # Another refusal of the sender speaks of the settings, which can be mended.
        return Fate.REFUSED if error.smtp_code == _TOO_LARGE else Fate.AGAIN
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return Fate.REFUSED  # the address needs SMTPUTF8 (RFC 6531), which the server has not
    return Fate.AGAIN


def _connected(server: MailServer) -> smtplib.SMTP:
    """A connection that is encrypted and signed in as far as the settings ask."""
    if server.security == "tls":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, timeout=server.timeout, context=ssl.create_default_context()
        )
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=server.timeout)
    try:
        if server.security == "starttls":
            connection.starttls(context=ssl.create_default_context())
        if server.username:
            connection.login(server.username, server.password)
    except (smtplib.SMTPException, OSError):
        connection.close()
        raise
    return connection


def _leave(connection: smtplib.SMTP) -> None:
    """Say goodbye; whatever comes of it, the fate of the letter is known by now."""
    with contextlib.suppress(smtplib.SMTPException, OSError):
        connection.quit()
    connection.close()


def _sender(setting: str) -> Address:
    name, address = parseaddr(setting)
    try:
        found = _address(address)
    except InvalidInput as error:
        raise BadSetting(
            "Setting mail_from holds no e-mail address", where="mail_from",
            remedy="Write opilio@example.org or Opilio <opilio@example.org>.",
        ) from error  # fmt: skip
    return Address(display_name=_printable(name), username=found.username, domain=found.domain)


def _address(text: str) -> Address:
    """An address with its domain as the network knows it."""
    local, _, domain = text.rpartition("@")
    try:
        known = idna.encode(domain, uts46=True).decode("ascii")
        well = bool(_LOCAL_PART.fullmatch(local)) and _printable(local) == local
    except (idna.IDNAError, UnicodeError):
        well = False
    if not well:
        raise InvalidInput(
            f"{_printable(text)[:320]!r} is no e-mail address", where="outbox",
            remedy="Correct it in the user's details.",
        )  # fmt: skip
    return Address(username=local, domain=known)


def _printable(text: str) -> str:
    """Without control characters but line ends and tabs, and without what UTF-8 cannot carry."""
    return "".join(char for char in text if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs"))


def _spoken(error: Exception, server: MailServer) -> str:
    place = f"{server.host}:{server.port}"
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return _cut("; ".join(_answer(code, words) for code, words in error.recipients.values()), place)
    if isinstance(error, smtplib.SMTPResponseException):
        return _cut(_answer(error.smtp_code, error.smtp_error), place)
    return _cut(str(error) or type(error).__name__, place)


def _answer(code: int, words: bytes | str) -> str:
    return f"{code} {words.decode('utf-8', 'replace') if isinstance(words, bytes) else words}"


def _cut(words: str, place: str) -> str:
    return f"{place}: {' '.join(_printable(words).split())[:_LONGEST_WORDS]}"
