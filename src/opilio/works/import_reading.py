"""Reads the newest capture of every URL as a crawl would have: outcome, title, links and text, by the crawl's own code.

What a page holds never stops the import: hostile content goes to the helper process, and records that cannot be read
are told.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from opilio.archive.imports.captures import Skipped
from opilio.archive.warc.reader import StoredRecord, read_at
from opilio.crawl import judging
from opilio.crawl.engine.reading import Read, Reader, text_of
from opilio.crawl.engine.settings import DEFAULTS
from opilio.crawl.exchange_to_capture import Payload, payload_of
from opilio.crawl.fetch import decode
from opilio.crawl.fetch.exchange import Answer
from opilio.crawl.frontier.packing import pack_outlinks, pack_text
from opilio.crawl.judging import Judgement
from opilio.crawl.meta_tags import kept_metas
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.revisits import NOT_MODIFIED
from opilio.extract import EXTRACTOR_VERSION, HelperPool
from opilio.extract.kind import Kind, kind_of
from opilio.kernel.capture import Hop, Position
from opilio.kernel.digests import Algorithm
from opilio.kernel.errors import Damaged, InvalidInput, Missing
from opilio.kernel.page_links import PageLink
from opilio.kernel.page_text import PageText
from opilio.kernel.urls import Base, url_hash64
from opilio.works.import_staging import CaptureRow, Staging

_MOST = 64 << 20  # bytes of a packed record that is read
_LARGEST = 64 << 20  # bytes of a block that is read
_READ = frozenset({Outcome.FETCHED, Outcome.PERMANENT_ERROR, Outcome.TRANSIENT_ERROR})
_TEXT = frozenset({Outcome.FETCHED, Outcome.UNCHANGED, Outcome.DUPLICATE})
_LIMITS = decode.Limits(size=DEFAULTS.decoded_body)
_TOO_LARGE = "too large to be read here"


@dataclass(slots=True)
class _Seen:
    """One capture, as far as it was read."""

    row: CaptureRow
    judgement: Judgement
    payload: Payload | None = None
    read: Read | None = None
    kind: Kind | None = None
    outlinks: tuple[PageLink, ...] = ()
    original: CaptureRow | None = None


class ImportReader:
    """Reads captures into a staging file."""

    def __init__(
        self, staging: Staging, warcs: Path, plan: CrawlPlan, pool: HelperPool, skipped: Callable[[Skipped], None]
    ) -> None:
        self._staging = staging
        self._warcs = warcs
        self._plan = plan
        self._reader = Reader(plan, pool)
        self._skipped = skipped
        self._pages = 0

    async def read(self, row: CaptureRow) -> None:
        """Read one capture, and keep it as a page."""
        try:
            seen = await self._seen(row)
        except (Damaged, Missing) as error:
            self._skipped(Skipped(file=row.file, offset=row.start, reason=error.what))
            reason = "the record cannot be read"
            seen = _Seen(row=row, judgement=Judgement(outcome=Outcome.UNPARSABLE, reason=reason))
        self._keep(seen)

    async def _seen(self, row: CaptureRow) -> _Seen:
        seen = _Seen(row=row, judgement=_first(row))
        answer = self._answer(seen)
        if answer is None:
            return seen
        payload = seen.payload = payload_of(answer, Algorithm.SHA1, _LIMITS)
        if seen.judgement.outcome is Outcome.REDIRECTED:
            self._redirected(seen, payload)
        elif seen.judgement.outcome in _READ or row.kind == "revisit":
            await self._look_inside(seen, payload, answer)
        return seen

    def _answer(self, seen: _Seen) -> Answer | None:
        """The exchange as a crawl would have had it; None when the body is elsewhere or too large."""
        row = seen.row
        source = row
        if row.kind == "revisit":
            seen.original = self._staging.original(row)
            if seen.original is None:
                seen.judgement = Judgement(outcome=Outcome.UNCHANGED, reason="its body is in another archive")
                return None
            source = seen.original
        if source.length > _MOST or source.size > _LARGEST:
            seen.judgement = Judgement(outcome=seen.judgement.outcome, reason=_TOO_LARGE)
            seen.kind = kind_of(b"", content_type=row.mime, url=row.url)
            return None
        record = self._record(source)
        head = record.head
        if source is not row and row.status != NOT_MODIFIED:
            head = self._record(row).head or head
        return _answer(row, record, head)

    def _record(self, row: CaptureRow) -> StoredRecord:
        try:
            return read_at(self._warcs, Position(file=row.file, offset=row.start, length=row.length), most=_LARGEST)
        except InvalidInput as error:  # longer than it was when it was passed
            raise Damaged(error.what, where=error.where, remedy=error.remedy) from error

    def _redirected(self, seen: _Seen, payload: Payload) -> None:
        location = payload.head.get("location") or ""
        target = Base(seen.row.url, self._plan.scope.query).link(location) if location else None
        if target is None:
            reason = f"status {seen.row.status} without a URL to go to"
            seen.judgement = Judgement(outcome=Outcome.PERMANENT_ERROR, reason=reason)
            return
        seen.outlinks = (PageLink(Hop.REDIRECT, "location", target),)
        seen.judgement = Judgement(outcome=Outcome.REDIRECTED, reason=f"to {target}")

    async def _look_inside(self, seen: _Seen, payload: Payload, answer: Answer) -> None:
        if not payload.content:
            seen.kind = kind_of(b"", content_type=payload.content_type, url=seen.row.url)
            return
        read = seen.read = await self._reader.read(payload, seen.row.url, answer.finished)
        if seen.row.kind != "revisit":
            seen.judgement = judging.of_content(seen.judgement, payload, read.extracted)
        if seen.judgement.outcome in (*_TEXT, Outcome.UNPARSABLE):
            seen.outlinks = read.outlinks

    def _keep(self, seen: _Seen) -> None:
        """Write the page with its links and its text."""
        row, payload, staging = seen.row, seen.payload, self._staging
        digest = row.digest or (payload.digest.base32 if payload else "")
        if not row.digest and digest:
            staging.run("UPDATE capture SET digest = ? WHERE id = ?", (digest, row.id))
        number = self._pages
        self._pages += 1
        staging.add_page({**_told(seen, digest), "id": number, "host": staging.host(row.url)})
        if seen.outlinks:
            staging.add_outlinks(number, pack_outlinks(seen.outlinks))
        text = self._text(seen)
        if text is not None and text.text and digest:
            staging.add_text(digest, str(EXTRACTOR_VERSION), pack_text(text))

    def _text(self, seen: _Seen) -> PageText | None:
        if seen.read is None or seen.judgement.outcome not in _TEXT or not self._plan.extract.text:
            return None
        directives = seen.read.directives
        if self._plan.manners.obey_noindex and (directives.noindex or directives.expired):
            return None
        return text_of(seen.read.extracted, boilerplate=self._plan.extract.boilerplate)


def _first(row: CaptureRow) -> Judgement:
    """What status and kind of record say."""
    if row.kind == "resource":
        return Judgement(outcome=Outcome.FETCHED)
    if row.kind == "revisit":
        same = not row.original_url or row.original_url == row.raw
        reason = "the content is that of an earlier capture" if same else f"the content is that of {row.original_url}"
        return Judgement(outcome=Outcome.UNCHANGED if same else Outcome.DUPLICATE, reason=reason)
    if row.status is None:
        return Judgement(outcome=Outcome.FETCHED, reason="the answer has no HTTP head")
    if row.status == NOT_MODIFIED:
        return Judgement(outcome=Outcome.UNCHANGED, reason="status 304")
    return judging.of_status(row.status)


def _told(seen: _Seen, digest: str) -> dict[str, Any]:
    """The columns of a page that its capture tells; the way to it is found later."""
    row, payload, read = seen.row, seen.payload, seen.read
    kind = read.extracted if read else seen.kind
    head = payload.head if payload else None
    original = seen.original
    return {
        "capture": row.id, "hash64": url_hash64(row.url), "url": row.url, "seed": 0,
        "outcome": seen.judgement.outcome.value, "reason": seen.judgement.reason[:2_000], "status": row.status,
        "type": kind.page_type.word if kind else "", "extension": kind.extension if kind else "",
        "size": payload.size if payload else row.size, "digest": digest,
        "title": read.extracted.title if read else "", "language": read.language if read else "",
        "meta": kept_metas(read.extracted.metas) if read else "",
        "last_modified": (head.get("last-modified") or "") if head else "",
        "etag": (head.get("etag") or "") if head else "",
        "depth": 0, "hops": 0, "path": "", "ms": 0, "tries": 1, "robots": "", "at": row.at, "counted": 0,
        "original_url": (original.raw if original else row.original_url) or None,
        "original_at": original.at if original else row.original_at,
    }  # fmt: skip


def _answer(row: CaptureRow, record: StoredRecord, head: bytes) -> Answer:
    at = datetime.fromtimestamp(row.at, UTC)
    if not head:  # a record without an exchange says its type itself
        head = f"HTTP/1.0 200 OK\r\nContent-Type: {row.mime}\r\n\r\n".encode("latin-1", "replace")
    return Answer(
        status=row.status or 200, version="1.1", request=b"", head=head, body=record.body, started=at, finished=at,
        first_byte=0.0, seconds=0.0, address=None,
    )  # fmt: skip
