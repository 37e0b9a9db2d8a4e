"""Makes the answer of one capture: its record opened, its body rewritten where it must be, its headers confined.

Bodies stream from the file to the browser; what is held in memory is the start of a body, or a window of a page.
"""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from opilio.archive.cdxj import CdxRow
from opilio.archive.replay.archive_paths import stamp_of
from opilio.archive.replay.archived_head import ArchivedHead, parse_head
from opilio.archive.replay.archived_headers import needed_links, served_headers
from opilio.archive.replay.css_rewriting import rewrite_css
from opilio.archive.replay.documents import SAMPLE, Document, Treatment, document_of
from opilio.archive.replay.finding import Around, original_of
from opilio.archive.replay.holdings import Holding, Source
from opilio.archive.replay.html_rewriting import HtmlRewriting, rewritten, transcoded
from opilio.archive.replay.memento import memento_headers
from opilio.archive.replay.messages import Header, Request, Response
from opilio.archive.replay.ranges import Span, cut, span_of, wants_range
from opilio.archive.replay.references import References
from opilio.archive.warc.streamed import StreamedRecord
from opilio.archive.warc.streamed_payload import coding_names, known, undone
from opilio.kernel.errors import Damaged

_MOST_WHOLE = 32 << 20  # bytes of a style sheet, or of a page in UTF-16, that are rewritten at once
_BODYLESS = frozenset({204, 205, 304})
_VERSION = 1  # of the rewriting; part of ETags


