"""Traps, soft 404s, charsets, validators and ranges."""

import codecs
import re

import pytest

from tests.servers.caching import content, span
from tests.servers.charsets import SHARED, VARIANTS
from tests.servers.raw_client import ask


def links(server, target: str) -> list[str]:
    return re.findall(r'href="([^"]+)"', ask(server.port, target).body.decode())


def test_calendar_has_no_end(server):
    """Each month leads to the next, over the years, and to the days."""
    target = "/calendar"
    for _ in range(14):
        target = links(server, target)[1]
    assert target == "/calendar/2025/03"
    assert links(server, "/calendar/2024/01")[0] == "/calendar/2023/12"
    assert "/calendar/999998/12/28" in links(server, "/calendar/999998/12")


@pytest.mark.parametrize(("path", "mark"), [("/sid/", "?sid="), ("/jsessionid/", ";jsessionid=")])
def test_session_ids_are_fresh(server, path, mark):
    """Five pages, but never the same link twice; the text does not depend on the id."""
    first, second = links(server, path), links(server, path)
    assert not set(first) & set(second)
    pages = {target.partition(mark)[0] for target in first + second}
    assert pages == {f"{path}{number}" for number in range(5)}
    texts = {re.sub("[0-9a-f]{8}", "", ask(server.port, target).body.decode()) for target in (first[2], second[2])}
    assert len(texts) == 1


def test_deeper_trap_grows(server):
    """The relative link repeats the same folders for ever."""
    assert links(server, "/deeper/") == links(server, "/deeper/archive/index/") == ["archive/index/"]


def test_soft_404_answers_200(server):
    """Missing pages have status 200 and say that they are missing; existing ones do not."""
    missing, existing = ask(server.port, "/soft-404/oats"), ask(server.port, "/soft-404/rye")
    assert (missing.status, existing.status) == (200, 200)
    assert b"Page not found" in missing.body
    assert b"not found" not in existing.body
    assert "/soft-404/oats" in links(server, "/soft-404/")


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_charset_pages_hold_the_same_words(server, variant):
    """In its true charset, each page reads the shared sentence and its own words."""
    answer = ask(server.port, f"/charset/{variant.name}")
    assert answer.body.startswith(variant.bom)
    text = answer.body.removeprefix(variant.bom).decode(variant.encoding, "replace")
    assert text.count(SHARED) == 2
    assert variant.words in text
    charset = f"; charset={variant.header}" if variant.header else ""
    assert answer.header("Content-Type") == f"text/html{charset}"
    assert variant.meta in text


def test_charsets_differ_on_the_wire():
    """The declared charsets are those of the bytes, but where the name says otherwise."""
    by_name = {variant.name: variant for variant in VARIANTS}
    for name in ("utf-8", "latin-1", "windows-1252", "shift_jis", "gb18030"):
        variant = by_name[name]
        assert variant.words in variant.body.decode(codecs.lookup(variant.header).name.replace("shift_jis", "cp932"))
    with pytest.raises(UnicodeDecodeError):
        by_name["invalid-utf-8"].body.decode("utf-8")
    with pytest.raises(UnicodeDecodeError):
        by_name["undeclared-western"].body.decode("utf-8")
    assert by_name["header-lies"].words not in by_name["header-lies"].body.decode("latin-1")
    assert "charset" not in by_name["undeclared-utf-8"].text


def test_validators_give_304(server):
    """With the ETag or the date of the first answer the second has no body; with others it has."""
    first = ask(server.port, "/validated?version=3")
    tag, date = first.header("ETag"), first.header("Last-Modified")
    same = (
        {"If-None-Match": tag},
        {"If-None-Match": f'"x", W/{tag}'},
        {"If-None-Match": "*"},
        {"If-Modified-Since": date},
        {"If-None-Match": tag, "If-Modified-Since": "Sat, 01 Jan 2000 00:00:00 GMT"},
    )
    for headers in same:
        answer = ask(server.port, "/validated?version=3", headers=headers)
        assert (answer.status, answer.body, answer.header("ETag")) == (304, b"", tag)
        assert answer.header("Content-Length") is None
    other = (
        {"If-None-Match": '"x"'},
        {"If-None-Match": '"x"', "If-Modified-Since": date},
        {"If-Modified-Since": "Sat, 01 Jan 2000 00:00:00 GMT"},
        {"If-Modified-Since": "the day before"},
        {"If-Modified-Since": ""},
    )
    for headers in other:
        assert ask(server.port, "/validated?version=3", headers=headers).body == first.body
    assert ask(server.port, "/validated?version=4", headers={"If-None-Match": tag}).status == 200


def test_changing_page_changes(server, key):
    """Every second request sees a new version with a new tag and a later date."""
    answers = [ask(server.port, f"/changing?every=2&key={key}") for _ in range(4)]
    tags = [answer.header("ETag") for answer in answers]
    assert tags[0] == tags[1] != tags[2] == tags[3]


def test_lying_tag_stays(server, key):
    """The content changes, the tag does not."""
    first, second = (ask(server.port, f"/lying-etag?key={key}") for _ in range(2))
    assert first.header("ETag") == second.header("ETag")
    assert first.body != second.body


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("bytes=0-9", (0, 10)),
        ("bytes=10-", (10, 100)),
        ("bytes=-5", (95, 100)),
        ("bytes=-500", (0, 100)),
        ("bytes=90-500", (90, 100)),
        ("bytes=100-", (100, 100)),
        ("bytes=-0", (100, 100)),
        ("bytes=0-1,5-6", None),
        ("bytes=a-b", None),
        ("lines=0-9", None),
        ("", None),
    ],
)
def test_span_of_a_range(header, expected):
    """A single range is read and cut to the size; anything else means no range."""
    assert span(header, 100) == expected


def test_ranges_are_served(server):
    """A range gives 206 with its bytes, an impossible one 416, several the whole."""
    whole = content(1000)
    tag = ask(server.port, "/range").header("ETag")
    part = ask(server.port, "/range", headers={"Range": "bytes=10-19", "If-Range": tag})
    assert (part.status, part.body, part.header("Content-Range")) == (206, whole[10:20], "bytes 10-19/1000")
    for wanted in ("bytes=1000-", "bytes=20-10", "bytes=-0"):
        beyond = ask(server.port, "/range", headers={"Range": wanted})
        assert (beyond.status, beyond.header("Content-Range")) == (416, "bytes */1000")
    assert ask(server.port, "/range", headers={"Range": "bytes=0-1,4-5"}).body == whole
    assert ask(server.port, "/range", headers={"Range": "bytes=0-1", "If-Range": '"old"'}).body == whole
