"""Pages on their way into the store, with outlinks and texts. Their numbers are dense, in the order of first commit."""

from collections import Counter
from collections.abc import Mapping, Sequence

from opilio.crawl.frontier.batch import Batch, Expanded, PageResult
from opilio.crawl.frontier.database import Database, Key, Row, insert, update
from opilio.crawl.frontier.discovering import labels_of
from opilio.crawl.frontier.rows import Page
from opilio.crawl.frontier.terms import Terms
from opilio.crawl.frontier.values import Kept
from opilio.crawl.outcomes import Outcome
from opilio.kernel.capture import Position

#: The longest text of one column, in characters; a server chooses them.
_LONGEST = 8_000
_LONGEST_META = 64_000

_COLUMNS = (
    "id int8, host int8, hash64 int8, url text, seed int4, outcome text, reason text, status int4, type text, "
    "extension text, size int8, digest text, title text, meta text, last_modified text, etag text, depth int4, "
    "hops int4, parent_host int8, parent_hash int8, path text, warc int8, start int8, length int8, epoch int8, "
    "ms int8, tries int4, robots text, at float8, counted int4, language text, original text"
)
_NAMES = [column.split()[0] for column in _COLUMNS.split(",")]
_REPLACED = ", ".join(f'"{name}" = excluded."{name}"' for name in _NAMES if name not in ("id", "host", "hash64"))
PAGES = insert("page", _COLUMNS, f"ON CONFLICT (host, hash64) DO UPDATE SET {_REPLACED}")
#: The columns from which `page_of` makes a Page; `p` is the page, `w` its WARC file.
PAGE_COLUMNS = ", ".join(f'p."{name}"' for name in _NAMES) + ", w.file"
_IDS = """
    WITH k(a, b) AS ({keys})
    SELECT p.host, p.hash64, p.id, p.outcome FROM k CROSS JOIN {page} AS p WHERE p.host = k.a AND p.hash64 = k.b
"""
_NEXT = "SELECT s.value FROM {counter} AS s WHERE s.slot = -1 AND s.name = 'page' {lock}"
_OUTLINKS = insert("outlinks", "page int8, body bytea", "ON CONFLICT (page) DO UPDATE SET body = excluded.body")
_TEXTS = insert("content", "digest text, extractor text, body bytea", "ON CONFLICT (digest, extractor) DO NOTHING")
_DEPTHS = update("page", "depth int4, hops int4", "host int8, hash64 int8")
_CHARGES = update("page", "depth int4, hops int4, seed int4", "host int8, hash64 int8")


def record_pages(db: Database, batch: Batch, warcs: Mapping[str, int]) -> Counter[str]:
    """Write the pages of a batch; what was recorded of them before, to be taken out of the counters.

    The last step of a commit but the counters: numbering pages makes others wait. Only a purge can have recorded them
    before, while a worker had them: with an outcome, and neither fetched nor counted under the limits.
    """
    if not batch.pages:
        return Counter()
    pages = {(page.entry.host, page.entry.hash64): page for page in batch.pages}
    ids, outcomes = number_pages(db, sorted(pages))
    before = Counter(f"outcome/{outcome}" for outcome in outcomes)
    rows = [page_row(ids[key], pages[key], batch.leases[pages[key].entry.bucket], warcs) for key in sorted(pages)]
    db.many(PAGES, rows)
    linked = sorted((ids[key], page.outlinks) for key, page in pages.items() if page.outlinks)
    db.many(_OUTLINKS, linked)
    return before + Counter(pages=before.total())


def record_texts(db: Database, pages: Sequence[PageResult]) -> None:
    """Write the texts of a batch, each payload's once."""
    texts = {(page.text.digest, page.text.extractor): page.text.body for page in pages if page.text}
    db.many(_TEXTS, [(*key, texts[key]) for key in sorted(texts)])