class NoOriginal(Damaged):
    """A revisit whose body is in no capture that replay knows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame:
    """What of ours goes into a page."""

    first: bytes = b""  # before its scripts
    last: Callable[[bool], bytes] = lambda xml: b""  # behind its content; told whether that is XML


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """A capture whose record is open."""

    record: StreamedRecord  # holds the body
    head: ArchivedHead  # what the server said in this capture
    body_head: ArchivedHead  # what it said where the body was kept


def opened(row: CdxRow, holding: Holding) -> Opened:
    """Open a capture; of a revisit the record that holds the body. `NoOriginal` when there is none."""
    record = _open(row, holding.source)
    if record.kind != "revisit" and not row.revisit:
        head = _head(record)
        return Opened(record=record, head=head, body_head=head)
    own = parse_head(record.head) if record.head else None
    told = _with_fields(row, record)
    record.close()
    found = original_of(told, (holding.source, *holding.earlier))
    if found is None:
        raise NoOriginal("the body of this capture is in an earlier one, which is not here", where=row.url[:200])
    body = _open(*found)
    head = _head(body)
    return Opened(record=body, head=own if own is not None and own.status != 304 else head, body_head=head)


def capture_answer(
    request: Request, open_capture: Opened, around: Around, *, stamp: str, frame: Frame
) -> Response:  # fmt: skip
    """The answer; the record is closed with it."""
    row = around.chosen
    assert row is not None  # noqa: S101 - the caller found it
    answer = _Answer(request=request, opened=open_capture, row=row, around=around, stamp=stamp, frame=frame)
    try:
        made = answer.made()
    except BaseException:
        open_capture.record.close()
        raise
    return replace(made, close=open_capture.record.close)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Answer:
    request: Request
    opened: Opened
    row: CdxRow
    around: Around
    stamp: str
    frame: Frame

    def made(self) -> Response:
        head = self.opened.head
        pieces, sample = _sampled(self._pieces())
        content_type = head.first("content-type") or self.opened.body_head.first("content-type")
        document = document_of(content_type, self.request.destination, sample)
        references = References(stamp=self.stamp, url=self.row.url, encoding=document.encoding)
        headers = self._headers(document, references)
        if head.status in _BODYLESS:
            return Response(status=head.status, headers=tuple(headers))
        if document.treatment is Treatment.NONE:
            return self._as_it_is(headers, pieces)
        return Response(status=head.status, headers=tuple(headers), body=self._rewritten(document, references, pieces))

    def _pieces(self) -> Iterator[bytes]:
        codings = [*self._transfer(), *self._content()]
        pieces = self.opened.record.pieces()
        return undone(pieces, codings) if known(codings) else pieces

    def _transfer(self) -> list[str]:
        return coding_names(self.opened.body_head.values("transfer-encoding"))

    def _content(self) -> list[str]:
        return coding_names(self.opened.body_head.values("content-encoding"))

    def _headers(self, document: Document, references: References) -> list[Header]:
        head = self.opened.head
        headers = served_headers(head, references)
        if document.content_type:
            headers.append(("content-type", document.content_type))
        if not known(self._content()):
            headers.append(("content-encoding", self.opened.body_head.first("content-encoding")))
        links = needed_links(head, references)
        headers += memento_headers(self.row.url, self.around, self.request.origin, further=links)
        if stamp_of(self.row.at) != self.stamp:
            headers.append(("content-location", f"/{stamp_of(self.row.at)}/{self.row.url}"))
        return [*headers, ("cache-control", "private, no-cache")]

    def _as_it_is(self, headers: list[Header], pieces: Iterator[bytes]) -> Response:
        """A body that is not rewritten: by range if asked for, not at all if it is known already."""
        tag = f'"{_VERSION}-{self._mark()}"'
        status = self.opened.head.status
        headers.append(("etag", tag))
        if status == 200 and _matches(self.request.header("if-none-match"), tag):
            return Response(status=304, headers=tuple(headers))
        if status != 200 or self._content():
            return Response(status=status, headers=(*headers, *self._length()), body=pieces)
        headers.append(("accept-ranges", "bytes"))
        asked = self.request.header("range")
        if not wants_range(asked) or self.request.header("if-range") not in ("", tag):
            return Response(status=200, headers=(*headers, *self._length()), body=pieces)
        return self._part(headers, pieces, asked)

    def _mark(self) -> str:
        """What tells this body from others."""
        if self.row.digest is not None:
            return self.row.digest.value.hex()
        return f"{zlib.crc32(self.row.file.encode('utf-8', 'replace')):08x}-{self.row.offset}"

    def _part(self, headers: list[Header], pieces: Iterator[bytes], asked: str) -> Response:
        if self._transfer():
            body = _gathered(pieces)
            if len(body) > _MOST_WHOLE:  # its length is known at its end only
                return Response(status=200, headers=tuple(headers), body=chain((body,), pieces))
            pieces, total = iter((body,)), len(body)
        else:
            total = self.opened.record.body_length
        span = span_of(asked, total)
        if not isinstance(span, Span):
            if span is None:
                return Response(status=200, headers=tuple(headers), body=pieces)
            return Response(status=416, headers=(*headers, ("content-range", span.label), ("content-length", "0")))
        headers += [("content-range", span.label), ("content-length", str(span.length))]
        return Response(status=206, headers=tuple(headers), body=self._from(span, pieces))

    def _from(self, span: Span, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """The bytes of a span; what lies between the sample and the span is not read where it need not be."""
        sample = next(pieces, b"")
        if self._transfer() or span.first < len(sample):
            return cut(chain((sample,), pieces), span.first, span.length)
        self.opened.record.skip(span.first - len(sample))
        return cut(self.opened.record.pieces(), 0, span.length)

    def _length(self) -> list[Header]:
        known_length = not self._transfer() and not self._content()
        return [("content-length", str(self.opened.record.body_length))] if known_length else []

    def _rewritten(self, document: Document, references: References, pieces: Iterator[bytes]) -> Iterator[bytes]:
        if document.treatment is Treatment.CSS:
            return _whole(pieces, lambda data: rewrite_css(data, references.plain))
        page = document.treatment in (Treatment.HTML, Treatment.XHTML) and self.request.destination != "empty"
        xml = document.treatment is not Treatment.HTML
        rewriting = HtmlRewriting(
            references, xml=xml, top=self.request.fills_window,
            first=self.frame.first if page else b"", last=self.frame.last(xml) if page else b"",
        )  # fmt: skip
        if document.apart:
            return _whole(pieces, lambda data: transcoded(data, document.encoding, rewriting.finish))
        return rewritten(pieces, rewriting)


def _open(row: CdxRow, source: Source) -> StreamedRecord:
    return StreamedRecord(source.open_at(row.file, row.offset), where=f"{row.file} at {row.offset}")


def _head(record: StreamedRecord) -> ArchivedHead:
    """The HTTP head; a resource record has none, its own type stands for it."""
    if record.head:
        return parse_head(record.head)
    kind = record.fields.get("arc-type") or record.fields.get("content-type", "")
    return ArchivedHead(fields=(("Content-Type", kind),) if "application/http" not in kind else ())


def _with_fields(row: CdxRow, record: StreamedRecord) -> CdxRow:
    """The row, with what the record says about its original where the index does not."""
    url = row.original_url or record.fields.get("warc-refers-to-target-uri", "").strip("<>")
    return replace(row, original_url=url)


def _sampled(pieces: Iterator[bytes]) -> tuple[Iterator[bytes], bytes]:
    """The pieces again, and the start of them that decisions need."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= SAMPLE:
            break
    start = b"".join(held)
    return chain((start,), pieces), start


def _whole(pieces: Iterator[bytes], rewrite: Callable[[bytes], bytes]) -> Iterator[bytes]:
    """A body that can be rewritten as a whole only; one that is too long passes as it is."""
    held = _gathered(pieces)
    yield rewrite(held) if len(held) <= _MOST_WHOLE else held
    yield from pieces


def _gathered(pieces: Iterator[bytes]) -> bytes:
    """The whole body, or its beginning if that is longer than the limit; what follows stays in the pieces."""
    held: list[bytes] = []
    size = 0
    while size <= _MOST_WHOLE and (piece := next(pieces, None)) is not None:
        held.append(piece)
        size += len(piece)
    return b"".join(held)


def _matches(header: str, tag: str) -> bool:
    return header.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in header.split(","))
