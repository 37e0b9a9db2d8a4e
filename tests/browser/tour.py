"""Walks all pages: `python -m tests.browser.tour FOLDER` takes a picture of each and tells faults of its colours."""

import os
import re
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import django
import httpx
from django.urls import Resolver404, URLPattern, get_resolver, resolve
from selectolax.lexbor import LexborHTMLParser

from tests.browser.accessibility import faults
from tests.browser.site import PASSWORD, Site, running_browser, running_site, watched
from tests.installations import Installations

FILL = f"import json; from tests.browser.tour_fill import fill; print(json.dumps(fill({PASSWORD!r})))"
ADDRESSES = "opilio.web.urls"
#: Where no link leads, or only for some people.
FIRST = ("/in-tray", "/search?q=a", "/seeds", "/nominate", "/nominate/done", "/answered", "/verify/done", "/find")
#: What leads to other pages in each of its states.
MANY = ("harvest", "result", "permission", "target")
#: Width, height and how much larger everything is.
SIZES = {"1440": (1440, 900, 1), "1024": (1024, 768, 1), "390": (390, 844, 1), "zoom": (720, 450, 2)}
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass(kw_only=True)
class Route:
    """One line of the addresses, and what it showed."""

    name: str
    page: str = ""  # the address of a page
    answers: set[str] = field(default_factory=set)  # what came instead of a page


class Walk:
    """Somebody who signs in and follows every link, once for each line of the addresses."""

    def __init__(self, site: Site, *, language: str = "en-GB") -> None:
        self._client = httpx.Client(base_url=site.url, timeout=120, headers={"Accept-Language": language})
        self._waiting = deque(FIRST)
        self._seen = set(FIRST)
        self.routes = {name: Route(name=name) for name in names()}
        self.texts: dict[str, str] = {}  # of each page
        self.broken: list[str] = []  # links that lead to a fault

    def go(self) -> "Walk":
        """Walk until no link is left."""
        with self._client:
            self._sign_in()
            while self._waiting:
                self._visit(self._waiting.popleft())
        return self

    @property
    def pages(self) -> dict[str, str]:
        """The address of a page for each name that has one."""
        return {route.name: route.page for route in self.routes.values() if route.page}

    def _sign_in(self) -> None:
        found = _TOKEN.search(self._client.get("/sign-in").text)
        assert found is not None
        told = {"username": "administrator", "password": PASSWORD, "csrfmiddlewaretoken": found[1]}
        assert self._client.post("/sign-in", data=told).status_code == 302

    def _visit(self, path: str) -> None:
        route = self._route(path)
        if route is None or (route.page and route.name not in MANY):
            return
        with self._client.stream("GET", path) as answer:
            kind = answer.headers.get("content-type", "").partition(";")[0]
            if answer.status_code >= 500:
                self.broken.append(f"{answer.status_code} {path}")
            if "location" in answer.headers:
                self._note(path, answer.headers["location"])
            if answer.status_code != 200 or kind != "text/html" or "content-disposition" in answer.headers:
                route.answers.add(f"{answer.status_code} {kind}")
                return
            text = answer.read().decode()
        route.page = route.page or path
        self.texts[path] = text
        for link in LexborHTMLParser(text).css("a[href]"):
            self._note(path, link.attributes["href"] or "")

    def _note(self, page: str, link: str) -> None:
        parts = urlsplit(urljoin(page, link))
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        if not parts.netloc and parts.path and path not in self._seen:
            self._seen.add(path)
            self._waiting.append(path)

    def _route(self, path: str) -> Route | None:
        try:
            name = resolve(urlsplit(path).path, ADDRESSES).url_name
        except Resolver404:
            return None
        return self.routes.get(name or "")


def names() -> list[str]:
    """The names of all addresses."""
    return [one.name for one in get_resolver(ADDRESSES).url_patterns if isinstance(one, URLPattern) and one.name]


def main() -> None:
    """Pictures of every page, into a folder outside the repository."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "opilio.server.settings")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="opilio-tour-") as scratch:
        os.environ.setdefault("OPILIO_HOME", f"{scratch}/own")
        django.setup()
        installation = Installations(engine="sqlite", shared=Path(scratch)).make(Path(scratch) / "home")
        with running_site(installation, fill=FILL) as site:
            walk = Walk(site).go()
            for told in (*walk.broken, *(f"no page: {one.name}" for one in walk.routes.values() if not one.page)):
                print(told)
            take(site, walk.pages, folder)


def take(site: Site, pages: dict[str, str], folder: Path, sizes: Sequence[str] = tuple(SIZES)) -> None:
    """A picture of each page in every size, in light and dark; in one size axe looks at each."""
    with running_browser() as browser:
        for size, theme in ((size, theme) for size in sizes for theme in ("light", "dark")):
            width, height, scale = SIZES[size]
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce",
                device_scale_factor=scale,
            )  # fmt: skip
            viewer = watched(context, site)
            viewer.sign_in()
            for name, path in pages.items():
                page = viewer.open(path)
                page.screenshot(path=str(folder / f"{name}-{size}-{theme}.png"))
                for told in faults(page) if size == "1024" else ():
                    print(f"{name}, {theme}: {told}")
            context.close()


if __name__ == "__main__":
    main()
