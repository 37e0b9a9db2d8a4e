"""Keeping what is whole of a damaged file."""

import pytest

from opilio.archive.verify.faults import Severity
from opilio.archive.verify.places import places
from opilio.archive.verify.recovering import Lost, recover, recovered_name
from opilio.archive.verify.verifying import verify
from opilio.kernel.errors import Conflict
from tests.unit.archive.verify.archives import Archive, archive, good, good_arc, pack
from tests.unit.archive.verify.planted import PLANTS, RESOURCE, RESPONSE


def errors(path):
    """The errors of a file that are not about records which are gone."""
    found = verify(places([path])).faults
    gone = ("revisit-unresolved", "segment-missing")
    return [one.code.value for one in found if one.severity is Severity.ERROR and one.code.value not in gone]


def test_a_good_file_is_left_alone(tmp_path):
    """No new file appears."""
    path = archive(good()).write(tmp_path)
    found = recover(path, tmp_path / "new.warc.gz")
    assert (found.whole, found.output, found.records, found.lost) == (True, None, len(good()), ())
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_broken_tail_is_dropped(tmp_path):
    """Everything before it is there, byte for byte."""
    made = archive(good())
    path = tmp_path / "owls.warc.gz"
    path.write_bytes(made.bytes()[:-9])
    found = recover(path, tmp_path / recovered_name(path))
    last = made.offset(len(good()) - 1)
    assert found.lost == (Lost(offset=last, size=len(made.pieces[-1]) - 9),)
    assert found.output == tmp_path / "owls.recovered.warc.gz"
    assert found.output.read_bytes() == made.bytes()[:last]
    assert path.read_bytes() == made.bytes()[:-9]


@pytest.mark.parametrize("packed", [True, False])
def test_a_broken_record_in_the_middle_is_dropped(tmp_path, packed):
    """The records behind it are kept, and what was lost is told to the byte."""
    made = archive(good(), packed=packed)
    piece = made.pieces[RESPONSE]
    broken = (
        piece[:60] + b"\xff" * 30 + piece[90:] if packed else piece.replace(b"Content-Length: 1", b"Content-Length: 9")
    )
    path = made.change(RESPONSE, broken).write(tmp_path)
    found = recover(path, tmp_path / "new")
    assert found.lost == (Lost(offset=made.offset(RESPONSE), size=len(broken)),)
    assert found.records == len(good()) - 1
    assert found.output.read_bytes() == made.change(RESPONSE, b"").bytes()


def test_records_that_are_whole_are_framed_and_packed_as_they_should_be(tmp_path):
    """Of a file in one gzip member that breaks off, all whole records are kept, each packed by itself."""
    plain = archive(good(), packed=False)
    path = tmp_path / "owls.warc.gz"
    path.write_bytes(pack(plain.bytes())[:-20])
    found = recover(path, tmp_path / "new.warc.gz")
    assert found.mended == found.records >= len(good()) - 2
    assert errors(found.output) == []
    assert "one-member" not in {one.code.value for one in verify(places([found.output])).faults}


@pytest.mark.parametrize("plant", [one for one in PLANTS if one.packings], ids=lambda one: one.name)
def test_after_recovery_the_framing_is_right(tmp_path, plant):
    """Whatever was planted, the new file has no fault of framing or packing."""
    path = tmp_path / "owls.warc"
    path.write_bytes(plant.make(plant.packings[0]).data)
    found = recover(path, tmp_path / "new")
    checked = found.output or path
    framing = ("garbage", "member-", "packing-", "record-end", "record-split", "record-truncated", "length-wrong")
    if found.records:
        assert [code for code in errors(checked) if code.startswith(framing)] == []
        assert verify(places([checked])).records == found.records


def test_a_mended_record_is_the_same_record(tmp_path):
    """Only its line ends are new."""
    records = good()
    records[RESOURCE] = records[RESOURCE].with_(end=b"\r\n")
    path = archive(records, packed=False).write(tmp_path)
    found = recover(path, tmp_path / "new.warc")
    assert (found.mended, found.lost) == (1, ())
    assert found.output.read_bytes() == archive(good(), packed=False).bytes()


def test_arc_files_are_recovered_too(tmp_path):
    """With the line end of ARC."""
    pieces = good_arc()
    path = Archive(pieces=[*pieces[:2], b"owls owls owls\n", *pieces[2:]], packed=False).write(tmp_path, "owls.arc")
    found = recover(path, tmp_path / "new.arc")
    assert found.output.read_bytes() == b"".join(pieces)
    assert found.lost_bytes == 15


def test_the_new_file_can_take_the_place_of_the_old_one(tmp_path):
    """The old one lies beside it."""
    path = tmp_path / "owls.warc.gz"
    data = archive(good()).bytes()[:-9]
    path.write_bytes(data)
    found = recover(path, tmp_path / recovered_name(path), in_place=True)
    assert (found.output, found.aside) == (path, tmp_path / "owls.warc.gz.damaged")
    assert found.aside.read_bytes() == data
    assert sorted(each.name for each in tmp_path.iterdir()) == ["owls.warc.gz", "owls.warc.gz.damaged"]


def test_a_file_that_is_there_is_not_overwritten(tmp_path):
    """It must be moved away first."""
    path = tmp_path / "owls.warc.gz"
    path.write_bytes(archive(good()).bytes()[:-9])
    (tmp_path / "new").write_bytes(b"precious")
    with pytest.raises(Conflict):
        recover(path, tmp_path / "new")
    assert (tmp_path / "new").read_bytes() == b"precious"


def test_in_place_beside_what_was_recovered_before(tmp_path):
    """An older new file is in nobody's way; an older damaged file is, and the remedy says which."""
    made = archive(good())
    path = tmp_path / "owls.warc.gz"
    path.write_bytes(made.bytes()[:-9])
    recover(path, tmp_path / recovered_name(path))
    found = recover(path, tmp_path / recovered_name(path), in_place=True)
    assert (found.output, found.aside) == (path, tmp_path / "owls.warc.gz.damaged")
    assert path.read_bytes() == (tmp_path / "owls.recovered.warc.gz").read_bytes()
    path.write_bytes(made.bytes()[:-9])
    with pytest.raises(Conflict, match="set the damaged file aside") as refused:
        recover(path, tmp_path / recovered_name(path), in_place=True)
    assert refused.value.where == str(tmp_path / "owls.warc.gz.damaged")
    assert "--into" not in refused.value.remedy
    assert len(list(tmp_path.iterdir())) == 3
