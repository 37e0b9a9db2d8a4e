"""Which permissions cover a URL, and what they say about it: the truth table, a second opinion, the index."""

import csv
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.curation.matching import Ground, PermissionIndex, explain
from opilio.curation.pattern_index import PatternIndex
from opilio.curation.pattern_reading import parse_pattern
from opilio.curation.patterns import UrlPattern
from opilio.curation.permission_facts import ExclusionFacts, PermissionFacts, Standing
from opilio.curation.places import place_of
from opilio.curation.rights import SeedFacts, may_collect
from opilio.curation.wct_matching import WctPermission, wct_matching
from opilio.kernel.errors import BadUrl
from tests.unit.curation import matching_oracle

TODAY = date(2026, 6, 15)
HERE, ELSEWHERE = 1, 2
TABLE = Path(__file__).parents[2] / "data" / "matching_cases.csv"
CASES = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))
SAID = {True: "yes", False: "no"}


def permission(pattern="http://example.org/*", *more, id=1, exclusions=(), **facts):
    values = {
        "status": Standing.APPROVED, "agency": HERE, "starts": date(2026, 1, 1), "authorisation": 7,
        "authorisation_name": "Example site", "name": f"permission {id}",
    }  # fmt: skip
    return PermissionFacts(
        id=id,
        patterns=tuple(each if isinstance(each, UrlPattern) else parse_pattern(each) for each in (pattern, *more)),
        exclusions=tuple(ExclusionFacts(pattern=parse_pattern(each), reason="asked for") for each in exclusions),
        **values | facts,
    )


def of_case(case):
    return permission(
        parse_pattern(case["pattern"], strict_scheme=case["strict_scheme"] == "yes"),
        status=Standing[case["status"].upper()],
        agency=HERE if case["agency"] == "same" else ELSEWHERE,
        starts=date.fromisoformat(case["starts"]),
        ends=date.fromisoformat(case["ends"]) if case["ends"] else None,
        authorisation_active=case["active"] == "yes",
        exclusions=[case["exclusion"]] if case["exclusion"] else [],
    )


def test_the_table_is_large_and_touches_every_topic():
    """The truth table has two hundred cases at least, with both answers in each topic."""
    assert len(CASES) >= 200
    topics = {case["topic"] for case in CASES}
    assert topics >= {"scheme", "host star", "suffix trap", "prefix trap", "port", "IDN", "case", "dates", "agency"}
    assert all({case["matches"] for case in CASES if case["topic"] == topic} == {"yes", "no"} for topic in topics)
    assert len({tuple(list(case.values())[1:]) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['case']}-{case['topic']}")
def test_truth_table(case):
    """The engine, its index, the second opinion and the table say the same."""
    facts = of_case(case)
    (answer,) = explain(case["url"], [facts], agency=HERE, today=TODAY).answers
    assert (SAID[answer.matches], SAID[answer.allows]) == (case["matches"], case["allows"]), answer.checks
    assert SAID[matching_oracle.matches(case, TODAY)] == case["matches"]
    assert SAID[matching_oracle.allows(case, TODAY)] == case["allows"]
    found = PermissionIndex([facts]).matching(case["url"], agency=HERE, today=TODAY)
    assert [each.permission for each in found] == ([facts] if case["matches"] == "yes" else [])


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['case']}-{case['topic']}")
def test_truth_table_of_the_web_curator_tool(case):
    """The compatible mode answers as the Web Curator Tool did, whatever is right."""
    old = WctPermission(
        id=1,
        patterns=(case["pattern"],),
        agency=HERE if case["agency"] == "same" else ELSEWHERE,
        ends=date.fromisoformat(case["ends"]) if case["ends"] else None,
        authorisation_active=case["active"] == "yes",
    )
    found = wct_matching([old], case["url"], agency=HERE, today=TODAY)
    assert SAID[bool(found)] == case["wct"] == SAID[matching_oracle.wct(case, TODAY)]


