"""Deriving and undoing: what is refused, what is kept, and that dying at any moment leaves all or nothing."""

import stat

import pytest

from opilio.archive.results.deriving import Change, derive
from opilio.archive.results.errors import DamagedResult, NoResult, NothingToDerive, ProtectedResult
from opilio.archive.results.folder import Protection
from opilio.archive.results.manifest import wrong_files
from opilio.archive.results.selection import Selection
from opilio.archive.results.undoing import undo
from opilio.archive.results.view import ResultView
from opilio.kernel.errors import BadUrl, Conflict, InvalidInput, Missing
from opilio.kernel.locks import locked
from opilio.works import derive_result
from tests.unit.archive.derived import AT, Page, derived, first_result, reader_of

PAGES = [Page(f"http://a.example/{name}", name, ("http://a.example/1",), f"text {name}") for name in "12345"]
MORE = [Page("http://b.example/new", "new", ("http://a.example/2",), "new"), Page("http://a.example/1", "again")]


@pytest.fixture
def results(tmp_path):
    return first_result(tmp_path / "crawl", PAGES)


def undone(results, number=None, why="It was wrong."):
    return undo(results, number, why=why, by="curator", at=AT)


def test_numbers(results):
    """What was done is counted: removed, added, in place of others; what found nothing is named."""
    made = derived(results, urls=("http://a.example/2", "http://a.example/9"), pages=MORE)
    assert (made.number, made.parent, made.removed, made.added, made.replaced) == (2, 1, 1, 2, 1)
    assert made.unmatched == ("URL http://a.example/9",)


def test_removed_and_added_again(results):
    """What is both removed and added is there afterwards, as it was added."""
    made = derived(results, prefixes=("http://a.example/",), pages=MORE)
    assert (made.removed, made.replaced, made.added) == (4, 1, 2)
    with ResultView(results) as view:
        assert {page.url: page.title for page in view.resources()} == {page.url: page.title for page in MORE}


def test_same_twice(results):
    """A resource that several words mean is removed once."""
    made = derived(
        results,
        urls=("http://a.example/1",),
        numbers=(0,),
        patterns=("/1$",),
        domains=("example",),
        hosts=("a.example",),
    )
    assert made.removed == 5


@pytest.mark.parametrize(
    ("existing", "titles"),
    [("replace", ["again", "2!"]), ("keep", ["1", "2"]), ("if-failed", ["1", "2!"])],
)
def test_existing(tmp_path, existing, titles):
    """Resources that an added file has too are replaced, replaced if they had failed, or kept."""
    pages = [PAGES[0], Page("http://a.example/2", "2", outcome="gone", status=404)]
    results = first_result(tmp_path / "crawl", pages)
    more = [MORE[1], Page("http://a.example/2", "2!"), MORE[0]]
    made = derived(results, pages=more, existing=existing)
    assert made.kept == titles.count("1") + titles.count("2")
    with ResultView(results) as view:
        assert [view.resource(f"http://a.example/{name}").title for name in "12"] == titles


def test_files_of_a_result(results):
    """A result is read-only, has its manifest and its own index, and never touches its parent."""
    before = {path: path.read_bytes() for path in results.path.iterdir()}
    made = derived(results, pages=MORE)
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o444
    assert list(wrong_files(results.crawl, results.manifest(2))) == []
    assert "warcs/result-2-new.warc.gz" in results.manifest(2).read_text()
    assert results.index(2).is_file()
    assert {path: path.read_bytes() for path in before} == before


def test_a_file_that_is_there_already(results):
    """A WARC file that lies in the folder is not copied, and stays when the result is undone."""
    there = results.warcs / "patch.warc.gz"
    there.write_bytes(b"patch")
    assert adding(results, there, pages=MORE).added == 2
    assert list(wrong_files(results.crawl, results.manifest(2))) == []
    undone(results)
    assert sorted(path.name for path in results.warcs.iterdir()) == ["one.warc.gz", "patch.warc.gz"]


