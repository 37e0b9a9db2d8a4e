"""The list of results, on a host name of its own; it hands out tokens, each for one result and for a minute."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from opilio.archive.replay import own_pages
from opilio.archive.replay.archive_paths import archived_url, stamp_of
from opilio.archive.replay.assets import asset
from opilio.archive.replay.finding import look
from opilio.archive.replay.holdings import Holding
from opilio.archive.replay.hosts import HostNames
from opilio.archive.replay.messages import Request, Response, plain, redirect
from opilio.archive.replay.own_pages import text
from opilio.archive.replay.seals import Seals

COOKIE = "opilio_replay_entry"
_TOKEN = 60  # seconds from the list to the page
_MOST_SEEDS = 200
_MOST_WISHES = 200


@dataclass(frozen=True, kw_only=True)
class Entry:
    """The pages under the base name."""

    holdings: Mapping[int, Holding]
    seals: Seals
    names: HostNames
    title: str
    session_seconds: int

    def answer(self, request: Request) -> Response:
        """The answer to a request under the base name."""
        own = asset(request.path.removeprefix(f"{own_pages.ASSETS}/"))
        if own is not None:
            return own
        if request.method not in ("GET", "HEAD"):
            return plain(405, "There is nothing to send here.", ("allow", "GET, HEAD"))
        given = request.arguments()
        if request.path == "/" and self.seals.note(given.get("key", ""), "entry", 0) is not None:
            return redirect("/", status=303, headers=(("set-cookie", self._cookie(request)),))
        if not self._known(request):
            return own_pages.page(
                "This list is not open here",
                own_pages.paragraph("Open the address that “opilio replay” printed; it holds the key."),
                status=403,
            )
        if request.path == "/":
            return self._list()
        asked = {"/open": self._open, "/thumbnail": self._thumbnail}.get(request.path)
        return asked(request, given) if asked else plain(404, "There is nothing here.")

    def _list(self) -> Response:
        parts = [self._result(holding) for _, holding in sorted(self.holdings.items())]
        return own_pages.page(self.title, *parts)

    def _result(self, holding: Holding) -> str:
        seeds = "".join(f"<li>{self._link(holding, url)}</li>" for url in holding.seeds[:_MOST_SEEDS])
        facts = "".join(f"<dt>{text(name)}</dt><dd>{text(value)}</dd>" for name, value in holding.details.items())
        wishes = holding.patches.wishes()
        items = "".join(f"<li><bdi>{text(wish.url)}</bdi></li>" for wish in wishes[:_MOST_WISHES])
        patch = f"<h3>Patch list ({len(wishes)})</h3><ul>{items}</ul>" if wishes else ""
        return f"<h2>{text(holding.title)}</h2><dl>{facts}</dl><h3>Seeds</h3><ul>{seeds}</ul>{patch}"

    def _link(self, holding: Holding, url: str) -> str:
        place = text(urlencode({"result": holding.number, "url": url}))
        shown = holding.thumbnail(url) is not None
        picture = f'<img src="/thumbnail?{place}" alt="" loading="lazy">' if shown else ""
        return f'<a href="/open?{place}">{picture}<bdi>{text(url)}</bdi></a>'

    def _thumbnail(self, request: Request, given: Mapping[str, str]) -> Response:
        """The small picture of a seed."""
        holding = self._holding(given)
        found = holding.thumbnail(given.get("url", "")) if holding is not None else None
        if found is None:
            return plain(404, "There is no picture.")
        headers = (("content-type", "image/jpeg"), ("x-content-type-options", "nosniff"), ("cache-control", "no-store"))
        return Response(status=200, headers=headers, body=found)

    def _holding(self, given: Mapping[str, str]) -> Holding | None:
        number = given.get("result", "")
        return self.holdings.get(int(number)) if number.isascii() and number.isdigit() and len(number) < 19 else None

    def _open(self, request: Request, given: Mapping[str, str]) -> Response:
        """Go to a capture of one result, with a token for it."""
        holding, url = self._holding(given), archived_url(given.get("url", ""))
        if holding is None or url is None:
            return plain(404, "There is no such result.")
        now = self.seals.clock.now()
        row = look(holding.source.index, url, now).chosen
        token = self.seals.make("open", holding.number, seconds=_TOKEN)
        query = urlencode({"token": token, "time": stamp_of(row.at if row else now), "url": row.url if row else url})
        port = request.host.removeprefix(request.name)
        place = f"{request.scheme}://{self.names.name_of(holding.number)}{port}"
        return redirect(f"{place}{own_pages.ASSETS}/open?{query}")

    def _known(self, request: Request) -> bool:
        cookies = request.cookies(_cookie_name(request))
        return any(self.seals.note(text, "list", 0) is not None for text in cookies)

    def _cookie(self, request: Request) -> str:
        value = self.seals.make("list", 0, seconds=self.session_seconds)
        secure = "; Secure" if request.scheme == "https" else ""
        return f"{_cookie_name(request)}={value}; Path=/; HttpOnly; SameSite=Lax{secure}"


def _cookie_name(request: Request) -> str:
    return f"__Host-{COOKIE}" if request.scheme == "https" else COOKIE
