"""Commands in the store: given by people, read by every worker, marked as done by the one that carried them out."""

import json
from collections.abc import Mapping

from opilio.crawl.frontier.database import Both, Database, insert
from opilio.crawl.frontier.recording import clean
from opilio.crawl.frontier.rows import Command

_GUARD = Both(sqlite="SELECT 0", postgres="SELECT value FROM {meta} WHERE name = 'guard commands' FOR UPDATE")
_INSERT = insert("command", "id int8, what text, by text, at float8, arguments text")
_AFTER = 'SELECT id, what, "by", at, arguments, done FROM {command} WHERE id > ? ORDER BY id'


def order(db: Database, what: str, by: str, at: float, arguments: Mapping[str, object]) -> int:
    """Write a command down; its number. Numbers become visible in their order."""
    db.rows(_GUARD)
    ((last,),) = db.rows("SELECT coalesce(max(id), 0) FROM {command}")
    db.many(_INSERT, [(last + 1, what, clean(by), float(at), json.dumps(dict(arguments)))])
    return int(last) + 1


def commands(db: Database, after: int) -> list[Command]:
    """Commands with higher numbers, in order."""
    return [
        Command(id=number, what=what, by=by, at=at, arguments=json.loads(arguments), done=done)
        for number, what, by, at, arguments, done in db.rows(_AFTER, (after,))
    ]


def done(db: Database, number: int, at: float) -> bool:
    """Mark a command as carried out; False if it was marked before."""
    return db.execute("UPDATE {command} SET done = ? WHERE id = ? AND done IS NULL", (float(at), number)) > 0
