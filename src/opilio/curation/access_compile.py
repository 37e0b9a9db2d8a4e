"""Compiles what permissions and targets say about access into rules of `kernel.access`.

docs/explanation/rights.md says what becomes what. In doubt the rule closes: an access status that is not understood
lets in the agency's own people only. Rules hold for the captures of a target, however its seeds came to be linked.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from opilio.curation.days import start_of
from opilio.curation.facts import fact, with_parts
from opilio.curation.models import AccessZone, Permission, PermissionStatus, SeedPermission, Target
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


def rules() -> Iterator[Rule]:
    """The rules of all targets."""
    links: dict[int, set[int]] = {}
    for target, permission in _links():
        links.setdefault(target, set()).add(permission)
    permissions = {row.id: row for row in with_parts(Permission.objects.filter(links__isnull=False).distinct())}
    for target in Target.objects.select_related("agency").order_by("id").iterator():
        linked = [permissions[each] for each in sorted(links.get(target.id, ())) if each in permissions]
        yield from rules_of(target, linked)


def rules_of(target: Target, permissions: Iterable[Permission]) -> Iterator[Rule]:
    """The rules of one target: its display flag and zone, and what its permissions say."""
    yield from _of_target(target)
    for permission in permissions:
        yield from _of_permission(target, permission)
        yield from _of_exclusions(target, permission)


def _links() -> Iterable[tuple[int, int]]:
    found = SeedPermission.objects.filter(seed__deleted=False).order_by("id")
    return found.values_list("seed__target_id", "permission_id")


def _rule(target: Target, name: str, says: Says, **more: Any) -> Rule:
    return Rule(id=name, says=says, target=str(target.id), agency=str(target.agency_id), **more)


def _of_target(target: Target) -> Iterator[Rule]:
    if not target.display:
        yield _rule(target, f"display:{target.id}", Says.HIDDEN)
    if target.access_zone == AccessZone.ON_SITE:
        yield _rule(target, f"zone:{target.id}", Says.ROOMS)
    elif target.access_zone == AccessZone.RESTRICTED:
        yield _rule(target, f"zone:{target.id}", Says.PERSONS, agencies=_staff(target))


def _staff(target: Target) -> frozenset[str]:
    return frozenset({str(target.agency_id)})


def _of_permission(target: Target, row: Permission) -> Iterator[Rule]:
    """A restriction ends with the open-access date; from then on everybody may read."""
    if row.status != PermissionStatus.APPROVED:
        return
    name = f"permission:{row.id}:{target.id}"
    says = says_of(row.access_status, available=row.available)
    opens = _opens(target, row)
    if says is not None and says is not Says.OPEN:
        yield _restriction(name, says, target, row, opens)
    if says is Says.OPEN or opens is not None:
        starts = None if says is Says.OPEN else opens
        yield _rule(target, f"{name}:open", Says.OPEN, starts=starts, statement=_statement(row))


def says_of(access_status: str, *, available: bool = False) -> Says | None:
    """What a value of the list of access statuses means; None where nothing was chosen."""
    text = access_status.strip().lower()
    if not text:
        return Says.OPEN if available else None
    if _SEATS.search(text):
        return Says.SEATS
    return next((says for word, says in _WORDS if text.startswith(word)), Says.PERSONS)


def _restriction(name: str, says: Says, target: Target, row: Permission, opens: datetime | None) -> Rule:
    found = _SEATS.search(row.access_status)
    return _rule(
        target, name, says, ends=opens, statement=_statement(row),
        seats=max(1, int(found[1])) if says is Says.SEATS and found else 0,
        agencies=_staff(target) if says is Says.PERSONS else frozenset(),
    )  # fmt: skip


def _opens(target: Target, row: Permission) -> datetime | None:
    return start_of(row.open_access_date, target.agency.time_zone) if row.open_access_date else None


def _statement(row: Permission) -> Statement | None:
    if not (row.copyright_statement or row.copyright_url or row.special_requirements):
        return None
    return Statement(text=row.copyright_statement, link=row.copyright_url, requirements=row.special_requirements)


def _of_exclusions(target: Target, row: Permission) -> Iterator[Rule]:
    """Whatever is excluded now is hidden, also in what was collected before."""
    for number, exclusion in enumerate(fact(row).exclusions):
        name = f"exclusion:{row.id}:{target.id}:{number}"
        yield _rule(target, name, Says.EXCLUDED, where=where_of(exclusion.pattern))


def where_of(pattern: UrlPattern) -> Where:
    """The URLs of a pattern as rules of access name them; all of its domain where it is too long for that."""
    found = expression(pattern)
    if len(found) > _LONGEST_EXPRESSION:
        return Where(reach=Reach.DOMAIN, value=pattern.host) if pattern.host else Where()
    return Where(reach=Reach.PATTERN, value=found, within=pattern.host)
