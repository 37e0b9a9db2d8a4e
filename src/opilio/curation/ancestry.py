"""All groups above targets and groups, however far, as one question to the database."""

from collections.abc import Iterable

from django.db.models.expressions import RawSQL

_ABOVE = """
WITH RECURSIVE above(id) AS (
    SELECT parent_id FROM group_member JOIN abstract_target ON abstract_target.id = parent_id
    WHERE child_id IN ({marks}) AND NOT abstract_target.deleted
    UNION
    SELECT parent_id FROM above JOIN group_member ON child_id = above.id
    JOIN abstract_target ON abstract_target.id = parent_id
    WHERE NOT abstract_target.deleted
) SELECT id FROM above
"""


def above(identifiers: Iterable[int]) -> RawSQL:
    """The identifiers of the groups, for a filter as `id__in`; a deleted group leads no further."""
    chosen = tuple(set(identifiers)) or (None,)
    return RawSQL(_ABOVE.format(marks=", ".join(["%s"] * len(chosen))), chosen)  # noqa: S611 - marks only
