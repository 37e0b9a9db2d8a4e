"""Lists of missing URLs: what may stand on them, how they are read, and that they stay bounded."""

import pytest

from opilio.curation import missing_finding
from opilio.curation.actions import missing_urls as actions
from opilio.curation.missing_urls import LONGEST, MOST_LINES, Wanted, key_of, read_missing, readable, web_url
from opilio.curation.models import MissingUrl, Result
from opilio.people.actor import system
from opilio.people.errors import InvalidFields
from opilio.people.models import AuditEntry
from tests.review_desk import ReviewDesk


@pytest.fixture
def row(town):
    return Result.objects.get(harvest=ReviewDesk(town).harvested())


@pytest.mark.parametrize(
    ("typed", "found"),
    [("owls.example", "http://owls.example/"), (" HTTP://Owls.Example/a#b ", "http://owls.example/a")],
)
def test_addresses_are_written_in_one_way(typed, found):
    """Without a scheme, http is meant."""
    assert web_url(typed) == found


@pytest.mark.parametrize(
    "typed", ["", " ", "ftp://a.example/", "mailto:a@b.example", "http://user:word@a.example/", "http://", "http://[",
              "http://a.example/" + "x" * LONGEST, "javascript:alert(1)"],
)  # fmt: skip
def test_what_is_no_address_of_the_web_is_refused(typed):
    """Such as hold a password, too."""
    with pytest.raises(InvalidFields):
        web_url(typed)


def test_a_plain_list():
    """Empty lines and remarks are left out, repetitions count once, bad lines are told."""
    found = read_missing("\ufeffhttp://a.example/\n\n# remark\nhttp://a.example\nnot an address\n")
    assert [one.url for one in found.urls] == ["http://a.example/"]
    assert [(one.line, one.text) for one in found.faults] == [(5, "not an address")]


def test_a_table():
    """By its heading, whatever the order of columns."""
    found = read_missing('url,why,page\r\n"http://a.example/?a=1,2",x,http://b.example/\r\nhttp://c.example/\r\n,,\r\n')
    assert found.urls == (
        Wanted(url="http://a.example/?a=1,2", page="http://b.example/"), Wanted(url="http://c.example/"),
    )  # fmt: skip


def test_a_list_that_is_too_long_is_refused():
    """Rather than cut off."""
    with pytest.raises(InvalidFields, match="lines"):
        read_missing("http://a.example/\n" * (MOST_LINES + 2))


def test_what_no_list_can_hold_is_left_out_of_what_was_found():
    """A look through a result finds odd things, too."""
    assert [one.url for one in readable([("http://a.example/", ""), ("http://u:p@a.example/", "")])] == [
        "http://a.example/"
    ]


def test_a_url_is_on_the_list_once(town, row):
    """Whoever noticed it; one entry of the audit log tells how many came."""
    first = actions.add_missing(town.system, result_id=row.pk, text="http://a.example/\nhttp://b.example/")
    again = actions.take_missing(
        town.system, result_id=row.pk, noticed="embed", urls=[Wanted(url="http://a.example/")]
    )  # fmt: skip
    assert (first.added, again.added, again.known) == (2, 0, 1)
    assert AuditEntry.objects.filter(action="missing_url.add").count() == 1


def test_replay_notes_no_more_than_its_bound(town, row, monkeypatch):
    """A page that asks for endless addresses fills nothing."""
    monkeypatch.setattr(actions, "_BY_ITSELF", 3)
    for start in range(0, 8, 2):
        urls = [Wanted(url=f"http://a.example/{number}") for number in (start, start + 1)]
        actions.note_missing(system(name="replay"), result_id=row.pk, urls=urls)
    assert MissingUrl.objects.count() == 3


def test_the_list_of_a_result_has_an_end(town, row, monkeypatch):
    """Further URLs are not taken."""
    monkeypatch.setattr(actions, "MOST_URLS", 2)
    text = "\n".join(f"http://a.example/{number}" for number in range(5))
    assert actions.add_missing(town.system, result_id=row.pk, text=text).added == 2


def test_an_unknown_look_is_refused(town, row):
    """By its name."""
    with pytest.raises(InvalidFields, match="none of"):
        missing_finding.find_missing(town.system, row, "stars")


def test_keys_do_not_depend_on_length():
    """A digest stands for the URL."""
    assert len(key_of("http://a.example/" + "x" * 7_000)) <= 80
