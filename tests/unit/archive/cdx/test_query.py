"""Questions to the CDX server: pywb's parameters, what they mean, and the sentences for those that mean nothing."""

import asyncio
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.archive.cdx.plain import CdxFile
from opilio.archive.cdx.query import parse_query
from opilio.archive.cdx.server import CdxServer
from opilio.archive.cdx.zipnum import ZipnumIndex
from opilio.archive.cdx.zipping import write_zipnum
from opilio.kernel.errors import InvalidInput
from tests.unit.archive.cdx.lines import row, some_rows, sorted_file

HOME = "http://example.org/"


@dataclass
class Got:
    """An answer."""

    status: int
    headers: dict
    body: bytes

    @property
    def lines(self):
        return self.body.splitlines(keepends=True)


def ask(index, access=None, method="GET", **parameters):
    """One request, without a network."""
    pairs = [(name.rstrip("_"), value) for name, value in parameters.items()]
    sent = []

    async def receive():
        await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": method, "query_string": urlencode(pairs, doseq=True).encode()}
    asyncio.run(CdxServer(index, access)(scope, receive, send))
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Got(sent[0]["status"], headers, b"".join(each["body"] for each in sent[1:]))


@pytest.fixture
def captures(tmp_path):
    """Ten captures of a page, a year apart, and a few of others."""
    rows = [row(HOME, number=year, at=datetime(2010 + year, 6, 1, tzinfo=UTC)) for year in range(10)]
    rows += [row(f"{HOME}a.php", 5, 20, mime="text/plain", status=404), row(f"{HOME}b", 6, 21, mime="image/png")]
    rows += [row("http://sub.example.org/", 7, 22), row("http://other.test/", 8, 23)]
    lines = sorted_file(tmp_path / "x.cdxj", rows)
    return CdxFile(tmp_path / "x.cdxj"), lines


def test_captures_of_a_url(captures):
    """All of them, as they stand in the index, with a type that says so."""
    index, lines = captures
    got = ask(index, url="example.org")
    assert (got.status, got.lines) == (200, lines[:10])
    assert got.headers["content-type"] == "text/x-cdxj; charset=utf-8"
    assert ask(index, url="http://example.org/none").body == b""


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ({"url": "example.org/*"}, 12),
        ({"url": HOME, "matchType": "prefix"}, 12),
        ({"url": f"{HOME}a", "matchType": "host"}, 12),
        ({"url": "*.example.org"}, 13),
        ({"url": HOME, "matchType": "domain"}, 13),
        ({"url": f"{HOME}a.php", "matchType": "range", "urlTo": "http://other.test/"}, 3),
        ({"url": HOME, "from_": "2012", "to": "2013"}, 2),
        ({"url": HOME, "from_": "20120601000000", "to": "20120601000000"}, 1),
        ({"url": HOME, "from_": "2012060100000000"[:14], "to": "201206"}, 1),
        ({"url": "example.org/*", "to": "2012"}, 3),
        ({"url": HOME, "limit": "4"}, 4),
        ({"url": "example.org/*", "filter": "mime:text"}, 11),
        ({"url": "example.org/*", "filter": "=mime:text"}, 0),
        ({"url": "example.org/*", "filter": "=mime:text/html"}, 10),
        ({"url": "example.org/*", "filter": "!=status:200"}, 1),
        ({"url": "example.org/*", "filter": "!mime:text"}, 1),
        ({"url": "example.org/*", "filter": r"~url:.*\.php$"}, 1),
        ({"url": "example.org/*", "filter": "~mime:html"}, 0),
        ({"url": "example.org/*", "filter": "!~mime:text/.*"}, 1),
        ({"url": "example.org/*", "filter": ["mime:text", "!=statuscode:404"]}, 10),
        ({"url": "example.org/*", "filter": "=nothing:"}, 12),
        ({"url": "example.org/*", "filter": "~.*image"}, 1),
        ({"url": "example.org/*", "resolveRevisits": "false"}, 12),
    ],
)  # fmt: skip
def test_what_is_asked_for_comes(captures, asked, count):
    """Matches, times, limits and filters as pywb documents them."""
    got = ask(captures[0], **asked)
    assert (got.status, len(got.lines)) == (200, count)


