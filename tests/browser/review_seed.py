"""An installation with two harvests that were just made, its pages with replay, an agent, and their site."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.request import urlopen

from tests.browser.site import Site, running_site
from tests.harvests import Yard
from tests.installations import Installation
from tests.servers.http_server import HttpServer

_SETTINGS = {"OPILIO_HARVEST_ALLOW_PRIVATE": "127.0.0.0/8", "OPILIO_LOG_LEVEL": "error"}
_PAGES = "opilio.server.worker:application"  # with replay beside them
_MONTHS = range(1, 13)
_LINKS = "".join(f"<li><a href='calendar/{month}.html'>Month {month}</a>" for month in _MONTHS)
_MARSH = {
    "index.html": "<html lang=en><title>Birds of the marsh</title><link rel=stylesheet href=style.css>"
    "<h1>Birds of the marsh</h1><img src=reed.svg alt=Reed><p>Bitterns boom at dusk, and the reed stands high."
    f"<p><a href=owls.html>Owls</a> <a href=herons.html>Herons</a><ul>{_LINKS}</ul></html>",
    "owls.html": "<html lang=en><title>Owls</title><p>Owls sleep by day and hunt at night.</p>"
    "<img src=owl.svg alt=Owl><p><a href=./>Home</a></html>",
    "herons.html": "<html lang=en><title>Herons</title><p>Herons stand in the reed.</p></html>",
    "style.css": "body { font-family: serif; color: #123; }",
    "reed.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='40'><path d='M9 39V2m20 37V9m20 30V4' "
    "stroke='green'/></svg>",
}  # fmt: skip
#: What the harvest misses: it comes to the site later.
OWL = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><circle cx='20' cy='20' r='15'/></svg>"
_CELLAR = {
    "cellar/index.html": "<html lang=en><title>Amphorae</title><h1>The cellar</h1><p>Amphorae with wine.</html>",
}


@dataclass(frozen=True, kw_only=True)
class Stage:
    """All that the story of a review needs."""

    site: Site  # the pages of Opilio
    web: HttpServer  # what was harvested
    folder: Path  # of its files
    yard: Yard
    open: int  # harvest that all may read once it is endorsed
    kept_back: int  # harvest under embargo

    def states(self, harvest: int) -> dict[int, int]:
        """The states of a harvest's results, by number."""
        return dict(self.yard.rows(f"SELECT number, state FROM result WHERE harvest_id = {harvest}"))

    def result(self, harvest: int, number: int) -> int:
        """The identifier of a result."""
        asked = f"SELECT id FROM result WHERE harvest_id = {harvest} AND number = {number}"
        return int(self.yard.rows(asked)[0][0])

    def until_assessed(self, *harvests: int, number: int = 1) -> None:
        """Wait until results can be reviewed: recommendations are there."""
        listed = ", ".join(map(str, harvests))
        asked = (
            "SELECT count(*) FROM assessment a JOIN result r ON r.id = a.result_id "
            f"WHERE r.harvest_id IN ({listed}) AND r.number = {number} AND r.state = 0 AND a.headline <> ''"
        )
        self.yard.until(lambda: self.yard.rows(asked)[0][0] == len(harvests), f"result {number} was not assessed")


@contextmanager
def running_review(installation: Installation, folder: Path) -> Iterator[Stage]:
    """Serve everything until the block ends."""
    installation = replace(installation, env={**installation.env, **_SETTINGS})
    _write(folder)
    yard = Yard(installation=installation)
    with HttpServer(site=folder) as web:
        fill = f"from tests.browser.review_fill import fill; fill({web.url('/')!r})"
        with running_site(installation, application=_PAGES, fill=fill) as site, yard.agent():
            with urlopen(f"{site.url}/sign-in", timeout=240) as answer:
                answer.read()  # the first answer loads the pages
            ids = site.ids
            yield Stage(site=site, web=web, folder=folder, yard=yard, open=ids["open"], kept_back=ids["kept-back"])


def _write(folder: Path) -> None:
    """The pages of the site."""
    months = {
        f"marsh/calendar/{month}.html": f"<html><title>Month {month}</title><p>No event in month {month}.</html>"
        for month in _MONTHS
    }
    marsh = {f"marsh/{name}": text for name, text in _MARSH.items()}
    for name, text in {**marsh, **months, **_CELLAR}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
