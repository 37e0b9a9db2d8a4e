"""Letters survive the death of the agent that was sending them: real processes, a real SMTP server."""

import json
import signal
import socket
import sys
from contextlib import contextmanager

import pytest

from tests import nursery
from tests.servers.mail import running_mail_server

_AGENT = """
from django.conf import settings
from opilio.agents import process
process.work(process.build(settings.OPILIO))
"""
_POST = """
from opilio.kernel.clock import SYSTEM
from opilio.people.mail import post
print(post(to="curator@archive.example", subject="Approve Sea charts", body="It waits.", now=SYSTEM.now()).message_id)
"""
_OUTBOX = """
import json
from opilio.people.models import OutboxMessage
print(json.dumps([[row.sent_at is not None, row.failed_at is not None] for row in OutboxMessage.objects.all()]))
"""


@contextmanager
def agent(installation, port):
    """An agent as a process of its own, gone at the end of the block."""
    env = {
        **installation.env, "OPILIO_MAIL_HOST": "127.0.0.1", "OPILIO_MAIL_PORT": str(port), "OPILIO_MAIL_TIMEOUT": "60",
        "OPILIO_AGENT_LEASE_SECONDS": "1", "OPILIO_AGENT_POLL_SECONDS": "0.05",
    }  # fmt: skip
    process = nursery.Process([sys.executable, "-m", "tests.snippet", _AGENT], env=env, cwd=installation.home)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(60)


def answer(installation, code):
    done = installation.python(code)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


@pytest.mark.parametrize(("mood", "letters"), [("stall", 1), ("mute", 2)])
def test_a_letter_outlives_the_agent_that_was_sending_it(installation, mood, letters):
    """Killed before the server took the letter, or before its yes arrived: the next agent sends it.

    In the second case it arrives twice, under one Message-ID.
    """
    message_id = answer(installation, _POST)
    with running_mail_server(moods=[mood]) as server:
        with agent(installation, server.port) as first:
            assert server.stalled.wait(60)
            first.kill()
            first.wait(60)
        with agent(installation, server.port):
            taken = server.wait_for(letters)
    assert {one.message["Message-ID"] for one in taken} == {message_id}
    assert len(taken) == letters
    assert json.loads(answer(installation, _OUTBOX)) == [[True, False]]


def test_a_letter_waits_for_the_server_to_come_back(installation):
    """The server breaks down when the agent first calls, and gets the letter once it is up again."""
    answer(installation, _POST)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with agent(installation, port):
            listener.settimeout(60)
            listener.accept()[0].close()
            listener.close()
            with running_mail_server(port=port) as server:
                server.wait_for(1)
    assert json.loads(answer(installation, _OUTBOX)) == [[True, False]]
