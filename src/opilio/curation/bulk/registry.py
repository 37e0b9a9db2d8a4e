"""All nouns on which bulk work can be done."""

from dataclasses import replace

from opilio.curation.bulk.of_groups import GROUPS
from opilio.curation.bulk.of_harvests import HARVESTS, RESULTS
from opilio.curation.bulk.of_rights import AUTHORISATIONS, PERMISSIONS
from opilio.curation.bulk.of_schedules import SCHEDULES
from opilio.curation.bulk.of_seeds import SEEDS
from opilio.curation.bulk.of_targets import TARGETS
from opilio.curation.bulk.of_users import USERS
from opilio.curation.bulk.tables.known import TABLES
from opilio.curation.bulk.verbs import Noun, by_name
from opilio.people.errors import NotFound


def _with_import(noun: Noun) -> Noun:
    table = TABLES.get(noun.name)
    return replace(noun, verbs=(*noun.verbs, table.verb())) if table is not None else noun


NOUNS = by_name(map(_with_import, (
    TARGETS, SEEDS, GROUPS, AUTHORISATIONS, PERMISSIONS, SCHEDULES, USERS, HARVESTS, RESULTS,
)))  # fmt: skip


def noun_named(name: str) -> Noun:
    """The noun of this name, which may have come from outside."""
    found = NOUNS.get(name)
    if found is None:
        raise NotFound(
            f"There is no bulk work on {name[:32]!r}", where="bulk work", remedy=f"Known are {', '.join(NOUNS)}."
        )
    return found
