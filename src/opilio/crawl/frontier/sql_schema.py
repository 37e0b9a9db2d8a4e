"""The tables of a crawl store, once for SQLite and once for PostgreSQL.

PostgreSQL keeps every table once, keyed by crawl and partitioned by it: a crawl works on its own partition, and goes
without leaving holes. Version and migrations are in `migrations`.
"""

from opilio.crawl.frontier.database import TABLES

#: Written into the header of the SQLite file, so that it is known as ours: "OpCr".
APPLICATION_ID = 0x4F704372
#: The schema that holds the tables in PostgreSQL.
NAMESPACE = "opilio_crawl"

# Columns as (name, PostgreSQL type, constraint); SQLite's type follows from it.
_COLUMNS: dict[str, str] = {
    "meta": "name text! value text!",
    "worker": "owner text! at float8! until float8! token text! result text!",
    "bucket": "id int8! owner text epoch int8! until float8! at float8!",
    "host": "id int8! name text! next_due float8! delay float8! block_until float8! failures int8! "
    "broken_until float8! robots text robots_body bytea robots_expires float8! cookies bytea pages int8! bytes int8! "
    "errors int8!",
    "seen": "host int8! hash64 int8! entry int8! depth int4! seed int4! hops int4!",
    "seen_more": "host int8! hash64 int8! depth int4! seed int4! hops int4!",
    "queue": "id int8! host int8! priority int4! rank int4! hash64 int8! url text! seed int4! depth int4! hops int4! "
    "parent_host int8 parent_hash int8 path text! tries int4! not_before float8",
    "page": "id int8! host int8! hash64 int8! url text! seed int4! outcome text! reason text status int4 type text "
    "extension text size int8! digest text title text meta text last_modified text etag text depth int4! hops int4! "
    "parent_host int8 parent_hash int8 path text! warc int8 start int8 length int8 epoch int8! ms int8! tries int4! "
    "robots text at float8! counted int4! language text original text",
    "outlinks": "page int8! body bytea!",
    "content": "digest text! extractor text! body bytea!",
    "warc": "id int8! file text! owner text! committed int8! uploaded int8!",
    "counter": "slot int8! name text! value int8!",
    "reserve": "bucket int8! seed int4! slots int8!",
    "denial": "rule text! url text! parent text!",
    "command": "id int8! what text! by text! at float8! arguments text! done float8",
}
_KEYS = {
    "meta": "name",
    "worker": "owner",
    "bucket": "id",
    "host": "id",
    "seen": "host, hash64",
    "seen_more": "host, hash64, seed, hops, depth",
    "queue": "id",
    "page": "id",
    "outlinks": "page",
    "content": "digest, extractor",
    "warc": "id",
    "counter": "slot, name",
    "reserve": "bucket, seed",
    "denial": "rule, url",
    "command": "id",
}
_INDEXES = {
    "host_name": ("host", "UNIQUE", "name"),
    "queue_order": ("queue", "", "host, priority, rank, id"),
    "page_url": ("page", "UNIQUE", "host, hash64"),
    "warc_file": ("warc", "UNIQUE", "file"),
}
#: Counters and leases change all the time: room in their pages keeps the changes off the indexes.
_RESTLESS = ("bucket", "host", "counter", "worker", "reserve")
_OFTEN = "fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02"
#: When PostgreSQL clears up. Its own limits are parts of a table: a fifth of a hundred million rows comes far too late.
_VACUUM = {
    # Every entry is written and deleted once: the front of the index is dead rows until they are cleared away.
    "queue": "autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, "
    "autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0",
    # These only grow: what counts is that plans know how large they are, and that old rows are frozen bit by bit.
    **dict.fromkeys(
        ("seen", "page", "outlinks", "content"),
        "autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000, "
        "autovacuum_analyze_scale_factor = 0.05",
    ),
}
#: Narrow tables that are looked up by their key alone.
_WITHOUT_ROWID = frozenset({"meta", "worker", "seen", "seen_more", "counter", "reserve"})
_LITE_TYPES = {"text": "TEXT", "int8": "INTEGER", "int4": "INTEGER", "float8": "REAL", "bytea": "BLOB"}


