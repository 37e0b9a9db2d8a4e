"""The pages of WARC files that are added to a result: each URL's last capture, read as a crawl would have read it."""

import asyncio
import itertools
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path

from opilio.archive.cdxj import CdxFile, CdxRow, stamp, write_cdxj
from opilio.archive.indexing.captures import captures
from opilio.archive.indexing.flaws import Flaw
from opilio.archive.results.deriving import AddedPage
from opilio.archive.results.values import EarlierCapture, Resource
from opilio.archive.results.view import ResultView
from opilio.archive.warc.reader import StoredRecord, iterate, read_at
from opilio.crawl import judging
from opilio.crawl.engine.reading import Read, Reader, text_of
from opilio.crawl.exchange_to_capture import Payload, payload_of
from opilio.crawl.fetch.decode import Limits
from opilio.crawl.fetch.exchange import Answer
from opilio.crawl.meta_tags import kept_metas
from opilio.crawl.outcomes import READABLE, Outcome
from opilio.crawl.plan import CrawlPlan
from opilio.extract import EXTRACTOR_VERSION, HelperPool
from opilio.extract.kind import kind_of
from opilio.kernel.capture import Hop, Position
from opilio.kernel.errors import BadUrl, Damaged, InvalidInput
from opilio.kernel.page_links import PageLink
from opilio.kernel.surt import surt
from opilio.kernel.urls import Base, canonical

_WEB = ("http://", "https://")
_GET = re.compile(rb"GET\s")
_ROBOTS = re.compile(r"^https?://[^/]+/robots\.txt$", re.IGNORECASE)
_DIGITS = 17  # milliseconds
_MOST = 256 << 20  # bytes of a record that is read
_MOST_CAPTURES = 100_000  # of one SURT key
_READ = frozenset({Outcome.FETCHED, Outcome.PERMANENT_ERROR, Outcome.TRANSIENT_ERROR})
_TEXT = frozenset({Outcome.FETCHED, Outcome.DUPLICATE, Outcome.UNCHANGED})


class AddedPages:
    """Reads WARC files that lie in the folder of a crawl; a `ReadPages`."""

    def __init__(self, plan: CrawlPlan, told: Callable[[int], None] = lambda done: None) -> None:
        self._plan = plan
        self._told = told

    def __call__(self, files: Sequence[Path], view: ResultView) -> Iterator[AddedPage]:
        """Each URL once, in the order of SURT keys."""
        with tempfile.TemporaryDirectory(prefix=".opilio-added-", dir=files[0].parent) as folder:
            index = Path(folder) / "index"
            write_cdxj(index, self._rows(files), digits=_DIGITS)
            with HelperPool() as pool, asyncio.Runner() as runner:
                reading = _Reading(self._plan, Reader(self._plan, pool), runner, CdxFile(index), files[0].parent, view)
                wanted = all(_ROBOTS.match(row.url) for row in CdxFile(index).prefix(""))
                for url, group in itertools.groupby(_by_url(CdxFile(index)), lambda row: row.url):
                    rows = list(group)
                    if wanted or not _read_first(url, rows, view):
                        yield reading.page(url, rows)

    def _rows(self, files: Sequence[Path]) -> Iterator[CdxRow]:
        """The captures of GET requests, under canonical URLs."""
        for file in files:
            flaws: list[Flaw] = []
            others = _not_gotten(file)
            for row in captures(file, flaws, self._told):
                url = _canonical(row.url)
                if url is not None and row.offset not in others:
                    yield replace(row, url=url)
            if flaws:
                remedy = "Repair the file first: opilio archive recover FILE."
                raise Damaged(f"the WARC file is not sound: {flaws[0].what}", where=str(flaws[0]), remedy=remedy)