def number_pages(db: Database, keys: Sequence[Key]) -> tuple[dict[Key, int], list[str]]:
    """The numbers of these pages, and the outcomes that some have already; new pages get the next numbers."""
    ((first,),) = db.rows(_NEXT)
    known = db.keyed(_IDS, keys, "int8 int8")
    ids = {(host, hash64): number for host, hash64, number, _ in known}
    fresh = [key for key in keys if key not in ids]
    ids.update({key: first + place for place, key in enumerate(fresh)})
    db.execute("UPDATE {counter} SET value = ? WHERE slot = -1 AND name = 'page'", (first + len(fresh),))
    return ids, [outcome for *_, outcome in known if outcome]


def lower_pages(db: Database, terms: Terms, expanded: Sequence[Expanded]) -> None:
    """Give pages whose outlinks were expanded again the depth, and the charge, of their shortest way."""
    if not expanded:
        return
    keys = sorted({(each.entry.host, each.entry.hash64) for each in expanded})
    labels = labels_of(db, keys)
    if terms.recharges:
        db.many(_CHARGES, [(labels[key][0].depth, labels[key][0].hops, labels[key][0].seed, *key) for key in keys])
    else:
        db.many(_DEPTHS, [(labels[key][0].depth, labels[key][0].hops, *key) for key in keys])


def page_row(number: int, page: PageResult, epoch: int, warcs: Mapping[str, int]) -> Row:
    """A page as its table keeps it."""
    entry = page.entry
    depth, seed, hops = entry.label
    parent = entry.parent_key or (None, None)
    place = (warcs[page.place.file], page.place.offset, page.place.length) if page.place else (None, None, None)
    told = (page.type, page.extension, page.size, page.digest)
    texts = (clean(page.title), clean(page.meta, _LONGEST_META), clean(page.last_modified), clean(page.etag))
    key = (number, entry.host, entry.hash64, entry.url, seed)
    way = (depth, hops, *parent, entry.path)
    end = (epoch, page.ms, entry.tries + 1, clean(page.robots), float(page.at), int(page.counted))
    more = (clean(page.language, 40), _packed(page.original))
    return (*key, page.outcome.value, clean(page.reason), page.status, *told, *texts, *way, *place, *end, *more)


def page_of(row: Row) -> Page:
    """A page from a row of PAGE_COLUMNS."""
    return Page(
        id=row[0],
        host=row[1],
        hash64=row[2],
        url=row[3],
        seed=row[4],
        outcome=Outcome(row[5]) if row[5] else None,
        reason=row[6],
        status=row[7],
        type=row[8],
        extension=row[9],
        size=row[10],
        digest=row[11],
        title=row[12],
        meta=row[13],
        last_modified=row[14],
        etag=row[15],
        depth=row[16],
        hops=row[17],
        parent_key=(row[18], row[19]) if row[18] is not None else None,
        path=row[20],
        place=Position(file=row[32], offset=row[22], length=row[23]) if row[32] is not None else None,
        epoch=row[24],
        ms=row[25],
        tries=row[26],
        robots=row[27],
        at=row[28],
        counted=bool(row[29]),
        language=row[30] or "",  # None in stores of version 1
        original=_unpacked(row[31]),
    )


def as_original(page: Page) -> str:
    """How pages name this one that have its body."""
    return f"{page.at!r} {page.url}"


def _packed(original: Kept | None) -> str | None:
    return f"{original.at!r} {original.url}" if original is not None else None


def _unpacked(text: str | None) -> Kept | None:
    at, _, url = (text or "").partition(" ")
    return Kept(float(at), url) if url else None


def clean(text: str, longest: int = _LONGEST) -> str:
    """A text that every database takes: without NUL and lone surrogates, and not endless."""
    if len(text) > longest:
        text = text[:longest]
    if text.isascii():
        return text.replace("\x00", "\N{REPLACEMENT CHARACTER}") if "\x00" in text else text
    return text.encode("utf-8", "replace").decode().replace("\x00", "\N{REPLACEMENT CHARACTER}")
