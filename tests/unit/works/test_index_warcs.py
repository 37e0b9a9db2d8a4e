"""`opilio archive index`: one sorted index of whatever is named, and what was left out of it."""

import json

import pytest

from opilio.archive.cdx.opening import open_index
from opilio.archive.cdx.plain import CdxFile
from opilio.archive.cdxj import cdxj, write_cdx11
from opilio.cli.main import main
from tests.unit.archive.cdx.lines import EVERYTHING, row, some_rows, sorted_file, texts
from tests.unit.archive.indexing.records import DESCRIPTION, arc_record, packed, warc_record


@pytest.fixture
def run(capsys):
    """Runs the command line in this process; the exit code, and the document or the error."""

    def call(*arguments):
        code = main([*map(str, ("archive", "index", *arguments)), "--json"])
        said = capsys.readouterr()
        return code, json.loads(said.out or said.err)

    return call


@pytest.fixture
def folder(tmp_path):
    """Three files of captures, one of them in a folder below."""
    place = tmp_path / "captures"
    (place / "more").mkdir(parents=True)
    urls = [b"http://example.org/%d" % number for number in range(9)]
    (place / "b.warc.gz").write_bytes(packed(*(warc_record(url=url) for url in urls[:4])))
    (place / "more" / "a.warc").write_bytes(b"".join(warc_record(url=url) for url in urls[4:7]))
    (place / "c.arc.gz").write_bytes(packed(DESCRIPTION, *map(arc_record, urls[7:])))
    (place / "notes.txt").write_text("nothing")
    return place


def test_a_folder(run, folder):
    """All files below it, in an index that lies in it."""
    code, told = run(folder)
    assert (code, told["indexes"][0]["lines"], told["indexes"][0]["files"], told["flaws"]) == (0, 9, 3, [])
    assert told["indexes"][0]["output"] == str(folder / "index.cdxj")
    lines = (folder / "index.cdxj").read_bytes().splitlines(keepends=True)
    assert (len(lines), lines) == (9, sorted(lines))
    files = [each.file for each in CdxFile(folder / "index.cdxj").prefix("org,example)/")]
    assert files == ["b.warc.gz"] * 4 + ["a.warc"] * 3 + ["c.arc.gz"] * 2


@pytest.mark.parametrize(("form", "ending"), [("cdxj", ".cdxj"), ("cdx11", ".cdx"), ("zipnum", ".idx")])
def test_forms(run, folder, tmp_path, form, ending):
    """The same captures are found in each."""
    code, told = run(folder, "--format", form, "--output", tmp_path / f"x{ending}")
    assert (code, told["format"], told["indexes"][0]["lines"]) == (0, form, 9)
    assert len(list(open_index(tmp_path / f"x{ending}").prefix("org,example)/"))) == 9


def test_milliseconds(run, folder, tmp_path):
    """Times have 17 digits on wish, and no other number of them."""
    code, _ = run(folder, "--digits", "17", "--output", tmp_path / "x.cdxj")
    assert code == 0
    assert (tmp_path / "x.cdxj").read_bytes().split(b" ")[1] == b"20260101000000000"
    code, told = run(folder, "--digits", "16", "--output", tmp_path / "y.cdxj")
    assert (code, "14 or 17" in told["error"]["message"]) == (2, True)


def test_indexes_are_merged(run, tmp_path):
    """Sorted or not, with columns or not; each line once, and fields of other programs stay."""
    rows = list(some_rows(90))
    sorted_file(tmp_path / "a.cdxj", rows[:50])
    (tmp_path / "b.cdxj").write_bytes(b"".join(map(cdxj, reversed(rows[30:70]))))
    foreign = (
        b'org,example)/zz 20260101000000 {"url": "http://example.org/zz", "filename": "w", "offset": 1, "x": "y"}\n'
    )
    (tmp_path / "c.cdxj").write_bytes(foreign)
    write_cdx11(tmp_path / "d.cdx", rows[60:])
    code, told = run(tmp_path / "a.cdxj", tmp_path / "c.cdxj", "--output", tmp_path / "sorted.cdxj")
    assert (code, told["indexes"][0]["lines"]) == (0, len({*map(cdxj, rows[:50])}) + 1)
    names = [tmp_path / name for name in ("a.cdxj", "b.cdxj", "c.cdxj", "d.cdx")]
    code, told = run(*names, "--output", tmp_path / "all.cdxj")
    expected = sorted({*map(cdxj, rows), foreign})
    assert (code, texts(CdxFile(tmp_path / "all.cdxj").lines(EVERYTHING))) == (0, expected)
    code, told = run(*names[:2], "--format", "cdx11", "--output", tmp_path / "all.cdx")
    assert (code, told["indexes"][0]["lines"]) == (0, len({*map(cdxj, rows[:70])}))


def test_what_is_broken_is_told(run, tmp_path):
    """The index has all the rest; the exit code is that of damage."""
    content = packed(warc_record(), warc_record(url=b"http://example.org/2"))
    (tmp_path / "x.warc.gz").write_bytes(content[:-9])
    (tmp_path / "y.warc.gz").write_bytes(b"nonsense")
    code, told = run(tmp_path, "--output", tmp_path / "x.cdxj")
    assert (code, told["indexes"][0]["lines"]) == (7, 1)
    assert {each["file"] for each in told["flaws"]} == {str(tmp_path / "x.warc.gz"), str(tmp_path / "y.warc.gz")}


def test_bad_orders(run, folder, tmp_path):
    """Nothing to read, nowhere to write, an index read and written at once: each with its remedy."""
    (tmp_path / "empty").mkdir()
    sorted_file(tmp_path / "a.cdxj", [row()])
    assert run(folder, "--format", "zipnum", "--output", tmp_path / "i.idx")[0] == 0
    for arguments, code in (
        ((tmp_path / "empty",), 4),
        ((tmp_path / "gone.warc.gz", "--output", tmp_path / "x.cdxj"), 4),
        ((tmp_path / "a.cdxj",), 2),
        ((folder, "--format", "zipnum", "--output", tmp_path / "x.cdxj"), 2),
        ((tmp_path / "i.idx", "--format", "zipnum", "--output", tmp_path / "i.idx"), 2),
    ):
        got, told = run(*arguments)
        assert (got, bool(told["error"]["remedy"])) == (code, True)
    assert len(list(open_index(tmp_path / "i.idx").prefix("org,example)/"))) == 9
