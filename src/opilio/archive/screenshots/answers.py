"""What a browser is answered from a result: the capture of each URL that is nearest to a time, as it was served.

Nothing is rewritten. Redirects are followed here, because the browser would take the next step past us; where the
address of the answer matters, the browser is sent there by a document of one line.
"""

import html
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from opilio.archive.cdxj import CdxRow
from opilio.archive.replay.archived_head import ArchivedHead
from opilio.archive.replay.capture_answer import Opened, opened
from opilio.archive.replay.finding import look
from opilio.archive.replay.holdings import Holding
from opilio.archive.warc.streamed_payload import coding_names, known, undone
from opilio.kernel.errors import BadUrl, Damaged, Missing
from opilio.kernel.urls import canonical, join

_MOST = 64 << 20  # bytes of one answer
_MOST_REDIRECTS = 20
#: Headers about the form in which a body came, and what would outlive the page or reach beyond it.
_LEFT_OUT = frozenset(
    ("connection", "keep-alive", "transfer-encoding", "content-encoding", "content-length", "trailer", "upgrade",
     "strict-transport-security", "alt-svc", "clear-site-data", "report-to", "nel", "set-cookie2",
     "content-security-policy-report-only", "location", "refresh")
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """An answer as the browser gets it."""

    url: str  # where it was found, after redirects
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


class ArchivedAnswers:
    """The captures of a result around a time."""

    def __init__(self, holding: Holding, at: datetime) -> None:
        self._holding = holding
        self._at = at

    def answer(self, url: str, *, kind: str = "other") -> Answer | None:
        """The answer to a GET; None when the result has none. `kind` is what the browser wants it for."""
        found = self.final(url)
        if found is None:
            return None
        row, capture = found
        with capture.record:
            if kind in ("document", "stylesheet") and _differ(row.url, url):
                return _sent_on(row.url, kind)
            body = b"".join(_cut(_decoded(capture), _MOST))
            return Answer(url=row.url, status=capture.head.status, headers=_headers(capture.head), body=body)

    def final_url(self, url: str) -> str | None:
        """Where a URL leads; None when the result does not have it."""
        found = self.final(url)
        if found is None:
            return None
        found[1].record.close()
        return found[0].url

    def final(self, url: str) -> tuple[CdxRow, Opened] | None:
        """The capture at the end of a URL's redirects, opened."""
        for _ in range(_MOST_REDIRECTS):
            row = self._row(url)
            if row is None:
                return None
            try:
                capture = opened(row, self._holding)
            except (Damaged, Missing):
                return None
            target = capture.head.first("location") if 300 <= capture.head.status < 400 else ""
            if not target:
                return row, capture
            capture.record.close()
            url = _next(row.url, target)
        return None

    def _row(self, url: str) -> CdxRow | None:
        try:
            row = look(self._holding.source.index, canonical(url), self._at).chosen
        except BadUrl:
            return None
        return row if row is not None and self._holding.access(row.url, row.at).allowed else None


def newest_capture(holding: Holding, url: str) -> CdxRow | None:
    """The last capture of a URL in a result."""
    try:
        rows = holding.source.index.exact(canonical(url))
        return max(
            (row for row in rows if row.status is None or row.status < 400), key=lambda row: row.at, default=None
        )
    except BadUrl:
        return None


def _next(url: str, target: str) -> str:
    try:
        return join(url, target.encode("latin-1", "replace").decode("utf-8", "replace"))
    except BadUrl:
        return ""


def _differ(one: str, other: str) -> bool:
    return canonical(one) != canonical(other)


def _sent_on(url: str, kind: str) -> Answer:
    if kind == "stylesheet":
        return Answer(
            url=url, status=200, headers=(("content-type", "text/css"),), body=f"@import {_css(url)};".encode()
        )
    page = f"<!doctype html><meta http-equiv=refresh content='0;url={html.escape(url, quote=True)}'>"
    return Answer(url=url, status=200, headers=(("content-type", "text/html"),), body=page.encode())


def _css(url: str) -> str:
    return json.dumps(url).replace("<", "\\3c ")


def _headers(head: ArchivedHead) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in head.fields if name.lower() not in _LEFT_OUT)


def _decoded(capture: Opened) -> Iterator[bytes]:
    head = capture.body_head
    codings = [*coding_names(head.values("transfer-encoding")), *coding_names(head.values("content-encoding"))]
    pieces = capture.record.pieces()
    return undone(pieces, codings) if known(codings) else pieces


def _cut(pieces: Iterator[bytes], most: int) -> Iterator[bytes]:
    """The beginning of a body; what is damaged ends early."""
    try:
        for piece in pieces:
            yield piece[:most]
            most -= len(piece)
            if most <= 0:
                return
    except Damaged:
        return
