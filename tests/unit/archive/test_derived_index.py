"""The index of a derived result equals what the result itself says, however it was made."""

import pytest

from opilio.archive.cdxj import write_cdxj
from opilio.archive.results import reindexing
from opilio.archive.results.cdx_rows import cdx_rows
from opilio.archive.results.deriving import Change
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.selection import Selection
from opilio.archive.results.view import ResultView
from opilio.works.derive_result import derive
from tests.review_desk import crawled, sealed_folder


@pytest.fixture
def results(tmp_path):
    return ResultsFolder(sealed_folder(tmp_path, 1).path)


def derived(results, *, remove=(), add=()):
    selection = Selection(urls=tuple(crawled().url(path) for path in remove))
    number = derive(results.crawl, Change(remove=selection, add=tuple(add), note="n", by="curator")).number
    with ResultView(results, number) as view:
        write_cdxj(results.crawl / "whole", cdx_rows(view))
    return results.index(number).read_bytes(), (results.crawl / "whole").read_bytes()


def test_captures_that_went_are_taken_out_of_the_index(results, monkeypatch):
    """Line by line, without the result being read."""
    monkeypatch.setattr(reindexing, "cdx_rows", None)
    found, wanted = derived(results, remove=("/owls.html", "/nests/1.html"))
    assert found == wanted
    found, wanted = derived(results, remove=("/", "/style.css"))
    assert found == wanted
    assert found.count(b"\n") < results.index(1).read_bytes().count(b"\n")


def test_captures_that_came_are_put_into_their_places(results, monkeypatch, tmp_path):
    """Those of added WARC files, of which some replace others."""
    monkeypatch.setattr(reindexing, "cdx_rows", None)
    warc = next(results.warcs.glob("*.warc.gz"))
    copy = tmp_path / "again.warc.gz"
    copy.write_bytes(warc.read_bytes())
    found, wanted = derived(results, remove=("/owls.html",), add=(copy,))
    assert found == wanted


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: b"",
        lambda text: text.replace(b'"offset": "', b'"offset": "9'),
        lambda text: text.replace(b" {", b"999 {"),
        lambda text: b"rubbish\n" * 9,
    ],
)
def test_an_index_that_does_not_fit_is_made_from_the_result(results, spoil):
    """Nothing is believed that does not have every capture that goes."""
    index = results.index(1)
    index.write_bytes(spoil(index.read_bytes()))
    found, wanted = derived(results, remove=("/owls.html",))
    assert found == wanted


def test_an_index_that_is_gone_is_made_from_the_result(results):
    """It is not missed."""
    results.index(1).unlink()
    found, wanted = derived(results, remove=("/owls.html",))
    assert found == wanted