LABELS = st.sampled_from(["a", "b", "example", "xn--bcher-kva", "org", "nz"])
HOSTS = st.lists(LABELS, min_size=1, max_size=4).map(".".join)
PATHS = st.lists(st.sampled_from(["", "a", "ab", "b", "%2A", "~x"]), max_size=3).map(
    lambda parts: "/" + "/".join(parts)
)
QUERIES = st.sampled_from(["", "?a", "?a=1", "?a=1&b=2"])
PORTS = st.sampled_from(["", ":80", ":443", ":8080"])
SCHEMES = st.sampled_from(["http", "https"])
URLS = st.builds("{}://{}{}{}{}".format, SCHEMES, HOSTS, PORTS, PATHS, QUERIES)
PATTERNS = st.builds(
    "{}://{}{}{}{}{}{}".format, SCHEMES, st.sampled_from(["", "*."]), HOSTS, PORTS, PATHS, QUERIES,
    st.sampled_from(["", "*"]),
)  # fmt: skip


@settings(max_examples=300)
@given(pattern=PATTERNS, url=URLS, strict=st.booleans())
def test_second_opinion_on_any_pair(pattern, url, strict):
    """Engine and second opinion agree on every pair of pattern and URL."""
    parsed = parse_pattern(pattern, strict_scheme=strict)
    assert parsed.covers(place_of(url)) == matching_oracle.covers(pattern, url, strict=strict)
    assert (parsed.miss(place_of(url)) is None) == parsed.covers(place_of(url))


@settings(max_examples=100)
@given(patterns=st.lists(PATTERNS, max_size=12), url=URLS)
def test_index_loses_nothing(patterns, url):
    """The index finds exactly what trying every pattern finds, and all of that among its candidates."""
    index = PatternIndex()
    for number, pattern in enumerate(patterns):
        index.add(parse_pattern(pattern), number)
    place = place_of(url)
    found = sorted(number for _, number in index.covering(place))
    assert found == [n for n, pattern in enumerate(patterns) if parse_pattern(pattern).covers(place)]
    assert set(found) <= {number for _, number in index.candidates(place)}
    assert len(index) == len(patterns)


@settings(max_examples=300)
@given(wide=PATTERNS, narrow=PATTERNS, url=URLS)
def test_containing_means_covering_all(wide, narrow, url):
    """What a contained pattern covers, the containing one covers too."""
    if parse_pattern(wide).contains(parse_pattern(narrow)) and parse_pattern(narrow).covers(place_of(url)):
        assert parse_pattern(wide).covers(place_of(url))


class CountedPattern(UrlPattern):
    """A pattern that counts how often patterns are compared with a URL."""

    comparisons = 0

    def covers(self, place):
        CountedPattern.comparisons += 1
        return super().covers(place)


@pytest.mark.parametrize("spread", ["over many hosts", "on one host"])
def test_index_compares_few_of_many(spread):
    """Of ten thousand patterns, those are compared whose domain and path agree, and no others."""
    index = PatternIndex()
    for number in range(10_000):
        host, path = (f"s{number}.org", "/") if spread == "over many hosts" else ("s77.org", f"/{number}/")
        index.add(CountedPattern(scheme="http", host=host, port=80, path=path, begins=True), number)
    CountedPattern.comparisons = 0
    found = [number for _, number in index.covering(place_of("https://s77.org/77/page"))]
    assert found == [77]
    assert CountedPattern.comparisons == 1


def test_explanation_names_every_ground():
    """An answer tells of the pattern, the exclusion, the authorisation, the agency, the status and the dates."""
    (answer,) = explain("https://example.org/a", [permission()], agency=HERE, today=TODAY).answers
    assert [check.ground for check in answer.checks] == list(Ground)
    assert answer.obstacles == ()
    assert str(answer.pattern) == "http://example.org/*"


@pytest.mark.parametrize(
    ("facts", "ground", "words"),
    [
        ({"status": Standing.REQUESTED}, Ground.STATUS, "Requested"),
        ({"authorisation_active": False}, Ground.AUTHORISATION, "“Example site” is disabled"),
        ({"agency": ELSEWHERE}, Ground.AGENCY, "another agency"),
        ({"starts": date(2026, 7, 1)}, Ground.DATES, "from 2026-07-01"),
        ({"ends": date(2026, 6, 1)}, Ground.DATES, "expired on 2026-06-01"),
        ({"exclusions": ["http://example.org/a*"]}, Ground.EXCLUSION, "excludes http://example.org/a* (asked for)"),
    ],
)
def test_explanation_says_what_does_not_hold(facts, ground, words):
    """The one thing that stands against it is told, in words that name it."""
    explanation = explain("http://example.org/a", [permission(**facts)], agency=HERE, today=TODAY)
    (obstacle,) = explanation.answers[0].obstacles
    assert obstacle.ground is ground
    assert words in obstacle.sentence
    assert words in explanation.sentence
    assert not explanation.allowed


