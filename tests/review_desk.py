"""Harvests that wait for review, for tests of whatever needs them: rows of results, and really sealed small crawls.

`ReviewDesk.harvested()` writes rows only. `ReviewDesk.sealed(home)` also puts a folder under `home/harvests/ID` that
one cheap local crawl made, once per process, and that is copied each time; use `at_home(settings, tmp_path)` first.
"""

import atexit
import contextlib
import dataclasses
import functools
import shutil
import tempfile
from pathlib import Path

from opilio.archive.results.deriving import Change
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.selection import Selection
from opilio.archive.results.view import ResultView
from opilio.crawl.plan import CrawlPlan, Fetch, Manners, Preset, Scope, ScopeKind, Seed
from opilio.curation.models import HarvestFile, HarvestState, RejectionReason, Result, ResultState
from opilio.works.crawl_to_archive import Crew, crawl
from opilio.works.derive_result import derive
from opilio.works.run_harvest import HarvestFolder
from tests.harvest_desk import HarvestDesk
from tests.servers.http_server import HttpServer
from tests.sites.crawling import LOOPBACK, QUICK

#: A small site: `/gone.html` is linked and not there, `/lost.png` is embedded and not there, robots.txt shuts a page.
SITE = {
    "robots.txt": "User-agent: *\nDisallow: /private.html\n",
    "index.html": "<html lang=en><title>Birds</title><h1>Birds of the marsh</h1><p>Welcome to the marsh.</p>"
    + "".join(f'<a href="/{name}.html">{name}</a> ' for name in ("owls", "herons", "gone", "private"))
    + '<a href="/nests/1.html">nest</a><link rel=stylesheet href="/style.css"><img src="/owl.svg" alt=owl></html>',
    "owls.html": "<html lang=en><title>Owls</title><p>Owls sleep by day and hunt at night.</p>"
    '<img src="/lost.png" alt=lost><a href="/">home</a></html>',
    "herons.html": "<html lang=en><title>Herons</title><p>Herons stand in the reed.</p></html>",
    "nests/1.html": '<html lang=en><title>Nest 1</title><p>The first nest.</p><a href="/nests/2.html">next</a></html>',
    "nests/2.html": "<html lang=en><title>Nest 2</title><p>The second nest.</p></html>",
    "style.css": "body { color: #222; }",
    "owl.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>owl</title></svg>',
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Crawled:
    """A sealed crawl that is only copied, and the site it was made of."""

    folder: Path
    site: Path
    port: int

    def url(self, path="/"):
        """A URL of the site."""
        return f"http://127.0.0.1:{self.port}{path}"

    @contextlib.contextmanager
    def served(self, **more):
        """The site on its old port again, with further or other files; yields its folder's server."""
        with tempfile.TemporaryDirectory(prefix="opilio-site-") as folder:
            write_site(Path(folder), {**SITE, **more})
            with HttpServer(site=Path(folder), port=self.port) as server:
                yield server


@functools.cache
def crawled():
    """The crawl, made once in this process."""
    base = Path(tempfile.mkdtemp(prefix="opilio-review-"))
    atexit.register(shutil.rmtree, base, ignore_errors=True)
    write_site(base / "site", SITE)
    with HttpServer(site=base / "site") as server:
        plan = CrawlPlan(
            seeds=(Seed(url=server.url("/")),), scope=Scope(kind=ScopeKind.HOST),
            manners=Manners(preset=Preset.OWN_SITE), fetch=Fetch(allow_private=LOOPBACK),
        )  # fmt: skip
        crawl(plan, base / "crawl", Crew(settings=QUICK))
        return Crawled(folder=base / "crawl", site=base / "site", port=server.port)


def write_site(folder, files):
    """Write the files of a site."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def at_home(settings, tmp_path):
    """Let the installation's home lie in a test's own folder."""
    settings.OPILIO = dataclasses.replace(settings.OPILIO, home=tmp_path)
    return tmp_path


def pruned(folder, *urls, note="Too much.", by="curator"):
    """Derive a further result on disk, without these URLs; its number."""
    change = Change(remove=Selection(urls=urls), note=note, by=by)
    return derive(folder, change).number


class ReviewDesk(HarvestDesk):
    """A desk with harvests that wait for review."""

    def harvested(self, row=None, *, results=1, state=HarvestState.HARVESTED, **fields):
        """A harvest with so many results, each derived from the one before; rows only."""
        fields.setdefault("started_at", self.now)
        fields.setdefault("ended_at", self.now)
        made = self.harvest(row, state=state, **fields)
        for number in range(1, results + 1):
            self.result(made, number)
        return made

    def result(self, harvest, number=1, *, state=ResultState.UNASSESSED, **fields):
        """A result of a harvest."""
        fields.setdefault("derived_from", number - 1 or None)
        fields.setdefault("provenance_note", "What the crawl captured." if number == 1 else "Without what is too much.")
        fields.setdefault("resources", 10)
        fields.setdefault("bytes", 12_000)
        made = Result(
            harvest=harvest, number=number, position=number - 1, state=state,
            **self._moments("state_since", "made_at"), **fields,
        )  # fmt: skip
        made.save()
        return made

    def sealed(self, home, row=None, *, results=1, **fields):
        """A harvest whose folder really has these results: the crawl, then a page less in each."""
        made = self.harvested(row, results=0, **fields)
        folder = sealed_folder(home, made.pk)
        removed = ("/herons.html", "/nests/2.html")
        for path in removed[: results - 1]:
            pruned(folder.path, crawled().url(path))
        for number in ResultsFolder(folder.path).numbers():
            self._of_disk(made, ResultsFolder(folder.path), number)
        for one in folder.files():
            HarvestFile(harvest=made, name=one.name, size=one.size, digest=one.digest, compressed=True).save()
        return made

    def reason(self, *, agency=None, name="Mostly empty pages", **fields):
        """A reason for which harvests are rejected."""
        agency = agency or self.town.library
        made = RejectionReason(agency=agency, name=name, **self._moments(), **fields)
        made.save()
        return made

    def _of_disk(self, harvest, results, number):
        with ResultView(results, number) as view:
            resources, size = sum(view.outcomes().values()), view.captured_bytes()
        self.result(harvest, number, resources=resources, bytes=size, digest=results.digest(number))


def sealed_folder(home, harvest_id):
    """Put a copy of the crawl where the folder of a harvest lies."""
    folder = HarvestFolder(path=home / "harvests" / str(harvest_id))
    folder.path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(crawled().folder, folder.path)
    return folder
