"""One try at handing over a message: what the network and the other side can do to it."""

import socket

import pytest

from opilio.crawl.fetch.guard import Guard
from opilio.kernel.clock import SYSTEM
from opilio.people.webhook_post import Way, post
from opilio.people.webhooks import LONGEST_ANSWER
from tests.servers.certificates import Certificates
from tests.servers.receiver import Receiver, Reply

LOOPBACK = Guard.allowing(["127.0.0.0/8"])


def sent(url, *, guard=LOOPBACK, timeout=20.0, ca_file="", body=b"{}"):
    return post(url, body, {"Opilio-Event": "task.created"}, way=Way(guard=guard, timeout=timeout, ca_file=ca_file),
                clock=SYSTEM)  # fmt: skip


def test_an_answer_is_kept():
    """Its status, its beginning, the time it took."""
    with Receiver(Reply(status=201, body="“taken” ".encode())) as hook:
        tried = sent(hook.url, body=b'{"a":1}')
        (taken,) = hook.taken
    assert (tried.status, tried.answer, tried.error) == (201, "“taken” ", "")
    assert tried.milliseconds >= 0
    assert (taken.body, taken.path) == (b'{"a":1}', "/hook")


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_private_address_is_refused_before_it_is_connected_to(name):
    """By number or by a name that leads there; nothing reaches the server."""
    with Receiver() as hook:
        tried = sent(f"http://{name}:{hook.port}/", guard=Guard())
        assert hook.taken == []
    assert "loopback" in tried.error
    assert "webhook_allow_private" in tried.error


def test_a_redirect_is_not_followed():
    """It could lead inside; the message says what to do."""
    with Receiver() as other, Receiver(Reply(status=302, headers=(("Location", other.url),))) as hook:
        tried = sent(hook.url)
        assert other.taken == []
    assert (tried.status, "redirects are not followed" in tried.error) == (302, True)


def test_an_endless_answer_is_cut():
    """What is beyond is not read, and the status counts."""
    with Receiver(Reply(status=200, body=b"x\x00\xff" * 500_000)) as hook:
        tried = sent(hook.url)
    assert tried.error == ""
    assert len(tried.answer) == LONGEST_ANSWER
    assert "\x00" not in tried.answer


def test_silence_ends():
    """A server that never answers is given up after the time-out."""
    with Receiver(Reply(silent=True)) as hook:
        tried = sent(hook.url, timeout=0.3)
    assert (tried.status, "no whole answer in time" in tried.error) == (None, True)


def test_nobody_there():
    """A port that nobody listens on, and a name that nobody has."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        assert "No connection" in sent(f"http://127.0.0.1:{closed.getsockname()[1]}/").error
    assert "name of the host is not known" in sent("http://no-such-host.invalid/").error


def test_no_proxy_of_the_environment_is_used(monkeypatch):
    """The environment of an agent has no say in where messages go."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9/")
    with Receiver() as hook:
        assert sent(hook.url).error == ""


def test_certificates_are_verified(tmp_path):
    """A server that is not trusted gets no message; one whose authority is named does."""
    certificates = Certificates(tmp_path)
    with Receiver(certificates=certificates) as hook:
        url = hook.url.replace("127.0.0.1", "localhost")
        assert "not trusted" in sent(url).error
        assert hook.taken == []
        assert sent(url, ca_file=str(certificates.ca_file)).error == ""