@dataclass(frozen=True, slots=True)
class _Reading:
    plan: CrawlPlan
    reader: Reader
    runner: asyncio.Runner
    index: CdxFile
    folder: Path
    view: ResultView

    def page(self, url: str, rows: list[CdxRow]) -> AddedPage:
        """The page of a URL from its captures, oldest first."""
        last, before = rows[-1], rows[:-1]
        earlier = [_earlier(row) for row in before]
        if last.length > _MOST:
            resource = _bare(last, f"longer than {_MOST >> 20} MiB, so that it was not read")
            return AddedPage(resource=resource, earlier=earlier)
        record = read_at(self.folder, _place(last), most=4 * _MOST)
        last = replace(last, at=record.at.astimezone(UTC))  # the index has milliseconds only
        if not last.revisit:
            return self._read(url, last, record, record.body, earlier)
        source = self._source(last)
        if source is not None:
            return self._read(url, last, record, source.body, earlier)
        return self._as_before(last, earlier)

    def _read(
        self, url: str, row: CdxRow, record: StoredRecord, body: bytes, earlier: list[EarlierCapture]
    ) -> AddedPage:
        payload = payload_of(answer_of(record, body), self.plan.warc.digest, Limits(ratio=self.plan.fetch.max_ratio))
        judgement = judging.of_status(record.status or 200)
        if judgement.outcome is Outcome.REDIRECTED:
            return AddedPage(resource=_resource(row, payload, judgement), links=_target(url, payload), earlier=earlier)
        if judgement.outcome not in _READ or not payload.content:
            return AddedPage(resource=_resource(row, payload, judgement), earlier=earlier)
        return self._looked_inside(url, row, payload, judgement, earlier)

    def _looked_inside(
        self, url: str, row: CdxRow, payload: Payload, first: judging.Judgement, earlier: list[EarlierCapture]
    ) -> AddedPage:
        read = self.runner.run(self.reader.read(payload, url, row.at))
        judgement = judging.of_content(first, payload, read.extracted)
        wanted = judgement.outcome in _TEXT and self.plan.extract.text
        hidden = self.plan.manners.obey_noindex and (read.directives.noindex or read.directives.expired)
        links = read.outlinks if judgement.outcome in READABLE else ()
        return AddedPage(
            resource=_resource(row, payload, judgement, read),
            links=links,
            text=text_of(read.extracted, boilerplate=self.plan.extract.boilerplate) if wanted and not hidden else None,
            extractor=str(EXTRACTOR_VERSION),
            earlier=earlier,
        )

    def _source(self, row: CdxRow) -> StoredRecord | None:
        """The record of the added files that has the body of one that was written without it."""
        if row.original_at is None:
            return None
        wanted = stamp(row.original_at, 14)
        for each in self.index.exact(row.original_url or row.url):
            if not each.revisit and stamp(each.at, 14) == wanted and each.length <= _MOST:
                return read_at(self.folder, _place(each), most=4 * _MOST)
        return None

    def _as_before(self, row: CdxRow, earlier: list[EarlierCapture]) -> AddedPage:
        """A capture without its body: what the result knows of the original, if it has it."""
        known = self.view.resource(_canonical(row.original_url) or row.url)
        digest = row.digest.base32 if row.digest else ""
        if known is None or known.digest != digest:
            resource = _bare(row, "the body is in a capture that is not here")
            return AddedPage(resource=resource, earlier=earlier)
        same = known.url == row.url
        resource = replace(
            _bare(row, f"the content is that of {known.url}"), type=known.type, extension=known.extension,
            size=known.size, title=known.title, language=known.language, meta=known.meta,
            outcome=(Outcome.UNCHANGED if same else Outcome.DUPLICATE).value,
        )  # fmt: skip
        return AddedPage(resource=resource, links=self.view.outlinks(known.id), earlier=earlier)


def _by_url(index: CdxFile) -> Iterator[CdxRow]:
    """All captures, those of a URL together and in the order of time."""
    for _, group in itertools.groupby(index.prefix(""), lambda row: surt(row.url)):
        rows = list(itertools.islice(group, _MOST_CAPTURES + 1))
        if len(rows) > _MOST_CAPTURES:
            remedy = "Cut the WARC files into parts, and add one after the other."
            raise InvalidInput(
                f"a URL was captured more than {_MOST_CAPTURES:,} times", where=rows[0].url, remedy=remedy
            )
        yield from sorted(rows, key=lambda row: (row.url, row.at, row.file, row.offset))


