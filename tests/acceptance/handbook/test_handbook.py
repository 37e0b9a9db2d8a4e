"""The handbook: built by the generator without a warning, every link of it followed by our own crawler, and served."""

import functools
import http.server
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.test import Client

import opilio
from opilio.web import handbook

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The handbook of these sources."""
    folder = tmp_path_factory.mktemp("handbook")
    command = [
        sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", str(folder / "trees"), str(DOCS),
        str(folder / "pages"),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "pages"


@pytest.fixture
def shown(built, monkeypatch):
    """The handbook as the pages find it."""
    monkeypatch.setattr(handbook, "FOLDER", built)
    return built


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *args):
        pass


def test_every_page_is_there_and_reachable_and_no_link_is_broken(built, tmp_path):
    """Our own crawler starts at the first page, reaches each, and finds no link that leads nowhere."""
    handler = functools.partial(_Quiet, directory=str(built))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        start = f"http://127.0.0.1:{server.server_address[1]}/index.html"
        crawled = opilio.crawl_site(start, tmp_path / "crawl", preset="own-site", sitemaps=False, allow_private=True)
        server.shutdown()
        thread.join()
    assert [(link.url, link.linked_from) for link in crawled.broken_links()] == []
    fetched = {capture.url.split("/", 3)[3] for capture in opilio.Archive(tmp_path / "crawl").captures()}
    wanted = {path.relative_to(DOCS).with_suffix(".html").as_posix() for path in DOCS.rglob("*.md")}
    assert wanted - fetched == set()


def test_pages_load_nothing_from_outside(built):
    """No script, style, font or picture of another host."""
    loads = re.compile(r"<(?:script|img|source|iframe)[^>]+src=\"(https?:)?//|<link[^>]+href=\"(https?:)?//")
    found = [path.name for path in built.rglob("*.html") if loads.search(path.read_text("utf-8"))]
    assert found == []
    styles = [path.name for path in built.rglob("*.css") if re.search(r"url\(['\"]?https?:", path.read_text("utf-8"))]
    assert styles == []


def test_pages_are_served_with_a_policy_that_names_their_scripts(shown):
    """Everybody may read it; the browser runs no script that did not stand in the page."""
    client = Client()
    assert client.get("/docs/").headers["Location"] == "/docs/index.html"
    answer = client.get("/docs/glossary.html")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    policy = answer.headers["Content-Security-Policy"]
    assert "'sha256-" in policy.partition("script-src")[2].partition(";")[0]
    assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0]
    assert client.get("/docs/_static/pygments.css").headers["Content-Type"].startswith("text/css")


@pytest.mark.parametrize("path", ["nothing.html", "../settings.py", "%2e%2e/settings.py", "howto", "a\x00b"])
def test_nothing_else_is_served(shown, path):
    """A file that is not of the handbook is not found, wherever it lies."""
    assert Client().get(f"/docs/{path}").status_code in (400, 404)


@pytest.mark.django_db
def test_where_it_was_not_made_the_page_says_so(monkeypatch, tmp_path):
    """And nothing links to it."""
    monkeypatch.setattr(handbook, "FOLDER", tmp_path)
    answer = Client().get("/docs/")
    assert answer.status_code == 404
    assert "make docs" in answer.content.decode()
    assert "/docs/" not in Client().get("/sign-in").content.decode()