def test_orders(captures):
    """Backwards, or by the distance from a time; with a limit, the last or the nearest."""
    index, lines = captures
    assert ask(index, url=HOME, sort="reverse", limit="3").lines == lines[9:6:-1]
    assert ask(index, url="example.org/*", sort="reverse").lines == lines[11::-1]
    near = ask(index, url=HOME, sort="closest", closest="20140715", limit="3").lines
    assert near == [lines[4], lines[5], lines[3]]
    assert ask(index, url=HOME, closest="2010", limit="1").lines == [lines[0]]


def test_forms(captures):
    """JSON lines, columns, and chosen fields in each form."""
    index = captures[0]
    first = json.loads(ask(index, url=HOME, output="json").lines[0])
    assert (first["urlkey"], first["timestamp"], first["url"]) == ("org,example)/", "20100601000000", HOME)
    assert json.loads(ask(index, url=HOME, output="json", fl="urlkey,statuscode,nothing").lines[0]) == {
        "urlkey": "org,example)/", "status": "200",
    }  # fmt: skip
    text = ask(index, url=HOME, output="text", limit="1")
    words = text.body.decode().split(" ")
    assert words[:5] == ["org,example)/", "20100601000000", HOME, "text/html", "200"]
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    assert ask(index, url=HOME, output="text", fields="offset,nothing", limit="1").body == b"0 -\n"
    assert ask(index, url=HOME, fl="mime", limit="1").body == b'org,example)/ 20100601000000 {"mime": "text/html"}\n'


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ({}, "url"),
        ({"url": ""}, "url"),
        ({"url": HOME, "matchType": "alike"}, "matchType"),
        ({"url": HOME, "output": "link"}, "output"),
        ({"url": HOME, "sort": "up"}, "sort"),
        ({"url": HOME, "sort": "closest"}, "closest"),
        ({"url": HOME, "sort": "closest", "closest": "20261399"}, "closest"),
        ({"url": "example.org/*", "sort": "closest", "closest": "2026"}, "sort"),
        ({"url": HOME, "from_": "yesterday"}, "from"),
        ({"url": HOME, "to": "20"}, "to"),
        ({"url": HOME, "limit": "0"}, "limit"),
        ({"url": HOME, "limit": "-1"}, "limit"),
        ({"url": HOME, "limit": "٣"}, "limit"),
        ({"url": HOME, "page": "x"}, "page"),
        ({"url": HOME, "page": "7"}, "page"),
        ({"url": HOME, "pageSize": "0"}, "pageSize"),
        ({"url": HOME, "filter": "~url:("}, "filter"),
        ({"url": HOME, "filter": "x" * 2_000}, "filter"),
        ({"url": HOME, "filter": ["x"] * 21}, "filter"),
        ({"url": HOME, "resumeKey": "nonsense"}, "resumeKey"),
        ({"url": HOME, "sort": "reverse", "page": "0"}, "sort"),
        ({"url": HOME, "page": "0", "showResumeKey": "true"}, "page"),
        ({"url": HOME, "showPagedIndex": "true"}, "showPagedIndex"),
        ({"url": HOME, "x": ["y"] * 200}, "url"),
        ({"url": "x" * 70_000}, "url"),
    ],
)  # fmt: skip
def test_bad_questions_get_a_sentence(captures, asked, where):
    """Status 400, and JSON that names the parameter and what to do."""
    got = ask(captures[0], **asked)
    told = json.loads(got.body)
    assert (got.status, told["where"]) == (400, where)
    assert told["error"].endswith(".")
    assert told["remedy"]
    assert got.headers["content-type"] == "application/json"


