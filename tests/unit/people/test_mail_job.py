"""The job that sends a letter of the outbox: what it notes, and when it is done."""

from dataclasses import replace
from datetime import timedelta

import pytest

from opilio.agents import runners
from opilio.agents.context import RunContext
from opilio.agents.mail import WAIT_FOR_SERVER, MailNotSent
from opilio.agents.runners import RUNNERS
from opilio.jobs import claims
from opilio.jobs.errors import Fenced
from opilio.jobs.models import Job
from opilio.jobs.states import JobState
from opilio.kernel.clock import ManualClock
from opilio.people.mail import post
from opilio.people.models import OutboxMessage
from tests.servers.mail import free_port, running_mail_server

LEASE = timedelta(minutes=1)


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def message(db, clock):
    """A letter in the outbox, with its job."""
    return post(to="curator@archive.example", subject="Approve Sea charts", body="It waits.", now=clock.now())


def use(settings, port):
    settings.OPILIO = replace(settings.OPILIO, mail_host="127.0.0.1", mail_port=port, mail_timeout=20.0)


def take(clock):
    """Claim the one due job."""
    (claimed,) = claims.claim(owner="agent", limit=2, now=clock.now(), lease=LEASE)
    return RunContext(claimed, clock=clock, lease=LEASE)


def outbox():
    return OutboxMessage.objects.get()


def test_a_letter_is_sent_and_its_job_is_done(message, clock, settings):
    """The outbox says when it was sent; the job is done in the same transaction."""
    with running_mail_server() as server:
        use(settings, server.port)
        context = take(clock)
        runners.run(RUNNERS, context)
        (taken,) = server.taken
    assert taken.message["Message-ID"] == message.message_id
    assert outbox().sent_at == clock.now()
    assert context.finished
    assert Job.objects.get().state == JobState.DONE


def test_a_letter_that_was_sent_is_not_sent_again(message, clock, settings):
    """A second job for the same letter finds nothing to do."""
    OutboxMessage.objects.update(sent_at=clock.now())
    with running_mail_server() as server:
        use(settings, server.port)
        runners.run(RUNNERS, take(clock))
        assert server.taken == []


def test_an_agent_that_lost_the_job_sends_nothing(message, clock, settings):
    """Once another agent holds the job, the late one stops before it speaks to the server."""
    late = take(clock)
    clock.advance(LEASE.total_seconds() + 1)
    take(clock)
    with running_mail_server() as server:
        use(settings, server.port)
        with pytest.raises(Fenced):
            runners.run(RUNNERS, late)
        assert server.taken == []


def test_a_refused_letter_is_given_up(message, clock, settings):
    """A 5xx answer is kept with the letter, and the job is done: no try would help."""
    with running_mail_server(moods=["refuse"]) as server:
        use(settings, server.port)
        runners.run(RUNNERS, take(clock))
    row = outbox()
    assert (row.sent_at, row.failed_at, row.attempts) == (None, clock.now(), 1)
    assert "550" in row.last_error
    assert Job.objects.get().state == JobState.DONE


def test_a_letter_put_off_by_the_server_arrives_later(message, clock, settings):
    """After a 4xx the reason is kept and the job fails; the next attempt succeeds and clears the reason."""
    with running_mail_server(moods=["greylist"]) as server:
        use(settings, server.port)
        first = take(clock)
        with pytest.raises(MailNotSent) as caught:
            runners.run(RUNNERS, first)
        assert not first.finished
        assert "451" in str(caught.value)
        row = outbox()
        assert (row.sent_at, row.failed_at, row.attempts) == (None, None, 1)
        assert "451" in row.last_error
        claims.fail(first.claimed, str(caught.value), now=clock.now(), jitter=1.0)
        clock.advance(10)
        runners.run(RUNNERS, take(clock))
    row = outbox()
    assert (row.sent_at, row.last_error) == (clock.now(), "")


def test_a_server_that_is_away_puts_the_letter_off(message, clock, settings):
    """A refused connection is no refusal of the letter; when the server is back, the letter arrives."""
    port = free_port()
    use(settings, port)
    first = take(clock)
    with pytest.raises(MailNotSent):
        runners.run(RUNNERS, first)
    assert outbox().failed_at is None
    claims.fail(first.claimed, "away", now=clock.now(), jitter=1.0)
    clock.advance(10)
    with running_mail_server(port=port) as server:
        runners.run(RUNNERS, take(clock))
        assert len(server.taken) == 1
    assert outbox().sent_at == clock.now()


def test_without_a_server_letters_wait_without_using_attempts(message, clock, settings):
    """However long no mail_host is set, the letter waits; once there is one, it is sent in the first attempt."""
    for _ in range(30):  # more often than a job may be tried
        context = take(clock)
        runners.run(RUNNERS, context)
        assert context.finished
        assert claims.claim(owner="agent", limit=1, now=clock.now(), lease=LEASE) == []
        clock.advance(WAIT_FOR_SERVER.total_seconds())
    job, row = Job.objects.get(), outbox()
    assert (job.state, job.attempts) == (JobState.READY, 0)
    assert (row.sent_at, row.failed_at, row.attempts) == (None, None, 0)
    with running_mail_server() as server:
        use(settings, server.port)
        runners.run(RUNNERS, take(clock))
        assert len(server.taken) == 1
    assert outbox().sent_at == clock.now()


def test_a_letter_that_is_gone_ends_its_job(message, clock, settings):
    """A message that was removed from the outbox needs no sending."""
    use(settings, free_port())
    OutboxMessage.objects.all().delete()
    runners.run(RUNNERS, take(clock))


def test_after_its_last_try_a_letter_is_given_up(message, clock, settings):
    """The outbox does not say that it waits when nobody will try again: it says why, and the job is done."""
    use(settings, free_port())
    context = take(clock)
    context.claimed = replace(context.claimed, attempt=context.claimed.max_attempts)
    runners.run(RUNNERS, context)
    assert outbox().failed_at == clock.now()
    assert outbox().last_error.startswith(f"Given up after {context.claimed.max_attempts} tries: ")
    assert Job.objects.get().state == JobState.DONE
