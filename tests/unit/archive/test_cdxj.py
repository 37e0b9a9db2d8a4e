"""The index of captures: its lines, its order, and how they are found again."""

import json
import os
import random
import re
import subprocess
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.archive.cdx import rows as rows_module
from opilio.archive.cdxj import CdxFile, CdxRow, cdx11, cdxj, parse_line, stamp, unstamp, write_cdx11, write_cdxj
from opilio.archive.sorting import sorted_lines
from opilio.kernel.digests import Algorithm, digest_of
from opilio.kernel.errors import Damaged, InvalidInput
from opilio.kernel.surt import surt

AT = datetime(2026, 1, 31, 23, 59, 58, 765_432, tzinfo=UTC)


def row(url="http://www.example.com/a?b=1", **changes):
    given = {
        "at": AT, "mime": "text/html; charset=utf-8", "status": 200, "digest": digest_of(b"x", Algorithm.SHA1),
        "file": "opilio-1.warc.gz", "offset": 358, "length": 7270,
    }  # fmt: skip
    return CdxRow(url=url, **{**given, **changes})


def cdxj_text(time, url=b"http://e.com/"):
    """A line of the usual form."""
    rest = b'"mime": "text/html", "status": "200", "length": "1", "offset": "0", "filename": "a.warc.gz"}'
    return b"com,e)/ " + time + b' {"url": "' + url + b'", ' + rest


def test_a_line_has_key_time_and_fields():
    """Readers of CDXJ find what they know, as strings."""
    key, time, text = cdxj(row()).decode().split(" ", 2)
    assert (key, time) == ("com,example)/a?b=1", "20260131235958")
    assert json.loads(text) == {
        "url": "http://www.example.com/a?b=1", "mime": "text/html", "status": "200",
        "digest": digest_of(b"x", Algorithm.SHA1).base32, "length": "7270", "offset": "358",
        "filename": "opilio-1.warc.gz",
    }  # fmt: skip
    assert cdxj(row(), digits=17).split(b" ")[1] == b"20260131235958765"


def test_revisits_are_marked():
    """A line without a body says so, and where the body is."""
    fields = json.loads(cdxj(row(revisit=True, original_url="http://e.com/", original_at=AT)).split(b" ", 2)[2])
    assert (fields["mime"], fields["original_url"]) == ("warc/revisit", "http://e.com/")
    assert fields["original_time"] == "20260131235958765"


def test_the_older_form_has_eleven_columns():
    """Blanks cannot add a column, and what is unknown is a hyphen."""
    line = cdx11(row(mime="", status=None, digest=None, file="a b.warc.gz")).decode()
    assert line == (
        "com,example)/a?b=1 20260131235958 http://www.example.com/a?b=1 unk - - - - 7270 358 a%20b.warc.gz\n"
    )
    assert cdx11(row()).split(b" ")[5] == digest_of(b"x", Algorithm.SHA1).base32.removeprefix("sha1:").encode()


def test_lines_come_back_as_rows():
    """Nothing of a row is lost but the parameters of its type and the microseconds."""
    given = row(revisit=True, original_url="http://e.com/ü", original_at=AT.replace(microsecond=765_000))
    found = parse_line(cdxj(given, digits=17))
    assert found == row(
        at=AT.replace(microsecond=765_000), mime="warc/revisit", revisit=True, original_url="http://e.com/ü",
        original_at=AT.replace(microsecond=765_000),
    )  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [
        {}, {"status": None}, {"digest": None}, {"status": None, "digest": None}, {"mime": "-"}, {"mime": ""},
        {"url": "http://e.com/\\ü\"a"}, {"url": "dns:e.com"}, {"file": "a b\"c.warc.gz"}, {"revisit": True},
        {"digest": digest_of(b"x", Algorithm.SHA256)}, {"digest": digest_of(b"x", Algorithm.MD5)}, {"length": 0},
        {"original_url": "http://e.com/"},
    ],
)  # fmt: skip
@pytest.mark.parametrize("digits", [14, 17])
def test_lines_as_we_write_them_need_no_json_reader(monkeypatch, changes, digits):
    """What is read the short way is what is read the long way; line ends of either kind or none may follow."""
    for end in (b"", b"\n", b"\r\n"):
        line = cdxj(row(**changes), digits=digits).removesuffix(b"\n") + end
        short = parse_line(line)
        with monkeypatch.context() as patch:
            patch.setattr(rows_module, "_USUAL", re.compile("never"))
            assert parse_line(line) == short
    monkeypatch.setattr(rows_module, "take_apart", lambda line: pytest.fail("the long way was taken"))
    assert parse_line(cdxj(row())).url == row().url


@pytest.mark.parametrize(
    "line",
    [
        b"", b"x", b"a b c", b"com,e)/ 20260101000000 {}", b"com,e)/ 2026 {\"url\":1}", b"\xff \xff \xff",
        b"com,e)/ 20261301000000 {\"url\":\"\",\"filename\":\"\",\"offset\":0,\"length\":0}",
        b"com,e)/ 20260101000000 " + b"[" * 100_000,
        cdxj_text(b"20261301000000"), cdxj_text(b"2026010100000"), cdxj_text(b"20260101000000", url=b"a\nb"),
    ],
    ids=range(11),
)  # fmt: skip
def test_lines_that_are_none(line):
    """They are damage, and the remedy is to make the index again."""
    with pytest.raises(Damaged, match="no line of CDXJ"):
        parse_line(line)


