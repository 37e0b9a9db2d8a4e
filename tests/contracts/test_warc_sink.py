"""WARC files on the disk: names, rollover, crashes, full disks, and what other programs say of them."""

import errno
import os
import random

import pytest

from opilio.archive.warc.compression import Compression, Packer
from opilio.archive.warc.cutting import cut_folder
from opilio.archive.warc.reader import iterate
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.kernel.clock import ManualClock
from opilio.kernel.digests import Algorithm
from opilio.kernel.errors import BadName, Conflict, Damaged, InvalidInput, NoSpace, NotWritable, Unavailable
from tests.unit.archive.warcs import assert_programs_agree, assert_valid, capture

PACKINGS = [Compression(), Compression(packer=Packer.ZLIB, level=9), Compression(packer=Packer.PLAIN)]


def make(folder, worker="w0", **options):
    return WarcSink(folder, worker=worker, options=WarcOptions(**options), clock=ManualClock())


def urls(folder):
    """The URLs of all responses, file by file."""
    files = sorted(path for path in folder.iterdir() if ".warc" in path.name)
    return [record.url for path in files for record in iterate(path) if record.kind == "response"]


def numbered(number):
    return capture(url=f"http://example.com/{number}", body=random.Random(number).randbytes(number % 5 * 700))


@pytest.mark.parametrize("compression", PACKINGS, ids=lambda compression: compression.packer)
@pytest.mark.parametrize("algorithm", [Algorithm.SHA1, Algorithm.SHA256])
def test_other_programs_find_nothing_wrong(tmp_path, compression, algorithm):
    """`fastwarc check` and `warcio check` pass on every packing and digest."""
    sink = make(tmp_path, compression=compression, algorithm=algorithm, provenance=True)
    for number in range(5):
        sink.append(numbered(number))
    sink.close()
    (path,) = assert_valid(tmp_path)
    assert path.name == f"opilio-20260101000000000-00000-w0{compression.suffix}"
    assert_programs_agree(path)


def test_an_open_file_says_so_by_its_name(tmp_path):
    """A file ends in .open until it is finished; positions name it as it will be called."""
    sink = make(tmp_path)
    place = sink.append(capture())
    sink.sync()
    assert [path.name for path in tmp_path.iterdir()] == [f"{place.file}.open"]
    assert_valid(tmp_path)
    sink.close()
    assert [path.name for path in tmp_path.iterdir()] == [place.file]


def test_files_roll_over_at_their_size(tmp_path):
    """A file that reached its size is finished, and the next one has the next serial and its own warcinfo."""
    sink = make(tmp_path, size=4_000)
    places = [sink.append(numbered(number)) for number in range(20)]
    sink.close()
    files = assert_valid(tmp_path)
    assert len(files) > 2
    assert sorted({place.file for place in places}) == [path.name for path in files]
    for path in files:
        first = next(iter(iterate(path)))
        assert first.kind == "warcinfo"
        assert first.field("WARC-Filename") == path.name


@pytest.mark.parametrize("compression", PACKINGS, ids=lambda compression: compression.packer)
@pytest.mark.parametrize("seed", range(6))
def test_cut_backs_at_random_leave_whole_files(tmp_path, compression, seed):
    """Whatever is appended, committed, cut back and reopened: the files are valid and hold what was committed."""
    dice = random.Random(seed)
    options = {"size": dice.choice([1, 2_000, 10_000, 10**9]), "compression": compression}
    sink = make(tmp_path, **options)
    committed, kept, pending = {}, [], []
    for number in range(60):
        pending.append(sink.append(numbered(number)))
        action = dice.random()
        if action < 0.2:
            committed, kept, pending = dict(sink.sync()), kept + pending, []
        elif action < 0.3:
            sink.cut_back(committed)
            pending = []
        elif action < 0.4:
            sink._let_go()  # as when the process is killed
            sink = make(tmp_path, **options)
            sink.cut_back(committed)
            pending = []
    sink.cut_back(committed)
    sink.close()
    if kept:
        assert_valid(tmp_path)
    found = [record.place for path in sorted(tmp_path.iterdir()) for record in iterate(path)]
    assert set(kept) <= set(found)
    assert len(urls(tmp_path)) == len(kept)


