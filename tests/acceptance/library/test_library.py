"""`import opilio`: few names, typed, without Django, and the example of the README."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import opilio
from opilio.works.sample import SampleSite

ROOT = Path(__file__).parents[3]
_PUBLIC = {
    "Archive", "BrokenLink", "Built", "Capture", "Checked", "Checkup", "Crawled", "Found", "Hit", "Hits", "Index",
    "OpilioError", "__version__", "check_delivery", "crawl_site", "resume_crawl",
}  # fmt: skip


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """A crawl of the sample site by the library, and the site's address."""
    with SampleSite() as site:
        found = opilio.crawl_site(
            f"{site.url}/", tmp_path_factory.mktemp("library") / "crawl", preset="own-site", depth=1, allow_private=True
        )
    return found, site.url


def test_the_public_names_are_these():
    """`__all__` is the promise: each name is there, documented, and no name hides a package of ours."""
    assert set(opilio.__all__) == set(dir(opilio)) == _PUBLIC
    assert [name for name in opilio.__all__ if not (getattr(opilio, name).__doc__ or "").strip()] == []
    packages = {path.parent.name for path in (ROOT / "src" / "opilio").glob("*/__init__.py")}
    assert packages & _PUBLIC == set()
    with pytest.raises(AttributeError, match="no_such_name"):
        opilio.no_such_name  # noqa: B018 - asking is the point


def test_every_name_stands_in_the_reference():
    """docs/reference/library.md tells of each public name."""
    text = (ROOT / "docs" / "reference" / "library.md").read_text("utf-8")
    assert [name for name in opilio.__all__ if f"`{name}" not in text and f"opilio.{name}" not in text] == []


def test_nothing_is_imported_before_it_is_used_and_django_never():
    """`import opilio` loads nothing of ours; all public names together load no Django."""
    script = (
        "import sys, opilio\n"
        "ours = sorted(name for name in sys.modules if name.startswith('opilio.'))\n"
        "assert ours == [], ours\n"
        "from opilio import *\n"
        "assert callable(crawl_site)\n"
        "assert 'opilio.works.library.index' in sys.modules\n"
        "assert 'django' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_package_says_that_it_is_typed():
    """Programs that use it are checked with our types."""
    assert (Path(opilio.__file__).parent / "py.typed").is_file()


def test_a_crawl_tells_what_became_of_it(crawled):
    """Pages, outcomes, broken links with their pages."""
    found, _ = crawled
    assert found.whole
    assert found.pages > 10
    assert found.outcomes["fetched"] >= found.pages - 5
    broken = list(found.broken_links())
    assert broken
    assert all(each.url.startswith("http") and each.linked_from for each in broken)


def test_an_archive_gives_its_captures_back(crawled):
    """Each capture is listed, read as a reader sees it, and whole."""
    found, site = crawled
    archive = opilio.Archive(found.folder)
    (start,) = archive.captures(f"{site}/")
    assert (start.status, start.kind) == (200, "response")
    assert start.type.startswith("text/html")
    assert b"<html" in archive.read(f"{site}/")
    assert len(list(archive.captures(f"{site}/*"))) > found.pages
    checkup = archive.verify()
    assert (checkup.whole, checkup.faults) == (True, ())
    assert checkup.records > found.pages
    with pytest.raises(opilio.OpilioError):
        archive.read("http://nowhere.example/")


def test_a_broken_archive_is_told(crawled, tmp_path):
    """A file that is cut gives what it has, then an error that names the place."""
    found, _ = crawled
    data = next(found.folder.rglob("*.warc.gz")).read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(data[: len(data) // 2])
    with pytest.raises(opilio.OpilioError, match=r"cut\.warc\.gz|cut"):
        list(opilio.Archive(tmp_path / "cut.warc.gz").captures())
    assert not opilio.Archive(tmp_path / "cut.warc.gz").verify().whole


def test_an_index_finds_pages(crawled, tmp_path):
    """Build, search, page on, and say what is missing."""
    found, site = crawled
    with opilio.Index(tmp_path / "index") as index:
        built = index.build(found.folder, processes=1)
        assert built.pages > 5
        hits = index.search("harbour", limit=3)
        assert (len(hits), hits.total > 3) == (3, True)
        first = next(iter(hits))
        assert first.url.startswith(site)
        assert first.title
        assert "harbour" in (first.title + first.snippet).lower()
        assert [hit.url for hit in index.search("harbour", limit=3, offset=3)] != [hit.url for hit in hits]
        assert index.build(processes=1).pages == built.pages
        with pytest.raises(opilio.OpilioError):
            index.build(tmp_path / "nothing")


def test_a_delivery_is_checked(tmp_path):
    """A file that breaks the rules of its profile is told with its reasons."""
    (tmp_path / "wrong.zip").write_bytes(b"no archive")
    checked = opilio.check_delivery(tmp_path / "wrong.zip")
    assert not checked.good
    assert all(isinstance(each, opilio.Found) and each.what for each in checked.found)
    with pytest.raises(opilio.OpilioError):
        opilio.check_delivery(tmp_path / "missing.zip")


def test_no_start_is_refused(tmp_path):
    """A crawl needs a URL."""
    with pytest.raises(opilio.OpilioError, match="no URL"):
        opilio.crawl_site([], tmp_path / "none")


def test_the_example_of_the_readme_runs(tmp_path):
    """Its fifteen lines, as they stand, with the sample site in the place of the web site."""
    text = (ROOT / "README.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(example.splitlines()) <= 15
    with SampleSite() as site:
        script = example.replace("https://docs.example.org/", f"{site.url}/")
        assert script != example
        script = script.replace("max_pages=500", "max_pages=20, preset='own-site', allow_private=True")
        done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^20 pages", done.stdout)
    assert site.url in done.stdout
