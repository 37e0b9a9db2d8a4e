"""What permissions say about access, as rules: access status, open-access date, statements, exclusions."""

import re
from collections.abc import Iterator
from datetime import datetime

from opilio.curation.access_about import About
from opilio.curation.days import start_of
from opilio.curation.facts import fact
from opilio.curation.models import Permission, PermissionStatus
from opilio.curation.pattern_expressions import expression
from opilio.curation.patterns import UrlPattern
from opilio.kernel.access_rules import Rule, Says, Statement
from opilio.kernel.access_where import Reach, Where

_SEATS = re.compile(r"limited to (\d{1,6})\b", re.IGNORECASE)
_WORDS = (
    ("open", Says.OPEN), ("restricted by location", Says.ROOMS), ("restricted by person", Says.PERSONS),
    ("embargo", Says.EMBARGO),
)  # fmt: skip
_LONGEST_EXPRESSION = 1_000  # characters that a rule of access takes
_WEB = ("http://", "https://")


def permission_rules(about: About, row: Permission, zone: str) -> Iterator[Rule]:
    """All that a permission says of captures that rely on it; `zone` is the time zone of its days."""
    yield from _status(about, row, zone)
    yield from _exclusions(about, row)


def _status(about: About, row: Permission, zone: str) -> Iterator[Rule]:
    """A restriction ends with the open-access date; from then on everybody may read."""
    if row.status != PermissionStatus.APPROVED:
        return
    name = f"permission:{row.id}"
    says = says_of(row.access_status, available=row.available)
    opens = start_of(row.open_access_date, zone) if row.open_access_date else None
    if says is not None and says is not Says.OPEN:
        yield _restriction(about, name, says, row, opens)
    if says is Says.OPEN or opens is not None:
        starts = None if says is Says.OPEN else opens
        yield about.rule(f"open:{row.id}", Says.OPEN, starts=starts, statement=statement_of(row))


def says_of(access_status: str, *, available: bool = False) -> Says | None:
    """What a value of the list of access statuses means; None where nothing was chosen."""
    text = access_status.strip().lower()
    if not text:
        return Says.OPEN if available else None
    if _SEATS.search(text):
        return Says.SEATS
    return next((says for word, says in _WORDS if text.startswith(word)), Says.PERSONS)


def _restriction(about: About, name: str, says: Says, row: Permission, opens: datetime | None) -> Rule:
    found = _SEATS.search(row.access_status)
    seats = max(1, int(found[1])) if says is Says.SEATS and found else 0
    return about.limited(name, says, ends=opens, statement=statement_of(row), seats=seats)


def statement_of(row: Permission) -> Statement | None:
    """What is told beside captures; a link that is no web address is told as text."""
    if not (row.copyright_statement or row.copyright_url or row.special_requirements):
        return None
    text, link = row.copyright_statement, row.copyright_url
    if link and not link.lower().startswith(_WEB):
        text, link = f"{text} {link}".strip(), ""
    return Statement(text=text, link=link, requirements=row.special_requirements)


def _exclusions(about: About, row: Permission) -> Iterator[Rule]:
    """Whatever is excluded now is hidden, also in what was collected before."""
    for number, exclusion in enumerate(fact(row).exclusions):
        yield about.rule(f"exclusion:{row.id}:{number}", Says.EXCLUDED, where=where_of(exclusion.pattern))


def where_of(pattern: UrlPattern) -> Where:
    """The URLs of a pattern as rules of access name them; all of its domain where it is too long for that."""
    found = expression(pattern)
    if len(found) > _LONGEST_EXPRESSION:
        return Where(reach=Reach.DOMAIN, value=pattern.host) if pattern.host else Where()
    return Where(reach=Reach.PATTERN, value=found, within=pattern.host)
