"""Which workers go by a limit of pages that was changed while the crawl runs.

A worker that took entries before may have more under way than is reserved. So nobody takes pages under the new limit
until everybody who holds buckets has asked for entries since, and thereby reserved room for what it has.
"""

from opilio.crawl.frontier.database import Database, insert

_NAME = "heard "
_HEAR = insert("meta", "name text, value text", "ON CONFLICT (name) DO UPDATE SET value = excluded.value")
_HEARD = "SELECT name, value FROM {meta} WHERE name LIKE ?"
_HOLDERS = "SELECT DISTINCT owner FROM {bucket} WHERE owner IS NOT NULL AND until > ?"


def by_all(db: Database, owner: str, now: float, order: int) -> bool:
    """Note that a worker goes by an order; whether all do by now. Under the guard of pages."""
    if order == 0:  # the plan's own limits hold from the beginning
        return True
    db.many(_HEAR, [(f"{_NAME}{owner}", str(order))])
    heard = {name.removeprefix(_NAME): int(value) for name, value in db.rows(_HEARD, (f"{_NAME}%",))}
    return all(heard.get(holder, 0) >= order for (holder,) in db.rows(_HOLDERS, (now,)))


def forget(db: Database, owner: str) -> None:
    """A worker is gone."""
    db.execute("DELETE FROM {meta} WHERE name = ?", (f"{_NAME}{owner}",))
