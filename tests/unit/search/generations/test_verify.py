"""Verifying a generation."""

import json
import random

import pytest

from opilio.kernel.errors import Damaged, Missing
from opilio.search.generations.errors import BrokenManifest, DamagedGeneration, WrongAnswers
from opilio.search.generations.manifest import MANIFEST, dumped
from opilio.search.generations.verify import verify, verify_files
from tests.contracts.generations_tiny import TinyContents, flip, made


@pytest.fixture
def generation(tmp_path):
    manifest = made(tmp_path, 1)
    return tmp_path / manifest.id, manifest


def test_a_flipped_bit_in_any_file_is_refused(generation):
    """Wherever a bit is turned round, the file is named."""
    folder, manifest = generation
    chance = random.Random(5)
    for entry in manifest.files:
        at = chance.randrange(entry.size)
        flip(folder / entry.name, at)
        with pytest.raises(DamagedGeneration) as told:
            verify_files(folder)
        assert told.value.faults == [f"{entry.name} has another digest"]
        flip(folder / entry.name, at)
    verify_files(folder)


def test_a_missing_file_is_named(generation):
    """The other files are looked at, too."""
    folder, manifest = generation
    for entry in manifest.files[:2]:
        (folder / entry.name).unlink()
    with pytest.raises(DamagedGeneration) as told:
        verify_files(folder)
    assert told.value.faults == [f"{entry.name} is missing" for entry in manifest.files[:2]]


def test_bytes_beyond_the_manifest_are_refused(generation):
    """A longer file and a file beside the listed ones are refused."""
    folder, manifest = generation
    path = folder / manifest.files[0].name
    path.chmod(0o644)
    with path.open("ab") as stream:
        stream.write(b"x")
    (folder / "index" / "stranger").write_bytes(b"x")
    with pytest.raises(DamagedGeneration) as told:
        verify(folder, TinyContents())
    assert sorted(told.value.faults) == sorted(
        [f"{path.relative_to(folder)} has {path.stat().st_size} bytes instead of {path.stat().st_size - 1}",
         "index/stranger is not in the manifest"]
    )  # fmt: skip


def test_locks_of_readers_are_overlooked_unless_they_hold_bytes(generation):
    """tantivy makes empty lock files to read; anything in them is damage."""
    folder, _ = generation
    lock = folder / "index" / ".tantivy-meta.lock"
    lock.touch()
    verify_files(folder)
    lock.write_bytes(b"x")
    with pytest.raises(DamagedGeneration, match="not in the manifest"):
        verify_files(folder)


def test_another_answer_is_refused(generation):
    """Sound files whose answers are not the recorded ones are refused: the software may have changed."""
    folder, _ = generation

    class Other(TinyContents):
        def open(self, folder, manifest):
            opened = super().open(folder, manifest)
            opened.counts = lambda: {"pages": 11, "words": 1}
            opened.probe = lambda query, ask=opened.probe: ask("nothing")
            return opened

    with pytest.raises(WrongAnswers) as told:
        verify(folder, Other())
    assert told.value.faults[:2] == ["11 pages instead of 12", "1 words instead of None"]
    assert len(told.value.faults) == 3
    assert told.value.remedy


def test_a_manifest_in_another_folder_is_refused(generation):
    """A folder must bear the name of the generation in it."""
    folder, manifest = generation
    moved = folder.with_name("20200101T000000000000-00000000")
    folder.rename(moved)
    with pytest.raises(BrokenManifest, match=manifest.id):
        verify_files(moved)


def test_no_manifest_no_generation(generation):
    """A folder without a manifest, or with a senseless one, is refused."""
    folder, manifest = generation
    (folder / MANIFEST).unlink()
    with pytest.raises(Missing):
        verify_files(folder)
    (folder / MANIFEST).write_bytes(json.dumps(json.loads(dumped(manifest)) | {"counts": {"pages": 1}}).encode())
    with pytest.raises(BrokenManifest, match="seal"):
        verify_files(folder)


def test_contents_that_cannot_be_opened_are_refused(generation):
    """An index that its own library does not open is an error of ours."""
    folder, _ = generation

    class Broken(TinyContents):
        def open(self, folder, manifest):
            return super().open(folder / "nowhere", manifest)

    with pytest.raises(Damaged):
        verify(folder, Broken())


def test_progress_is_told(generation):
    """The bytes that were read add up to all."""
    folder, manifest = generation
    told = []
    verify_files(folder, lambda done, total: told.append((done, total)))
    assert told[-1] == (manifest.size, manifest.size)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