def sqlite_schema() -> list[str]:
    """The statements that make an empty SQLite store."""
    made = [_sqlite_table(table) for table in TABLES]
    return made + [
        f"CREATE {unique} INDEX {name} ON {table} ({columns})" for name, (table, unique, columns) in _INDEXES.items()
    ]


def _sqlite_table(table: str) -> str:
    columns = [
        f'"{name}" {_LITE_TYPES[kind]}{" NOT NULL" if required else ""}' for name, kind, required in _columns(table)
    ]
    if _KEYS[table] == "id":
        columns[0] = '"id" INTEGER PRIMARY KEY'
    elif table == "outlinks":
        columns[0] = '"page" INTEGER PRIMARY KEY'
    else:
        columns.append(f"PRIMARY KEY ({_KEYS[table]})")
    return f"CREATE TABLE {table} ({', '.join(columns)}){' WITHOUT ROWID' if table in _WITHOUT_ROWID else ''}"


def postgres_schema() -> list[str]:
    """The statements that make the tables of all crawls."""
    made = [
        f"CREATE SCHEMA IF NOT EXISTS {NAMESPACE}",
        f"CREATE TABLE {NAMESPACE}.version (version int4 NOT NULL)",
        f"CREATE TABLE {NAMESPACE}.crawl (id int4 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE)",
    ]
    return made + [_postgres_table(table) for table in TABLES]


def _postgres_table(table: str) -> str:
    columns = ", ".join(f'"{name}" {kind}{" NOT NULL" if required else ""}' for name, kind, required in _columns(table))
    return f"CREATE TABLE {NAMESPACE}.{table} (crawl int4 NOT NULL, {columns}) PARTITION BY LIST (crawl)"


def postgres_crawl(crawl: int) -> list[str]:
    """The statements that make the partitions of one crawl. Attaching does not stop the other crawls."""
    made = [f"CREATE SEQUENCE {NAMESPACE}.entry_{crawl}"]
    for table in TABLES:
        own = f"{NAMESPACE}.{table}_{crawl}"
        made += [
            f"CREATE TABLE {own} (LIKE {NAMESPACE}.{table} INCLUDING DEFAULTS)",
            f"ALTER TABLE {own} ALTER crawl SET DEFAULT {crawl}, ADD CHECK (crawl = {crawl}), "
            f"ADD PRIMARY KEY ({_KEYS[table]})",
            f"ALTER TABLE {NAMESPACE}.{table} ATTACH PARTITION {own} FOR VALUES IN ({crawl})",
        ]
    made += [
        f"CREATE {unique} INDEX {name}_{crawl} ON {NAMESPACE}.{table}_{crawl} ({columns})"
        for name, (table, unique, columns) in _INDEXES.items()
    ]
    return made + [
        f"ALTER TABLE {NAMESPACE}.{table}_{crawl} SET ({settings})"
        for table, settings in (*dict.fromkeys(_RESTLESS, _OFTEN).items(), *_VACUUM.items())
    ]


def postgres_drop(crawl: int) -> list[str]:
    """The statements that take the partitions of one crawl away."""
    return [
        statement
        for table in TABLES
        for statement in (
            f"ALTER TABLE {NAMESPACE}.{table} DETACH PARTITION {NAMESPACE}.{table}_{crawl}",
            f"DROP TABLE {NAMESPACE}.{table}_{crawl}",
        )
    ] + [f"DROP SEQUENCE {NAMESPACE}.entry_{crawl}"]


def _columns(table: str) -> list[tuple[str, str, bool]]:
    words = _COLUMNS[table].split()
    return [
        (name, kind.removesuffix("!"), kind.endswith("!")) for name, kind in zip(words[::2], words[1::2], strict=True)
    ]
