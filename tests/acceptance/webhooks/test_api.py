"""Webhooks by the API."""

import pytest

from opilio.people.models import Webhook
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import error
from tests.acceptance.webhooks.conftest import MANAGER, ahead
from tests.post_office import PostOffice
from tests.servers.receiver import Receiver

BODY = {"name": "Notes", "url": "https://hooks.example.org/opilio", "events": ["task.created"]}


@pytest.fixture
def caller(office):
    return office.caller(privileges=MANAGER)


def _body(office, **changes):
    return {**BODY, "agency": str(office.library.id), **changes}


def test_a_webhook_lives_in_the_api(office, caller, settings):
    """Made, read, changed, tried, its messages read and sent again, its secret renewed, deleted."""
    agent = PostOffice(office.town, settings, clock=ahead())
    with Receiver() as hook:
        made = caller.post("/webhooks", _body(office, url=hook.url))
        assert made.status_code == 201
        told = made.json()
        assert told["secret"].startswith("whs_")
        path = f"/webhooks/{told['id']}"
        shown = caller.get(path)
        assert "secret" not in shown.json()
        changed = caller.patch(path, {"name": "Other", "events": ["harvest.late"]}, **{"If-Match": shown["ETag"]})
        assert (changed.json()["name"], changed.json()["events"]) == ("Other", ["harvest.late"])
        message = caller.post(f"{path}/try").json()
        assert (message["state"], message["event"]) == ("waiting", "webhook.test")
        assert agent.send() == 1
        assert len(hook.taken) == 1
        (listed,) = caller.get(f"{path}/messages", state="sent").json()["items"]
        assert listed["id"] == message["id"]
        again = caller.post(f"{path}/messages/{message['id']}/again")
        assert (again.status_code, again.json()["state"]) == (200, "waiting")
        assert caller.get(f"{path}/messages/{message['id']}").json()["body"]["id"] == message["id"]
    renewed = caller.post(f"{path}/secret").json()
    assert renewed["secret"] != told["secret"]
    assert [one["name"] for one in caller.get("/webhooks", q="oth").json()["items"]] == ["Other"]
    assert caller.delete(path).status_code == 204
    assert error(caller.get(path), 404)["code"] == "not-found"


@pytest.mark.parametrize(
    "changes",
    [
        {"events": []}, {"events": ["no.such"]}, {"events": "task.created"}, {"events": ["x" * 5_000]},
        {"url": "http://[::1]/"}, {"url": 7}, {"url": ""}, {"name": ""}, {"name": "x" * 4_000}, {"secret": "mine"},
        {"agency": "1"}, {"enabled": "yes"}, {"url": "https://h\u202e.example/\x00"},
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(office, caller, changes):
    """With the field that is at fault; a secret cannot be chosen."""
    over = office.manager(Privilege.MANAGE_WEBHOOKS, Scope.ALL)
    found = error(over.post("/webhooks", _body(office, **changes)), 422)
    assert any(name in field for name in changes for field in found["fields"])
    assert not Webhook.objects.exists()


def test_others_webhooks_stay_hidden(office, caller):
    """Those of another agency, and of all agencies, are not there; without the privilege nothing is."""
    over = office.manager(Privilege.MANAGE_WEBHOOKS, Scope.ALL)
    other = over.post("/webhooks", BODY).json()["id"]
    assert caller.get("/webhooks").json()["items"] == []
    error(caller.get(f"/webhooks/{other}"), 404)
    error(caller.post(f"/webhooks/{other}/try"), 404)
    error(caller.post("/webhooks", BODY), 403)
    error(office.caller().get("/webhooks"), 403)
    mine = caller.post("/webhooks", _body(office, name="Mine")).json()["id"]
    message = over.post(f"/webhooks/{other}/try").json()["id"]
    error(caller.get(f"/webhooks/{mine}/messages/{message}"), 404)
    error(over.get(f"/webhooks/{mine}/messages/{message}"), 404)
    error(caller.post(f"/webhooks/{mine}/messages/{message}/again"), 404)
