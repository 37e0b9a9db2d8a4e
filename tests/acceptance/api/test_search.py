"""Search through the API: for strangers what is published, for people what they may see; the status of the index."""

import pytest

from opilio.kernel.access import Reader
from opilio.people.privileges import Privilege, Scope
from opilio.search.request import Sort
from tests.acceptance.fake_search import URL, FakeHome

pytestmark = pytest.mark.only_on("sqlite")  # the index is the same whatever holds the catalogue


@pytest.fixture
def home(monkeypatch):
    """A home with a published generation and a working index, both made up."""
    home = FakeHome()
    monkeypatch.setattr("opilio.api.readers.search_home", lambda: home)
    monkeypatch.setattr("opilio.api.nouns.index.search_home", lambda: home)
    return home


def test_strangers_search(stranger, home):
    """No token is needed for what is published; the answer is told as the public may see it."""
    answer = stranger.get("/search", q='regatta "boats', sort="date", every="true", limit=5, **{"from": 10})
    assert answer.status_code == 200, answer.content
    found = answer.json()
    assert (found["total"], found["offset"], found["limit"]) == (1234, 10, 5)
    assert found["query"] == 'regatta "boats"'
    assert found["notes"]
    assert found["facets"]["years"][0] == {"value": "2025", "count": 525, "query": "since:2025 until:2025"}
    hit = found["hits"][0]
    assert (hit["url"], hit["title"]["marks"]) == (URL, [[0, 7], [23, 30]])
    assert hit["captured"] == "2025-11-13T02:13:20Z"
    assert found["hits"][2]["date"] is None
    _, request, reader = home.service.calls[-1]
    assert reader == Reader(address="127.0.0.1")
    assert (request.sort, request.every, request.collapse) == (Sort.DATE, True, True)


def test_a_token_tells_who_asks(office, home):
    """With a token the answer holds what its user may see, cut down to the token's scopes."""
    caller = office.caller(privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY})
    caller.get("/search", q="a", duplicates="true")
    _, request, reader = home.service.calls[-1]
    assert (reader.user, reader.staff_of) == (str(caller.user.id), {str(office.library.id)})
    assert not request.collapse
    office.caller(caller.user, scopes=[Privilege.LOGIN]).get("/search", q="a")
    assert home.service.calls[-1][2].staff_of == frozenset()


def test_a_wrong_token_is_no_stranger(stranger, office, home, fault):
    """Credentials that are not good are refused rather than passed over."""
    caller = type(stranger)("opilio_nothing_here")
    fault(caller.get("/search", q="a"), 401)
    assert home.service.calls == []


def test_the_working_index(stranger, office, home, fault):
    """Staff may ask it; strangers and others are refused."""
    assert fault(stranger.get("/search", q="a", **{"in": "working"}), 401)["where"] == "in"
    fault(office.caller().get("/search", q="a", **{"in": "working"}), 403)
    staff = office.caller(privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY})
    for path, query in (("", {}), ("/suggest", {}), ("/similar", {"page": 1}), ("/explain", {"page": 1})):
        assert staff.get(f"/search{path}", q="a", **{"in": "working"}, **query).status_code in (200, 422), path
    assert home.service.calls == []
    assert home.live.calls


def test_suggestions_similar_and_explanation(stranger, home):
    """Each has a shape of its own."""
    found = stranger.get("/search/suggest", q="regat").json()
    assert found["queries"] == ["regatta", "regattas"]
    assert found["titles"][0]["url"] == URL
    assert [hit["page"] for hit in stranger.get("/search/similar", page=7, limit=2).json()] == [7, 8]
    why = stranger.get("/search/explain", page=7, q="regatta").json()
    assert why["parts"] == [{"field": "title", "text": "regatta", "weight": 3.0, "bm25": 1.5, "value": 4.5}]


def test_stories(stranger, home):
    """Of a page, of a word, of links."""
    page = stranger.get("/pages", url=URL).json()
    assert (page["title"], page["last_modified"]) == ("Regatta results of the harbour", None)
    assert page["metas"][0] == {"name": "description", "content": "All results."}
    assert page["links"]["parents"][0]["times"] == 8
    assert page["captures"][0]["indexed"] is True
    word = stranger.get("/words/regatta", after=4, limit=10).json()
    assert (word["pages"], word["onward"], word["shown"][0]["page"]) == (500, 7, 5)
    assert stranger.get("/links", url=URL).json()["backlinks"] == 9


def test_what_is_not_there(stranger, home, fault):
    """A page that is unknown or hidden is missing; so is one that the query does not find."""
    fault(stranger.get("/pages", url="https://unknown.example/"), 404)
    fault(stranger.get("/links", url="https://unknown.example/"), 404)
    fault(stranger.get("/search/explain", page=7, q="nothing"), 404)


def test_nothing_published(stranger, fault):
    """The error says what to do."""
    assert "opilio index publish" in fault(stranger.get("/search", q="a"), 404)["remedy"]


@pytest.mark.parametrize(
    "query",
    [
        {"from": "-1"}, {"from": "abc"}, {"from": "9" * 400}, {"limit": "0"}, {"limit": "101"}, {"sort": "size"},
        {"every": "perhaps"}, {"in": "other"}, {"q": "x" * 100_001}, {"q": "a\x00b"}, {"page": "1"}, {"offset": "1"},
    ],
)  # fmt: skip
def test_bad_parameters(stranger, home, fault, query):
    """Each gets the one error shape that names the parameter."""
    assert set(fault(stranger.get("/search", **{"q": "a", **query}), 422)["fields"]) == set(query)


@pytest.mark.parametrize(
    "query", ["", "   ", "word " * 10_000, '"', "((((", "AND OR NOT", "site:", "*", "�", "-" * 500]
)
def test_odd_queries(stranger, home, query):
    """A query is never refused for what it says."""
    assert stranger.get("/search", q=query).status_code == 200


def test_other_bad_requests(stranger, home, fault):
    """Missing and senseless values, and methods that change things."""
    fault(stranger.get("/pages"), 422)
    fault(stranger.get("/search/similar", page="-1"), 422)
    fault(stranger.get("/search/explain", page="1"), 422)
    fault(stranger.get("/words/a", after="-2"), 422)
    fault(stranger.get(f"/words/{'x' * 300}"), 422)
    fault(stranger.post("/search"), 405)


def test_the_status_of_the_index(office, stranger, home, fault):
    """Those who publish see it; others are refused."""
    found = office.manager(Privilege.PUBLISH_INDEX).get("/index").json()
    assert [node["behind"] for node in found["nodes"]] == [0, 0, 1, 0]
    assert found["generations"][0]["documents"] == 35123
    assert found["sources"][1]["change"] == "added"
    fault(office.caller().get("/index"), 403)
    fault(stranger.get("/index"), 401)