def adding(results, *files, pages=()):
    return derive(results, Change(add=files, note="x"), reader_of(pages), at=AT, software="test")


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({}, NothingToDerive),
        ({"urls": ("http://a.example/9",)}, NothingToDerive),
        ({"urls": ("mailto:x",)}, BadUrl),
        ({"patterns": ("(",)}, InvalidInput),
        ({"patterns": ("",)}, InvalidInput),
        ({"hosts": ("a b",)}, InvalidInput),
        ({"prefixes": ("/x",)}, InvalidInput),
        ({"urls": ("http://a.example/1",), "note": " "}, InvalidInput),
        ({"urls": ("http://a.example/1",), "note": "x" * 40_000}, InvalidInput),
        ({"numbers": tuple(range(100_001))}, InvalidInput),
        ({"urls": ("http://a.example/1",), "parent": 5}, NoResult),
    ],
    ids=lambda value: str(value)[:50],
)
def test_refused(results, fields, error):
    """What cannot be done is refused with a remedy, and leaves no trace."""
    before = sorted(results.path.iterdir())
    with pytest.raises(error) as caught:
        derived(results, **fields)
    assert caught.value.remedy
    assert sorted(results.path.iterdir()) == before


def test_bad_files(results, tmp_path):
    """A WARC file that is missing, of the result itself, or of the same name as another is refused."""
    with pytest.raises(Missing):
        adding(results, tmp_path / "none.warc.gz")
    with pytest.raises(Conflict):
        adding(results, results.warcs / "one.warc.gz")
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.warc").write_bytes(b"x")
    with pytest.raises(Conflict):
        adding(results, tmp_path / "a" / "same.warc", tmp_path / "b" / "same.warc")


def test_two_at_once(results):
    """While somebody works in the folder, nobody else derives or undoes."""
    with locked(results.lock, purpose="a test"):
        with pytest.raises(Conflict) as caught:
            derive_result.derive(results.crawl, Change(note="x", remove=Selection(numbers=(0,))))
        with pytest.raises(Conflict):
            derive_result.undo(results.crawl, why="x")
    assert "a test" in caught.value.what


def test_undo(results):
    """An undone result is gone with its files, and a record of it stays; its number is not used again."""
    derived(results, urls=("http://a.example/2",))
    derived(results, pages=MORE, note="patched")
    assert undone(results).warcs == ("result-3-new.warc.gz",)
    assert results.numbers() == [1, 2]
    assert sorted(path.name for path in results.warcs.iterdir()) == ["one.warc.gz"]
    (record,) = results.undone()
    assert (record["number"], record["parent"], record["note"], record["why"]) == (3, 2, "patched", "It was wrong.")
    assert (record["added"], record["removed"], len(record["sha256"])) == (2, 1, 64)
    assert derived(results, urls=("http://a.example/3",)).number == 4


def test_not_undone(results):
    """The crawl's own result, parents, older and protected ones stay, each with its remedy."""
    for name in "23":
        derived(results, urls=(f"http://a.example/{name}",))
    derived(results, urls=("http://a.example/4",), parent=2)
    for number, words in ((1, "captured"), (2, "result 3 is derived from it"), (3, "not the newest")):
        with pytest.raises(ProtectedResult) as caught:
            undone(results, number)
        assert words in caught.value.what
        assert caught.value.remedy
    for kind in Protection:
        results.protect(4, kind)
        with pytest.raises(ProtectedResult) as caught:
            undone(results)
        assert kind in caught.value.what
    with pytest.raises(InvalidInput):
        undone(results, why=" ")
    with pytest.raises(NoResult):
        undone(results, 9)
    assert results.numbers() == [1, 2, 3, 4]


def test_broken_record(results):
    """A record of undone results that cannot be read is told, not passed over."""
    (results.path / "undone.jsonl").write_text("{}\n")
    with pytest.raises(DamagedResult):
        results.undone()


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_an_error_leaves_nothing(results):
    """When reading the added files fails in the middle, no trace is left."""
    before = names(results.crawl)

    def broken(files, view):
        yield from ()
        raise DamagedResult("broken", remedy="none")

    file = results.crawl.parent / "x.warc.gz"
    file.write_bytes(b"x")
    with pytest.raises(DamagedResult):
        derive(results, Change(add=(file,), note="x"), broken, at=AT, software="test")
    assert names(results.crawl) == before
