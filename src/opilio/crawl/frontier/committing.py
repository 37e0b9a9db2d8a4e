"""One commit: leases checked and renewed, then everything that a batch says, in one transaction.

Locks are taken in one order by every worker: buckets, seen, queue, hosts, WARC files, texts, page numbers, counters.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping

from opilio.crawl.errors import RewoundFile
from opilio.crawl.frontier import counting, discovering, hosting, leasing, recording
from opilio.crawl.frontier.batch import Batch, Committed
from opilio.crawl.frontier.database import Both, Database, Row, delete, insert, update
from opilio.crawl.frontier.terms import Terms
from opilio.crawl.frontier.urls import bucket_of_host
from opilio.crawl.frontier.values import Entry

_GUARD = Both(sqlite="SELECT 0", postgres="SELECT value FROM {meta} WHERE name = 'guard warcs' FOR UPDATE")
_NEW_WARC = insert("warc", "id int8, file text, owner text, committed int8, uploaded int8")
_COMMITTED = update("warc", "committed int8", "id int8")
_REMOVE = delete("queue", "id int8")
_REQUEUE = update("queue", "not_before float8, tries int4", "id int8")
_TOKEN = insert(
    "worker",
    "owner text, at float8, until float8, token text, result text",
    "ON CONFLICT (owner) DO UPDATE SET token = excluded.token, result = excluded.result",
)


def commit(
    db: Database, terms: Terms, batch: Batch, hosts: Mapping[str, int], token: str, counts_pages: bool
) -> Committed:
    """Record a batch, in a transaction. `token` names this commit, so that doing it again changes nothing."""
    if done := _done(db, batch.owner, token):
        return done
    fenced, lost = leasing.fence(db, batch, _touched(batch))
    if fenced:
        return Committed(fenced=fenced, lost=lost)
    leaving = batch.leaving
    finds = [((each.entry.host, each.entry.hash64), each.found) for each in batch.results]
    found = discovering.discover(db, terms, hosts, finds, [entry.id for entry in leaving])
    again = _leave(db, terms, batch, leaving)
    hosting.record_hosts(db, batch.hosts, batch.pages)
    warcs = _mark_warcs(db, batch)
    recording.record_texts(db, batch.pages)
    recording.lower_pages(db, terms, batch.expanded)
    before = recording.record_pages(db, batch, warcs)
    _count(db, batch, leaving, found.new, counts_pages, before)
    done = Committed(lost=lost, new=found.new, shorter=found.shorter, expand=found.expand + again)
    db.many(_TOKEN, [(batch.owner, float(batch.now), float(batch.now + batch.ttl), token, _text(done))])
    return done


def make_warcs(db: Database, owner: str, files: Iterable[str]) -> dict[str, int]:
    """Number WARC files that are new; in a transaction. A file counts with no bytes until a commit says more."""
    db.rows(_GUARD)
    known = known_warcs(db)
    missing = sorted(set(files) - set(known))
    first = max(known.values(), default=-1) + 1
    db.many(_NEW_WARC, [(first + place, file, owner, 0, 0) for place, file in enumerate(missing)])
    return known | {file: first + place for place, file in enumerate(missing)}


def known_warcs(db: Database) -> dict[str, int]:
    """The numbers of all WARC files."""
    return {file: number for number, file in db.rows("SELECT id, file FROM {warc}")}


def _touched(batch: Batch) -> set[int]:
    entries = [*batch.leaving, *(each.entry for each in batch.requeued)]
    return {entry.bucket for entry in entries} | {bucket_of_host(host.id) for host in batch.hosts}


def _leave(db: Database, terms: Terms, batch: Batch, leaving: list[Entry]) -> int:
    """Take entries out of the queue, or put them back to be tried later; how many must be expanded again."""
    db.many(_REMOVE, [(number,) for number in sorted({entry.id for entry in leaving})])
    back = sorted(batch.requeued, key=lambda each: each.entry.id)
    db.many(_REQUEUE, [(float(each.not_before) or None, each.entry.tries + each.tried, each.entry.id) for each in back])
    again = discovering.expansions_missed(db, terms, leaving)
    discovering.queue_expansions(db, again)
    return len(again)


def _mark_warcs(db: Database, batch: Batch) -> dict[str, int]:
    if not batch.warcs and not any(page.place for page in batch.pages):
        return {}
    known = known_warcs(db)
    _refuse_rewound(batch, dict(db.rows("SELECT file, committed FROM {warc} WHERE owner = ''")))
    rows: list[Row] = sorted((known[file], size) for file, size in batch.warcs.items())
    db.many(_COMMITTED, [(size, number) for number, size in rows])
    return known


def _refuse_rewound(batch: Batch, rewound: Mapping[str, int]) -> None:
    """`RewoundFile` when more was written to a file whose end was given up: nobody can tell its bytes apart then."""
    for file, size in batch.warcs.items():
        if size > rewound.get(file, size):
            remedy = "Run it again: the file is closed, and another one is begun."
            raise RewoundFile("the file was given up beyond what is in the work store", where=file, remedy=remedy)


def _count(
    db: Database, batch: Batch, leaving: list[Entry], new: int, counts_pages: bool, before: Counter[str]
) -> None:
    slot = counting.slot_of(batch)
    counts: Counter[str] = counting.page_counts(batch.pages)
    counts.subtract(before)
    counts["found"] += new
    counts.update({f"other/{name}": value for name, value in batch.counts.items()})
    if counts_pages:
        counting.guard(db)
        counting.give_back(db, [*leaving, *(each.entry for each in batch.requeued)])
    counting.add(db, slot, counts)
    counting.record_denials(db, slot, batch.denials)


def _done(db: Database, owner: str, token: str) -> Committed | None:
    """What this very commit was answered with, if the answer was lost."""
    for known, result in db.rows("SELECT token, result FROM {worker} WHERE owner = ?", (owner,)):
        if known == token:
            new, shorter, expand, lost = json.loads(result)
            return Committed(new=new, shorter=shorter, expand=expand, lost=frozenset(lost))
    return None


def _text(done: Committed) -> str:
    return json.dumps([done.new, done.shorter, done.expand, sorted(done.lost)])
