"""The questions that pages of a harvest's records ask: of the live store (both databases) and of the sealed result.

Both keep resources under the same columns. Every question names where it begins and ends, so that it costs the same
at the end of a million rows as at their start.
"""

from dataclasses import dataclass

from opilio.crawl.frontier.database import Both
from opilio.crawl.frontier.values import EXPAND
from opilio.works.record_filters import Wanted

_COLUMNS = """p.id, p.url, p.outcome, coalesce(p.reason, ''), p.status, coalesce(p.type, ''), p.size, p.depth, p.at,
    w.file, p.start, p.length, coalesce(p.digest, ''), coalesce(p.title, '')"""
_URL = """CASE substr(q.url, 1, 1) WHEN '/' THEN 'https://' || h.name || q.url
    WHEN ':' THEN 'http://' || h.name || substr(q.url, 2) ELSE q.url END"""
_ORDER = "ORDER BY q.host, q.priority, q.rank, q.id"
#: An index leads to the rest of those that have the same turn, and to those that have a later one.
_SAME = "q.host = ? AND q.priority = ? AND q.rank = ? AND q.id > ?"
_LATER = "(q.host, q.priority, q.rank) > (?, ?, ?) AND (q.host, q.priority, q.rank) <= (?, ?, ?)"
_WINDOW = "SELECT * FROM {{queue}} AS q WHERE {where} {order} LIMIT ?"
_END = "SELECT q.host, q.priority, q.rank, q.id FROM {{queue}} AS q WHERE {where} {order} LIMIT 1 OFFSET ?"


@dataclass(frozen=True, kw_only=True, slots=True)
class Tables:
    """What the tables are called."""

    resource: str
    warc: str
    host: str
    counter: str
    outcomes: str  # how many resources have each outcome

    @property
    def last(self) -> str:
        """The highest number of a resource."""
        return f"SELECT max(id) FROM {self.resource}"  # noqa: S608 - ours

    @property
    def types(self) -> str:
        """How often each type was met."""
        return f"SELECT name, sum(value) FROM {self.counter} WHERE name LIKE ? GROUP BY name"  # noqa: S608 - ours

    @property
    def host_number(self) -> str:
        """The number of a host."""
        return f"SELECT id FROM {self.host} WHERE name = ?"  # noqa: S608 - ours


STORE = Tables(
    resource="{page}", warc="{warc}", host="{host}", counter="{counter}",
    outcomes="SELECT substr(name, 9), sum(value) FROM {counter} WHERE substr(name, 1, 8) = 'outcome/' GROUP BY name",
)  # fmt: skip
RESULT = Tables(
    resource="resource", warc="warc", host="host", counter="counter",
    outcomes="SELECT outcome, count(*) FROM resource GROUP BY outcome",
)  # fmt: skip


def resources(tables: Tables, wanted: Wanted, host: int | None) -> tuple[Both, list[object]]:
    """Resources between two numbers; with the values of the filter, which come behind these."""
    where, values = _chosen(wanted, host)
    words = (
        f"SELECT {_COLUMNS} FROM {tables.resource} AS p LEFT JOIN {tables.warc} AS w ON w.id = p.warc "  # noqa: S608 - ours
        f"WHERE p.id > ? AND p.id <= ?{where} ORDER BY p.id LIMIT ?"
    )
    return _both(words), values


def waiting(wanted: Wanted, *, same: bool) -> tuple[Both, list[object]]:
    """So many entries of the queue from one on, in the order in which each host is asked for them; then filtered.

    `same`: those with the same turn as that one; else those with a later turn, up to another one.
    """
    window = _WINDOW.format(where=_SAME if same else _LATER, order=_ORDER)
    where = f" AND instr(lower({_URL}), ?) > 0" if wanted.text else ""
    words = f"""
        SELECT q.host, q.priority, q.rank, q.id, {_URL}, h.name, q.depth, q.hops, q.tries, q.not_before, above.url
        FROM ({window}) AS q JOIN {{host}} AS h ON h.id = q.host
        LEFT JOIN {{page}} AS above ON above.host = coalesce(q.parent_host, q.host) AND above.hash64 = q.parent_hash
        WHERE q.priority <> {EXPAND}{where} {_ORDER} LIMIT ?
    """  # noqa: S608 - columns and tables are ours
    return _both(words), [wanted.needle] if wanted.text else []


def waiting_end(*, same: bool) -> str:
    """The entry of the queue so many entries on."""
    return _END.format(where=_SAME if same else _LATER, order=_ORDER)


def _chosen(wanted: Wanted, host: int | None) -> tuple[str, list[object]]:
    parts: list[tuple[str, list[object]]] = []
    if wanted.text:
        parts.append(("instr(lower(p.url), ?) > 0", [wanted.needle]))
    if wanted.status is not None:
        parts.append(("p.status BETWEEN ? AND ?", list(wanted.status)))
    if wanted.outcome:
        parts.append(("+p.outcome = ?", [wanted.outcome]))  # the sign keeps SQLite on the range of numbers
    if wanted.type:
        parts.append(("p.type = ?", [wanted.type]))
    if host is not None:
        parts.append(("+p.host = ?", [host]))
    return "".join(f" AND {words}" for words, _ in parts), [value for _, values in parts for value in values]


def _both(words: str) -> Both:
    """SQLite's words in PostgreSQL's."""
    return Both(sqlite=words, postgres=words.replace("instr(", "strpos(").replace("+p.", "p."))
