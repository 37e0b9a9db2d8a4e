"""Every planted fault is found, at its offset, under its code; with one fault planted, no record behind it is lost."""

import pytest

from opilio.archive.verify.faults import KINDS, Code
from opilio.archive.verify.places import places
from opilio.archive.verify.verifying import verify
from tests.unit.archive.verify.planted import PLANTS

CASES = [
    pytest.param(one.make, packed, id=f"{one.name}-{'gzip' if packed else 'plain'}")
    for one in PLANTS
    for packed in one.packings
]


@pytest.mark.parametrize(("make", "packed"), CASES)
def test_a_planted_fault_is_found_where_it_is(tmp_path, make, packed):
    """Its code and its exact offset are reported, with a sentence and a remedy."""
    planted = make(packed)
    path = tmp_path / ("owls.arc" if planted.arc else "owls.warc")
    path.write_bytes(planted.data)
    found = verify(places([path])).faults
    assert [one.offset for one in found if one.code.value == planted.code] == [planted.offset], found
    assert {one.code.value for one in found} - {planted.code} <= planted.also, found
    assert all(one.sentence and one.remedy and one.file == str(path) for one in found)


def test_there_are_plants_for_every_kind_of_fault_in_a_file():
    """More than forty faults are planted, and no kind that a single file can show is left out."""
    planted = {one.make(one.packings[0]).code for one in PLANTS}
    elsewhere = {code for code in Code if code.value.startswith(("index-", "manifest-", "bag-"))}
    assert len(PLANTS) >= 40
    assert set(Code) - elsewhere - set(map(Code, planted)) == {Code.FILE_UNREADABLE, Code.FILE_OPEN}
    assert set(KINDS) == set(Code)
