"""Rules of access, and questions about one page, for the tests of both."""

from datetime import UTC, datetime

from opilio.kernel.access import (
    PUBLIC,
    Default,
    Reader,
    Rule,
    Rules,
    Where,
    decide,
)

NOW = datetime(2026, 6, 1, tzinfo=UTC)


CAPTURED = datetime(2026, 1, 15, 12, tzinfo=UTC)


PAGE = "https://www.example.org/news/today.html"


STAFF = Reader(user="7", agency="library", staff_of=frozenset({"library"}))


FOREIGN_STAFF = Reader(user="8", agency="museum", staff_of=frozenset({"museum"}))


ROOMS = {"main": ["192.0.2.0/24"], "annexe": ["2001:db8::/64"]}


def rule(says, where=None, **fields):
    return Rule(**{"id": fields.pop("id", f"{says}-1"), "says": says, "where": where or Where(), **fields})


def about(reach, value, **more):
    return Where(reach=reach, value=value, **more)


def ask(*rules, url=PAGE, reader=PUBLIC, now=NOW, captured=CAPTURED, agency="library", default=Default.OPEN, **more):
    held = Rules(rules, default=default, rooms=ROOMS)
    return decide(held, url=url, captured=captured, agency=agency, reader=reader, now=now, **more)
