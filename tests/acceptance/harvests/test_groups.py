"""Groups with members of two agencies, one of them unapproved, harvested as one and each by itself, by a real agent."""

import json

import pytest

from tests.harvests import Yard
from tests.servers.http_server import HttpServer

_BUILD = """
import datetime, json
from opilio.curation.actions.harvest_now import harvest_now
from opilio.curation.actions.profiles import create_profile
from opilio.curation.actions.schedules import create_schedule
from opilio.curation.harvest_plan import Network
from opilio.curation.models import Harvest, HarvestAs, State
from tests.curation import Desk
from tests.people import Town

town = Town()
town.clock.advance((SYSTEM.now() - town.clock.now()).total_seconds())
desk = Desk(town)
settings = {"manners": {"preset": "own-site"}, "scope": {"kind": "prefix"}}
for agency in (town.library, town.museum):
    create_profile(town.system, agency_id=agency.id, name="Quick", settings=settings)

def target(name, agency, state=State.APPROVED):
    row = desk.target(name=name, agency=agency, state=state)
    permission = desk.permission("http://127.0.0.1:PORT/*", agency=agency)
    desk.link(desk.seed(row, f"http://127.0.0.1:PORT/{name}/"), permission)
    return row

members = [
    target("owls", town.library), target("herons", town.library), target("foxes", town.museum),
    target("bats", town.library, State.NOMINATED),
]
together, parted = [
    desk.group(*members, name=name, state=State.GROUP_ACTIVE, harvest_as=way)
    for name, way in (("Together", HarvestAs.COMBINED), ("Parted", HarvestAs.SEPARATE))
]
network = Network(allow_private=("127.0.0.0/8",))
one = harvest_now(actor, holder_id=together.pk, network=network)
tomorrow = SYSTEM.now() + datetime.timedelta(days=1)
schedule = create_schedule(actor, holder_id=parted.pk, cron="0 0 3 * * ?", end=tomorrow)
each = list(Harvest.objects.filter(schedule=schedule).order_by("id"))
Harvest.objects.filter(schedule=schedule).update(scheduled_at=SYSTEM.now())
print(json.dumps({"one": one.pk, "each": {row.abstract_target.name: row.pk for row in each}}))
"""


@pytest.fixture
def site(tmp_path):
    """A folder for each member."""
    folder = tmp_path / "site"
    for name in ("owls", "herons", "foxes", "bats"):
        (folder / name).mkdir(parents=True)
        (folder / name / "index.html").write_text(f"<title>{name}</title><a href='more.html'>more</a>")
        (folder / name / "more.html").write_text(f"<title>more {name}</title>")
    with HttpServer(site=folder) as server:
        yield server


def asked(site):
    """The folders of which pages were asked for, each as often as a page was."""
    return sorted(entry.target.split("/")[1] for entry in site.log() if entry.target.count("/") > 1)


def test_a_group_as_one_and_each_by_itself(installation, site):
    """Only approved members of the agency of whoever planned it; who is left out is told, with the reason."""
    yard = Yard(installation=installation)
    made = json.loads(yard.act(_BUILD.replace("PORT", str(site.port))).strip().splitlines()[-1])
    assert sorted(made["each"]) == ["herons", "owls"]
    reason = yard.rows(f"SELECT reason FROM harvest WHERE id = {made['one']}")[0][0]
    assert "foxes is left out: It belongs to Museum" in reason
    assert "bats is left out: It is nominated, not approved." in reason
    with yard.agent():
        for harvest in (made["one"], *made["each"].values()):
            yard.wait_for(harvest, "harvested")
    assert asked(site) == sorted(["owls"] * 4 + ["herons"] * 4)
    ((left_out,),) = yard.rows(
        "SELECT value FROM snapshot_part JOIN snapshot ON snapshot.id = snapshot_id "
        f"WHERE harvest_id = {made['one']} AND key = 'left-out'"
    )
    assert sorted(one["name"] for one in json.loads(left_out)) == ["bats", "foxes"]
    for harvest, urls in ((made["one"], 4), (made["each"]["owls"], 2), (made["each"]["herons"], 2)):
        assert yard.rows(f"SELECT urls_down FROM harvest_figures WHERE harvest_id = {harvest}") == [(urls,)]