@settings(max_examples=25)
@given(st.binary(max_size=200))
def test_any_question_is_answered_or_refused(text):
    """Nothing that stands in an address breaks the server."""
    try:
        parse_query(b"url=" + text)
    except InvalidInput as error:
        assert error.where  # noqa: PT017 - both ends are allowed


def test_other_methods(captures):
    """HEAD has no body; what would change something is refused."""
    got = ask(captures[0], method="HEAD", url=HOME)
    assert (got.status, got.body) == (200, b"")
    refused = ask(captures[0], method="DELETE", url=HOME)
    assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD")


@dataclass
class Decision:
    """What an access rule says."""

    allowed: bool


def test_closed_captures_are_not_told(captures):
    """They are left out of answers, of limits and of the count of pages."""
    index, lines = captures
    asked = []

    def access(url, at):
        asked.append((url, at))
        return Decision(at.year != 2012 and "sub." not in url)

    assert ask(index, access, url=HOME, limit="3").lines == [lines[0], lines[1], lines[3]]
    assert asked[0] == (HOME, datetime(2010, 6, 1, tzinfo=UTC))
    assert ask(index, access, url="sub.example.org").body == b""
    assert json.loads(ask(index, access, url="sub.example.org", showNumPages="true").body)["pages"] == 0
    assert json.loads(ask(index, url="sub.example.org", showNumPages="true").body)["pages"] == 1


@pytest.mark.parametrize("kind", ["plain", "zipnum"])
def test_pages_give_every_line_once(tmp_path, kind):
    """As many as the server says, one after the other, with or without domains that lie in several places."""
    lines = sorted_file(
        tmp_path / "x.cdxj", [*some_rows(900), *(row(f"http://example.org/{n:05d}") for n in range(900))]
    )
    index = CdxFile(tmp_path / "x.cdxj")
    if kind == "zipnum":
        write_zipnum(tmp_path / "i.idx", lines, block=40)
        index = ZipnumIndex(tmp_path / "i.idx")
    for size in ("1", "3"):
        counted = json.loads(ask(index, url="*.example.org", pageSize=size, showNumPages="true").body)
        assert counted["pageSize"] == int(size)
        pages = [ask(index, url="*.example.org", pageSize=size, page=str(n)).lines for n in range(counted["pages"])]
        assert counted["pages"] > 1
        assert [line for page in pages for line in page] == ask(index, url="*.example.org").lines


def test_an_answer_can_be_resumed(captures, tmp_path):
    """With the key that stands behind an answer which a limit ended, also among lines of one URL and time."""
    rows = [row(HOME, 0, number) for number in range(7)] + [row(f"{HOME}z", 1, 9)]
    lines = sorted_file(tmp_path / "same.cdxj", rows)
    index = CdxFile(tmp_path / "same.cdxj")
    got, key = [], ""
    while True:
        part = ask(index, url="example.org/*", limit="3", showResumeKey="true", resumeKey=key).lines
        got += part[:3]
        if len(part) < 5:
            break
        assert part[3] == b"\n"
        key = part[4].decode().strip()
    assert got == lines
    told = ask(index, url="example.org/*", limit="2", showResumeKey="true", output="json").lines[-1]
    assert json.loads(told) == {"resumeKey": "org,example)/ 20260101000000 2"}


def test_damage_is_told_with_its_place(captures, tmp_path):
    """Status 500, the name of the file and the byte, and no folder of the server."""
    (tmp_path / "bad.cdxj").write_bytes(b"org,example)/ 20260101000000 nonsense\n")
    got = ask(CdxFile(tmp_path / "bad.cdxj"), url=HOME)
    told = json.loads(got.body)
    assert (got.status, told["where"]) == (500, "bad.cdxj at 0")
    assert str(tmp_path) not in got.body.decode()
    assert ask(CdxFile(tmp_path / "gone.cdxj"), url=HOME).status == 404
