"""Messages to webhooks: written with the change that they tell, sent once, tried again, given up."""

import datetime
import json

import pytest
from django.db import transaction

from opilio.agents import runners
from opilio.agents.runners import RUNNERS
from opilio.jobs.errors import Fenced
from opilio.jobs.models import Job
from opilio.jobs.states import JobState
from opilio.kernel.clock import ManualClock
from opilio.people import housekeeping
from opilio.people.actions.intray import create_task
from opilio.people.actions.rows import delete_row, restore_row
from opilio.people.actions.webhooks import renew_secret, send_again, try_webhook, update_webhook
from opilio.people.intray import send_task
from opilio.people.models import AuditEntry, Delivery, Notification, Task, Webhook, WebhookDelivery
from opilio.people.privileges import Privilege, Scope
from opilio.people.webhook_events import EVENTS
from opilio.people.webhook_rules import LONGEST, MOST_FAILURES, MOST_TRIES, WAITS, after_failure
from opilio.people.webhook_signature import signature
from opilio.people.webhooks import News, announce
from tests.post_office import EVERYTHING, LEASE, PostOffice
from tests.servers.receiver import Receiver, Reply

NOW = ManualClock().now()
HOSTILE = "<script>alert(1)</script> \u202e\u05d0\u05d1 🕷 " + "x" * 200


@pytest.fixture
def office(town, settings):
    return PostOffice(town, settings)


def happen(town, subject="Look", agency=None):
    """Something that makes the event task.created."""
    return send_task(town.system, kind="try", subject=subject, message="", privilege=Privilege.LOGIN,
                     agency=(agency or town.library).id)  # fmt: skip


def test_a_message_arrives_signed(office, town):
    """The bytes that arrive carry a signature by the webhook's secret over their time, and the event's identifiers."""
    with Receiver() as hook:
        office.webhook(hook.url)
        task = happen(town, HOSTILE)
        assert office.send() == 1
        (taken,) = hook.taken
    at = int(town.clock.now().timestamp())
    row = office.message()
    assert taken.headers["Opilio-Signature"] == signature(office.secret, taken.body, at=at)
    assert (taken.headers["Opilio-Event"], taken.headers["Opilio-Message"]) == ("task.created", str(row.id))
    body = json.loads(taken.body)
    assert body["subject"] == {"kind": "task", "id": str(task.id), "name": HOSTILE, "link": "/in-tray"}
    assert (body["id"], body["agency"]["name"]) == (str(row.id), "Library")
    assert (row.state, row.status, row.tries, row.error) == (Delivery.SENT, 204, 1, "")
    assert Job.objects.get().state == JobState.DONE


def test_what_is_rolled_back_is_not_told(office, town):
    """Neither message nor job is left of a change that did not happen."""
    office.webhook()
    with transaction.atomic():
        happen(town)
        transaction.set_rollback(True)
    assert (WebhookDelivery.objects.count(), Job.objects.count()) == (0, 0)


def test_only_who_wants_to_hear_it_does(office, town):
    """Other events, other agencies, webhooks that are off or deleted: nothing is written for them."""
    office.webhook(name="all")
    office.webhook(name="mine", agency=town.library)
    office.webhook(name="other agency", agency=town.museum)
    office.webhook(name="other event", events=["harvest.late"])
    off = office.webhook(name="off")
    update_webhook(town.system, webhook_id=off.id, version=1, enabled=False)
    gone = office.webhook(name="gone")
    delete_row(town.system, kind_name="webhook", row_id=gone.id)
    happen(town)
    heard = WebhookDelivery.objects.values_list("webhook__name", flat=True)
    assert sorted(heard) == ["all", "mine"]


def test_nothing_is_asked_where_nobody_listens(office, town, django_assert_num_queries):
    """Without a webhook an event costs one query, and what it would say is not put together."""
    with django_assert_num_queries(1):
        told = announce("harvest.late", agency=town.library.id, news=lambda: 1 / 0, now=NOW)
    assert told == 0


def test_an_event_that_is_not_listed_is_a_fault(town):
    """A name that no webhook could choose is noticed where it is used."""
    with pytest.raises(AssertionError, match="no-such"):
        announce("no-such", agency=None, news=lambda: News(kind="task", id=1, name=""), now=NOW)


def test_a_message_is_not_sent_twice(office, town):
    """A second job for the same message finds nothing to do."""
    with Receiver() as hook:
        office.webhook(hook.url)
        happen(town)
        office.send()
        Job.objects.update(state=JobState.READY)
        assert office.send() == 1
        assert len(hook.taken) == 1


