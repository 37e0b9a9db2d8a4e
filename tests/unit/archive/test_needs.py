"""Which captures need the body of another, and bodies that are kept once."""

import io
from dataclasses import replace
from datetime import timedelta

import pytest

from opilio.archive.cdxj import parse_line, write_cdxj
from opilio.archive.dedup.kept import KeptBodies
from opilio.archive.dedup.needs import lines_of_needs, needs_of, original_of, read_needs, write_needs
from opilio.archive.dedup.originals import OriginalsFile
from opilio.archive.dedup.rewriting import Rewriting
from opilio.archive.warc.compression import Compression
from opilio.archive.warc.fast import ArchiveIterator
from opilio.kernel.capture import Original
from opilio.kernel.errors import Damaged, Missing
from tests.unit.archive.parcels import indexed, page, small_crawl
from tests.unit.archive.warcs import START, assert_valid

LONG = b"<title>long</title>" + b"straw " * 400


def crawls(tmp_path):
    """Two crawls: the second refers to the first, to itself, and to nowhere."""
    small_crawl(tmp_path / "first", (page("a", body=LONG), page("b")))
    own = Original(url="http://example.com/c", captured=START + timedelta(seconds=100))
    first = Original(url="http://example.com/a", captured=START)
    lost = Original(url="http://example.com/gone", captured=START)
    pages = (
        page("c", later=100),
        page("d", body=page("c").body, original=own, later=100),
        page("a", body=LONG, original=first, later=100),
        page("e", original=lost, later=100),
    )
    small_crawl(tmp_path / "second", pages)
    return indexed(tmp_path / "second"), indexed(tmp_path / "first")


def test_originals_are_found_at_home_elsewhere_or_nowhere(tmp_path):
    """At home first; what nobody has is told as missing."""
    second, first = crawls(tmp_path)
    found = {need.revisit.url: need for need in needs_of(second, [first])}
    assert found["http://example.com/d"].crawl is second
    assert found["http://example.com/a"].crawl is first
    assert found["http://example.com/a"].original.url == "http://example.com/a"
    assert found["http://example.com/e"].original is None
    assert len(found) == 3


def test_a_capture_whose_file_is_gone_is_no_original(tmp_path):
    """Nor one of the same time with another digest."""
    second, first = crawls(tmp_path)
    need = next(need for need in needs_of(second, [first]) if need.revisit.url.endswith("/a"))
    other = replace(need.revisit, digest=parse_line(first.index.read_bytes().splitlines()[1]).digest)
    assert original_of(other, first) is None
    next(first.warcs.iterdir()).unlink()
    assert original_of(need.revisit, first) is None


def test_a_revisit_that_names_nothing_goes_by_its_digest(tmp_path):
    """As WARC 1.0 wrote them: the same URL, no later, the same digest."""
    second, first = crawls(tmp_path)
    need = next(need for need in needs_of(second, [first]) if need.revisit.url.endswith("/a"))
    bare = replace(need.revisit, original_url="", original_at=None)
    assert original_of(bare, first) == need.original
    assert original_of(replace(bare, at=START - timedelta(days=1)), first) is None


def test_the_list_of_needs_is_kept_and_read_again(tmp_path):
    """One line for each capture: what it is, and where its body lies."""
    second, first = crawls(tmp_path)
    path = tmp_path / "needs.jsonl"
    write_needs(path, lines_of_needs(needs_of(second, [first]), result=1, made=START, own=second))
    told = {each["url"].rpartition("/")[2]: each["original"] for each in read_needs(path)}
    assert told["a"]["crawl"] == str(tmp_path / "first")
    assert "crawl" not in told["d"]
    assert told["e"] == {"url": "http://example.com/gone", "at": "20260101120000", "missing": True}
    path.write_bytes(b'{"format": 9}\n')
    with pytest.raises(Damaged, match="cannot be read"):
        list(read_needs(path))


