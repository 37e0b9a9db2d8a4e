"""kill -9 before each step of pruning, packing, handing over, archiving, destroying, mending and purging."""

import contextlib
import json
import random
import shutil
import subprocess
import sys

import bagit
import pytest

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.manifest import wrong_files
from opilio.archive.results.view import ResultView
from opilio.archive.store.disk import DiskStore
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.store.ocfl.checking import check_object
from opilio.archive.store.ocfl.layout import object_root
from opilio.works.archive_results import archive_results, identifier_of
from opilio.works.fixity import read_archive, read_home
from opilio.works.purge_harvest import data_of
from opilio.works.redact_archive import left_in_archive
from opilio.works.redact_harvest import left
from opilio.works.result_tree_making import has_tree
from tests import nursery
from tests.proofs.review_process import HARVEST, WORKS, copies, order, pack
from tests.review_desk import crawled, pruned
from tests.servers.process import ROOT

KILLS = 3  # of each work, multiplied by the scale
OWLS = "/owls.html"

pytestmark = [pytest.mark.proof, pytest.mark.only_on("sqlite"), pytest.mark.timeout(7_200)]


class Mortal:
    """A process whose children do one work each, and die on the way."""

    def __init__(self, errors):
        command = [sys.executable, "-m", "tests.proofs.review_process"]
        self._process = nursery.Process(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        )

    def order(self, work, base, *, event=None):
        wanted = {"work": work, "base": str(base), "url": crawled().url(OWLS), "event": event}
        print(json.dumps(wanted), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def close(self):
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A harvest with two results, and a copy of it in an archive."""
    base = tmp_path_factory.mktemp("whole")
    shutil.copytree(crawled().folder, base / HARVEST)
    pruned(base / HARVEST, crawled().url("/herons.html"))
    archive_results(base / HARVEST, DiskStore(base / "archive"), user="archivist")
    return base


@pytest.mark.parametrize("work", sorted(WORKS))
def test_kills_before_each_step(work, whole, tmp_path, proof_scale, random_number, record_property):
    """Done once more, the work is whole, done once, and nothing is left beside it."""
    chance, killed = random.Random(random_number), 0
    with (tmp_path / "errors").open("w+") as errors, contextlib.closing(Mortal(errors)) as mortal:
        steps = mortal.order(work, _fresh(whole, tmp_path, work))["events"]
        _CHECKS[work](tmp_path / "base", whole)
        assert steps > KILLS
        stride = max(1, steps // (KILLS * proof_scale))
        for event in range(1 + chance.randrange(stride), steps + 1, stride):
            base = _fresh(whole, tmp_path, work)
            said = mortal.order(work, base, event=event)
            assert said["code"] == -9, (work, event)
            killed += 1
            again = mortal.order(work, base)
            assert again["code"] == 0, (work, event, (tmp_path / "errors").read_text())
            _CHECKS[work](base, whole)
    record_property("steps", steps)
    record_property("kills", killed)


def _fresh(whole, tmp_path, work):
    base = tmp_path / "base"
    shutil.rmtree(base, ignore_errors=True)
    shutil.copytree(whole, base)
    if work == "mend":
        _spoil(_warc(base))
    return base


def _warc(base):
    return next((base / HARVEST / "warcs").glob("*.warc.gz"))


def _spoil(path):
    path.chmod(0o644)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _sound(folder, numbers):
    """Every result can be opened, fits its manifest, and outlives the tidying before the next work."""
    results = ResultsFolder(folder)
    results.tidy()
    assert results.numbers() == numbers
    for number in numbers:
        assert list(wrong_files(folder, results.manifest(number))) == []
        with ResultView(results, number) as view:
            assert view.resource(crawled().url("/")) is not None
    assert [path.name for path in results.path.iterdir() if path.name.endswith((".new", ".unfinished"))] == []


def _pruned(base, whole):
    folder = base / HARVEST
    _sound(folder, [1, 2, 3])
    assert has_tree(ResultsFolder(folder), 3)
    with ResultView(ResultsFolder(folder), 3) as view:
        assert view.resource(crawled().url(OWLS)) is None


def _packed(base, whole):
    other = base / "other"
    other.mkdir()
    shutil.copytree(whole / HARVEST, other / HARVEST)
    assert pack(base, "").sha512 == pack(other, "").sha512


def _deposited(base, whole):
    names = {path.name for path in (base / "cellar").iterdir()}
    assert {name for name in names if not (name.startswith(".opilio-") and name.endswith(".tmp"))} == {"owls"}
    assert bagit.Bag(str(base / "cellar" / "owls")).validate()


def _archived(base, whole):
    store = Archive.open(DiskStore(base / "second"))
    _sound_object(store, identifier_of(base / HARVEST))


def _sound_object(archive, identifier):
    assert list(check_object(archive, object_root(identifier))) == []
    assert [version.number for version in archive.inventory(identifier).versions] == [1, 2]


def _destroyed(base, whole):
    _sound(base / HARVEST, [1, 2])
    assert left(base / HARVEST, order(crawled().url(OWLS))) == []


def _destroyed_in_archive(base, whole):
    both = copies(base)
    _sound_object(both.archive, both.identifier)
    assert left_in_archive(both.archive, both.identifier, order(crawled().url(OWLS)), base / "look") == []
    assert not (base / "aside").exists()


def _mended(base, whole):
    assert _warc(base).read_bytes() == _warc(whole).read_bytes()
    assert (read_home(copies(base)).damages, read_archive(copies(base)).damages) == ((), ())


def _purged(base, whole):
    assert data_of(base / HARVEST) == (0, 0)
    with ResultView(ResultsFolder(base / HARVEST), 2) as view:
        assert view.resource(crawled().url(OWLS)).title == "Owls"
    archive = copies(base)
    assert read_archive(archive).damages == ()


_CHECKS = {
    "prune": _pruned, "pack": _packed, "deposit": _deposited, "archive": _archived, "destroy": _destroyed,
    "destroy archived": _destroyed_in_archive, "mend": _mended, "purge": _purged,
}  # fmt: skip
