"""The parts of the archive's benchmark."""

import pytest

from benchmarks import archive
from benchmarks.archive.find import Times


def test_parts_are_those_that_are_there():
    """All in their order, or those that were chosen; a name that nobody knows is refused."""
    found = archive.parts(())
    assert [name for name in found if name in ("cdxj", "find")] == ["cdxj", "find"]
    assert set(found) <= set(archive.PARTS)
    assert archive.parts(("find",)) == ["find"]
    with pytest.raises(SystemExit, match="no part nothing"):
        archive.parts(("nothing",))


def test_times_of_look_ups():
    """Half of them and nineteen of twenty are below what is told."""
    times = Times([float(number) for number in range(100)], [1.0] * 100)
    assert str(times) == "50.00 | 95.00 | 99.00 | 1.00"


def test_promises_are_marked():
    """What is not kept says so."""
    assert (archive.mark(True), archive.mark(False)) == ("", " **not reached**")
