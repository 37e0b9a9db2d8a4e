"""A sink that is left as it is, because a disk was full, does not keep the next attempt of the same process away."""

import pytest

from opilio.archive.warc.sink import WarcSink
from opilio.kernel.errors import Conflict, InvalidInput
from tests.unit.archive.warcs import assert_valid, capture


def test_another_sink_takes_the_file_up(tmp_path):
    """What was synced stays, and what comes goes behind it."""
    left, other = WarcSink(tmp_path, worker="w0"), WarcSink(tmp_path, worker="w0")
    left.append(capture())
    committed = left.sync()
    left.append(capture())
    with pytest.raises(Conflict, match="another process writes"):
        other.cut_back(committed)
    left.leave()
    other = WarcSink(tmp_path, worker="w0")
    other.cut_back(committed)
    other.append(capture())
    other.close()
    assert_valid(tmp_path)


def test_a_sink_that_was_left_takes_nothing_more(tmp_path):
    """Leaving it twice, or after it was closed, changes nothing."""
    sink = WarcSink(tmp_path, worker="w0")
    sink.append(capture())
    sink.close()
    sink.leave()
    sink.leave()
    with pytest.raises(InvalidInput, match="closed"):
        sink.append(capture())
