"""An installation with a harvest to launch, its pages, an agent, and a site on which one can watch it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.request import urlopen

from tests.browser.site import Site, running_site
from tests.harvests import Yard
from tests.installations import Installation
from tests.servers.http_server import HttpServer

PAGES = 600
_SETTINGS = {"OPILIO_HARVEST_ALLOW_PRIVATE": "127.0.0.0/8"}  # the pages freeze what the agent runs


@dataclass(frozen=True, kw_only=True)
class Stage:
    """All that the story of a harvest needs."""

    site: Site  # the pages of Opilio
    web: HttpServer  # what is harvested
    yard: Yard
    harvest: int


@contextmanager
def running_harvests(installation: Installation, folder: Path) -> Iterator[Stage]:
    """Serve everything until the block ends."""
    installation = replace(installation, env={**installation.env, **_SETTINGS})
    with HttpServer(site=_site(folder)) as web, running_site(installation) as site:
        code = f"from tests.browser.harvest_fill import fill; fill({web.url('/')!r}, {web.port})"
        filled = installation.python(code)
        if filled.returncode:
            raise RuntimeError(f"The installation could not be filled:\n{filled.stderr}")
        with urlopen(f"{site.url}/sign-in", timeout=240) as first:
            first.read()  # the first answer loads the pages
        yard = Yard(installation=installation)
        with yard.agent():
            yield Stage(site=site, web=web, yard=yard, harvest=json.loads(filled.stdout.strip().splitlines()[-1]))


def _site(folder: Path) -> Path:
    """Pages that link to each other, calendars among them, and some links that lead nowhere."""
    folder.mkdir(parents=True)
    links = [
        f"<li><a href='{kind}-{number}.html'>{kind} {number}</a>"
        for number in range(PAGES)
        for kind in ("tide", "calendar")
    ]
    lost = [f"<li><a href='lost-{number}.html'>Lost {number}</a>" for number in range(5)]
    (folder / "index.html").write_text(f"<title>Tides</title><ul>{''.join(lost + links)}</ul>")
    for number in range(PAGES):
        text = f"<p>High water at the harbour, table {number}.</p>" * (5 + number % 200)
        (folder / f"tide-{number}.html").write_text(f"<title>Tide {number}</title>{text}")
        (folder / f"calendar-{number}.html").write_text(f"<title>Calendar {number}</title>{number}")
    return folder
