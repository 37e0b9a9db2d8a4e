"""What is handed to depositories is accepted by the tools of others: `bagit.py`, `wacz`, `ocfl-py`, and by schemas."""

import os
import subprocess
import sysconfig
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.archive.wacz import PEER as WACZ
from benchmarks.crawl.programs import environment
from opilio.archive.mets.values import PackageFacts
from opilio.archive.store.addresses import open_store
from opilio.works.archive_results import archive_results
from opilio.works.package_documents import enclosed
from opilio.works.package_result import PackageWishes, packaged
from tests.review_desk import crawled
from tests.schemas import require_valid

pytestmark = pytest.mark.foreign

OCFL = ("ocfl-py==2.1.0", "setuptools==80.9.0")
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
FACTS = PackageFacts(
    identifier="info:opilio/harvest/42/result/1", harvest=42, result=1, sections={"target": {"name": "Owls"}},
    snapshot_digest="sha256:ab", frozen_at=NOW, packed_at=NOW, packed_by="archivist", software="Opilio 0.1.0",
)  # fmt: skip


def program(name, packages):
    """Runs a program of another environment; its output."""
    try:
        found = environment(name, packages) / "bin"
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"{name} cannot be installed here: {error}")

    def run(command, *words):
        done = subprocess.run(
            [found / command, *map(str, words)], capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


def test_a_bag_is_valid_for_bagit(tmp_path, record_property):
    """Its program reads every file again; the description in it is valid METS with PREMIS."""
    made = packaged(crawled().folder, tmp_path / "a", FACTS, PackageWishes(key="owls", result=1)).package
    bagit = Path(sysconfig.get_path("scripts")) / "bagit.py"
    done = subprocess.run([bagit, "--validate", made.path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "is valid" in done.stdout + done.stderr
    (made.path / "data" / "index.cdxj").write_bytes(b"changed")
    assert subprocess.run([bagit, "--validate", made.path], capture_output=True, check=False).returncode != 0
    _, parts = require_valid((made.path / "data" / "mets.xml").read_bytes())
    record_property("parts of PREMIS", parts)


def test_a_wacz_with_its_description_is_valid(tmp_path):
    """Files beside its own are listed, and disturb nobody."""
    made = packaged(crawled().folder, tmp_path / "a", FACTS, PackageWishes(key="owls", result=1, form="wacz"))
    assert "valid" in program("wacz", WACZ)("wacz", "validate", "--file", made.package.path).lower()


def test_an_object_with_its_description_is_valid(tmp_path):
    """Every version, with all digests."""
    store = open_store(str(tmp_path / "store"))
    documents = tmp_path / "documents"
    documents.mkdir()
    archive_results(
        crawled().folder, store, identifier="info:opilio/harvest/42",
        enclosed=enclosed(crawled().folder, FACTS, documents, beside=False),
    )  # fmt: skip
    told = program("ocfl", OCFL)("ocfl-root.py", "validate", "--root", tmp_path / "store")
    assert "invalid" not in told.lower()
