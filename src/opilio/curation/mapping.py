"""Keeps the look-up from domains to permissions: derived rows, there while the authorisation is active."""

from opilio.curation.models import PatternMapping, PermissionPattern
from opilio.curation.pattern_reading import parse_pattern


def remap(authorisation_id: int) -> int:
    """Make the look-up of one authorisation anew, within the caller's transaction. How many entries it has."""
    PatternMapping.objects.filter(permission__authorisation_id=authorisation_id).delete()
    links = PermissionPattern.objects.filter(
        permission__authorisation_id=authorisation_id, permission__deleted=False, pattern__deleted=False,
        permission__authorisation__active=True, permission__authorisation__deleted=False,
    ).select_related("pattern")  # fmt: skip
    made = [
        PatternMapping(
            permission_id=link.permission_id,
            pattern_id=link.pattern_id,
            domain=parse_pattern(link.pattern.pattern).domain,
        )
        for link in links
    ]
    PatternMapping.objects.bulk_create(made)
    return len(made)
