"""One letter handed to a real SMTP server: what travels, and what becomes of it."""

import smtplib
import socket
import threading
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from opilio.people.delivery import Fate, MailServer, compose, judged, send, server_from
from opilio.people.mail import Letter
from tests.servers.mail import PASSWORD, USERNAME, free_port, running_mail_server

NOW = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
LETTER = Letter(
    id=7,
    to="curator@archive.example",
    subject="Approve the target Sea charts",
    body="It waits.\n",
    message_id="<0123456789abcdef@opilio>",
)


def client(server=None, **changes):
    """How to reach a test server; port 9 stands where nothing is sent."""
    plain = MailServer(
        host=server.host if server else "127.0.0.1",
        port=server.port if server else 9,
        security="none",
        username="",
        password="",
        sender="Opilio <opilio@archive.example>",
        timeout=20.0,
        public_url="",
    )
    return replace(plain, **changes)


def test_a_letter_arrives_whole():
    """The server takes sender, recipient, text and the headers that mail programs look for."""
    with running_mail_server() as server:
        result = send(LETTER, client(server), now=NOW)
        (taken,) = server.taken
    assert result.fate is Fate.SENT
    assert (taken.sender, taken.recipients) == ("opilio@archive.example", ("curator@archive.example",))
    assert taken.message["From"] == "Opilio <opilio@archive.example>"
    assert taken.message["Subject"] == "Approve the target Sea charts"
    assert taken.message["Message-ID"] == "<0123456789abcdef@opilio>"
    assert taken.message["Date"].datetime == NOW
    assert taken.message["Auto-Submitted"] == "auto-generated"
    assert taken.message.get_content().replace("\r\n", "\n") == "It waits.\n"


def test_a_letter_leads_back_to_the_pages():
    """With a public address the text ends in a link to the in-tray."""
    message = compose(LETTER, client(public_url="https://opilio.archive.example"), now=NOW)
    assert message.get_content().endswith("\nhttps://opilio.archive.example/in-tray\n")


def test_text_beyond_ascii_arrives_as_written():
    """Subject and text may hold any script, also in lines longer than SMTP allows."""
    body = "Прошу одобрить: " + "数字档案" * 400 + "\n"
    letter = replace(LETTER, subject="Übersicht für März – 数字 🕷", body=body, to="kuratorin@bücher.example")
    with running_mail_server() as server:
        assert send(letter, client(server), now=NOW).fate is Fate.SENT
        (taken,) = server.taken
    assert taken.message["Subject"] == letter.subject
    assert taken.message.get_content().replace("\r\n", "\n") == body
    assert taken.recipients == ("kuratorin@xn--bcher-kva.example",)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("subject", "Hello\r\nBcc: everybody@archive.example\r\n\r\nBuy"),
        ("subject", "Hello\nBcc: everybody@archive.example"),
        ("subject", "Hello\x00\x0bBcc: everybody@archive.example\x85"),
        ("message_id", "<1@opilio>\r\nBcc: everybody@archive.example"),
    ],
)
def test_no_header_can_be_smuggled_in(field, value):
    """Line ends in a subject or identifier become part of its text, never a header or the body."""
    with running_mail_server() as server:
        assert send(replace(LETTER, **{field: value}), client(server), now=NOW).fate is Fate.SENT
        (taken,) = server.taken
    assert taken.recipients == ("curator@archive.example",)
    assert "Bcc" not in taken.message
    assert taken.message.get_content().strip() == "It waits."


@pytest.mark.parametrize("line", [".", "..", ".hidden", "\r\n.\r\nMAIL FROM:<x@y>"])
def test_a_line_with_a_dot_ends_nothing(line):
    """The text cannot break out of the letter into the SMTP exchange."""
    with running_mail_server() as server:
        assert send(replace(LETTER, body=f"a\n{line}\nb\n"), client(server), now=NOW).fate is Fate.SENT
        (taken,) = server.taken
    assert taken.message.get_content().split()[-1] == "b"


@pytest.mark.parametrize(
    "address",
    [
        "", "curator", "@archive.example", "curator@", "a@b@c d", "two@archive.example, three@archive.example",
        "curator@archive.example\r\nRCPT TO:<x@y.example>", "x y@archive.example", "<curator@archive.example>",
        "curator@-bad-.example", "curator@" + "a" * 300, "\ud800@archive.example", "a" * 65 + "@archive.example",
    ],
)  # fmt: skip
def test_a_letter_to_no_address_is_refused_for_good(address):
    """Nothing is sent to what is no single address."""
    with running_mail_server() as server:
        result = send(replace(LETTER, to=address), client(server), now=NOW)
        assert server.taken == []
    assert result.fate is Fate.REFUSED
    assert "is no e-mail address" in result.words


def test_a_wrong_sender_is_tried_again():
    """A setting can be mended, so the letter is not given up for it."""
    result = send(LETTER, client(sender="nobody"), now=NOW)
    assert result.fate is Fate.AGAIN
    assert "mail_from" in result.words


