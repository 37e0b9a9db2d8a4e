"""Index files of other programs and of damaged disks: read where they can be, refused with their place where not."""

import contextlib
import gzip
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.archive.cdx.merging import Unsorted, check_sorted, merge_files, merged
from opilio.archive.cdx.opening import open_index
from opilio.archive.cdx.plain import CdxFile
from opilio.archive.cdx.summary import Style
from opilio.archive.cdx.zipnum import ZipnumIndex
from opilio.archive.cdx.zipping import write_zipnum
from opilio.archive.cdxj import cdx11, write_cdx11
from opilio.kernel.errors import Damaged, InvalidInput, Missing, OpilioError
from tests.unit.archive.cdx.lines import AT, EVERYTHING, row, some_rows, sorted_file, texts

SHA1 = "sha1:2EWZ7T2ZGPDTVDM6WAATZWL6DM4WLYGF"


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "200", "digest": SHA1, "length": "100", "offset": "5"},  # cdxj-indexer
        {"status": 200, "digest": SHA1, "length": 100, "offset": 5, "recordDigest": "sha256:00"},  # WACZ of browsers
        {"status": "200", "digest": SHA1[5:], "length": "100", "offset": "5", "languages": "eng"},  # Common Crawl
    ],
)
def test_lines_of_other_programs(tmp_path, fields):
    """Numbers or strings, digests with or without their label, fields that we do not know."""
    given_fields = {"url": "http://example.org/", "mime": "text/html", "filename": "w.warc.gz", **fields}
    (tmp_path / "x.cdxj").write_text(f"org,example)/ 20260101000000 {json.dumps(given_fields)}\n")
    (found,) = CdxFile(tmp_path / "x.cdxj").exact("http://example.org/")
    assert (found.status, found.digest.base32, found.length, found.offset, found.at) == (200, SHA1, 100, 5, AT)


def test_lines_that_tell_less(tmp_path):
    """A line without status, type and digest, or with a digest of a kind that is not known, is a line."""
    fields = {"url": "http://example.org/", "filename": "w.warc.gz", "offset": "5", "status": "-", "digest": "b3:xyz"}
    (tmp_path / "x.cdxj").write_text(f"org,example)/ 20260101000000 {json.dumps(fields)}\n")
    (found,) = CdxFile(tmp_path / "x.cdxj").exact("http://example.org/")
    assert (found.status, found.digest, found.mime, found.length) == (None, None, "unk", 0)


def test_columns_are_read_as_lines(tmp_path):
    """CDX with eleven columns, or nine without lengths, is searched like CDXJ."""
    rows = list(some_rows(300))
    write_cdx11(tmp_path / "x.cdx", rows)
    nine = sorted(b" ".join(cdx11(each).split(b" ")[:7] + cdx11(each).split(b" ")[9:]) for each in rows)
    (tmp_path / "9.cdx").write_bytes(b" CDX N b a m s k r V g\n" + b"".join(nine))
    for name, lengths in (("x.cdx", {100}), ("9.cdx", {0})):
        index = open_index(tmp_path / name)
        for url in {each.url for each in rows[:20]}:
            found, expected = list(index.exact(url)), [each for each in rows if each.url == url]
            assert {each.offset for each in expected} <= {each.offset for each in found}
            assert {each.length for each in found} == lengths
            assert all(each.digest == row(number=each.offset).digest for each in found)


@pytest.mark.parametrize("text", [b" CDX \n", b" CDX a b\n", b" CDX N b a m s k r V\n", b" CDX N b a V g"])
def test_legends_that_are_none(tmp_path, text):
    """A file of columns that nobody can name is refused."""
    (tmp_path / "x.cdx").write_bytes(text)
    with pytest.raises(Damaged, match="no legend"):
        list(CdxFile(tmp_path / "x.cdx").exact("http://example.org/"))


def test_a_line_with_other_columns_than_its_legend(tmp_path):
    """It is damage, with its place."""
    (tmp_path / "x.cdx").write_bytes(b" CDX N b a m s k r V g\norg,example)/ 20260101000000 x\n")
    with pytest.raises(Damaged, match="3 columns") as caught:
        list(CdxFile(tmp_path / "x.cdx").exact("http://example.org/"))
    assert caught.value.where.endswith("x.cdx at 23")


def test_damage_is_told_with_its_place(tmp_path):
    """A broken line names the file and the byte where it begins; lines before it are found."""
    lines = sorted_file(tmp_path / "x.cdxj", [row("http://example.org/", number) for number in range(3)])
    (tmp_path / "x.cdxj").write_bytes(lines[0] + b"org,example)/ 20260101000001 {broken\n" + lines[2])
    found = CdxFile(tmp_path / "x.cdxj").exact("http://example.org/")
    assert next(found).at == AT
    with pytest.raises(Damaged) as caught:
        next(found)
    assert caught.value.where == f"{tmp_path / 'x.cdxj'} at {len(lines[0])}"


