"""`opilio webhook` on the command line."""

import pytest

from opilio.people.models import WebhookDelivery
from tests.acceptance.cli.answers import document, error
from tests.people import Town


@pytest.fixture
def run(inline):
    """Runs a command and reads its answer."""
    Town()
    return lambda *arguments: document(inline.run("webhook", *arguments, "--json"))


def test_a_webhook_lives_on_the_command_line(run, inline):
    """Made, shown, changed, tried, its messages listed and sent again, its secret renewed, deleted."""
    url = "https://hooks.example.org/opilio"
    made = run("create", "Notes", url, "--event", "task.created", "--agency", "Library")
    assert (made["agency"], made["events"], made["secret"][:4]) == ("Library", ["task.created"], "whs_")
    assert "secret" not in run("show", "notes")
    changed = run("change", "Notes", "--name", "Other", "--off")
    assert (changed["name"], changed["enabled"], changed["url"]) == ("Other", False, url)
    assert error(inline.run("webhook", "try", "Other", "--json"), 5)["code"] == "conflict"
    assert run("change", made["id"], "--on", "--event", "harvest.late")["events"] == ["harvest.late"]
    message = run("try", "Other")
    assert (message["state"], message["body"]["event"]) == ("waiting", "webhook.test")
    WebhookDelivery.objects.update(state="failed", error="no")
    assert [one["id"] for one in run("messages", "Other", "--state", "failed")["messages"]] == [message["id"]]
    assert run("again", message["id"])["state"] == "waiting"
    assert run("message", message["id"])["error"] == ""
    assert run("secret", "Other")["secret"] != made["secret"]
    assert [one["name"] for one in run("list")["webhooks"]] == ["Other"]
    run("delete", "Other")
    assert run("list")["webhooks"] == []


def test_events_are_listed(run):
    """All of them can be chosen together."""
    names = [one["name"] for one in run("events")["events"]]
    assert "harvest.harvested" in names
    assert run("create", "All", "https://hooks.example.org/", "--every-event")["events"] == names


def test_what_there_is_not_is_named(run, inline):
    """A webhook, a message, an event; none at all."""
    assert "list" in error(inline.run("webhook", "show", "no", "--json"), 4)["remedy"]
    error(inline.run("webhook", "message", "1", "--json"), 4)
    for events in ((), ("--event", "no.such")):
        assert "events" in error(
            inline.run("webhook", "create", "A", "https://hooks.example.org/", *events, "--json"), 2
        )["fields"]  # fmt: skip