@pytest.mark.parametrize(
    ("pattern", "url", "words"),
    [
        ("http://example.org/*", "http://www.example.org/", "sub-domains need a pattern *.example.org"),
        ("http://*.example.org/*", "http://example.org/", "example.org itself needs a pattern of its own"),
        ("http://*.a.example.org/*", "http://b.example.org/", "does not lie below a.example.org"),
        ("http://example.org/a", "http://example.org/abc", "/a* would cover it"),
        ("http://example.org/b*", "http://example.org/a", "does not begin with /b"),
        ("http://example.org:8080/*", "http://example.org/", "port 8080, the URL is at port 80"),
        ("http://example.org/*", "http://example.org:8080/", "the usual port, the URL is at port 8080"),
        (parse_pattern("https://example.org/*", strict_scheme=True), "http://example.org/", "https only"),
    ],
)
def test_explanation_says_why_a_pattern_does_not_cover(pattern, url, words):
    """A pattern that nearly covers a URL says in which part they differ."""
    (answer,) = explain(url, [permission(pattern)], agency=HERE, today=TODAY).answers
    assert words in answer.checks[0].sentence


def test_explanation_puts_the_closest_first():
    """Permissions that allow come first, then those that fail in the fewest grounds; the rest is counted."""
    many = [
        permission("http://example.org/b", id=1, status=Standing.PENDING),
        permission("http://example.org/*", id=2, status=Standing.PENDING),
        permission("http://example.org/b", id=3),
        permission("http://example.org/b*", "http://example.org/a", id=4),
    ]
    explanation = PermissionIndex(many).explain("http://example.org/a", agency=HERE, today=TODAY)
    assert [answer.permission.id for answer in explanation.answers] == [4, 2, 3, 1]
    assert [answer.permission.id for answer in explanation.matching] == [4, 2]
    assert [answer.permission.id for answer in explanation.blocking] == [2]
    assert not explanation.allowed
    assert explanation.sentence == (
        "Not allowed. “permission 2” covers it and is Pending, not Approved, although another permits it."
    )
    alone = explain("http://example.org/a", many[2:], agency=HERE, today=TODAY)
    assert alone.allowed
    assert alone.sentence.startswith("Allowed by the permission “permission 4”")
    short = explain("http://example.org/a", many, agency=HERE, today=TODAY, most=1)
    assert (len(short.answers), short.left_out) == (2, 2)


@settings(max_examples=100)
@given(
    standings=st.lists(
        st.tuples(st.sampled_from(Standing), st.sampled_from([date(2020, 1, 1), date(2030, 1, 1)])), max_size=4
    )
)
def test_explanation_and_guard_agree(standings):
    """What is explained as allowed may be collected, once the seed is linked to all that match; and nothing else."""
    many = [permission(id=n, status=status, starts=day) for n, (status, day) in enumerate(standings, start=1)]
    explanation = explain("http://example.org/a", many, agency=HERE, today=TODAY)
    linked = SeedFacts(url="http://example.org/a", permissions=tuple(each.permission for each in explanation.matching))
    assert explanation.allowed == may_collect(linked, TODAY).allowed


def test_explanation_without_candidates():
    """A host that no pattern is about is told so."""
    explanation = PermissionIndex([permission()]).explain("http://example.com/", agency=HERE, today=TODAY)
    assert explanation.sentence == "No URL pattern of any authorisation is about this host."
    assert not explanation.allowed


def test_a_permission_without_patterns_covers_nothing():
    """A permission whose patterns were all removed says so."""
    bare = PermissionFacts(id=1, name="bare", status=Standing.APPROVED, agency=HERE, starts=TODAY, authorisation=1)
    (answer,) = explain("http://example.org/", [bare], agency=HERE, today=TODAY).answers
    assert answer.checks[0].sentence == "it has no URL pattern"
    assert not answer.matches


def test_what_is_no_url_is_refused():
    """Asking about something that cannot be fetched is an error, not a silent no."""
    with pytest.raises(BadUrl):
        explain("mailto:curator@example.org", [permission()], agency=HERE, today=TODAY)
