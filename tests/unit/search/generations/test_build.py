"""Builds."""

import errno
import os
import stat
import threading

import pytest

from opilio.kernel.clock import ManualClock
from opilio.kernel.errors import Conflict, NoSpace
from opilio.search.generations.build import Filled, build
from opilio.search.generations.errors import DamagedGeneration, NoGeneration, WrongAnswers
from opilio.search.generations.library import LOCK, Generations
from opilio.search.generations.tree import is_segment
from opilio.search.generations.verify import verify
from tests.contracts.generations_tiny import PAGES, WORD, TinyContents, fill, flip, made


@pytest.fixture
def root(tmp_path):
    return tmp_path / "generations"


def names(root):
    return sorted(path.name for path in root.iterdir() if path.name != LOCK)


def test_a_generation_appears_whole(root):
    """The folder bears its id, the manifest lists every file, the probes have their answers."""
    manifest = made(root, 1)
    assert names(root) == [manifest.id]
    assert verify(root / manifest.id, TinyContents()) == manifest
    assert manifest.counts == {"pages": PAGES}
    assert [(probe.query, probe.total, len(probe.expected)) for probe in manifest.probes] == [
        (WORD, PAGES, 5), ("nothing", 0, 0),
    ]  # fmt: skip
    assert (manifest.parent, manifest.analyzer, manifest.sources) == ("", "tiny", {"site": "1"})
    assert not [entry.name for entry in manifest.files if entry.name.endswith(".lock")]


def test_the_files_cannot_be_written_any_more(root):
    """A finished file is for reading only: clones share its bytes."""
    manifest = made(root, 1)
    for entry in manifest.files:
        assert not stat.S_IMODE((root / manifest.id / entry.name).stat().st_mode) & 0o222


def test_a_child_shares_segments_and_changes_nothing_of_its_parent(root):
    """What an incremental build leaves alone is the same file; the parent verifies as before."""
    first = made(root, 1)

    def add_note(folder, before):
        assert before == first
        (folder / "views.txt").write_text('{"number": 1, "pages": 12}')
        (folder / "note.txt").write_text("more")
        return Filled(counts={"pages": PAGES}, probes=(WORD,))

    second = build(Generations(root), add_note, TinyContents(), parent=first.id)
    assert second.parent == first.id
    segments = [entry.name for entry in first.files if is_segment(entry.name)]
    assert segments
    for name in segments:
        assert (root / first.id / name).samefile(root / second.id / name)
    for name in ("index/meta.json", "views.txt"):
        assert not (root / first.id / name).samefile(root / second.id / name)
    third = made(root, 3, parent=second.id)
    for manifest in (first, second, third):
        assert verify(root / manifest.id, TinyContents()) == manifest


def test_damage_is_not_inherited(root):
    """A parent with a flipped bit is refused, for its clone would have a fresh digest of it."""
    first = made(root, 1)
    flip(next(path for path in (root / first.id).rglob("*.store")))
    with pytest.raises(DamagedGeneration):
        made(root, 2, parent=first.id)
    assert names(root) == [first.id]


def test_a_missing_parent_is_told(root):
    """There is nothing to grow from."""
    with pytest.raises(NoGeneration, match="there is no generation"):
        made(root, 2, parent="20261116T120000000000-00000000")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.ENOSPC, "full"), NoSpace),
        (RuntimeError("broken"), RuntimeError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
)
def test_a_build_that_fails_leaves_nothing(root, error, told):
    """A full disk, a fault and an interrupt leave the generations as they were."""
    first = made(root, 1)

    def broken(folder, before):
        (folder / "half").write_bytes(b"x" * 1000)
        raise error

    with pytest.raises(told):
        build(Generations(root), broken, TinyContents(), parent=first.id)
    assert names(root) == [first.id]
    verify(root / first.id, TinyContents())


def test_lost_pages_are_noticed(root):
    """An index that holds fewer pages than were given to it does not become a generation."""

    def lossy(folder, before):
        return Filled(counts={"pages": fill(1)(folder, before).counts["pages"] + 1})

    with pytest.raises(WrongAnswers, match="13"):
        build(Generations(root), lossy, TinyContents())
    assert names(root) == []


def test_leftovers_of_the_dead_are_swept(root):
    """What a killed builder, copier or remover left is gone after the next build."""
    for kind in ("building", "copying", "removing"):
        (root / f".{kind}-20200101T000000000000-00000000" / "index").mkdir(parents=True)
    manifest = made(root, 1)
    assert names(root) == [manifest.id]


def test_a_second_builder_is_refused_by_name(root):
    """While one builds, another is told who does, and the first one's folder is left alone."""
    begun, go_on, told = threading.Event(), threading.Event(), []

    def slow(folder, before):
        begun.set()
        assert go_on.wait(60)
        return fill(1)(folder, before)

    thread = threading.Thread(target=lambda: told.append(build(Generations(root), slow, TinyContents())))
    thread.start()
    try:
        assert begun.wait(60)
        with pytest.raises(Conflict, match=f"process {os.getpid()} .*building a generation"):
            made(root, 2)
    finally:
        go_on.set()
        thread.join()
    assert names(root) == [told[0].id]


def test_a_clock_set_back_makes_no_older_generation(root):
    """The order of generations is that of their building."""
    clock = ManualClock()
    first = build(Generations(root, clock=clock), fill(1), TinyContents())
    clock.set_back(1_000)
    second = build(Generations(root, clock=clock), fill(2), TinyContents())
    assert Generations(root).ids() == [first.id, second.id]


def test_odd_files_are_refused(root):
    """A link, which could lead anywhere, does not become part of a generation."""

    def linking(folder, before):
        (folder / "views.txt").symlink_to("/etc/hostname")
        return Filled(counts={})

    with pytest.raises(DamagedGeneration, match="no ordinary file"):
        build(Generations(root), linking, TinyContents())