def test_an_agent_that_lost_the_job_sends_nothing(office, town):
    """Once another agent holds the job, the late one stops before it speaks to anybody."""
    with Receiver() as hook:
        office.webhook(hook.url)
        happen(town)
        (late,) = office.take()
        town.clock.advance(LEASE.total_seconds() + 1)
        office.take()
        with pytest.raises(Fenced):
            runners.run(RUNNERS, late)
        assert hook.taken == []


def test_what_is_not_taken_is_tried_again(office, town):
    """After an error the message waits half a minute, then two; an answer that takes it makes all well again."""
    with Receiver(Reply(status=500, body=b"out of order"), Reply(status=503)) as hook:
        row = office.webhook(hook.url)
        happen(town)
        office.send()
        first = office.message()
        assert (first.state, first.tries, first.status, first.answer) == (Delivery.WAITING, 1, 500, "out of order")
        assert "The answer was 500" in first.error
        assert first.next_at == town.clock.now() + datetime.timedelta(seconds=30)
        assert office.later(seconds=29) == 0
        assert office.later(seconds=1) == 1
        assert office.now(row).failures == 2
        assert office.later(seconds=120) == 1
        assert len({taken.headers["Opilio-Message"] for taken in hook.taken}) == 1
        assert len(hook.taken) == 3
    last = office.message()
    assert (last.state, last.tries, last.error) == (Delivery.SENT, 3, "")
    assert (office.now(row).failures, office.now(row).resting_until) == (0, None)


def test_others_wait_while_a_webhook_rests(office, town):
    """After a failure, messages to the same webhook wait with it, and no try is counted against them."""
    with Receiver(Reply(status=500)) as hook:
        office.webhook(hook.url)
        happen(town, "first")
        office.send()
        happen(town, "second")
        assert office.send() == 1  # looked at, and put off
        assert len(hook.taken) == 1
        assert office.message().tries == 0
        office.later(seconds=30)
        assert len(hook.taken) == 3
    assert set(WebhookDelivery.objects.values_list("state", flat=True)) == {Delivery.SENT}


def test_after_a_day_a_message_is_given_up(office, town):
    """Eight tries over a day, then it failed, and those who manage webhooks are told once."""
    keeper = town.user("keeper", privileges={Privilege.MANAGE_WEBHOOKS: Scope.AGENCY}, notify_on_warnings=True)
    with Receiver(*[Reply(status=500)] * 20) as hook:
        row = office.webhook(hook.url, agency=town.library)
        happen(town)
        for wait in (datetime.timedelta(), *WAITS):
            office.later(seconds=wait.total_seconds())
        assert len(hook.taken) == MOST_TRIES == 8
        failed = office.message()
        assert (failed.state, failed.tries, failed.next_at) == (Delivery.FAILED, 8, None)
        happen(town, "another")
        office.later(hours=25)
    assert WebhookDelivery.objects.filter(state=Delivery.FAILED).count() == 2
    (notice,) = Notification.objects.filter(user=keeper)
    assert notice.subject == "The webhook Notes does not take messages"
    assert (notice.category, notice.resource_type, notice.resource_id) == ("warning", "webhook", row.id)


@pytest.mark.parametrize(("tries", "hours", "again"), [(1, 0, True), (7, 8, True), (8, 23, False), (7, 20, False)])
def test_tries_end_by_number_and_by_time(tries, hours, again):
    """There are eight tries, and none after a day."""
    asked = NOW - datetime.timedelta(hours=hours)
    assert sum(WAITS, datetime.timedelta()) < LONGEST
    follows = after_failure(tries=tries, failures=tries, asked_at=asked, now=NOW, status=500)
    assert (follows.next_at is not None) is again


def test_a_webhook_that_never_answers_is_switched_off(office, town):
    """After too many failures in a row it is off, says why, and a task waits; enabled again it begins afresh."""
    with Receiver(Reply(status=500)) as hook:
        row = office.webhook(hook.url, agency=town.library)
        Webhook.objects.update(failures=MOST_FAILURES - 1)
        happen(town)
        office.send()
        stopped = office.now(row)
        assert (stopped.enabled, stopped.failures) == (False, MOST_FAILURES)
        assert f"{MOST_FAILURES} tries in a row failed" in stopped.stopped
        task = Task.objects.get(kind="webhook-stopped")
        assert (task.privilege, task.agency_id, task.resource_id) == ("MANAGE_WEBHOOKS", town.library.id, row.id)
        assert AuditEntry.objects.filter(action="webhook.stop", subject_id=row.id).count() == 1
        office.later(minutes=1)
        assert office.message().error.startswith("The webhook was switched off")
        update_webhook(town.system, webhook_id=row.id, version=stopped.version, enabled=True)
        begun = office.now(row)
        assert (begun.enabled, begun.failures, begun.resting_until, begun.stopped) == (True, 0, None, "")
        assert not Task.objects.filter(kind="webhook-stopped").exists()
        assert len(hook.taken) == 1


