"""How the search pages read addresses and tell what they found."""

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from opilio.search.answer import Answer, Facet, Facets
from opilio.search.request import Sort
from opilio.web.find_charts import bars, time_line
from opilio.web.find_facets import chips, groups, without_filters
from opilio.web.find_parameters import LONGEST, Wanted, number, plain, read
from opilio.web.find_words import day, kind_label, language_label, moment, readable, size, web_address
from opilio.works.search_values import StoryCapture, WordCount


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://example.org/", "example.org"),
        ("http://example.org/caf%C3%A9/%E6%B8%AF", "example.org/café/港"),
        ("https://example.org/a%20b?x=%00", "example.org/a%20b?x=%00"),
        ("https://example.org/%FF%C3%A9", "example.org/%FF%C3%A9"),
        ("https://example.org/%E2%80%AEgpj.exe", "example.org/%E2%80%AEgpj.exe"),
        ("https://example.org/\u202egpj", "example.org/�gpj"),
        ("ftp://example.org/a", "ftp://example.org/a"),
        ("", ""),
    ],
)
def test_addresses_are_readable(url, shown):
    """Letters are decoded; blanks, controls and marks that turn the direction stay encoded."""
    assert readable(url) == shown


def test_long_addresses_are_cut_in_the_middle():
    """Host and end stay."""
    shown = readable(f"https://example.org/{'a' * 500}/end.html")
    assert shown.startswith("example.org/")
    assert shown.endswith("/end.html")
    assert len(shown) < 130


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "JAVASCRIPT:x", "data:text/html,x", "", "//x", "http://[", "\x00"]
)
def test_only_web_addresses_are_linked(url):
    """Nothing else becomes a link."""
    assert web_address(url) == ""


@given(st.text())
def test_any_text_can_be_shown(text):
    """Nothing that stands in an index breaks the page."""
    assert isinstance(readable(text), str)
    assert web_address(text) in ("", text)
    assert "\x00" not in plain(text)


@pytest.mark.parametrize(
    ("bytes_", "shown"),
    [
        (0, "0 bytes"), (999, "999 bytes"), (48_213, "48.2 kB"), (999_999, "1 MB"), (812_345_678, "812 MB"),
        (5 * 10**12, "5000 GB"),
    ],
)  # fmt: skip
def test_sizes(bytes_, shown):
    """Three figures are enough."""
    assert size(bytes_) == shown


@pytest.mark.parametrize("seconds", [0.0, -1.0, 1e300, float("inf"), float("nan")])
def test_times_that_are_none(seconds):
    """Unknown and impossible times are left out."""
    assert moment(seconds) is None
    assert day(seconds) == ""


def test_names_of_kinds_and_languages():
    """Known ones have names, others stay as they are."""
    assert (kind_label("pdf"), kind_label("strange")) == ("PDF", "strange")
    assert [language_label(code) for code in ("de", "en-GB", "und", "xx")] == [
        "German",
        "British English",
        "Unknown",
        "xx",
    ]


@pytest.mark.parametrize(
    ("text", "found"), [("7", 7), ("-7", 3), ("abc", 3), ("", 3), (None, 3), ("²", 3), ("9" * 5_000, 10**9), ("٣", 3)]
)
def test_numbers(text, found):
    """What is no number is the default; what is too large, the largest."""
    assert number(text, 3) == found


def test_an_address_says_the_same_when_written_again():
    """Reading what `link` wrote gives the same search."""
    wanted = Wanted(query='a "b c" é&=', offset=20, limit=25, sort=Sort.DATE, every=True, duplicates=True, working=True)
    assert read(QueryDict(wanted.link(offset=20))) == wanted
    assert read(QueryDict("")) == Wanted()
    assert wanted.link(query="x").endswith("in=working")
    assert "from" not in wanted.link(query="x")


def test_a_query_beyond_all_length():
    """It is cut, with a note."""
    found = read(QueryDict(f"q={'x' * (LONGEST + 5)}"))
    assert len(found.query) == LONGEST
    assert len(found.notes) == 1


def test_filters_are_taken_away_one_by_one():
    """Words and other filters stay; a year is one filter although it is written as two."""
    wanted = Wanted(query="")
    told = chips("a OR b site:x.org lang:de since:2024 until:2024", wanted)
    assert {f"{chip.name} {chip.label}": chip.link for chip in told} == {
        "Site x.org": "q=a+OR+b+lang%3Ade+since%3A2024+until%3A2024",
        "Language German": "q=a+OR+b+site%3Ax.org+since%3A2024+until%3A2024",
        "Date 2024": "q=a+OR+b+site%3Ax.org+lang%3Ade",
    }
    assert [chip.name for chip in chips("since:2023 until:2024-05", wanted)] == ["Since", "Until"]
    assert without_filters("boats site:x.org") == "boats"
    assert chips("", wanted) == []


def test_values_that_all_hits_have_are_not_offered():
    """The others narrow the canonical query."""
    facets = Facets(
        types=(Facet(value="html", count=9, query="type:html"), Facet(value="pdf", count=1, query="type:pdf"))
    )
    found = groups(Answer(query="a", permalink="", total=9, facets=facets), Wanted(query="a", offset=30))
    assert [(group.label, [choice.link for choice in group.first]) for group in found] == [("Type", ["q=a+type%3Apdf"])]


def test_bars_and_the_line_of_time():
    """The longest bar is whole; captures lie between the ends of the line."""
    assert [bar.width for bar in bars([WordCount(word="a", count=4), WordCount(word="b", count=1)])] == [
        "100.0",
        "25.0",
    ]
    assert bars([]) == []
    captures = [
        StoryCapture(crawl="c", result=1, at=at, outcome="fetched", status=200, digest="") for at in (3e9, 1e9, 2e9)
    ]
    line = time_line(captures)
    assert [point.place for point in line.points] == ["2.00", "50.00", "98.00"]
    assert time_line(captures[:1]) is None
