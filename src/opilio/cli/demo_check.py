"""Checks the demo from outside, as a browser would: sign in, open every page of the navigation, search, ask the API."""

import html.parser
import http.client
import http.cookiejar
import json
import time
import urllib.error
import urllib.parse
import urllib.request

from opilio.cli.demo_data import SignIn
from opilio.server.errors import DemoFailed
from opilio.web.sections import SECTIONS
from opilio.works.sample import expected

EXAMPLE = "harbour"  # a word of the sample site
_PATIENCE = 60  # seconds for one page
_PAUSE = 0.5  # seconds between two looks for what an agent is about to do
#: States that a visitor shall meet, by what the API is asked for.
_STATES = {
    "targets?limit=100": {"pending", "nominated", "rejected", "approved", "cancelled", "reinstated", "completed"},
    "permissions?limit=100": {"Pending", "Requested", "Approved", "Rejected"},
    "harvests?limit=500": {"scheduled", "running", "harvested", "archived", "aborted", "rejected"},
    "deliveries?limit=100": {"done", "failed"},
}


class _Form(html.parser.HTMLParser):
    """The fields of the form that has a password."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.found = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and not self.found:
            self.fields = {}
        elif tag == "input" and given.get("name") and not self.found:
            self.fields[given["name"]] = given.get("value", "")
            self.found = given.get("type") == "password"


class _Browser:
    """Fetches pages of one server, with cookies."""

    def __init__(self, base: str, token: str = "") -> None:
        self._base = base
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(jar)

    def open(self, path: str, form: dict[str, str] | None = None) -> tuple[str, str]:
        """Where the page was found, after redirects, and what it says."""
        url = urllib.parse.urljoin(self._base, path)
        data = urllib.parse.urlencode(form).encode() if form is not None else None
        request = urllib.request.Request(url, data=data, headers={"Referer": url, **self._headers})  # noqa: S310 - our own server
        try:
            with self._opener.open(request, timeout=_PATIENCE) as answer:
                return str(answer.url), answer.read().decode("utf-8", "replace")
        except urllib.error.HTTPError as error:
            raise _failed(f"It answered {error.code}", url) from error
        except (OSError, http.client.HTTPException) as error:
            raise _failed(f"It does not answer: {error}", url) from error


def run(pages: str, site: str, who: SignIn, token: str) -> list[str]:
    """The addresses that were opened; `DemoFailed` names the first that is not as it should be."""
    browser = _Browser(pages)
    _sign_in(browser, who)
    opened = [_open(browser, section.path) for section in SECTIONS]
    opened.append(_searched(_Browser(pages)))
    opened += [_asked(_Browser(pages, token), path, wanted) for path, wanted in _STATES.items()]
    sample = _Browser(site)
    return opened + [sample.open(path)[0] for path in sorted(expected.PAGES)]


def _searched(reader: _Browser) -> str:
    """A reader who has not signed in finds pages of the sample site."""
    place, text = reader.open(f"/find?q={EXAMPLE}")
    if "<mark>" not in text:
        raise _failed(f"No page with the word {EXAMPLE} is found", place)
    return place


def _asked(program: _Browser, path: str, wanted: set[str]) -> str:
    """The API lists things in every state; what an agent does is waited for."""
    end = time.monotonic() + _PATIENCE
    while True:
        place, text = program.open(f"/api/v1/{path}")
        items = json.loads(text)["items"]
        missing = wanted - {str(item.get("state", item.get("status"))) for item in items}
        if not missing:
            return place
        if time.monotonic() > end:
            raise _failed(f"Nothing is {', '.join(sorted(missing))}", place)
        time.sleep(_PAUSE)


def _sign_in(browser: _Browser, who: SignIn) -> None:
    place, text = browser.open("/sign-in")
    form = _Form()
    form.feed(text)
    if not form.found:
        raise _failed("The page has no form to sign in with", place)
    filled = {**form.fields, "username": who.username, "password": who.password}
    place, text = browser.open("/sign-in", filled)
    if "/sign-in" in place:
        raise _failed(f"{who.username} cannot sign in", place)


def _open(browser: _Browser, path: str) -> str:
    place, _ = browser.open(path)
    if "/sign-in" in place:
        raise _failed("The page asks to sign in again", path)
    return place


def _failed(what: str, where: str) -> DemoFailed:
    return DemoFailed(what, where=where, remedy="The lines above may say why; run it again with `opilio --debug demo`.")