def test_an_address_that_says_that_it_is_gone_is_not_asked_again(office, town):
    """410 ends the message and the webhook; the task of one for all agencies goes where it was made."""
    maker = town.user(agency=town.museum, privileges={Privilege.MANAGE_WEBHOOKS: Scope.ALL})
    with Receiver(Reply(status=410)) as hook:
        row = office.webhook(hook.url)
        Webhook.objects.update(updated_by=maker)
        happen(town)
        office.send()
    assert office.message().state == Delivery.FAILED
    assert not office.now(row).enabled
    assert Task.objects.get(kind="webhook-stopped").agency_id == town.museum.id


def test_a_deleted_webhook_gets_no_more(office, town):
    """What waited is given up; restored, the message can be sent again."""
    with Receiver() as hook:
        row = office.webhook(hook.url)
        happen(town)
        delete_row(town.system, kind_name="webhook", row_id=row.id)
        office.send()
        assert (office.message().state, hook.taken) == (Delivery.FAILED, [])
        restore_row(town.system, kind_name="webhook", row_id=row.id)
        send_again(town.system, delivery_id=office.message().id)
        office.send()
        assert (office.message().state, len(hook.taken)) == (Delivery.SENT, 1)


def test_a_message_is_sent_again_under_its_own_number(office, town):
    """Whoever had it recognises it; while it waits it cannot be sent again."""
    with Receiver() as hook:
        office.webhook(hook.url)
        happen(town)
        with pytest.raises(Exception, match="waits to be sent already"):
            send_again(town.system, delivery_id=office.message().id)
        office.send()
        send_again(town.system, delivery_id=office.message().id)
        office.send()
        first, second = hook.taken
    assert first.headers["Opilio-Message"] == second.headers["Opilio-Message"]
    assert first.body == second.body


def test_a_test_is_sent_whatever_the_webhook_hears(office, town):
    """And at once, also while the webhook rests; one that is off is not tried."""
    with Receiver() as hook:
        row = office.webhook(hook.url, events=["harvest.late"])
        Webhook.objects.update(resting_until=town.clock.now() + LONGEST)
        try_webhook(town.system, webhook_id=row.id)
        office.send()
        assert json.loads(hook.taken[0].body)["event"] == "webhook.test"
    update_webhook(town.system, webhook_id=row.id, version=1, enabled=False)
    with pytest.raises(Exception, match="switched off"):
        try_webhook(town.system, webhook_id=row.id)


def test_a_new_secret_counts_at_once(office, town):
    """Messages that wait are signed with it; neither table nor audit log holds it in clear."""
    with Receiver() as hook:
        row = office.webhook(hook.url)
        happen(town)
        _, secret = renew_secret(town.system, webhook_id=row.id)
        office.send()
        (taken,) = hook.taken
    assert secret != office.secret
    assert taken.headers["Opilio-Signature"] == signature(secret, taken.body, at=int(town.clock.now().timestamp()))
    assert secret not in office.now(row).secret
    told = json.dumps(list(AuditEntry.objects.values("message", "before", "after")))
    assert secret not in told
    assert office.secret not in told


def test_a_secret_that_does_not_open_is_a_failed_try(office, town):
    """The message waits and says what to do; nothing is sent unsigned."""
    with Receiver() as hook:
        office.webhook(hook.url)
        Webhook.objects.update(secret="box1.00000000.AAAA")
        happen(town)
        office.send()
        assert hook.taken == []
    assert "could not be signed" in office.message().error


def test_old_messages_are_forgotten_and_lost_ones_found(office, town):
    """Messages that ended long ago go; one that waits and has lost its job gets another."""
    with Receiver() as hook:
        office.webhook(hook.url)
        happen(town, "old")
        office.send()
        town.clock.advance(31 * 86_400)
        happen(town, "waits")
        Job.objects.update(state=JobState.DEAD)
        town.clock.advance(7_200)
        day = datetime.timedelta(days=1)
        housekeeping.tidy(town.clock.now(), idle=day, longest=day)
        assert list(WebhookDelivery.objects.values_list("subject_name", flat=True)) == ["waits"]
        office.send()
        assert len(hook.taken) == 2


def test_people_make_tasks_that_are_told(office, town):
    """A task written by hand is an event like any other."""
    office.webhook()
    create_task(town.system, subject="Look", message="at it", privilege=Privilege.LOGIN, agency_id=town.library.id)
    assert office.message("task.created").body["data"]["message"] == "at it"


def test_events_have_names_and_sentences():
    """Each is named once, `subject.happening`, and told in a sentence."""
    assert len(set(EVERYTHING)) == len(EVENTS)
    assert all(event.name.count(".") == 1 and event.sentence.endswith(".") for event in EVENTS)
