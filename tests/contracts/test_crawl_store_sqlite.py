"""What only SQLite has to show: a file that is missing, damaged, foreign, too new or full."""

import itertools
import sqlite3

import pytest

from opilio.crawl.errors import (
    AnotherPlan,
    CorruptCrawlStore,
    CrawlStoreExists,
    NewerCrawlStore,
    NoCrawlStore,
    NotACrawlStore,
)
from opilio.crawl.frontier.database import Both
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.migrations import CURRENT, SCHEMA_VERSION, Schema
from opilio.crawl.frontier.sqlite import SqliteStore
from opilio.crawl.frontier.sqlite_database import SqliteDatabase
from opilio.crawl.frontier.values import found
from opilio.kernel.capture import Hop
from opilio.kernel.errors import NoSpace, NotWritable
from tests.contracts.crawl_store_process import SEED
from tests.contracts.crawl_store_processes import PATIENCE, go_on, processes
from tests.contracts.crawl_stores import KINDS, NOW, Worker, plan_for, stores_of, urls

pytestmark = pytest.mark.database
__test__ = "sqlite" in KINDS

PLAN = plan_for("https://a.example/")
SITE = {"https://a.example/": [(Hop.LINK, f"https://a.example/{number}") for number in range(300)]}


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "crawl.db"
    store = SqliteStore.create(made, PLAN)
    Worker(store, SITE).run()
    store.close()
    return made


def test_it_is_safe_after_every_commit(tmp_path):
    """Write-ahead log, and every commit on the disk before it counts."""
    store = SqliteStore.create(tmp_path / "crawl.db", PLAN)
    assert store._file.pragma("journal_mode") == [("wal",)]
    assert store._file.pragma("synchronous") == [(2,)]
    store.close()


def test_opening_again_gives_the_same(path):
    """Plan, pages and counts are as they were."""
    store = SqliteStore.open(path, PLAN)
    assert store.plan == PLAN
    assert store.counts(NOW).pages == 301
    store.close()
    store.close()


def test_there_is_one_store_per_place(path):
    """Creating where one is, is refused; what is there stays."""
    with pytest.raises(CrawlStoreExists):
        SqliteStore.create(path, PLAN)
    SqliteStore.open(path).close()


def test_what_an_interrupted_creation_left_is_replaced(tmp_path):
    """A half-made file is not taken for a store."""
    path = tmp_path / "crawl.db"
    (tmp_path / "crawl.db.new").write_bytes(b"half")
    with pytest.raises(NoCrawlStore):
        SqliteStore.open(path)
    SqliteStore.create(path, PLAN).close()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["crawl.db"]


def test_another_plan_is_refused(path):
    """The message says where, and what to do."""
    with pytest.raises(AnotherPlan) as error:
        SqliteStore.open(path, plan_for("https://a.example/", "https://b.example/"))
    assert str(path) in str(error.value)
    assert "another place" in str(error.value)


def test_a_missing_store_is_named(tmp_path):
    """Opening does not create one."""
    with pytest.raises(NoCrawlStore) as error:
        SqliteStore.open(tmp_path / "crawl.db")
    assert str(tmp_path) in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_database_is_refused(tmp_path):
    """An SQLite file of another program is left alone."""
    path = tmp_path / "crawl.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE meta (name, value)")
    connection.close()
    with pytest.raises(NotACrawlStore):
        SqliteStore.open(path)


@pytest.mark.parametrize("damage", ["beginning", "middle", "cut", "empty"])
def test_a_damaged_file_is_recognised(path, damage):
    """The message names the way out: making the store anew from its WARC files."""
    body = path.read_bytes()
    middle = len(body) // 2
    changed = {
        "beginning": b"\x00" * 4096 + body[4096:],
        "middle": body[:8192] + b"\xff" * (len(body) - 8192),
        "cut": body[:middle],
        "empty": b"",
    }
    path.write_bytes(changed[damage])
    with pytest.raises((CorruptCrawlStore, NotACrawlStore)) as error:
        _read(path)
    assert "WARC files are not harmed" in str(error.value)


def _read(path):
    store = SqliteStore.open(path)
    try:
        store.check()
    finally:
        store.close()


