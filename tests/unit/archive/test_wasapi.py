"""The list of WARC files for partners: what it holds, filters and pages."""

from datetime import UTC, datetime, timedelta

import pytest

from opilio.archive.packing.wasapi import WebData, query_of, webdata
from opilio.kernel.errors import InvalidInput

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
URL = "https://archive.example/wasapi/v1/webdata"


def file(number, **changes):
    given = {
        "filename": f"barns-{number:02d}.warc.gz",
        "size": 1_000 + number,
        "checksums": {"sha256": f"{number:064x}"},
        "locations": [f"https://archive.example/files/barns-{number:02d}.warc.gz"],
        "collection": "barns",
        "crawl": f"c{number // 5}",
        "crawl_time": BEGIN + timedelta(days=number),
        "crawl_start": BEGIN,
    }
    return WebData(**{**given, **changes})


FILES = [file(number) for number in range(10)]


def asked(*pairs, url=URL, files=FILES):
    return webdata(files, query_of(pairs), url)


def names(document):
    return [each["filename"] for each in document["files"]]


def test_a_file_is_told_with_all_that_is_needed_to_fetch_it():
    """What is not known is left out."""
    document = asked(files=[file(3, store_time=BEGIN)])
    assert document == {
        "count": 1, "next": None, "previous": None, "request-url": URL, "includes-extra": False,
        "files": [{
            "filename": "barns-03.warc.gz", "filetype": "warc", "size": 1_003,
            "checksums": {"sha256": f"{3:064x}"},
            "locations": ["https://archive.example/files/barns-03.warc.gz"],
            "collection": "barns", "crawl": "c0",
            "crawl-time": "2026-01-04T00:00:00Z", "crawl-start": "2026-01-01T00:00:00Z",
            "store-time": "2026-01-01T00:00:00Z",
        }],
    }  # fmt: skip
    assert "crawl-time" not in asked(files=[file(1, crawl_time=None)])["files"][0]


def test_pages_follow_each_other():
    """All filters stay in the addresses of the pages beside one."""
    url = f"{URL}?collection=barns&page_size=4&page=2"
    document = asked(("collection", "barns"), ("page_size", "4"), ("page", "2"), url=url)
    assert names(document) == [f"barns-{number:02d}.warc.gz" for number in (4, 5, 6, 7)]
    assert document["count"] == 10
    assert document["next"] == f"{URL}?collection=barns&page_size=4&page=3"
    assert document["previous"] == f"{URL}?collection=barns&page_size=4&page=1"
    last = asked(("page_size", "4"), ("page", "3"))
    assert (len(last["files"]), last["next"]) == (2, None)
    beyond = asked(("page", "9"))
    assert (beyond["files"], beyond["previous"], beyond["count"]) == ([], None, 10)


@pytest.mark.parametrize(
    ("pairs", "numbers"),
    [
        ([("filename", "barns-0[12]*")], (1, 2)),
        ([("filename", "barns-07.warc.gz")], (7,)),
        ([("crawl", "c1")], (5, 6, 7, 8, 9)),
        ([("collection", "owls")], ()),
        ([("collection", "owls"), ("collection", "barns"), ("crawl", "c1"), ("filename", "*9*")], (9,)),
        ([("crawl-time-after", "2026-01-09")], (8, 9)),
        ([("crawl-time-before", "2026-01-02T00:00:00Z")], (0,)),
        ([("crawl-time-after", "2026-01-03"), ("crawl-time-before", "2026-01-05T00:00:00+00:00")], (2, 3)),
        ([("crawl-start-after", "2026-02")], ()),
        ([("crawl-start-before", "2027")], tuple(range(10))),
    ],
)
def test_filters_narrow_the_list(pairs, numbers):
    """By name, collection, crawl and time; the first moment is included, the last is not."""
    assert names(asked(*pairs)) == [f"barns-{number:02d}.warc.gz" for number in numbers]


def test_a_file_without_a_time_is_in_no_span():
    """Nobody knows when it was made."""
    assert asked(("crawl-time-after", "1990"), files=[file(1, crawl_time=None)])["count"] == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("page", "0"), ("page", "-1"), ("page", "١"), ("page", "9" * 30), ("page_size", "2001"), ("page_size", "x"),
        ("crawl-time-after", "yesterday"), ("crawl-time-after", "2026-13-01"), ("crawl-start-before", ""),
        ("colour", "red"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_by_name(name, value):
    """The message names the parameter."""
    with pytest.raises(InvalidInput) as failed:
        query_of([(name, value)])
    assert name in str(failed.value)
