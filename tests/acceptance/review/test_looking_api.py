"""Tree, pruning, comparison, history and logs of results by the API."""

import pytest

from opilio.curation.models import Result
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.review.conftest import REVIEW
from tests.review_desk import at_home, crawled


@pytest.fixture
def rows(yard, settings, tmp_path):
    """Result 1, and result 2 without the herons."""
    harvest = yard.sealed(at_home(settings, tmp_path), results=2)
    return list(Result.objects.filter(harvest=harvest).order_by("number"))


@pytest.fixture
def caller(office):
    return office.caller(privileges=REVIEW)


def host():
    return f"127.0.0.1:{crawled().port}"


def test_the_tree_is_shown_folder_by_folder(caller, rows):
    """Hosts, folders, resources; further ones by the cursor; filters go through everything."""
    base = f"/results/{rows[0].pk}/tree"
    found = caller.get(base).json()
    assert [one["host"] for one in found["folders"]] == [host()]
    found = caller.get(base, host=host(), limit="2").json()
    assert [one["path"] for one in found["folders"]] == ["/nests/"]
    assert len(found["resources"]) == 2
    onward = caller.get(base, host=host(), limit="2", after=found["next"]).json()
    assert {one["number"] for one in onward["resources"]}.isdisjoint(one["number"] for one in found["resources"])
    found = caller.get(base, text="owl|heron", way="regex").json()
    assert found["counted"] == 3
    assert caller.get(base, host="nowhere.example").status_code == 404
    for wrong in ({"status": "abc"}, {"text": "(", "way": "regex"}, {"after": "x"}, {"limit": "0"}):
        assert caller.get(base, **wrong).status_code == 422, wrong


def test_pruning_is_previewed_and_begun(caller, rows, office):
    """Not by those who may only look, and not of everything."""
    base = f"/results/{rows[0].pk}/prune"
    picks = [{"url": crawled().url("/owl.svg")}, {"host": host(), "path": "/nests/"}]
    found = caller.post(f"{base}/preview", {"picks": picks}).json()
    assert (found["goes"]["resources"], found["everything"], found["pages_total"]) == (3, False, 1)
    assert found["pages"][0]["embeds"] == 1
    made = caller.post(base, {"picks": picks, "note": "Another collection."}).json()
    assert (made["state"], made["number"], made["derived_from"]) == ("modifying", 3, 1)
    assert caller.post(base, {"picks": [{}], "note": "All."}).status_code == 422
    assert caller.post(base, {"picks": [], "note": "None."}).status_code == 422
    assert caller.post(base, {"picks": [{"number": 1}], "note": "x"}).status_code == 422
    assert caller.post(base, {"picks": picks, "note": "x", "version": 99}).status_code == 409
    looker = office.caller(privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})
    assert looker.post(base, {"picks": picks, "note": "x"}).status_code == 403


def test_results_are_compared(caller, rows, yard, office):
    """With the usual one, or one that is named and may be seen."""
    found = caller.get(f"/results/{rows[1].pk}/compare").json()
    assert (found["before"], found["totals"]["removed"]) == (str(rows[0].pk), 1)
    assert found["items"][0]["url"] == crawled().url("/herons.html")
    found = caller.get(f"/results/{rows[0].pk}/compare", **{"with": str(rows[1].pk), "kind": "added"}).json()
    assert len(found["items"]) == 1
    text = caller.get(f"/results/{rows[1].pk}/compare/text", url=crawled().url("/owls.html")).json()
    assert text["same"]
    assert caller.get(f"/results/{rows[1].pk}/compare", kind="eaten").status_code == 422
    hidden = yard.harvested(yard.ready(agency=office.museum)).results.get()
    assert caller.get(f"/results/{rows[1].pk}/compare", **{"with": str(hidden.pk)}).status_code == 404


def test_history_hosts_and_hops_are_told(caller, rows):
    """As the pages show them."""
    (past,) = caller.get(f"/results/{rows[0].pk}/history").json()
    assert (past["harvest"], past["results"]) == (str(rows[0].harvest_id), 2)
    assert caller.get(f"/results/{rows[0].pk}/hosts").json() == {"items": [], "hosts": 1, "whole": True}
    way = caller.get(f"/results/{rows[0].pk}/hops", url=crawled().url("/nests/2.html")).json()
    assert way == [crawled().url(path) for path in ("/", "/nests/1.html", "/nests/2.html")]
    assert caller.get(f"/results/{rows[0].pk}/hops", url="http://nowhere.example/").status_code == 422


def test_logs_are_listed_and_read(caller, rows):
    """Only those of the list."""
    base = f"/results/{rows[0].pk}/logs"
    assert "logs/crawl.log" in [one["name"] for one in caller.get(base).json()]
    found = caller.get(f"{base}/lines", mode="regex", text="owls").json()
    assert all("owls" in line["text"] for line in found["lines"])
    assert caller.get(f"{base}/lines", file="../opilio.toml").status_code == 404
    assert caller.get(f"{base}/lines", mode="regex", text="(").status_code == 422
    assert caller.get(f"{base}/lines", lines="9999").status_code == 422