def test_a_newer_version_is_refused(path):
    """With the versions in the message."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(NewerCrawlStore) as error:
        SqliteStore.open(path)
    assert "99" in str(error.value)


def test_an_older_version_is_migrated_on_opening(path):
    """The missing steps are run once, all or none."""
    steps = (Both(sqlite="ALTER TABLE {host} ADD COLUMN remark TEXT NOT NULL DEFAULT 'x'", postgres=""),)
    next_one = SCHEMA_VERSION + 1
    newer = Schema(version=next_one, steps={next_one: steps})
    for _ in range(2):
        store = SqliteStore.open(path, schema=newer)
        assert store._file.pragma("user_version") == [(next_one,)]
        assert store._file.read(lambda opened=store: opened._file.rows("SELECT remark FROM {host}")) == [("x",)]
        store.close()
    remark = Both(sqlite="ALTER TABLE {host} ADD COLUMN second TEXT", postgres="")
    nonsense = (remark, Both(sqlite="NONSENSE", postgres=""))
    broken = Schema(version=next_one + 1, steps={next_one: steps, next_one + 1: nonsense})
    with pytest.raises(CorruptCrawlStore):
        SqliteStore.open(path, schema=broken)
    SqliteStore.open(path, schema=newer).close()


def test_a_reader_of_an_older_version_finds_what_it_lacked(path):
    """A store of version 1 has no languages; a report on it is made all the same."""
    with sqlite3.connect(path) as connection:
        for step in itertools.chain.from_iterable(CURRENT.steps.values()):
            undone = step.sqlite.replace("{", "").replace("}", "").replace("ADD COLUMN", "DROP COLUMN")
            connection.execute(undone.removesuffix(" text"))
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    store = SqliteStore.open(path, read_only=True)
    assert store.ask("SELECT count(*), max(language) FROM {page}")[0][1] is None
    assert all(page.language == "" for page in store.pages())
    store.close()


def test_a_store_without_its_plan_is_damaged(path):
    """It cannot be resumed, and says so."""
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM meta WHERE name = 'plan'")
    connection.close()
    with pytest.raises(CorruptCrawlStore) as error:
        SqliteStore.open(path)
    assert "WARC files are not harmed" in str(error.value)


def test_other_canonical_urls_are_refused(path):
    """A store keyed by another canonical form would not know its own URLs again."""
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '9' WHERE name = 'canonical'")
    connection.close()
    with pytest.raises(NewerCrawlStore):
        SqliteStore.open(path)


def test_a_full_disk_stops_cleanly_and_goes_on_after_space_was_made(tmp_path):
    """NoSpace; nothing of the batch is recorded, the store is sound, and the same batch works later."""
    path = tmp_path / "crawl.db"
    SqliteStore.create(path, PLAN).close()
    db = SqliteDatabase(path)
    store = SqliteStore(db)
    worker = Worker(
        store, {"https://a.example/": [(Hop.LINK, f"https://n{n}.example/{'x' * 200}") for n in range(900)]}
    )
    worker.claim()
    worker.take()
    page = worker.result(worker.inflight[0])
    batch = worker.batch(pages=(page,), warcs={worker.file: 100})
    ((pages,),) = db.pragma("page_count")
    db.pragma(f"max_page_count = {pages + 3}")
    before = store.counts(NOW)
    with pytest.raises(NoSpace) as error:
        store.commit(batch)
    assert str(path) in str(error.value)
    assert store.counts(NOW) == before
    assert urls(store.waiting()) == ["https://a.example/"]
    store.check()
    db.pragma("max_page_count = 1000000")
    assert store.commit(batch).new == 900
    worker.inflight = []
    worker.run()
    assert store.counts(NOW).pages == 901
    store.check()
    store.close()


def test_a_reader_beside_the_writer_sees_whole_commits(tmp_path):
    """A report may be made while the crawl goes on; the reader cannot write."""
    path = tmp_path / "crawl.db"
    store = SqliteStore.create(path, PLAN)
    reader = SqliteStore.open(path, read_only=True)
    worker = Worker(store, SITE)
    worker.claim()
    worker.take()
    worker.commit()
    assert (reader.counts(NOW).pages, reader.counts(NOW).waiting) == (1, 300)
    with pytest.raises(NotWritable):
        reader.insert([found("https://b.example/", Label(1, 0, 0))])
    reader.close()
    store.close()


def test_sealing_makes_the_file_small(tmp_path):
    """What was dropped gives its space back."""
    path = tmp_path / "crawl.db"
    store = SqliteStore.create(path, PLAN)
    store.insert([found(f"https://a.example/{number}", Label(1, 0, 0)) for number in range(20_000)])
    store.seal()
    store.close()
    assert path.stat().st_size < 300_000


def test_it_recovers_from_a_kill_with_its_log_unfinished(tmp_path):
    """After kill -9 the file opens, is sound, and gives the same answers as before."""
    with stores_of("sqlite", tmp_path) as stores:
        store = stores.create(plan_for(SEED))
        store.close()
        path = stores.place(store)
        with processes(stores, store, tmp_path) as start:
            _killed(start("first", "stop"))
        assert path.with_name(f"{path.name}-wal").stat().st_size > 0
        again = stores.again(store)
        again.check()
        assert again.counts(NOW).pages == len(urls(again.pages())) > 0


def _killed(process):
    for _ in range(4):
        assert process.stdout.readline() == "written\n"
        go_on(process)
    assert process.stdout.readline() == "written\n"
    process.kill()
    process.wait(PATIENCE)
