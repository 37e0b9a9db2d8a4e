"""Making and changing webhooks: what is refused, and who may."""

import pytest

from opilio.people.actions.webhooks import create_webhook, update_webhook
from opilio.people.errors import InvalidFields, NotAllowed, Stale
from opilio.people.models import Webhook
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries import webhooks as queries
from opilio.people.webhook_events import page_of
from opilio.web.links import path_of

URL = "https://hooks.example.org/opilio"
MANAGE = Privilege.MANAGE_WEBHOOKS


def make(actor, **changes):
    return create_webhook(actor, **{"name": "Notes", "url": URL, "events": ["task.created"], **changes})


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("", "url"),
        ("hooks.example.org", "url"),
        ("ftp://hooks.example.org/", "begins with"),
        ("javascript:alert(1)", "begins with"),
        ("https://user:pass@hooks.example.org/", "user names"),
        ("https://hooks.example.org/#part", "what follows #"),
        ("http://127.0.0.1/", "loopback"),
        ("http://2130706433/", "loopback"),
        ("http://[::1]/", "loopback"),
        ("http://[::ffff:10.0.0.1]/", "private"),
        ("http://169.254.169.254/latest", "cloud metadata"),
        ("http://10.1.2.3:8080/", "private"),
        ("https://hooks.example.org/" + "x" * 1_100, "1024"),
        ("https://hooks.example.org/" + "x" * 20_000, "url"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused(town, url, word):
    """Other schemes, secrets in the address, private networks however they are spelt, and endless addresses."""
    with pytest.raises(InvalidFields) as caught:
        make(town.system, url=url)
    assert set(caught.value.messages) == {"url"}
    assert word in f"url {caught.value.messages['url']}"


@pytest.mark.parametrize("events", [[], ["no.such"], ["task.created", "<b>"], ["x" * 5_000]])
def test_events_that_there_are_not_are_refused(town, events):
    """And so is none at all."""
    with pytest.raises(InvalidFields) as caught:
        make(town.system, events=events)
    assert set(caught.value.messages) == {"events"}


@pytest.mark.parametrize("name", ["", "   ", "x" * 256])
def test_a_name_is_needed(town, name):
    """Neither empty nor endless."""
    with pytest.raises(InvalidFields) as caught:
        make(town.system, name=name)
    assert set(caught.value.messages) == {"name"}


def test_names_are_unique(town):
    """Two webhooks of one name could not be told apart."""
    make(town.system)
    with pytest.raises(InvalidFields, match="of this name already"):
        make(town.system)


def test_an_agency_that_there_is_not(town):
    """Is named as the field that is wrong."""
    with pytest.raises(InvalidFields) as caught:
        make(town.system, agency_id=1)
    assert set(caught.value.messages) == {"agency"}


def test_one_for_all_agencies_needs_the_privilege_over_everything(town):
    """Somebody of one agency may make one for it, but none that hears the others, and sees only its own."""
    keeper = town.holder(MANAGE, Scope.AGENCY)
    with pytest.raises(NotAllowed):
        make(keeper)
    make(keeper, agency_id=town.library.id)
    make(town.system, name="All")
    make(town.system, name="Other", agency_id=town.museum.id)
    assert [row.name for row in queries.webhooks(keeper)] == ["Notes"]
    over = town.holder(MANAGE, Scope.ALL)
    make(over, name="Over all")
    assert queries.webhooks(over).count() == 4


def test_a_save_of_an_older_version_is_refused(town):
    """With both versions, so that nothing is lost."""
    row, _ = make(town.system)
    update_webhook(town.system, webhook_id=row.id, version=1, name="Theirs")
    with pytest.raises(Stale) as caught:
        update_webhook(town.system, webhook_id=row.id, version=1, name="Mine")
    assert (caught.value.mine["name"], caught.value.theirs["name"]) == ("Mine", "Theirs")


def test_events_are_kept_in_one_order(town):
    """Whatever order somebody names them in, and once."""
    row, _ = make(town.system, events=["task.created", "harvest.late", "task.created"])
    assert Webhook.objects.get(id=row.id).events == ["harvest.late", "task.created"]


@pytest.mark.parametrize("kind", ["harvest", "permission", "target", "webhook"])
def test_links_of_messages_lead_to_the_pages(kind):
    """What a message links to is what the pages call the row's page."""
    assert page_of(kind, 7) == path_of(kind, 7)
