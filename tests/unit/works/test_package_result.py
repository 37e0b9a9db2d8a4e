"""Packing for depositories: whole packages, the same each time, whatever an earlier try left."""

import json
import pickle
import signal
import subprocess
import sys
import zipfile
from datetime import UTC, datetime

import bagit
import pytest

from opilio.archive.mets.values import PackageFacts
from opilio.kernel.errors import Conflict, Missing
from opilio.works.package_result import PackageWishes, packaged
from tests.review_desk import crawled
from tests.schemas import require_valid

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
FACTS = PackageFacts(
    identifier="info:opilio/harvest/42/result/1", harvest=42, result=1, sections={"target": {"name": "Owls"}},
    snapshot_digest="sha256:ab", frozen_at=NOW, packed_at=NOW, packed_by="archivist", software="Opilio 0.1.0",
)  # fmt: skip
FALL = """
import os, pickle, signal, sys
from pathlib import Path
from opilio.works.package_result import PackageWishes, packaged
def told(step, done, total):
    if step == sys.argv[3]:
        os.kill(os.getpid(), signal.SIGKILL)
facts = pickle.loads(sys.stdin.buffer.read())
packaged(Path(sys.argv[1]), Path(sys.argv[2]), facts, PackageWishes(key="owls", result=1, one_file=True), told=told)
"""


def made(aside, **wishes):
    return packaged(crawled().folder, aside, FACTS, PackageWishes(key="owls", result=1, **wishes)).package


@pytest.mark.parametrize("wishes", [{}, {"one_file": True}, {"form": "wacz"}, {"self_contained": True}])
def test_a_package_is_the_same_each_time(wishes, tmp_path):
    """So that one which was handed over can be told from another."""
    one, other = made(tmp_path / "a", **wishes), made(tmp_path / "b", **wishes)
    assert (one.sha512, one.size, one.parts) == (other.sha512, other.size, other.parts)
    assert one.path.name in ("owls", "owls.zip", "owls.wacz")


def test_a_package_that_is_whole_is_not_made_again(tmp_path):
    """A file beside it says so; when a part is missing, it is made anew."""
    first = made(tmp_path / "a")
    (first.path / "bagit.txt").write_bytes(b"X" * (first.path / "bagit.txt").stat().st_size)
    assert made(tmp_path / "a").parts == first.parts
    assert (first.path / "bagit.txt").read_bytes()[:1] == b"X"
    (first.path / "bagit.txt").unlink()
    assert made(tmp_path / "a").parts == first.parts
    assert bagit.Bag(str(first.path)).validate()


@pytest.mark.parametrize("step", ["files", "making one file"])
def test_a_packer_that_is_killed_leaves_nothing_that_counts(step, tmp_path):
    """The next one makes the same package."""
    aside = tmp_path / "a"
    command = [sys.executable, "-c", FALL, crawled().folder, aside, step]
    fallen = subprocess.run(command, check=False, input=pickle.dumps(FACTS))
    assert fallen.returncode == -signal.SIGKILL
    assert not (aside / "package.json").exists()
    again = made(aside, one_file=True)
    assert again.sha512 == made(tmp_path / "b", one_file=True).sha512
    with zipfile.ZipFile(again.path) as entries:
        assert entries.testzip() is None
        require_valid(entries.read("owls/data/mets.xml"))


def test_parts_are_all_files_of_the_bag(tmp_path):
    """Each with the digest that the bag tells, or with its own."""
    package = made(tmp_path / "a")
    there = {path.relative_to(package.path).as_posix() for path in package.path.rglob("*") if path.is_file()}
    assert {part.path for part in package.parts} == there
    assert json.loads((package.path / "data/snapshot.json").read_text())["digest"] == "sha256:ab"


def test_a_result_that_is_not_there_is_named(tmp_path):
    """Nothing is left of the attempt that would count."""
    with pytest.raises((Missing, Conflict)):
        packaged(crawled().folder, tmp_path / "a", FACTS, PackageWishes(key="owls", result=9))
    assert not (tmp_path / "a" / "package.json").exists()
