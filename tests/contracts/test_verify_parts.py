"""Large files are read in parts by several processes; what is found is the same."""

import dataclasses
from pathlib import Path

import pytest

from opilio.archive.verify import crew, verifying
from opilio.archive.verify.crew import Mate, Order
from opilio.archive.verify.places import places
from opilio.archive.verify.regions import Region, shares, split
from opilio.archive.verify.verifying import verify
from tests.unit.archive.verify.archives import archive, good, pack, record, record_id

MANY = 30


def records():
    """A file of some length, with ids of its own for each record, and faults here and there."""
    made = []
    for number in range(MANY):
        for one in good()[1:4] if number else good()[:4]:
            kind = int(one.fields["warc-record-id"][-2])
            changes = {"warc_record_id": record_id(number * 10 + kind)}
            if kind > 1:
                changes["warc_concurrent_to"] = record_id(number * 10 + 1)
            if number % 7 == 3 and kind == 1:
                changes["warc_date"] = "never"
            made.append(one.set(**changes))
    return made


@pytest.fixture
def small_parts(monkeypatch):
    """Parts are worth a process from the first kilobyte on."""
    monkeypatch.setattr(verifying, "_LEAST", 1000)


@pytest.mark.parametrize("packed", [True, False])
def test_the_number_of_processes_makes_no_difference(tmp_path, small_parts, packed):
    """Faults, counts and references are those of one process; each part is verified where it should be."""
    whole = archive(records(), packed=packed)
    broken = whole.change(40, whole.pieces[40][:-30] + b"\xff" * 10).write(tmp_path)
    found = [verify(places([broken]), workers=number) for number in (1, 2, 3)]
    assert len(found[0].faults) > 4
    assert found[0] == found[1] == found[2]


def test_a_process_verifies_its_share(tmp_path):
    """It leaves rows and findings, region by region."""
    path = archive(records()).write(tmp_path)
    (region,) = split([path], 1 << 30)
    rows = []
    with crew.mates([Order(regions=(region,), digests=True, captures=False)]) as (mate,):
        assert mate.finished()
        done = mate.next_region(rows.append)
    assert (done.findings.records, done.end) == (MANY * 3 + 1, path.stat().st_size)
    assert sum(len(each.records) for each in rows) == MANY * 3 + 1


def test_a_process_that_dies_is_made_up_for(tmp_path, small_parts, monkeypatch):
    """Its share is verified by the one that waits for it."""
    path = archive(records()).write(tmp_path)
    wanted = verify(places([path]))
    began = Mate.__init__

    def begin(self, order):
        began(self, order)
        self._process.kill()

    monkeypatch.setattr(Mate, "__init__", begin)
    assert verify(places([path]), workers=3) == wanted


def test_a_part_that_begins_inside_a_record_is_read_again(tmp_path, small_parts):
    """A WARC file in a record is no place to begin, though it looks like one."""
    inner = archive(records()).bytes()
    made = [good()[0], record("resource", 900, inner * 3, "application/gzip", warc_target_uri="urn:owl:archive")]
    path = archive(made, packed=False).write(tmp_path)
    assert len(split([path], 1000)) > 3
    found = verify(places([path]), workers=3)
    assert (found.records, found.faults) == (2, [])
    assert found == verify(places([path]))


def test_a_file_in_one_member_is_one_part(tmp_path):
    """No record begins anywhere inside."""
    path = tmp_path / "whole.warc.gz"
    path.write_bytes(pack(archive(records(), packed=False).bytes()))
    assert len(split([path], 100)) == 1


def test_parts_are_dealt_out_evenly():
    """In their order; neighbours in a file become one again."""
    regions = [
        Region(file=file, path=Path("x"), start=start, stop=start + 10, last=start == 90)
        for file in range(2)
        for start in range(0, 100, 10)
    ]
    dealt = shares(regions, 3)
    assert [sum(region.size for region in share) for share in dealt] == [70, 60, 70]
    assert dealt[1] == [
        dataclasses.replace(regions[7], stop=100, last=True),
        dataclasses.replace(regions[10], stop=30),
    ]
    assert shares([], 2) == [[], []]
