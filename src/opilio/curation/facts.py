"""Reads permissions from their rows, as the matching engine and the decision about rights want them."""

from collections.abc import Iterable

from django.db.models import Prefetch, QuerySet

from opilio.curation.models import Permission, PermissionExclusion, PermissionPattern
from opilio.curation.pattern_reading import BadPattern, parse_pattern
from opilio.curation.patterns import UrlPattern
from opilio.curation.permission_facts import ExclusionFacts, PermissionFacts, Standing
from opilio.people.parameters import value


def with_parts(rows: QuerySet[Permission]) -> QuerySet[Permission]:
    """The permissions, with everything that `fact` looks at."""
    return rows.select_related("authorisation", "agent").prefetch_related(
        Prefetch("pattern_links", queryset=PermissionPattern.objects.select_related("pattern")),
        Prefetch("exclusions", queryset=PermissionExclusion.objects.order_by("position", "id")),
    )


def facts(rows: QuerySet[Permission]) -> list[PermissionFacts]:
    """What is known of these permissions."""
    strict = bool(value("strict_scheme"))
    return [fact(row, strict=strict) for row in with_parts(rows)]


def fact(row: Permission, *, strict: bool = False) -> PermissionFacts:
    """What is known of a permission whose parts were read with it."""
    patterns = (link.pattern.pattern for link in row.pattern_links.all() if not link.pattern.deleted)
    return PermissionFacts(
        id=row.id,
        name=str(row),
        status=Standing(row.status),
        agency=row.agency_id,
        starts=row.start_date,
        ends=row.end_date,
        authorisation=row.authorisation_id,
        authorisation_name=row.authorisation.title,
        authorisation_active=row.authorisation.active and not row.authorisation.deleted,
        patterns=tuple(_readable(patterns, strict=strict)),
        exclusions=tuple(
            ExclusionFacts(pattern=parse_pattern(each.url), reason=each.reason) for each in row.exclusions.all()
        ),
    )


def _readable(texts: Iterable[str], *, strict: bool) -> Iterable[UrlPattern]:
    """Patterns are checked when they are saved; one that was brought in unreadable covers nothing."""
    for text in texts:
        try:
            yield parse_pattern(text, strict_scheme=strict)
        except BadPattern:
            continue
