"""A harvest that lost its right, as people and programs meet it: what is missing is told, a decision lets it go on."""

import json

import pytest
from typer.testing import CliRunner

from opilio.cli import harvest as command
from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.actions.harvest_running import begin, obeyed, waiting_orders
from opilio.curation.actions.permissions import reject_permission
from opilio.curation.models import Harvest, HarvestEvent, Permission
from opilio.people.privileges import Privilege, Scope
from tests.harvest_desk import NETWORK

DECIDES = {Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY, Privilege.CONFIRM_PERMISSION: Scope.AGENCY}
HOSTILE = "<script>alert(1)</script> \u202eabc 🕷"


def lost(desk):
    """A harvest that paused because its permission was refused."""
    made = desk.harvest(desk.ready(name="Owls"))
    launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    begin(desk.town.system, harvest_id=made.pk, agent="barn#1")
    reject_permission(desk.town.system, permission_id=Permission.objects.get().pk)
    for number, _, _ in waiting_orders(made.pk):
        obeyed(desk.town.system, order_id=number, agent="barn#1")
    return Harvest.objects.get(pk=made.pk)


def decision(made):
    """Who decided, and why."""
    return HarvestEvent.objects.filter(harvest=made, name="decided").values_list("by", "reason").first()


def test_on_the_pages(desk, enter):
    """The page of the harvest says why; going on asks for a reason, which the log shows as it was written."""
    archivist, made = enter("archivist", privileges=DECIDES), lost(desk)
    page = archivist.see(f"/harvests/{made.pk}")
    assert "Its right ended" in page
    assert f"/harvests/{made.pk}/move/resume" in page
    assert "Owls" in archivist.see("/harvests", flag="held")
    asked = archivist.see(f"/harvests/{made.pk}/move/resume")
    assert "is Rejected, not Approved" in asked
    assert 'name="decision"' in asked
    assert archivist.send(f"/harvests/{made.pk}/move/resume").status_code == 409
    assert decision(made) is None
    assert archivist.send(f"/harvests/{made.pk}/move/resume", {"decision": HOSTILE}).status_code == 302
    assert decision(made) == ("archivist", HOSTILE)
    log = archivist.see(f"/harvests/{made.pk}/log")
    assert "<script>alert" not in log
    assert "Right lost" in log


def test_by_the_api(yard, office):
    """Going on is refused with what is missing; deciding needs words and the privilege."""
    made = lost(yard)
    archivist, curator = office.caller(privileges=DECIDES), office.manager(Privilege.MANAGE_TARGET_INSTANCES, Scope.ALL)
    refused = archivist.post(f"/harvests/{made.pk}/resume")
    assert refused.status_code == 409
    assert "is Rejected" in refused.content.decode()
    assert archivist.post(f"/harvests/{made.pk}/decide", {"decision": ""}).status_code == 422
    assert archivist.post(f"/harvests/{made.pk}/decide", {"decision": "x" * 4_001}).status_code == 422
    assert curator.post(f"/harvests/{made.pk}/decide", {"decision": "It may."}).status_code == 403
    answer = archivist.post(f"/harvests/{made.pk}/decide", {"decision": HOSTILE})
    assert answer.status_code == 200
    assert answer.json()["held"] is False
    assert decision(made)[1] == HOSTILE


@pytest.mark.parametrize("words", ["", "The publisher agreed."])
def test_by_the_command(desk, words):
    """With a decision it goes on, without one it is told what to do."""
    made = lost(desk)
    done = CliRunner().invoke(command.app, ["resume", str(made.pk), "--decision", words, "--json"])
    if words:
        assert json.loads(done.output)["held"] is False
        assert decision(made)[1] == words
    else:
        assert "stop the harvest" in str(done.exception)