def _read_first(url: str, rows: Sequence[CdxRow], view: ResultView) -> bool:
    """Whether it is a robots.txt that the crawler read for itself, before it asked for pages."""
    return len(rows) == 1 and _ROBOTS.match(url) is not None and view.resource(url) is None


def _not_gotten(file: Path) -> set[int]:
    """Where the responses to requests lie that were no GET: such as that to a form are no pages."""
    held: StoredRecord | None = None
    found: set[int] = set()
    for record in iterate(file, blocks=False):
        asked = (record.field("WARC-Concurrent-To") or "").strip("<>")
        if record.kind == "request" and held is not None and asked == held.id:
            if _GET.match(read_at(file.parent, record.place).block) is None:
                found.add(held.place.offset)
        elif record.kind in ("response", "revisit"):
            held = record
    return found


def _canonical(url: str) -> str | None:
    try:
        return canonical(url) if url.startswith(_WEB) else None
    except BadUrl:
        return None


def answer_of(record: StoredRecord, body: bytes) -> Answer:
    """A stored record as the answer of a server, read anew."""
    at = record.at.astimezone(UTC)
    head = record.head or _made_up(record)
    return Answer(
        status=record.status or 200, version="1.1", request=b"", head=head, body=body, started=at, finished=at,
        first_byte=0.0, seconds=0.0, address=None,
    )  # fmt: skip


def _made_up(record: StoredRecord) -> bytes:
    """The head of something that no exchange brought."""
    kind = (record.field("Content-Type") or "").encode("latin-1", "replace")
    return b"HTTP/1.1 200 OK\r\nContent-Type: " + kind.replace(b"\r", b"").replace(b"\n", b"") + b"\r\n\r\n"


def _resource(row: CdxRow, payload: Payload, judgement: judging.Judgement, read: Read | None = None) -> Resource:
    extracted = read.extracted if read else None
    fetched = judgement.outcome is Outcome.FETCHED
    kind = extracted or (kind_of(b"", content_type=payload.content_type, url=row.url) if fetched else None)
    return replace(
        _bare(row, judgement.reason or payload.fault),
        outcome=judgement.outcome.value,
        status=payload.head.status,
        type=kind.page_type.word if kind else "",
        extension=kind.extension if kind else "",
        size=payload.size,
        digest=payload.digest.base32,
        title=extracted.title if extracted else "",
        language=read.language if read else "",
        meta=kept_metas(extracted.metas) if extracted else "",
        last_modified=payload.head.get("last-modified") or "",
        etag=payload.head.get("etag") or "",
    )


def _bare(row: CdxRow, reason: str) -> Resource:
    """What the index alone tells."""
    return Resource(
        id=0, key=(0, 0), url=row.url, seed=0, outcome=judging.of_status(row.status or 200).outcome.value,
        reason=reason, status=row.status, digest=row.digest.base32 if row.digest else "", place=_place(row),
        tries=1, at=row.at.timestamp(), original_url=row.original_url if row.revisit else "",
        original_at=(row.original_at or row.at).timestamp() if row.revisit else None,
    )  # fmt: skip


def _target(url: str, payload: Payload) -> list[PageLink]:
    target = Base(url).link(payload.head.get("location") or "")
    return [PageLink(Hop.REDIRECT, "location", target)] if target else []


def _earlier(row: CdxRow) -> EarlierCapture:
    return EarlierCapture(
        resource=0, at=row.at.timestamp(), status=row.status, mime=row.mime,
        digest=row.digest.base32 if row.digest else "", place=_place(row), revisit=row.revisit,
        original_url=row.original_url, original_at=row.original_at.timestamp() if row.original_at else None,
    )  # fmt: skip


def _place(row: CdxRow) -> Position:
    return Position(file=row.file, offset=row.offset, length=row.length)
