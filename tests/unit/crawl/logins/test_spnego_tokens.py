"""Tokens of the real library, taken by its own server side."""

import pytest
import spnego
from spnego.exceptions import SpnegoError

from opilio.crawl.logins.credential import Negotiate
from opilio.crawl.logins.spnego_tokens import SpnegoSource

PASSWORD = "gleam-of-reed-44"


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A server that knows one account."""
    known = tmp_path / "accounts"
    known.write_text(f"ARCHIVE:curator:{PASSWORD}\n")
    monkeypatch.setenv("NTLM_USER_FILE", str(known))
    return spnego.server(hostname="news.localhost", service="HTTP", protocol="negotiate")


def _talk(password, server):
    tokens = SpnegoSource(Negotiate(user="ARCHIVE\\curator", password=password)).begin("news.localhost")
    received = None
    for _ in range(6):
        sent = tokens.step(received)
        if sent is None or server.complete:
            break
        received = server.step(sent)
    return server


def test_the_right_password_is_accepted(server):
    """Both sides are content after a few legs."""
    assert _talk(PASSWORD, server).complete


def test_a_wrong_password_is_refused(server):
    """The server side says no."""
    with pytest.raises(SpnegoError):
        _talk("another", server)