def rows(count, seed=1):
    dice = random.Random(seed)
    for number in range(count):
        path = "/".join(dice.choices(["a", "b", "-", "~", "%C3%BC", "Z"], k=dice.randrange(4)))
        host = dice.choice(["example.com", "www.example.com", "a.example.org", "127.0.0.1:8080"])
        yield row(f"http://{host}/{path}", at=AT + timedelta(seconds=dice.randrange(1000)), offset=number)


def test_the_order_is_that_of_sort(tmp_path):
    """Byte order, whatever fits into memory; nothing is left beside the file."""
    for memory in (1, 2_000, 1 << 20):
        path = tmp_path / f"{memory}.cdxj"
        assert write_cdxj(path, rows(300), memory=memory) == 300
        content = path.read_bytes()
        done = subprocess.run(
            ["sort"], input=content, capture_output=True, check=True, env={**os.environ, "LC_ALL": "C"}
        )
        assert content == done.stdout
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1
    assert len(list(tmp_path.iterdir())) == 3


def test_the_older_form_begins_with_its_legend(tmp_path):
    """The legend stays first in byte order."""
    path = tmp_path / "x.cdx"
    write_cdx11(path, rows(20))
    lines = path.read_bytes().splitlines()
    assert lines[0] == b" CDX N b a m s k r M S V g"
    assert sorted(lines) == lines


def test_a_failure_leaves_the_old_file(tmp_path):
    """An index appears whole or not at all."""
    path = tmp_path / "x.cdxj"
    write_cdxj(path, rows(5))
    before = path.read_bytes()

    def broken():
        yield from rows(50)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_cdxj(path, broken(), memory=1_000)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("count", [0, 1, 2, 50, 700])
def test_urls_are_found_again(tmp_path, count):
    """Every URL gives exactly its captures, oldest first; a URL that was not captured gives none."""
    path = tmp_path / "x.cdxj"
    given = list(rows(count))
    write_cdxj(path, given)
    index = CdxFile(path)
    expected: dict[str, list[int]] = {}
    for one in given:
        expected.setdefault(surt(one.url), []).append(one.offset)
    for url in {one.url for one in given}:
        found = list(index.exact(url))
        assert sorted(one.offset for one in found) == sorted(expected[surt(url)])
        assert [one.at for one in found] == sorted(one.at for one in found)
    for url in ("http://example.com/none", "http://aaa.aaa/", "http://zzz.zzz/"):
        assert list(index.exact(url)) == []


def test_prefixes_find_folders_and_hosts(tmp_path):
    """A prefix of the key gives all lines that begin with it."""
    path = tmp_path / "x.cdxj"
    given = list(rows(300))
    write_cdxj(path, given)
    for key in ("com,example)/", "com,example)/a/", "org,", "", "zz"):
        found = [one.offset for one in CdxFile(path).prefix(key)]
        assert sorted(found) == sorted(one.offset for one in given if surt(one.url).startswith(key))


def test_a_broken_index_is_told(tmp_path):
    """Lines that are none, and lines without end, are damage."""
    path = tmp_path / "x.cdxj"
    path.write_bytes(b"com,example)/ 20260101000000 nonsense\n")
    with pytest.raises(Damaged):
        list(CdxFile(path).exact("http://example.com/"))
    path.write_bytes(b"com,example)/ " + b"x" * 2_000_000)
    with pytest.raises(Damaged, match="too long"):
        list(CdxFile(path).exact("http://example.com/"))


@given(st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)), st.sampled_from([14, 17]))  # noqa: DTZ001 - hypothesis wants naive bounds
def test_times_come_back(at, digits):
    """To the second, or to the millisecond."""
    aware = at.replace(tzinfo=UTC)
    step = 1_000_000 if digits == 14 else 1_000
    assert unstamp(stamp(aware, digits)) == aware.replace(microsecond=at.microsecond // step * step)


@pytest.mark.parametrize("text", ["", "2026", "2026013123595x", "20261331000000", "٢٠٢٦٠١٠١٠٠٠٠٠٠"])
def test_times_that_are_none(text):
    """They are refused."""
    with pytest.raises(InvalidInput):
        unstamp(text)
    with pytest.raises(InvalidInput):
        stamp(AT, 8)


@given(st.lists(st.binary(max_size=5).map(lambda line: line.replace(b"\n", b"") + b"\n"), max_size=60))
def test_sorting_on_the_disk_is_sorting(tmp_path_factory, lines):
    """Runs and merges give what sorting in memory gives."""
    folder = tmp_path_factory.mktemp("sort")
    assert list(sorted_lines(lines, folder=folder, memory=150)) == sorted(lines)


def test_many_runs_are_merged_in_rounds(tmp_path):
    """More runs than files may be open at a time."""
    lines = [b"%05d\n" % number for number in range(500)]
    shuffled = random.Random(1).sample(lines, len(lines))
    assert list(sorted_lines(shuffled, folder=tmp_path, memory=1)) == lines
    assert list(tmp_path.iterdir()) == []
