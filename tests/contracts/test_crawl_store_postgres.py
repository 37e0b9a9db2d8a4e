"""What only PostgreSQL has to show: many crawls in one database, lost connections, workers that were stopped."""

import signal
import threading
import time
from urllib.parse import urlsplit

import psycopg
import pytest

from opilio.crawl.errors import (
    AnotherPlan,
    CrawlStoreExists,
    CrawlStoreUnavailable,
    NewerCrawlStore,
    NoCrawlStore,
)
from opilio.crawl.frontier.database import Both
from opilio.crawl.frontier.migrations import SCHEMA_VERSION, Schema
from opilio.crawl.frontier.postgres import PostgresStore
from opilio.crawl.frontier.sql_schema import NAMESPACE
from opilio.kernel.capture import Hop
from opilio.kernel.errors import InvalidInput
from tests.contracts.crawl_store_process import SEED
from tests.contracts.crawl_store_processes import PATIENCE, go_on, processes, require_complete
from tests.contracts.crawl_stores import KINDS, NOW, Worker, plan_for, stores_of, urls
from tests.servers.postgres import end_connections

pytestmark = pytest.mark.database
__test__ = "postgres" in KINDS

SITE = {"https://a.example/": [(Hop.LINK, f"https://a.example/{number}") for number in range(30)]}


@pytest.fixture
def stores(tmp_path):
    with stores_of("postgres", tmp_path) as made:
        yield made


def cut_off(stores):
    return end_connections(stores.url, urlsplit(stores.url).path.strip("/"))


def test_several_crawls_share_a_database(stores):
    """Each has its own queue, pages and counters; removing one leaves the others."""
    first, second = stores.create(plan_for("https://a.example/")), stores.create(plan_for("https://b.example/"))
    Worker(first, SITE).run()
    assert first.counts(NOW).pages == 31
    assert urls(second.waiting()) == ["https://b.example/"]
    first.close()
    PostgresStore.remove(stores.url, stores.place(first))
    PostgresStore.remove(stores.url, stores.place(first))
    with pytest.raises(NoCrawlStore):
        PostgresStore.open(stores.url, stores.place(first))
    Worker(second).run()
    assert urls(second.pages()) == ["https://b.example/"]
    with psycopg.connect(stores.url) as connection:
        left = connection.execute("SELECT count(*) FROM pg_class WHERE relname LIKE '%\\_1'").fetchone()
    assert left == (0,)


def test_tables_are_keyed_by_crawl(stores):
    """All crawls can be asked at once."""
    stores.create(plan_for("https://a.example/"))
    stores.create(plan_for("https://b.example/", "https://b.example/2"))
    with psycopg.connect(stores.url) as connection:
        rows = connection.execute(f"SELECT crawl, count(*) FROM {NAMESPACE}.queue GROUP BY 1 ORDER BY 1").fetchall()
    assert [count for _, count in rows] == [1, 2]


