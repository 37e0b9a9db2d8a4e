"""All tables that are imported and exported."""

from opilio.curation.bulk.tables import of_groups, of_permissions, of_schedules, of_seeds, of_targets
from opilio.curation.bulk.tables.table import Table
from opilio.people.errors import NotFound

TABLES: dict[str, Table] = {
    module.TABLE.noun: module.TABLE for module in (of_targets, of_seeds, of_groups, of_permissions, of_schedules)
}


def table_named(noun: str) -> Table:
    """The table of this noun, which may have come from outside."""
    found = TABLES.get(noun)
    if found is None:
        raise NotFound(f"There is no table of {noun[:32]!r}", where="import", remedy=f"Known are {', '.join(TABLES)}.")
    return found
