"""The pages of webhooks, by somebody who looks after them."""

import html
import re

import pytest

from opilio.people.models import Delivery, Webhook
from opilio.people.privileges import Privilege, Scope
from tests.servers.receiver import Receiver, Reply

PATH = "/admin/webhooks"
HOSTILE = "<img src=x onerror=alert(1)> \u202e🕷"
_SECRET = re.compile(r'value="(whs_[\w-]+)"')


def _fields(town, **changes):
    return {
        "name": "Notes", "url": "https://hooks.example.org/opilio", "agency": str(town.library.id), "enabled": "on",
        "events": ["task.created", "harvest.late"], **changes,
    }  # fmt: skip


def test_a_webhook_lives_on_the_pages(keeper, town, post):
    """Made with a secret that is shown once, changed, tried, its messages read and sent again, deleted."""
    with Receiver(Reply(status=500, body=HOSTILE.encode())) as hook:
        made = keeper.send(f"{PATH}/new", _fields(town, url=hook.url))
        secret = _SECRET.search(made.content.decode())[1]
        assert "no-store" in made["Cache-Control"]
        row = Webhook.objects.get()
        assert secret not in keeper.see(f"{PATH}/{row.pk}")
        change = {**_fields(town, url=hook.url, name=HOSTILE), "version": "1"}
        assert keeper.send(f"{PATH}/{row.pk}", change).status_code == 302
        assert html.escape(HOSTILE) in keeper.see(PATH)
        tried = keeper.send(f"{PATH}/{row.pk}/try")
        post.send()
        page = keeper.see(tried["Location"])
        assert "The answer was 500" in page
        assert html.escape(HOSTILE) in page
        assert "<img src=x" not in page
        assert "failing" in keeper.see(f"{PATH}/{row.pk}")
        post.later(seconds=30)
        assert "badge-good" in keeper.see(f"{PATH}/{row.pk}/messages")
        again = keeper.send(f"{tried['Location']}/again")
        assert again["Location"] == tried["Location"]
        post.send()
        assert len(hook.taken) == 3
    renewed = keeper.send(f"{PATH}/{row.pk}/secret").content.decode()
    assert _SECRET.search(renewed)[1] != secret
    assert keeper.send(f"/rows/webhook/{row.pk}/delete").status_code == 302
    assert "No webhook yet" in keeper.see(PATH)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"name": ""}, "This field is required"),
        ({"events": []}, "This field is required"),
        ({"events": ["no.such"]}, "not one of the available"),
        ({"url": "http://127.0.0.1/"}, "webhook_allow_private"),
        ({"url": "mailto:a@b.example"}, "begins with https"),
        ({"url": "https://h.example/" + "x" * 4_500}, "at most 1024"),
        ({"name": "n" * 4_500}, "at most 255"),
        ({"agency": "0"}, "Select a valid choice"),
        ({"agency": "x"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_used_is_told_beside_the_field(keeper, town, changes, word):
    """Nothing is made, and what was typed stays."""
    answer = keeper.send(f"{PATH}/new", _fields(town, **changes))
    assert answer.status_code == 422
    assert word in html.unescape(answer.content.decode())
    assert not Webhook.objects.exists()


def test_a_save_of_an_older_version_shows_both(keeper, town, post):
    """Both wordings stand side by side."""
    row = post.webhook(agency=town.library)
    keeper.send(f"{PATH}/{row.pk}", {**_fields(town, name="Theirs"), "version": "1"})
    answer = keeper.send(f"{PATH}/{row.pk}", {**_fields(town, name="Mine"), "version": "1"})
    assert answer.status_code == 409
    assert all(word in answer.content.decode() for word in ("Theirs", "Mine"))


def test_one_for_all_agencies_is_offered_to_whom_it_may_be(keeper, enter, town):
    """Whoever manages webhooks over everything can choose all agencies; others are not offered it."""
    assert "All agencies" not in keeper.see(f"{PATH}/new")
    over = enter("over", privileges={Privilege.MANAGE_WEBHOOKS: Scope.ALL})
    assert "All agencies" in over.see(f"{PATH}/new")
    over.send(f"{PATH}/new", _fields(town, agency="0"))
    row = Webhook.objects.get()
    assert row.agency_id is None
    assert keeper.get(f"{PATH}/{row.pk}").status_code == 404
    assert "all agencies" in over.see(f"{PATH}/{row.pk}")


def test_one_that_was_switched_off_says_why(keeper, town, post):
    """And offers no test until it is enabled again, which makes it begin afresh."""
    row = post.webhook(agency=town.library)
    Webhook.objects.update(enabled=False, stopped="Switched off after 25 tries in a row failed.", failures=25)
    page = keeper.see(f"{PATH}/{row.pk}")
    assert "Switched off after 25 tries" in page
    assert "Send a test" not in page
    assert keeper.send(f"{PATH}/{row.pk}/try").status_code == 409
    keeper.send(f"{PATH}/{row.pk}", {**_fields(town), "version": "1"})
    assert post.now(row).failures == 0


def test_messages_can_be_filtered(keeper, town, post, django_assert_max_num_queries):
    """By state and event; the list costs the same however many there are."""
    row = post.webhook(agency=town.library)
    for state in (Delivery.SENT, Delivery.FAILED, Delivery.WAITING):
        keeper.send(f"{PATH}/{row.pk}/try")
        made = post.message()
        type(made).objects.filter(pk=made.pk).update(state=state, error=f"error {state}")
    with django_assert_max_num_queries(15):
        failed = keeper.see(f"{PATH}/{row.pk}/messages", state="failed")
    assert "error failed" in failed
    assert "error sent" not in failed
    assert "No message" in keeper.see(f"{PATH}/{row.pk}/messages", event="harvest.late")
    table = keeper.get(f"{PATH}/{row.pk}/messages", {"format": "csv"})
    assert table.status_code == 200