def test_a_reopened_folder_continues_the_series(tmp_path):
    """Finished files are never touched again; the next process takes the next serial."""
    for number in range(3):
        sink = make(tmp_path)
        sink.append(numbered(number))
        sink.close()
    files = assert_valid(tmp_path)
    assert [path.name.split("-")[2] for path in files] == ["00000", "00001", "00002"]
    sink = make(tmp_path)
    assert set(sink.sync()) == {path.name for path in files}


def test_workers_have_series_of_their_own(tmp_path):
    """Two workers share a folder without touching each other's files."""
    one, two = make(tmp_path, "w1"), make(tmp_path, "w2")
    first = one.append(numbered(1))
    second = two.append(numbered(2))
    one.cut_back({})
    two.sync()
    one.close()
    two.close()
    assert first.file != second.file
    assert urls(tmp_path) == ["http://example.com/2"]


def test_a_torn_tail_is_cut_even_if_nobody_cuts_back(tmp_path):
    """A file that a killed process left half written is cut to whole records before anything is added."""
    for compression in PACKINGS:
        folder = tmp_path / compression.packer
        sink = make(folder, compression=compression)
        sink.append(numbered(4))
        sink.sync()
        sink._let_go()
        (path,) = folder.iterdir()
        with path.open("ab") as stream:
            stream.write(path.read_bytes()[:-7])
        sink = make(folder, compression=compression)
        sink.append(numbered(3))
        sink.close()
        assert_valid(folder)
        assert urls(folder)[0] == "http://example.com/4"
        assert urls(folder)[-1] == "http://example.com/3"


def test_a_file_without_a_whole_record_is_removed(tmp_path):
    """Nothing is appended behind the beginning of a warcinfo."""
    name = "opilio-20260101000000000-00000-w0.warc.gz.open"
    (tmp_path / name).write_bytes(b"\x1f\x8b\x08\x00")
    sink = make(tmp_path)
    sink.append(capture())
    sink.close()
    assert len(assert_valid(tmp_path)) == 1


def test_a_second_process_is_kept_out(tmp_path):
    """Of two sinks with the same worker name the second is refused."""
    first = make(tmp_path)
    first.append(capture())
    second = make(tmp_path)
    with pytest.raises(Conflict) as caught:
        second.append(capture())
    assert "another name" in caught.value.remedy
    with pytest.raises(Conflict):
        second.cut_back({})
    first.close()
    assert_valid(tmp_path)


def full_disk(monkeypatch, room):
    """Let `room` more bytes fit."""
    write = os.write
    left = [room]

    def limited(descriptor, data):
        if left[0] <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = write(descriptor, bytes(data)[: left[0]])
        left[0] -= written
        return written

    monkeypatch.setattr(os, "write", limited)


def test_a_full_disk_leaves_whole_records(tmp_path, monkeypatch):
    """NoSpace is raised, what was written stays valid, and writing goes on once there is room."""
    sink = make(tmp_path)
    sink.append(numbered(1))
    before = dict(sink.sync())
    with monkeypatch.context() as patch:
        full_disk(patch, 300)
        for _ in range(3):
            with pytest.raises(NoSpace):
                sink.append(numbered(4))
        assert dict(sink.sync()) == before
    sink.append(numbered(3))
    sink.close()
    assert_valid(tmp_path)
    assert urls(tmp_path) == ["http://example.com/1", "http://example.com/3"]


def test_a_disk_too_full_for_a_new_file(tmp_path, monkeypatch):
    """A file that could not even take its warcinfo is not left behind."""
    sink = make(tmp_path)
    with monkeypatch.context() as patch:
        full_disk(patch, 20)
        with pytest.raises(NoSpace):
            sink.append(capture())
        assert list(tmp_path.iterdir()) == []
    sink.append(capture())
    sink.close()
    assert_valid(tmp_path)


