"""What lies beside the records: indexes, manifests, further files, files that are still written."""

from dataclasses import replace

import pytest

from opilio.archive.cdxj import CdxRow, write_cdxj
from opilio.archive.results.manifest import sha256_of, write_manifest
from opilio.archive.verify import findings as all_findings
from opilio.archive.verify.faults import Severity
from opilio.archive.verify.findings import Findings
from opilio.archive.verify.places import places
from opilio.archive.verify.values import warc_time
from opilio.archive.verify.verifying import verify
from opilio.kernel.digests import parse_digest
from opilio.kernel.errors import InvalidInput, Missing
from tests.unit.archive.verify.archives import BODY, DATE, URL, archive, good, record_id, sha1
from tests.unit.archive.verify.planted import CHUNKED, RESPONSE, REVISIT


@pytest.fixture
def crawl(tmp_path):
    """A crawl's folder with a file and its index."""
    (tmp_path / "warcs").mkdir()
    made = archive(good())
    made.write(tmp_path / "warcs")
    write_cdxj(tmp_path / "index.cdxj", rows(made))
    return tmp_path


def rows(made, **changes):
    """Of each capture a row, with changes in that of the first response."""
    found = {
        number: {
            "url": URL if number != CHUNKED else "http://example.com/chunks", "at": warc_time(DATE),
            "mime": "text/html", "status": 200, "digest": parse_digest(sha1(BODY)) if number != CHUNKED else None,
            "file": "owls.warc.gz", "offset": made.offset(number), "length": len(made.pieces[number]),
            "revisit": number == REVISIT,
        }
        for number in (RESPONSE, REVISIT, CHUNKED)
    }  # fmt: skip
    found[RESPONSE] |= changes
    return [CdxRow(**fields) for fields in found.values()]


def codes(found):
    return [(one.code.value, one.offset) for one in found.faults]


def test_an_index_that_agrees_is_fine(crawl):
    """Its lines are counted."""
    found = verify(places([crawl]))
    assert codes(found) == []
    assert (found.lines, found.files) == (3, 1)


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("index-offset", {"offset": 7}),
        ("index-length", {"length": 7}),
        ("index-url", {"url": "http://example.com/owls/other"}),
        ("index-time", {"at": warc_time("2026-01-01T12:00:01Z")}),
        ("index-digest", {"digest": parse_digest(sha1(b"screech"))}),
        ("index-file", {"file": "gone.warc.gz"}),
    ],
)
def test_a_line_that_lies_is_found(crawl, code, changes):
    """The fault names the byte of the index where the line begins."""
    write_cdxj(crawl / "index.cdxj", rows(archive(good()), **changes))
    lines = (crawl / "index.cdxj").read_bytes().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if b"warc/revisit" not in line and b"chunks" not in line)
    found = [one for one in verify(places([crawl])).faults if one.code.value == code]
    assert [(one.file, one.offset) for one in found] == [(str(crawl / "index.cdxj"), sum(map(len, lines[:at])))]


def test_lines_out_of_order_or_unreadable_are_found(crawl):
    """Both at the byte where the line begins."""
    path = crawl / "index.cdxj"
    first, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*rest, first, b"zz owls\n"]))
    size = sum(map(len, rest))
    assert codes(verify(places([crawl]))) == [("index-order", size), ("index-line", size + len(first))]


def test_captures_without_a_line_are_counted_per_file(crawl):
    """One warning, at the first of them."""
    (crawl / "index.cdxj").write_bytes(b"")
    found = verify(places([crawl]))
    assert codes(found) == [("index-incomplete", archive(good()).offset(RESPONSE))]
    assert found.faults[0].sentence.startswith("3 captures")
    assert found.whole


def test_a_sealed_file_that_changed_or_is_gone_is_found(crawl):
    """The manifest of each result is checked, and WARC files that none names are told."""
    results = crawl / "results"
    results.mkdir()
    name = "warcs/owls.warc.gz"
    write_manifest(results / "result-1.sha256", {name: sha256_of(crawl / name)})
    assert codes(verify(places([crawl]))) == []
    (results / "result-1.sha256").unlink()
    write_manifest(results / "result-1.sha256", {name: "0" * 64, "warcs/gone.warc.gz": "0" * 64})
    (crawl / "warcs" / "new.warc.gz").write_bytes(archive(good()[:1]).bytes())
    found = {code for code, _ in codes(verify(places([crawl])))}
    assert found == {"manifest-changed", "manifest-missing", "manifest-unlisted", "id-repeated"}
    (results / "result-1.sha256").chmod(0o644)
    (results / "result-1.sha256").write_bytes(b"owls")
    assert "manifest-unreadable" in {code for code, _ in codes(verify(places([crawl])))}


def test_an_original_may_lie_in_further_files(tmp_path):
    """Without them the revisit is an error; with them it is none."""
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    old = archive(good()[:2]).write(tmp_path / "old")
    lone = [good()[0].set(warc_record_id=record_id(50)), good()[REVISIT].set(warc_warcinfo_id=record_id(50))]
    path = archive(lone).write(tmp_path / "new")
    assert [code for code, _ in codes(verify(places([path])))] == ["revisit-unresolved"]
    assert codes(verify(places([path]), against=[old])) == []
    assert codes(verify(places([old, path]))) == []


def test_a_file_that_is_still_written_is_told(tmp_path):
    """Its name says so; what it holds is checked all the same."""
    path = tmp_path / "owls.warc.gz.open"
    path.write_bytes(archive(good()).bytes()[:-5])
    assert {code for code, _ in codes(verify(places([path])))} == {"file-open", "member-truncated"}


def test_a_file_that_cannot_be_read_is_a_fault(tmp_path):
    """The others are read nevertheless."""
    good_file = archive(good()).write(tmp_path)
    given = places([good_file])
    folder = tmp_path / "folder.warc"
    folder.mkdir()
    found = verify(replace(given, records=(folder, good_file)))
    assert [code for code, _ in codes(found)] == ["file-unreadable"]
    assert found.files == 2


def test_digests_can_be_left_out(tmp_path):
    """Then a wrong one passes."""
    records = good()
    records[RESPONSE] = records[RESPONSE].set(warc_block_digest=sha1(b"screech"))
    path = archive(records).write(tmp_path)
    assert [code for code, _ in codes(verify(places([path])))] == ["block-digest"]
    assert codes(verify(places([path]), digests=False)) == []


def test_what_is_not_there_or_holds_nothing_is_refused(tmp_path):
    """With the path in the message."""
    with pytest.raises(Missing) as missing:
        places([tmp_path / "gone"])
    assert missing.value.where == str(tmp_path / "gone")
    with pytest.raises(InvalidInput) as empty:
        places([tmp_path])
    assert empty.value.where == str(tmp_path)


def test_of_very_many_faults_the_first_are_kept_and_all_are_counted(tmp_path, monkeypatch):
    """Memory does not grow with the damage."""
    monkeypatch.setattr(all_findings, "MOST_FAULTS", 5_000)
    path = tmp_path / "owls.warc"
    path.write_bytes(b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n" * 2_000)
    found = verify(places([path]))
    assert len(found.faults) == 5_000
    assert found.counts.total() == 6_001
    assert Findings().whole
    assert not found.whole
    assert found.count(Severity.WARNING) == 1
