"""Checks the demo from outside, as a browser would: sign in, open every page of the navigation, see the sample site."""

import html.parser
import http.client
import http.cookiejar
import urllib.error
import urllib.parse
import urllib.request

from opilio.cli.demo_data import SignIn
from opilio.cli.demo_index import EXAMPLE
from opilio.server.errors import DemoFailed
from opilio.web.sections import SECTIONS
from opilio.works.sample import expected

_PATIENCE = 60  # seconds for one page


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

    def __init__(self, base: str) -> None:
        self._base = base
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(jar)

    def open(self, path: str, form: dict[str, str] | None = None) -> tuple[str, str]:
        """Where the page was found, after redirects, and what it says."""
        url = urllib.parse.urljoin(self._base, path)
        data = urllib.parse.urlencode(form).encode() if form is not None else None
        request = urllib.request.Request(url, data=data, headers={"Referer": url})  # noqa: S310 - our own server
        try:
            with self._opener.open(request, timeout=_PATIENCE) as answer:
                return str(answer.url), answer.read().decode("utf-8", "replace")
        except urllib.error.HTTPError as error:
            raise _failed(f"It answered {error.code}", url) from error
        except (OSError, http.client.HTTPException) as error:
            raise _failed(f"It does not answer: {error}", url) from error


def run(pages: str, site: str, who: SignIn) -> list[str]:
    """The addresses that were opened; `DemoFailed` names the first that is not as it should be."""
    browser = _Browser(pages)
    _sign_in(browser, who)
    opened = [_open(browser, section.path) for section in SECTIONS]
    opened.append(_searched(_Browser(pages)))
    sample = _Browser(site)
    return opened + [sample.open(path)[0] for path in sorted(expected.PAGES)]


def _searched(reader: _Browser) -> str:
    """A reader who has not signed in finds pages of the sample site."""
    place, text = reader.open(f"/find?q={EXAMPLE}")
    if "<mark>" not in text:
        raise _failed(f"No page with the word {EXAMPLE} is found", place)
    return place


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