def test_a_half_record_that_cannot_be_removed_at_once(tmp_path, monkeypatch):
    """The sink refuses to go on behind a torn record until it could be removed."""
    sink = make(tmp_path)
    sink.append(numbered(1))
    with monkeypatch.context() as patch:
        full_disk(patch, 300)
        patch.setattr(os, "ftruncate", refuse)
        with pytest.raises(NoSpace):
            sink.append(numbered(4))
        with pytest.raises(Unavailable, match="half-written"):
            sink.append(numbered(4))
    sink.append(numbered(2))
    sink.close()
    assert_valid(tmp_path)
    assert urls(tmp_path) == ["http://example.com/1", "http://example.com/2"]


def refuse(*_):
    raise OSError(errno.EIO, "Input/output error")


def test_after_a_failed_sync_only_a_cut_back_helps(tmp_path, monkeypatch):
    """Nobody knows what reached the disk, so nothing is added until the sink was cut back to what was committed."""
    sink = make(tmp_path)
    sink.append(numbered(1))
    committed = dict(sink.sync())
    sink.append(numbered(2))
    with monkeypatch.context() as patch:
        patch.setattr(os, "fdatasync", refuse)
        with pytest.raises(Unavailable):
            sink.sync()
    with pytest.raises(Unavailable, match="Cut the sink back"):
        sink.append(numbered(3))
    sink.cut_back(committed)
    sink.append(numbered(3))
    sink.close()
    assert_valid(tmp_path)
    assert urls(tmp_path) == ["http://example.com/1", "http://example.com/3"]


def test_a_whole_folder_is_cut_and_finished(tmp_path):
    """At the start of a crawl the files of workers that are gone are cut, and given their final names."""
    sinks = [make(tmp_path, f"w{number}") for number in range(3)]
    committed = {}
    for number, sink in enumerate(sinks):
        sink.append(numbered(number))
        committed |= sink.sync() if number < 2 else {}
        sink.append(numbered(number + 10))
        sink._let_go()
    cut_folder(tmp_path, committed)
    cut_folder(tmp_path, committed)
    assert {path.name: path.stat().st_size for path in assert_valid(tmp_path)} == committed


def test_lost_bytes_are_told_before_anything_is_cut(tmp_path):
    """When one file is too short, no file is touched."""
    sink = make(tmp_path, size=1)
    places = [sink.append(numbered(number)) for number in range(3)]
    committed = dict(sink.sync())
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    with pytest.raises(Damaged, match=r"committed and \d+ are there"):
        sink.cut_back({places[0].file: 1, places[2].file: committed[places[2].file] + 1})
    assert {path.name: path.stat().st_size for path in tmp_path.iterdir()} == sizes
    assert dict(sink.sync()) == committed


@pytest.mark.parametrize("worker", ["", "a/b", "../x", "a-b", "x" * 81, "w\n0"])
def test_names_that_files_cannot_have(tmp_path, worker):
    """A worker's name becomes part of a file name, so it must fit."""
    with pytest.raises(BadName):
        make(tmp_path, worker)


@pytest.mark.parametrize(
    "options",
    [{"size": 0}, {"algorithm": Algorithm.MD5}],
)
def test_options_that_make_no_sense(options):
    """They are refused with what to choose instead."""
    with pytest.raises(InvalidInput) as caught:
        WarcOptions(**options)
    assert caught.value.remedy


@pytest.mark.parametrize(("packer", "level"), [(Packer.ISAL, 4), (Packer.ZLIB, 0), (Packer.ISAL, -1)])
def test_levels_that_a_packer_lacks(packer, level):
    """The message names the levels there are."""
    with pytest.raises(InvalidInput, match="Choose a level from"):
        Compression(packer=packer, level=level)


def test_a_folder_that_is_a_file(tmp_path):
    """The place must be a folder that can be written to."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(NotWritable):
        make(tmp_path / "taken")


def test_foreign_files_are_left_alone(tmp_path):
    """Whatever else lies in the folder is neither counted nor removed."""
    for name in ("notes.txt", "other.warc.gz", "opilio-2026-1-w0.warc.gz"):
        (tmp_path / name).write_bytes(b"")
    sink = make(tmp_path)
    sink.append(capture())
    sink.cut_back({})
    assert sink.sync() == {}
    sink.close()
    assert len(list(tmp_path.iterdir())) == 3
