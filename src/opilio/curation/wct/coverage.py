"""Tells which links of seeds to permissions stand only because the Web Curator Tool compares more loosely than we."""

from collections.abc import Iterator

from opilio.curation.models import PermissionPattern, SeedPermission
from opilio.curation.pattern_reading import BadPattern, parse_pattern
from opilio.curation.patterns import UrlPattern
from opilio.curation.places import place_of
from opilio.curation.wct.report import Entry, What
from opilio.curation.wct.taking import BATCH, Taking
from opilio.kernel.errors import BadUrl

_REASON = "the link is kept, but by our rules no pattern of the permission covers the seed"


def tell_uncovered(taking: Taking) -> None:
    """Name every link of this import whose permission does not cover its seed (docs/decisions/0025)."""
    for batch in _batches(taking):
        patterns = _patterns({link.permission_id for link in batch})
        for link in batch:
            if not _covered(link.seed.url, patterns.get(link.permission_id, [])):
                reason = f"{_REASON}: {link.seed.url[:200]}"
                number = f"{link.seed_id}, {link.permission_id}"
                taking.report.tell(
                    Entry(what=What.CELL, table="SEED_PERMISSION", column="SP_SEED_ID", number=number, reason=reason)
                )


def _batches(taking: Taking) -> Iterator[list[SeedPermission]]:
    last = 0
    rows = SeedPermission.objects.filter(at=taking.at, linked="import").select_related("seed").order_by("id")
    while batch := list(rows.filter(id__gt=last)[:BATCH]):
        yield batch
        last = batch[-1].id


def _patterns(permissions: set[int]) -> dict[int, list[UrlPattern]]:
    found: dict[int, list[UrlPattern]] = {}
    rows = PermissionPattern.objects.filter(permission_id__in=permissions).select_related("pattern")
    for row in rows:
        try:
            found.setdefault(row.permission_id, []).append(parse_pattern(row.pattern.pattern))
        except BadPattern:
            continue  # it was told when the pattern was refused
    return found


def _covered(url: str, patterns: list[UrlPattern]) -> bool:
    try:
        place = place_of(url)
    except BadUrl:
        return True  # it was told that the URL cannot be harvested
    return any(pattern.covers(place) for pattern in patterns)
