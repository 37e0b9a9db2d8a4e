"""What a reader must not see shows in no answer: hits, totals, facets, suggestions, corrections, explanations."""

import datetime

import pytest

from opilio.kernel.access import OPEN_TO_ALL, PUBLIC, Default, Reach, Reader, Rule, Rules, Says, Where
from opilio.kernel.errors import Missing
from opilio.search.access_decisions import AccessDecisions, PageFacts, decided
from opilio.search.access_filter import OPEN, SHUT, AccessFilter
from opilio.search.request import Request
from tests.unit.search.made_index import CAPTURED, document, made_index

NOW = datetime.datetime.fromtimestamp(CAPTURED + 1_000, datetime.UTC)
SECRET, SEEN = 1, 0  # page ids


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """Two pages: one that all may see, and one of another host, agency, class and year that is to be hidden."""
    hidden = document(
        "harbour zeppelins secrets", title="Zeppelin plans", url="https://hidden.example.net/a", agency="2",
        access="staff", captured=CAPTURED - 3e8, language="fr", type="application/pdf",
    )  # fmt: skip
    seen = document("harbour secret zeppelin ferry", title="Ferry", agency="1", access="open")
    later = document("harbour tomorrow", url="https://later.example.com/", agency="1", access="open")
    folder = tmp_path_factory.mktemp("access") / "index"
    return made_index(folder, [seen, hidden, later], visible={2: CAPTURED + 5_000})


FILTERS = {
    "agency": AccessFilter(now=NOW.timestamp(), agencies=frozenset({"1"})),
    "class": AccessFilter(now=NOW.timestamp(), classes=frozenset({"open", "other"})),
    "page": AccessFilter(now=NOW.timestamp(), pages=frozenset({SECRET})),
    "host": AccessFilter(now=NOW.timestamp(), hosts=frozenset({"hidden.example.net"})),
    "surt": AccessFilter(now=NOW.timestamp(), surts=("net,example,hidden)/",)),
    "only page": AccessFilter(now=NOW.timestamp(), only=True, pages=frozenset({SEEN})),
    "only host": AccessFilter(now=NOW.timestamp(), only=True, hosts=frozenset({"example.org"})),
}
each_filter = pytest.mark.parametrize("access", FILTERS.values(), ids=FILTERS)


@each_filter
def test_hits_and_totals(index, access):
    """A hidden page is no hit and not counted, by words, filters or everything."""
    for query in ("harbour", "*", "-ferry", "zeppelin OR ferry", "type:pdf OR type:html", "harb*", "hrabour~2"):
        answer = index.search(Request(query=query), access)
        assert SECRET not in {hit.page for hit in answer.hits}
        assert answer.total == len(answer.hits) <= 1
        assert SECRET not in index.pages(query, access)
    assert index.search(Request(query="site:example.net"), access).total == index.count("lang:fr", access) == 0


@each_filter
def test_facets(index, access):
    """No facet shows a site, type, language or year that only hidden pages have."""
    facets = index.search(Request(query="harbour"), access).facets
    assert [facet.value for facet in facets.sites] == ["example.org"]
    assert [facet.value for facet in facets.types] == ["html"]
    assert [facet.value for facet in facets.languages] == ["en"]
    assert [(facet.value, facet.count) for facet in facets.years] == [("2023", 1)]


@each_filter
def test_suggestions(index, access):
    """Words and titles of hidden pages are not suggested, not even another form of a word that all may see."""
    assert index.suggest("zep", access).queries == ("zeppelin",)
    assert index.suggest("secr", access).queries == ("secret",)
    assert index.suggest("zeppelin pl", access).queries == ()
    assert index.suggest("zep", access).titles == ()
    assert "zeppelins" in index.suggest("zep", OPEN).queries


@each_filter
def test_did_you_mean(index, access):
    """A word that only hidden pages hold is not offered."""
    assert index.search(Request(query="zeppelinss"), OPEN).did_you_mean == "zeppelins"
    assert index.search(Request(query="zeppelinss"), access).did_you_mean in ("", "zeppelin")


@each_filter
def test_forms_of_words_say_nothing(index, access):
    """That a form fits a word of a hidden page cannot be told from an answer."""
    assert index.search(Request(query="plan*"), access).notes == ("No word has the form plan*.",)


@each_filter
def test_explanations_and_similar_pages(index, access):
    """A hidden page is as good as missing."""
    with pytest.raises(Missing) as hidden:
        index.explain(Request(query="harbour"), SECRET, access)
    with pytest.raises(Missing) as absent:
        index.explain(Request(query="harbour"), 99, access)
    assert str(hidden.value) == str(absent.value).replace("page 99", f"page {SECRET}")
    with pytest.raises(Missing):
        index.similar(SECRET, access)
    assert index.similar(SEEN, access) == ()
    assert [hit.page for hit in index.similar(SEEN, OPEN)][:1] == [SECRET]