def test_creating_at_once_makes_one(stores):
    """Of two processes that create the same crawl, one is told that it exists; the tables are made once."""
    outcomes = []

    def create():
        try:
            PostgresStore.create(stores.url, "the-crawl", plan_for("https://a.example/")).close()
            outcomes.append("made")
        except CrawlStoreExists:
            outcomes.append("exists")

    threads = [threading.Thread(target=create) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["exists", "exists", "exists", "made"]


def test_refusals(stores):
    """Another plan, a missing crawl, an odd name and a newer schema are refused by name."""
    store = stores.create(plan_for("https://a.example/"))
    with pytest.raises(AnotherPlan) as error:
        PostgresStore.open(stores.url, stores.place(store), plan_for("https://b.example/"))
    assert stores.place(store) in str(error.value)
    with pytest.raises(NoCrawlStore):
        PostgresStore.open(stores.url, "missing")
    with pytest.raises(InvalidInput):
        PostgresStore.create(stores.url, "a\x00b", plan_for("https://a.example/"))
    with psycopg.connect(stores.url) as connection:
        connection.execute(f"UPDATE {NAMESPACE}.version SET version = 99")
    with pytest.raises(NewerCrawlStore) as error:
        PostgresStore.open(stores.url, stores.place(store))
    assert "99" in str(error.value)


def test_an_older_database_is_migrated_on_opening(stores):
    """The steps are run once, for all crawls."""
    store = stores.create(plan_for("https://a.example/"))
    next_one = SCHEMA_VERSION + 1
    newer = Schema(
        version=next_one,
        steps={next_one: (Both(sqlite="", postgres="ALTER TABLE {host} ADD COLUMN remark text NOT NULL DEFAULT 'x'"),)},
    )
    for _ in range(2):
        again = PostgresStore.open(stores.url, stores.place(store), schema=newer)
        assert again._db.read(lambda opened=again: opened._db.rows("SELECT remark FROM {host}")) == [("x",)]
        again.close()


def test_a_lost_connection_is_restored(stores):
    """The server cut us off between two steps, as a restart does: the crawl goes on by itself."""
    store = stores.create(plan_for("https://a.example/"))
    worker = Worker(store, SITE)
    worker.claim()
    worker.take()
    assert cut_off(stores) >= 1
    worker.commit()
    cut_off(stores)
    worker.claim()
    cut_off(stores)
    worker.run(per_host=5)
    assert store.counts(NOW).pages == 31


def test_connections_lost_all_the_time(stores):
    """However often the server cuts us off, in the middle of whatever: every page once."""
    store = stores.create(plan_for("https://a.example/"))
    ended = threading.Event()

    def cut_often():
        while not ended.is_set():
            cut_off(stores)
            ended.wait(0.2)

    cutter = threading.Thread(target=cut_often)
    cutter.start()
    try:
        Worker(store, SITE).run(per_host=3)
    finally:
        ended.set()
        cutter.join()
    assert store.counts(NOW).pages == 31
    assert [page.id for page in store.pages()] == list(range(31))
    assert store.counts(NOW).outcomes == {"fetched": 31}


def test_patience_ends_with_a_clear_message():
    """A server that does not come back is named, without its password."""
    with pytest.raises(CrawlStoreUnavailable) as error:
        PostgresStore.open("postgresql://me:secret@127.0.0.1:1/crawls", "x", patience=0.2)
    assert "crawls at 127.0.0.1" in str(error.value)
    assert "secret" not in str(error.value)


def test_a_worker_stopped_past_its_lease_is_fenced(stores, tmp_path):
    """SIGSTOP, another worker takes over, SIGCONT: the first writes nothing and cuts its own file."""
    store = stores.create(plan_for(SEED))
    with processes(stores, store, tmp_path) as start:
        _stopped(stores.again(store), start("sleeper", "stop"))
        require_complete(store, tmp_path)


def _stopped(again, sleeper):
    assert sleeper.stdout.readline() == "written\n"
    sleeper.send_signal(signal.SIGSTOP)
    heir = Worker(again, owner="heir", now=time.time() + 10, ttl=60.0)
    assert heir.claim().leases
    sleeper.send_signal(signal.SIGCONT)
    go_on(sleeper)
    again.evict("heir")
    while sleeper.poll() is None and sleeper.stdout.readline():
        go_on(sleeper)
    assert sleeper.wait(PATIENCE) == 0


def test_tables_are_cleared_up_by_rows_and_not_by_parts(stores):
    """A fifth of a hundred million rows, PostgreSQL's own limit, would come far too late."""
    stores.create(plan_for("https://a.example/"))
    asked = f"SELECT relname, reloptions FROM pg_class WHERE relnamespace = '{NAMESPACE}'::regnamespace"
    with psycopg.connect(stores.url) as connection:
        found = {name: options or [] for name, options in connection.execute(asked) if name.endswith("_1")}
    assert "autovacuum_vacuum_threshold=20000" in found["queue_1"]
    for table in ("seen_1", "page_1", "outlinks_1", "content_1"):
        assert "autovacuum_vacuum_insert_threshold=500000" in found[table]
    for table in ("bucket_1", "host_1", "counter_1", "worker_1", "reserve_1"):
        assert "fillfactor=50" in found[table]


@pytest.mark.parametrize("limit", ["lock_timeout", "statement_timeout"])
def test_a_statement_that_the_server_ends_is_tried_again(stores, limit):
    """Somebody stands still with the lock that every claim needs; once the lock is free, the claim is made."""
    store = stores.create(plan_for("https://a.example/"))
    store._db._open().execute(f"SET {limit} = '100ms'")
    with psycopg.connect(stores.url) as standing:
        standing.execute(f"SELECT 1 FROM {NAMESPACE}.meta_1 WHERE name = 'guard workers' FOR UPDATE")
        threading.Timer(1.0, standing.rollback).start()
        assert Worker(store).claim().leases


def test_nobody_stands_still_in_a_transaction_for_ever(stores):
    """The server ends what a stopped worker began, and its connection tells a vanished server within a minute."""
    connection = stores.create(plan_for("https://a.example/"))._db._open()
    ((idle,),) = connection.execute("SHOW idle_in_transaction_session_timeout").fetchall()
    ((lock,),) = connection.execute("SHOW lock_timeout").fetchall()
    assert (idle, lock) == ("1min", "1min")
    assert connection.info.get_parameters()["tcp_user_timeout"] == "60000"
