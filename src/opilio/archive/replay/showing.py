"""Answers questions about one result: a capture by path, its TimeGate and TimeMaps, and what is not archived."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from urllib.parse import urlsplit

from opilio.archive.cdxj import CdxRow
from opilio.archive.replay import banner, own_pages
from opilio.archive.replay.archive_paths import ArchivePath, archived_url, parse_path, path_of, stamp_of
from opilio.archive.replay.capture_answer import Frame, NoOriginal, capture_answer, opened
from opilio.archive.replay.finding import Around, look
from opilio.archive.replay.holdings import Holding
from opilio.archive.replay.memento import (
    LINK_FORMAT,
    accepted_datetime,
    general_links,
    json_timemap,
    link_timemap,
)
from opilio.archive.replay.messages import Request, Response, plain, redirect
from opilio.archive.replay.policies import archived_policy, own_policy
from opilio.kernel.access import Decision
from opilio.kernel.errors import BadUrl, OpilioError
from opilio.kernel.surt import surt
from opilio.kernel.urls import canonical

_BROKEN = 400  # status from which on a capture has not what was asked for
_NEAR = 8  # captures that are offered where one is missing
_LOOKED_AT = 500  # lines of the index for them
_MOST_MEMENTOS = 100_000  # of one list
_QUIET = ("", "document", "iframe", "frame", "object", "embed")  # what a page can be shown for


@dataclass(frozen=True, kw_only=True, slots=True)
class Showing:
    """One result, shown to one session."""

    holding: Holding
    scripts: bool  # whether the browser confines scripts
    entry: str  # address of the list of results
    ancestors: str = "'self'"  # who may put the pages into a frame

    def capture(self, request: Request, asked: ArchivePath, *, missing: "Offer") -> Response:
        """The capture that a path means."""
        around = look(self.holding.source.index, asked.url, asked.at, shown=self._told)
        row = around.chosen
        if row is None:
            return self._not_archived(request, asked.url, missing)
        decision = self._decision(row)
        if not decision.allowed:
            return own_pages.closed(decision.reason, rule=decision.rule)
        if (row.status or 0) >= _BROKEN:
            self.holding.missed(asked.url, _asking(request))
        exact = stamp_of(row.at)
        if request.fills_window and (asked.stamp != exact or not _same(row.url, asked.url)):
            return self._confined(redirect(path_of(row.at, row.url)))
        return self._served(request, around, decision, stamp=exact if asked.stamp == exact else stamp_of(asked.at))

    def timegate(self, request: Request, text: str) -> Response:
        """Leads to the capture nearest to the time that the client accepts (RFC 7089 §4.2)."""
        url = archived_url(text)
        if url is None:
            return plain(400, "This is no address of the web.")
        wish = request.header("accept-datetime")
        at = accepted_datetime(wish) if wish else datetime.max.replace(tzinfo=UTC)
        if at is None:
            return plain(400, "Accept-Datetime must be a date as in: Thu, 01 Jan 2026 12:00:00 GMT")
        row = look(self.holding.source.index, url, at, shown=self._open).chosen
        links = ("link", ", ".join(general_links(url, request.origin)))
        if row is None:
            return plain(404, "Not archived.", links, ("vary", "accept-datetime"))
        return redirect(path_of(row.at, row.url), headers=(links, ("vary", "accept-datetime")))

    def timemap(self, request: Request, form: str, text: str) -> Response:
        """All captures of a URL (RFC 7089 §5)."""
        url = archived_url(text)
        if url is None or form not in ("link", "json"):
            return plain(400, "Ask for /timemap/link/URL or /timemap/json/URL.")
        rows = self._rows(url)
        first = next(rows, None)
        if first is None:
            return plain(404, "Not archived.")
        whole = _again(first, rows)
        body = link_timemap(url, whole, request.origin) if form == "link" else json_timemap(url, whole, request.origin)
        kind = LINK_FORMAT if form == "link" else "application/json"
        return Response(status=200, headers=(("content-type", kind), *own_policy()), body=body)

    def _served(self, request: Request, around: Around, decision: Decision, *, stamp: str) -> Response:
        row = around.chosen
        assert row is not None  # noqa: S101 - the caller found it
        try:
            record = opened(row, self.holding)
            frame = self._frame(request, around, decision, stamp)
            return self._confined(capture_answer(request, record, around, stamp=stamp, frame=frame))
        except NoOriginal:
            return own_pages.without_original(row.url, row.original_at)
        except OpilioError as error:
            return own_pages.unreadable(error.what, row.url)

    def _frame(self, request: Request, around: Around, decision: Decision, stamp: str) -> Frame:
        row = around.chosen
        assert row is not None  # noqa: S101 - the caller found it
        url = own_pages.text(row.url)
        first = f'<script src="{own_pages.ASSETS}/shim.js" data-time="{stamp}" data-url="{url}"></script>'
        return Frame(
            first=first.encode("ascii", "xmlcharrefreplace") if self.scripts else b"",
            last=partial(self._banner, around, decision) if request.fills_window else lambda xml: b"",
        )

    def _banner(self, around: Around, decision: Decision, xml: bool) -> bytes:
        row = around.chosen
        assert row is not None  # noqa: S101 - the caller found it
        before, after = around.neighbour(-1), around.neighbour(1)
        said = banner.Banner(
            url=row.url, at=row.at, result=self.holding.title,
            previous=path_of(before, row.url) if before else "", next=path_of(after, row.url) if after else "",
            entry=self.entry, scripts=self.scripts, statements=decision.statements,
        )  # fmt: skip
        return banner.markup(said, xml=xml)

    def _confined(self, response: Response) -> Response:
        return response.with_headers(*archived_policy(scripts=self.scripts, ancestors=self.ancestors))

    def _not_archived(self, request: Request, url: str, missing: "Offer") -> Response:
        self.holding.missed(url, _asking(request))
        if request.destination not in _QUIET:
            return plain(404, "Not archived.", *archived_policy(scripts=self.scripts))
        near = [own_pages.Near(path=path_of(row.at, row.url), url=row.url, at=row.at) for row in self._near(url)]
        links = ("link", ", ".join(general_links(url, request.origin)))
        offer = missing(url)
        page = own_pages.not_archived(url, near, wish=offer.seal, wished=offer.wished)
        return page.with_headers(links)

    def _near(self, url: str) -> Iterator[CdxRow]:
        """Captures in the same folder, else in the folders above it, one per URL."""
        seen = {url}
        looked = 0
        for key in _keys_above(url):
            for row in self.holding.source.index.prefix(key):
                looked += 1
                if len(seen) > _NEAR or looked > _LOOKED_AT:
                    return
                if row.url not in seen and row.status == 200 and row.type == "text/html" and self._open(row):
                    seen.add(row.url)
                    yield row

    def _rows(self, url: str) -> Iterator[CdxRow]:
        count = 0
        for row in self.holding.source.index.exact(url):
            if count < _MOST_MEMENTOS and _same(row.url, url) and self._open(row):
                count += 1
                yield row

    def _decision(self, row: CdxRow) -> Decision:
        return self.holding.access(row.url, row.at)

    def _told(self, row: CdxRow) -> bool:
        decision = self._decision(row)
        return decision.allowed or decision.told

    def _open(self, row: CdxRow) -> bool:
        return self._decision(row).allowed


@dataclass(frozen=True, kw_only=True, slots=True)
class Missing:
    """What the page about a missing capture offers."""

    seal: str  # lets its form through
    wished: bool  # whether the URL is on the patch list already


Offer = Callable[[str], Missing]


def _asking(request: Request) -> str:
    """The archived page that asks, by its Referer; empty where no page of this result does."""
    referrer = urlsplit(request.header("referer"))
    if referrer.netloc.lower() != request.host:
        return ""
    found = parse_path(f"{referrer.path}?{referrer.query}" if referrer.query else referrer.path)
    return found.url if found is not None else ""


def _keys_above(url: str) -> Iterator[str]:
    """Beginnings of SURT keys, from the folder of a URL up to its host."""
    key = surt(url)
    place = key.partition("?")[0]
    while "/" in place:
        place = place.rpartition("/")[0]
        yield f"{place} "  # the page of the folder itself
        yield f"{place}/"


def _same(row: str, url: str) -> bool:
    """Whether an index means this URL, however it writes it; one that cannot be read is never another."""
    try:
        return canonical(row) == url
    except BadUrl:
        return True


def _again(first: CdxRow, rows: Iterator[CdxRow]) -> Iterator[CdxRow]:
    yield first
    yield from rows
