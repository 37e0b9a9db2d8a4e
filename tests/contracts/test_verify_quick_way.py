"""The quick way past flawless records finds what the close look finds."""

import random

import pytest

from opilio.archive.verify.places import places
from opilio.archive.verify.usual import Usual
from opilio.archive.verify.verifying import verify
from opilio.archive.warc.sink import WarcSink
from tests.unit.archive.verify.archives import archive, good
from tests.unit.archive.verify.planted import PLANTS
from tests.unit.archive.warcs import capture

CHANGES = [b"", b" ", b"\t", b"\r\n", b"\n", b"\x00", b"\xff", b":", b"<", b"WARC-Date: 2026-01-01T12:00:00Z\r\n", b"9"]


def both(path, monkeypatch):
    """What is found with and without the quick way."""
    quick = verify(places([path]))
    with monkeypatch.context() as patch:
        patch.setattr(Usual, "take", lambda *arguments: 0)
        return quick, verify(places([path]))


@pytest.mark.parametrize("plant", PLANTS, ids=lambda one: one.name)
def test_planted_faults_are_found_either_way(tmp_path, monkeypatch, plant):
    """Same faults, same counts."""
    for packed in plant.packings:
        path = tmp_path / "owls.warc"
        path.write_bytes(plant.make(packed).data)
        quick, close = both(path, monkeypatch)
        assert quick == close


@pytest.mark.parametrize("packed", [True, False])
def test_changed_headers_are_judged_alike(tmp_path, monkeypatch, packed):
    """A byte more or less anywhere in a header: both ways say the same, of a form that is new or was there before."""
    chance = random.Random(7)
    for _ in range(90):
        records = [*good()[:4], *good()[1:4], *good()[1:4]]
        number = chance.randrange(1, len(records))
        data = records[number].bytes()
        at = chance.randrange(data.index(b"\r\n\r\n") + 60)
        data = data[:at] + chance.choice(CHANGES) + data[at + chance.choice([0, 1]) :]
        made = archive(records, packed=packed).change(number, _packed(data) if packed else data)
        quick, close = both(made.write(tmp_path), monkeypatch)
        assert quick == close, data[:400]


def _packed(data):
    return archive([_Bytes(data)]).pieces[0]


class _Bytes:
    def __init__(self, data):
        self._data = data

    def bytes(self):
        return self._data


def test_most_records_go_the_quick_way(tmp_path, monkeypatch):
    """What our own sink writes is taken, but for the first record of a file."""
    sink = WarcSink(tmp_path, worker="w0")
    for number in range(20):
        sink.append(capture(url=f"http://example.com/{number}"))
    sink.close()
    taken = []
    take = Usual.take
    monkeypatch.setattr(Usual, "take", lambda *arguments: taken.append(take(*arguments)) or taken[-1])
    assert verify(places([tmp_path])).records == 41
    assert sum(map(bool, taken)) == 40