def test_a_local_part_beyond_ascii_needs_a_server_that_takes_it():
    """Such a letter is sent where SMTPUTF8 is offered, and refused for good elsewhere."""
    letter = replace(LETTER, to="größe@archive.example")
    with running_mail_server(utf8=True) as server:
        assert send(letter, client(server), now=NOW).fate is Fate.SENT
        assert server.taken[0].recipients == ("größe@archive.example",)
    with running_mail_server() as server:
        assert send(letter, client(server), now=NOW).fate is Fate.REFUSED


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_an_encrypted_letter_needs_a_trusted_certificate(security, tmp_path, monkeypatch):
    """With the authority known the letter goes encrypted and signed in; without it, nothing is said."""
    with running_mail_server(security=security, certificates=tmp_path, sign_in=True) as server:
        mine = client(server, security=security, username=USERNAME, password=PASSWORD)
        untrusted = send(LETTER, mine, now=NOW)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        trusted = send(LETTER, mine, now=NOW)
        (taken,) = server.taken
    assert untrusted.fate is Fate.AGAIN
    assert "CERTIFICATE_VERIFY_FAILED" in untrusted.words
    assert trusted.fate is Fate.SENT
    assert taken.encrypted
    assert taken.signed_in


def test_a_certificate_for_another_name_is_refused(tmp_path, monkeypatch):
    """The name in the certificate must be the server's."""
    with running_mail_server(security="tls", certificates=tmp_path, names=("elsewhere.example",)) as server:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        result = send(LETTER, client(server, security="tls"), now=NOW)
    assert result.fate is Fate.AGAIN
    assert "CERTIFICATE_VERIFY_FAILED" in result.words


def test_a_wrong_password_is_tried_again_and_not_shown():
    """The operator may mend it; what is kept of the failure does not hold the password."""
    with running_mail_server(sign_in=True) as server:
        result = send(LETTER, client(server, username=USERNAME, password="s3cret-guess"), now=NOW)
    assert result.fate is Fate.AGAIN
    assert "535" in result.words
    assert "s3cret-guess" not in result.words


def test_no_password_goes_to_a_server_without_encryption(tmp_path):
    """A server that offers no STARTTLS, when the settings ask for it, gets neither password nor letter."""
    with running_mail_server() as server:
        result = send(LETTER, client(server, security="starttls", username=USERNAME, password=PASSWORD), now=NOW)
        assert server.taken == []
    assert result.fate is Fate.AGAIN
    assert "STARTTLS" in result.words


@pytest.mark.parametrize(
    ("mood", "fate", "words"),
    [
        ("greylist", Fate.AGAIN, "451"),
        ("busy", Fate.AGAIN, "452"),
        ("drop", Fate.AGAIN, "127.0.0.1"),
        ("refuse", Fate.REFUSED, "550"),
        ("reject", Fate.REFUSED, "554"),
    ],
)
def test_what_the_server_says_decides(mood, fate, words):
    """4xx and a broken connection mean later, 5xx means never; the next letter goes through."""
    with running_mail_server(moods=[mood]) as server:
        result = send(LETTER, client(server), now=NOW)
        assert server.taken == []
        assert send(LETTER, client(server), now=NOW).fate is Fate.SENT
    assert result.fate is fate
    assert words in result.words


def test_a_letter_that_was_taken_is_sent_whatever_comes_after():
    """A server that breaks off instead of saying goodbye does not cause a repeat."""
    with running_mail_server(moods=["forgetful"]) as server:
        assert send(LETTER, client(server), now=NOW).fate is Fate.SENT
        assert len(server.taken) == 1


def test_a_server_that_does_not_answer_is_given_up():
    """After the timeout the letter waits for another try."""
    with running_mail_server(moods=["stall"]) as server:
        result = send(LETTER, client(server, timeout=0.5), now=NOW)
        assert server.stalled.is_set()
    assert result.fate is Fate.AGAIN
    assert "timed out" in result.words


@pytest.mark.parametrize("host", ["127.0.0.1", "no-such-host.invalid"])
def test_a_server_that_is_not_there_is_tried_again(host):
    """Nobody listens, or nobody knows the name."""
    result = send(LETTER, client(host=host, port=free_port()), now=NOW)
    assert result.fate is Fate.AGAIN
    assert host in result.words


@pytest.mark.parametrize(
    "greeting", [b"", b"554 go away\r\n", b"HTTP/1.1 200 OK\r\n\r\n", b"\xff\xfe\x00\r\n", b"220 " + b"x" * 100_000]
)
def test_something_that_is_no_mail_server_is_tried_again(greeting):
    """Odd bytes in place of a greeting end in words, not in an exception."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer():
            connection, _ = listener.accept()
            with connection:
                connection.sendall(greeting)

        thread = threading.Thread(target=answer)
        thread.start()
        result = send(LETTER, client(port=listener.getsockname()[1]), now=NOW)
        thread.join()
    assert result.fate is Fate.AGAIN
    assert len(result.words) < 600


@pytest.mark.parametrize(
    ("error", "fate"),
    [
        (smtplib.SMTPSenderRefused(550, b"no", "opilio@archive.example"), Fate.AGAIN),
        (smtplib.SMTPSenderRefused(552, b"too large", "opilio@archive.example"), Fate.REFUSED),
        (smtplib.SMTPRecipientsRefused({"a@b.example": (421, b"closing")}), Fate.AGAIN),
        (smtplib.SMTPHeloError(501, b"who?"), Fate.AGAIN),
        (ConnectionResetError(), Fate.AGAIN),
    ],
)
def test_the_other_refusals(error, fate):
    """A refused sender is the settings' fault; a letter too large stays too large."""
    assert judged(error) is fate


def test_without_a_host_there_is_no_server(settings):
    """An empty mail_host means that none is used; the others are taken as they are."""
    assert server_from(settings.OPILIO) is None
    found = server_from(replace(settings.OPILIO, mail_host="mail.example", server_public_url="https://o.example/"))
    assert (found.host, found.port, found.security, found.public_url) == (
        "mail.example",
        25,
        "none",
        "https://o.example",
    )
