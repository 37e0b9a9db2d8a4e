"""Destroying captures in a harvest's folder: nothing of them is left in any file, all else works as before."""

import datetime
import gzip
import json
import shutil
import zlib

import pytest

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.manifest import wrong_files
from opilio.archive.results.view import ResultView
from opilio.archive.screenshots.pictures import Picture, PictureKind
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.kernel.access_where import Reach, Where
from opilio.kernel.clock import SYSTEM
from opilio.works import redact_harvest
from opilio.works.redact_harvest import _note, left, redact
from opilio.works.redact_reach import RedactionOrder
from tests.review_desk import crawled, pruned

SECRET = b"hunt at night"


@pytest.fixture
def folder(tmp_path):
    """A sealed crawl with a derived result and a picture of each of two pages."""
    made = tmp_path / "7"
    shutil.copytree(crawled().folder, made)
    pruned(made, crawled().url("/herons.html"))
    taken = [([_picture(path)], [("title", "a page")]) for path in ("/owls.html", "/")]
    PictureShelf(made).add(taken)
    return made


def _picture(path):
    data = b"picture of " + path.encode()
    return Picture(url=crawled().url(path), kind=PictureKind.VIEW, at=SYSTEM.now(), data=data)


def _order(path="/owls.html", **more):
    return RedactionOrder(name="takedown 12", where=Where(reach=Reach.URL, value=crawled().url(path)), **more)


def unpacked_bytes(folder):
    """All bytes below a folder, also as they are once unpacked."""
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            yield path, data
            if path.name.endswith(".gz"):
                yield path, gzip.decompress(data)
            if path.suffix == ".db":
                yield path, b"".join(_streams(data))


def _streams(data):
    """Whatever zlib finds in a file that holds compressed texts."""
    for start in range(len(data) - 1):
        if data[start] == 0x78 and (data[start] * 256 + data[start + 1]) % 31 == 0:
            try:
                yield zlib.decompressobj().decompress(data[start : start + 100_000])
            except zlib.error:
                continue


def test_nothing_of_it_is_left_in_any_file(folder):
    """Not in WARC files, results, indexes, pictures or the crawl store, packed or not."""
    assert any(SECRET in data for _, data in unpacked_bytes(folder))
    done = redact(folder, _order())
    assert [path for path, data in unpacked_bytes(folder) if SECRET in data or b"picture of /owls" in data] == []
    assert left(folder, _order()) == []
    assert done.records >= 2
    assert (done.resources, len(done.results)) == (1, 2)
    assert any(b"picture of /" in data for _, data in unpacked_bytes(folder))


def test_all_else_stays_readable_and_sound(folder):
    """Both results open, manifests fit, other pages have their texts; of the one that went only its URL is known."""
    redact(folder, _order())
    results = ResultsFolder(folder)
    for number in (1, 2):
        assert list(wrong_files(folder, results.manifest(number))) == []
        with ResultView(results, number) as view:
            gone = view.resource(crawled().url("/owls.html"))
            assert (gone.outcome, gone.title, gone.digest, gone.place) == ("excluded", "", "", None)
            assert "takedown 12" in gone.reason
            home = view.resource(crawled().url("/"))
            assert "marsh" in view.text(home.digest)
    assert "owls.html" not in (folder / "index.cdxj").read_text()
    assert "nests/1.html" in (folder / "index.cdxj").read_text()
    told = json.loads((folder / "redactions.jsonl").read_text().splitlines()[-1])
    assert told["order"] == "takedown 12"
    assert told["files"][0]["before"] != told["files"][0]["after"]


@pytest.mark.parametrize(
    "where",
    ["opilio.works.redact_harvest._without_lines", "opilio.works.redact_harvest.rewrite_results",
     "opilio.archive.results.rewriting._write_manifest", "opilio.works.redact_harvest._note", "second note"],
)  # fmt: skip
def test_a_destruction_that_broke_off_is_done_again(folder, monkeypatch, where):
    """Killed at any step, the next run finishes it."""
    with monkeypatch.context() as patch:
        if where == "second note":
            calls = iter([_note])
            patch.setattr(redact_harvest, "_note", lambda *told: next(calls, _killed)(*told))
        else:
            patch.setattr(where, _killed)
        with pytest.raises(KeyboardInterrupt):
            redact(folder, _order())
    done = redact(folder, _order())
    assert (done.records >= 2, done.resources <= 1, bool(done.files[0].before)) == (True, True, True)
    assert redact(folder, _order()) == done
    assert left(folder, _order()) == []
    assert [path for path, data in unpacked_bytes(folder) if SECRET in data] == []
    results = ResultsFolder(folder)
    with ResultView(results, 2) as view:
        assert view.resource(crawled().url("/")) is not None
    assert [list(wrong_files(folder, results.manifest(number))) for number in (1, 2)] == [[], []]


def test_captures_of_another_time_stay(folder):
    """An order for captures before a day leaves later ones alone, and writes nothing."""
    before = {path: path.read_bytes() for path in folder.rglob("*.warc.gz")}
    done = redact(folder, _order(captured_to=datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC)))
    assert done.empty
    assert {path: path.read_bytes() for path in folder.rglob("*.warc.gz")} == before
    assert not (folder / "redactions.jsonl").exists()


def test_everything_can_be_destroyed(folder):
    """An order for all URLs leaves no page behind."""
    order = RedactionOrder(name="takedown 13", where=Where())
    redact(folder, order)
    assert left(folder, order) == []
    assert not [path for path, data in unpacked_bytes(folder) if SECRET in data or b"Welcome to the marsh" in data]


def test_a_whole_host_and_a_pattern_are_reached(folder):
    """Orders name URLs as rules of access do."""
    nests = RedactionOrder(name="takedown 14", where=Where(reach=Reach.PATTERN, value=r"/nests/\d+\.html$"))
    assert redact(folder, nests).resources == 2
    with ResultView(ResultsFolder(folder), 2) as view:
        assert view.resource(crawled().url("/owls.html")).title == "Owls"


def _killed(*_, **__):
    raise KeyboardInterrupt
