"""The tables of a result; docs/reference/result-file.md describes them. A result is never migrated.

Whoever changes a table gives FORMAT the next number and teaches the reader both forms.
"""

#: The form that this Opilio writes, in `PRAGMA user_version`. Form 1 had neither `removed` nor `earlier`.
FORMAT = 2
#: The first form in which a result can be derived from another.
DERIVABLE = 2
#: Written into the header of the file, so that it is known as ours: "OpRs".
APPLICATION_ID = 0x4F705273

#: Columns of a resource in the order of their table.
RESOURCE_COLUMNS = (
    "id, host, hash64, url, seed, outcome, reason, status, type, extension, size, digest, title, language, meta, "
    "last_modified, etag, depth, hops, parent_host, parent_hash, path, warc, start, length, ms, tries, robots, at, "
    "counted, original_url, original_at"
)

TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE host (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, delay REAL NOT NULL, pages INTEGER NOT NULL,
        bytes INTEGER NOT NULL, errors INTEGER NOT NULL, robots TEXT NOT NULL)""",
    """CREATE TABLE resource (
        id INTEGER PRIMARY KEY, host INTEGER NOT NULL, hash64 INTEGER NOT NULL, url TEXT NOT NULL,
        seed INTEGER NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL, status INTEGER, type TEXT NOT NULL,
        extension TEXT NOT NULL, size INTEGER NOT NULL, digest TEXT NOT NULL, title TEXT NOT NULL,
        language TEXT NOT NULL, meta TEXT NOT NULL, last_modified TEXT NOT NULL, etag TEXT NOT NULL,
        depth INTEGER NOT NULL, hops INTEGER NOT NULL, parent_host INTEGER, parent_hash INTEGER, path TEXT NOT NULL,
        warc INTEGER, start INTEGER, length INTEGER, ms INTEGER NOT NULL, tries INTEGER NOT NULL,
        robots TEXT NOT NULL, at REAL NOT NULL, counted INTEGER NOT NULL, original_url TEXT, original_at REAL)""",
    """CREATE TABLE way (
        resource INTEGER, depth INTEGER, seed INTEGER, hops INTEGER,
        PRIMARY KEY (resource, depth, seed, hops)) WITHOUT ROWID""",
    "CREATE TABLE surt (key TEXT, resource INTEGER, PRIMARY KEY (key, resource)) WITHOUT ROWID",
    "CREATE TABLE outlinks (resource INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    "CREATE TABLE inlinks (resource INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    """CREATE TABLE content (
        digest TEXT, extractor TEXT, body BLOB NOT NULL, PRIMARY KEY (digest, extractor))""",
    """CREATE TABLE warc (
        id INTEGER PRIMARY KEY, file TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, sha256 TEXT NOT NULL)""",
    "CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE denial (rule TEXT, url TEXT, parent TEXT NOT NULL, PRIMARY KEY (rule, url)) WITHOUT ROWID",
    """CREATE TABLE command (
        id INTEGER PRIMARY KEY, what TEXT NOT NULL, by TEXT NOT NULL, at REAL NOT NULL, arguments TEXT NOT NULL,
        done REAL)""",
    "CREATE TABLE removed (resource INTEGER PRIMARY KEY, outcome TEXT NOT NULL, replaced_by INTEGER)",
    """CREATE TABLE earlier (
        resource INTEGER, at REAL, status INTEGER, mime TEXT NOT NULL, digest TEXT NOT NULL, warc INTEGER,
        start INTEGER, length INTEGER, revisit INTEGER NOT NULL, original_url TEXT, original_at REAL,
        PRIMARY KEY (resource, at, warc, start)) WITHOUT ROWID""",
)
#: Made once the rows are there, which is quicker.
INDEXES = (
    "CREATE INDEX resource_hash ON resource (hash64)",
    "CREATE INDEX resource_outcome ON resource (outcome)",
)
