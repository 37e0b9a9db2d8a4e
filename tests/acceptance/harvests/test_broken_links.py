"""At the end of a real harvest its owner hears of broken links, and its reports can be read."""

import json

import pytest

from tests.harvests import Yard
from tests.servers.http_server import HttpServer


@pytest.fixture
def site(tmp_path):
    """A page with a link that leads nowhere, and one that leads away."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text(
        "<title>Owls</title><a href='gone.html'>a</a><a href='http://herons.example/'>b</a>"
    )
    with HttpServer(site=folder) as server:
        yield server


def test_the_owner_is_told_as_the_profile_says(installation, site):
    """Once, with the count; the command reads the same from the sealed result."""
    settings = {"manners": {"preset": "own-site"}, "scope": {"kind": "host"}, "report": {"broken_links": 1}}
    yard = Yard(installation=installation, settings=settings)
    (harvest,) = yard.plan(site.url("/"), port=site.port)
    with yard.agent():
        yard.wait_for(harvest, "harvested", "aborted")
    assert yard.state(harvest) == "harvested", yard.logs()[-3000:]
    assert "broken-links" in yard.events(harvest)
    ((subject,),) = yard.rows("SELECT subject FROM notification WHERE kind = 'harvest-broken-links'")
    assert subject == "1 broken URL in the harvest of Site 0"
    told = installation.run("harvest", "report", str(harvest), "outside", "--json")
    assert [row["host"] for row in json.loads(told.stdout)["rows"]] == ["herons.example"]
