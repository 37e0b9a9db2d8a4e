"""Letters to people outside: in whose name, to whom else, and without what only insiders need."""

from dataclasses import replace

from opilio.people.delivery import compose, send
from opilio.people.mail import Envelope
from tests.acceptance.mail.test_mail_delivery import LETTER, NOW, client
from tests.servers.mail import running_mail_server

OUTSIDE = replace(
    LETTER,
    envelope=Envelope(
        sender="rights@library.example", reply_to="answers@library.example", cc=("a@library.example",),
        bcc=("b@library.example", "c@library.example"),
    ),
)  # fmt: skip


def test_further_addresses_travel():
    """Copies reach their readers, hidden ones unseen; sender and answer address are the letter's own."""
    with running_mail_server() as server:
        send(OUTSIDE, client(server), now=NOW)
        (taken,) = server.taken
    assert taken.sender == "rights@library.example"
    assert set(taken.recipients) == {
        "curator@archive.example", "a@library.example", "b@library.example", "c@library.example",
    }  # fmt: skip
    assert (taken.message["From"], taken.message["Cc"]) == ("rights@library.example", "a@library.example")
    assert (taken.message["Reply-To"], taken.message["Bcc"]) == ("answers@library.example", None)


def test_outsiders_get_no_link_to_the_in_tray():
    """The link to the in-tray is for people with an account."""
    message = compose(OUTSIDE, client(public_url="https://opilio.archive.example"), now=NOW)
    assert "/in-tray" not in message.get_content()