def test_originals_are_copied_record_by_record(tmp_path):
    """With the warcinfo of their file; other programs find nothing wrong, and the bytes are the same."""
    second, first = crawls(tmp_path)
    need = next(need for need in needs_of(second, [first]) if need.revisit.url.endswith("/a"))
    stream = io.BytesIO()
    file = OriginalsFile(stream, "o.warc.gz", at=START, description="originals", packing=Compression())
    row = file.add(need.original, first)
    copied = stream.getvalue()[row.offset : row.offset + row.length]
    source = next(first.warcs.iterdir()).read_bytes()
    assert copied == source[need.original.offset : need.original.offset + need.original.length]
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / "o.warc.gz").write_bytes(stream.getvalue())
    assert_valid(tmp_path / "o")
    kinds = [record.headers["WARC-Type"] for record in ArchiveIterator(io.BytesIO(stream.getvalue()))]
    assert kinds == ["warcinfo", "warcinfo", "response"]
    with pytest.raises(Missing, match="not there"):
        file.add(replace(need.original, file="nowhere.warc.gz"), first)
    with pytest.raises(Damaged, match="no record begins"):
        file.add(replace(need.original, offset=need.original.offset + 3), first)


def rewritten(tmp_path, folder, others, *, least=1_024):
    """The WARC file of a small crawl, written anew."""
    (path,) = (tmp_path / folder / "warcs").iterdir()
    stream = io.BytesIO()
    with KeptBodies(tmp_path / "kept.db") as kept:
        for number, other in enumerate(others):
            kept.expect(map(parse_line, other.index.read_bytes().splitlines(keepends=True)), number)
        moved = list(Rewriting(kept, others, least=least).rewrite(path, stream, lambda at: None))
    (tmp_path / "kept.db").unlink()
    (tmp_path / "new").mkdir(exist_ok=True)
    (tmp_path / "new" / path.name).write_bytes(stream.getvalue())
    return moved, tmp_path / "new"


def test_a_body_that_is_kept_twice_becomes_a_revisit(tmp_path):
    """It says where the body is, by URL, time and id; requests and ids stay as they were."""
    small_crawl(tmp_path / "crawl", (page("a", body=LONG), page("b"), page("copy", body=LONG)))
    moved, folder = rewritten(tmp_path, "crawl", [])
    assert [bool(each.original) for each in moved].count(True) == 1
    (path,) = assert_valid(folder)
    with path.open("rb") as stream:
        records = [dict(record.headers) for record in ArchiveIterator(stream, parse_http=False)]
    before = {each["WARC-Record-ID"] for each in records if each["WARC-Type"] == "response"}
    (revisit,) = [each for each in records if each["WARC-Type"] == "revisit"]
    assert revisit["WARC-Refers-To-Target-URI"] == "http://example.com/a"
    assert revisit["WARC-Refers-To-Date"] == "2026-01-01T12:00:00.123456Z"
    assert revisit["WARC-Refers-To"] in before
    assert revisit["WARC-Target-URI"] == "http://example.com/copy"
    requests = [each["WARC-Concurrent-To"] for each in records if each["WARC-Type"] == "request"]
    assert revisit["WARC-Record-ID"] in requests
    sizes = [each.length for each in moved]
    assert sum(sizes) == path.stat().st_size


def test_small_bodies_are_kept_each_time(tmp_path):
    """A revisit would be as long."""
    small_crawl(tmp_path / "crawl", (page("a"), page("b", body=page("a").body)))
    moved, _ = rewritten(tmp_path, "crawl", [])
    assert not any(each.original for each in moved)


def test_bodies_of_an_earlier_crawl_are_not_kept_again(tmp_path):
    """The record there is read first: an index alone is not believed."""
    small_crawl(tmp_path / "first", (page("a", body=LONG),))
    small_crawl(tmp_path / "second", (page("new", body=LONG, later=100),))
    moved, _ = rewritten(tmp_path, "second", [indexed(tmp_path / "first")])
    assert [each.original.url for each in moved if each.original] == ["http://example.com/a"]
    lying = indexed(tmp_path / "first")
    rows = map(parse_line, lying.index.read_bytes().splitlines(keepends=True))
    small_crawl(tmp_path / "other", (page("a", body=LONG + b"!"),))
    (theirs,) = (tmp_path / "other/warcs").iterdir()
    (ours,) = lying.warcs.iterdir()
    ours.write_bytes(theirs.read_bytes())
    write_cdxj(lying.index, list(rows))
    moved, _ = rewritten(tmp_path, "second", [lying])
    assert not any(each.original for each in moved)


def test_nothing_is_removed_from_a_damaged_file(tmp_path):
    """The message says what is wrong and where."""
    small_crawl(tmp_path / "crawl", (page("a", body=LONG), page("b", body=LONG)))
    (path,) = (tmp_path / "crawl/warcs").iterdir()
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(Damaged, match="nothing is removed from a damaged file"):
        rewritten(tmp_path, "crawl", [])