def test_similar_counts_of_duplicates(tmp_path):
    """The number of near-duplicates behind a hit counts only those that the reader may find."""
    index = made_index(tmp_path / "index", [document("harbour")] * 3, groups=dict.fromkeys(range(3), 0))
    access = AccessFilter(now=NOW.timestamp(), pages=frozenset({0}))
    assert [hit.more for hit in index.search(Request(query="harbour"), access).hits] == [1]


def test_later_pages_appear_by_themselves(index):
    """A page is hidden until its time comes, without a new index."""
    at = [CAPTURED, CAPTURED + 4_999, CAPTURED + 5_000]
    assert [index.count("tomorrow", AccessFilter(now=now)) for now in at] == [0, 0, 1]


def test_shut(index):
    """Nothing is found where everything is shut, and all where all is open."""
    assert (index.count("*", SHUT), index.count("*", OPEN)) == (0, 3)
    assert index.suggest("har", SHUT).queries == ()


def test_nobody_of_no_agency(index):
    """A reader of no agency at all finds nothing, rather than everything."""
    assert index.count("*", AccessFilter(now=NOW.timestamp(), agencies=frozenset())) == 0


def rule(number, where, says, **values):
    return Rule(id=f"r{number}", where=where, says=says, **values)


def test_rules_hide_pages_without_a_new_index(index):
    """A takedown hides a page at once; the same reader finds it again when the rule is gone."""
    decisions = AccessDecisions(index.facts)
    taken = Rules(
        [rule(1, Where(value="https://hidden.example.net/a", reach=Reach.URL), Says.TAKEN_BLOCK)],
        default=Default.OPEN,
    )
    assert index.count("zeppelins", decisions.filter_for(OPEN_TO_ALL, 1, PUBLIC, NOW)) == 2
    assert index.pages("zeppelins", decisions.filter_for(taken, 2, PUBLIC, NOW)) == [SEEN]
    assert index.count("zeppelins", decisions.filter_for(OPEN_TO_ALL, 3, PUBLIC, NOW)) == 2
    assert index.count("*", decisions.filter_for(Rules.closed("Stale."), 4, PUBLIC, NOW)) == 0


def test_staff_see_their_own_agency(index):
    """What is closed by default is open to staff of the agency that collected it."""
    decisions, closed = AccessDecisions(index.facts), Rules(default=Default.CLOSED)
    staff = Reader(user="curator", staff_of=frozenset({"2"}))
    assert index.pages("*", decisions.filter_for(closed, 1, staff, NOW)) == [SECRET]
    assert index.pages("*", decisions.filter_for(closed, 1, PUBLIC, NOW)) == []


def test_answers_of_rules_are_kept_until_they_may_change():
    """Pages are held against the rules once per version and reader, and again when an embargo ends."""
    asked = []
    facts = [PageFacts(0, "https://example.org/", CAPTURED), PageFacts(1, "https://example.net/", CAPTURED)]

    def told():
        asked.append(1)
        return facts

    ends = NOW + datetime.timedelta(hours=1)
    where = Where(value="example.net", reach=Reach.HOST)
    rules = Rules([rule(1, where, Says.EMBARGO, ends=ends)], default=Default.OPEN)
    decisions = AccessDecisions(told)
    hidden = decisions.filter_for(rules, 1, PUBLIC, NOW)
    again = decisions.filter_for(rules, 1, Reader(address="192.0.2.1"), NOW + datetime.timedelta(minutes=59))
    assert hidden.hosts == again.hosts == frozenset({"example.net"})
    assert len(asked) == 1
    after = decisions.filter_for(rules, 1, PUBLIC, ends)
    assert (after.hosts, after.pages, len(asked)) == (frozenset(), frozenset(), 2)
    decisions.filter_for(rules, 2, PUBLIC, ends)
    assert len(asked) == 3


def test_the_shorter_list_is_named():
    """Whole hosts stand for their pages, and what is fewer of denied and allowed is listed."""
    facts = [PageFacts(page, f"https://h{page // 10}.example.org/{page}", CAPTURED) for page in range(100)]
    where = Where(value="h3.example.org", reach=Reach.HOST)
    denied = decided(facts, Rules([rule(1, where, Says.HIDDEN)], default=Default.OPEN), PUBLIC, NOW).found
    assert (denied.only, denied.hosts, denied.pages) == (False, {"h3.example.org"}, frozenset())
    allowed = decided(facts, Rules([rule(1, where, Says.OPEN)], default=Default.CLOSED), PUBLIC, NOW).found
    assert (allowed.only, allowed.hosts, allowed.pages) == (True, {"h3.example.org"}, frozenset())
    one = Where(value="https://h3.example.org/33", reach=Reach.URL)
    single = decided(facts, Rules([rule(1, one, Says.OPEN)], default=Default.CLOSED), PUBLIC, NOW).found
    assert (single.only, single.hosts, single.pages) == (True, frozenset(), {33})