def test_lines_without_end(tmp_path):
    """A line of more than a megabyte is damage, wherever the search meets it."""
    lines = sorted_file(tmp_path / "x.cdxj", some_rows(200))
    for place in (0, 100, 200):
        content = [*lines[:place], b"org,example)/zzz" + b"x" * 2_500_000 + b"\n", *lines[place:]]
        (tmp_path / "x.cdxj").write_bytes(b"".join(content))
        with pytest.raises(Damaged, match="too long"):
            list(CdxFile(tmp_path / "x.cdxj").lines(EVERYTHING))
        with pytest.raises(Damaged, match="too long"):
            list(CdxFile(tmp_path / "x.cdxj").lines(EVERYTHING, backward=True))


@settings(max_examples=40)
@given(st.binary(max_size=400), st.booleans())
def test_any_bytes_can_be_an_index(tmp_path_factory, content, backward):
    """Nonsense is answered or refused, never more."""
    path = tmp_path_factory.mktemp("any") / "x.cdxj"
    path.write_bytes(content)
    (path.parent / "x.idx").write_bytes(content)
    for index in (CdxFile(path), ZipnumIndex(path.parent / "x.idx")):
        with contextlib.suppress(OpilioError):
            list(index.lines(EVERYTHING, backward=backward))
        with contextlib.suppress(OpilioError):
            list(index.exact("http://example.org/"))
        with contextlib.suppress(OpilioError):
            index.cut(EVERYTHING, index.blocks(EVERYTHING) // 2)


def test_order_is_checked(tmp_path):
    """The first line that stands behind a greater one is named; a sorted file is counted."""
    lines = sorted_file(tmp_path / "x.cdxj", some_rows(200))
    assert check_sorted(CdxFile(tmp_path / "x.cdxj")) == len(lines)
    (tmp_path / "x.cdxj").write_bytes(b"".join([*lines[:50], lines[120], *lines[50:]]))
    with pytest.raises(Unsorted) as caught:
        check_sorted(CdxFile(tmp_path / "x.cdxj"))
    assert caught.value.where.endswith(f" at {sum(map(len, [*lines[:50], lines[120]]))}")


@settings(max_examples=25)
@given(st.lists(st.lists(st.integers(0, 30), max_size=8), min_size=1, max_size=7), st.integers(2, 4))
def test_merging_is_sorting(tmp_path_factory, parts, most):
    """Files become one, each line once, however many may be open at a time; nothing else is left in the folder."""
    folder = tmp_path_factory.mktemp("merge")
    lines = set()
    for number, part in enumerate(parts):
        lines |= set(sorted_file(folder / f"{number}.cdxj", [row(f"http://example.org/{each}") for each in part]))
    indexes = [CdxFile(folder / f"{number}.cdxj") for number in range(len(parts))]
    assert list(merged(indexes, folder=folder, most=most)) == sorted(lines)
    assert len(list(folder.iterdir())) == len(parts)


def test_merging_refuses_what_is_not_sorted(tmp_path):
    """No file appears."""
    lines = sorted_file(tmp_path / "a.cdxj", some_rows(20))
    (tmp_path / "b.cdxj").write_bytes(b"".join(lines[::-1]))
    with pytest.raises(Unsorted):
        merge_files(tmp_path / "out.cdxj", [CdxFile(tmp_path / "a.cdxj"), CdxFile(tmp_path / "b.cdxj")])
    assert merge_files(tmp_path / "out.cdxj", [CdxFile(tmp_path / "a.cdxj")] * 2) == len(lines)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.cdxj", "b.cdxj", "out.cdxj"]


def test_the_summary_is_that_of_pywb(tmp_path):
    """Key and time, shard, offset, length and number, between tabs; each block is a gzip file of its own."""
    lines = sorted_file(tmp_path / "x.cdxj", some_rows(100))
    done = write_zipnum(tmp_path / "i.idx", lines, block=30, shard=2_000)
    assert (done.lines, done.blocks, len(done.shards)) == (len(lines), -(-len(lines) // 30), 2)
    words = [line.split("\t") for line in (tmp_path / "i.idx").read_text().splitlines()]
    read = []
    for number, (begin, shard, offset, length, counted) in enumerate(words, 1):
        block = (tmp_path / shard).read_bytes()[int(offset) : int(offset) + int(length)]
        read += gzip.decompress(block).splitlines(keepends=True)
        assert (lines[30 * (number - 1)].decode().startswith(f"{begin} "), int(counted)) == (True, number)
    assert read == lines
    assert (tmp_path / "i.loc").read_text() == "i-00000.cdx.gz\ti-00000.cdx.gz\ni-00001.cdx.gz\ti-00001.cdx.gz\n"


def test_the_summary_is_that_of_wacz(tmp_path):
    """One shard, which the first line names."""
    lines = sorted_file(tmp_path / "x.cdxj", some_rows(40))
    write_zipnum(tmp_path / "index.idx", lines, block=30, style=Style.WACZ)
    first, second, *_ = (tmp_path / "index.idx").read_text().splitlines()
    assert json.loads(first.removeprefix("!meta 0 ")) == {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}
    begin, place = lines[0].decode().split(" {")[0], json.loads(second[second.index("{") :])
    assert second.startswith(f"{begin} ")
    assert place["offset"] == 0
    assert gzip.decompress((tmp_path / "index.cdx.gz").read_bytes()) == b"".join(lines)


def test_writing_again_leaves_nothing_old(tmp_path):
    """A smaller index replaces a larger one with all its shards; a failure leaves the old one."""
    lines = sorted_file(tmp_path / "x.cdxj", some_rows(300))
    write_zipnum(tmp_path / "i.idx", lines, block=10, shard=1_000)

    def broken():
        yield from lines[:50]
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_zipnum(tmp_path / "i.idx", broken(), block=10)
    assert texts(ZipnumIndex(tmp_path / "i.idx").lines(EVERYTHING)) == lines
    write_zipnum(tmp_path / "i.idx", lines[:5])
    assert texts(ZipnumIndex(tmp_path / "i.idx").lines(EVERYTHING)) == lines[:5]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["i-00000.cdx.gz", "i.idx", "i.loc", "x.cdxj"]
    write_zipnum(tmp_path / "i.idx", [])
    assert texts(ZipnumIndex(tmp_path / "i.idx").lines(EVERYTHING)) == []


def _flip(data):
    return data[:200] + bytes([data[200] ^ 255]) + data[201:]


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("i-00000.cdx.gz", _flip, "unpacked|end"),
        ("i-00000.cdx.gz", lambda data: data[:150], "end where"),
        ("i-00000.cdx.gz", lambda data: data[100:], "unpacked"),
        ("i.idx", lambda data: data.replace(b"\t0\t", b"\tx\t"), "no line of a summary"),
        ("i.idx", lambda data: data.replace(b" 2026", b" 2025", 1), "does not begin"),
        ("i.idx", lambda data: b"\t".join([*data.split(b"\t")[:3], b"999999999\t1\n"]), "too large"),
    ],
)
def test_damage_of_a_compressed_index(tmp_path, name, change, said):
    """Each kind is told with the file and the byte."""
    lines = sorted_file(tmp_path / "x.cdxj", some_rows(60))
    write_zipnum(tmp_path / "i.idx", lines, block=100)
    path = tmp_path / name
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(Damaged, match=said) as caught:
        list(ZipnumIndex(tmp_path / "i.idx").lines(EVERYTHING))
    assert " at 0" in caught.value.where


def test_shards_that_are_elsewhere(tmp_path):
    """The file of shards says where they lie; to a summary alone they lie beside it, whatever path it names."""
    lines = sorted_file(tmp_path / "x.cdxj", some_rows(20))
    write_zipnum(tmp_path / "i.idx", lines)
    (tmp_path / "far").mkdir()
    (tmp_path / "i-00000.cdx.gz").rename(tmp_path / "far" / "s.gz")
    with pytest.raises(Missing, match=r"i-00000\.cdx\.gz"):
        list(ZipnumIndex(tmp_path / "i.idx").lines(EVERYTHING))
    (tmp_path / "i.loc").write_text("i-00000.cdx.gz\thttps://example.org/s.gz\tgone.gz\tfar/s.gz\r\n")
    assert texts(ZipnumIndex(tmp_path / "i.idx").lines(EVERYTHING)) == lines
    (tmp_path / "i.loc").unlink()
    (tmp_path / "i.idx").write_bytes((tmp_path / "i.idx").read_bytes().replace(b"\ti-00000.cdx.gz", b"\tfar/s.gz"))
    with pytest.raises(Missing, match=r"far/s\.gz"):
        list(ZipnumIndex(tmp_path / "i.idx").lines(EVERYTHING))
    (tmp_path / "far" / "s.gz").rename(tmp_path / "s.gz")
    assert texts(ZipnumIndex(tmp_path / "i.idx").lines(EVERYTHING)) == lines


def test_names_of_indexes(tmp_path):
    """A folder stands for the indexes in it; where none are, the message says how to make one."""
    with pytest.raises(Missing, match="no index"):
        open_index(tmp_path)
    with pytest.raises(Missing):
        open_index(tmp_path / "none.cdxj")
    with pytest.raises(InvalidInput, match=r"\.idx"):
        write_zipnum(tmp_path / "x.gz", [])
    rows = list(some_rows(60))
    random.Random(1).shuffle(rows)
    first = sorted_file(tmp_path / "a.cdxj", rows[:40])
    second = sorted_file(tmp_path / "b.cdxj", rows[20:])
    write_zipnum(tmp_path / "c.idx", second, block=9)
    assert texts(open_index(tmp_path).lines(EVERYTHING)) == sorted({*first, *second})
