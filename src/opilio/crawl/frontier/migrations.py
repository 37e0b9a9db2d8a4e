"""Which version a store has, and how an older one is brought up to date when it is opened.

A step leads to its version from the one before, in the words of each database; `{queue}` and the like name tables of
the crawl. Sealed results are never migrated; only live stores are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from opilio.crawl.errors import NewerCrawlStore
from opilio.crawl.frontier.database import Both

#: The version this Opilio writes.
SCHEMA_VERSION = 3

_ADD_LANGUAGE = "ALTER TABLE {page} ADD COLUMN language text"
_ADD_ORIGINAL = "ALTER TABLE {page} ADD COLUMN original text"


@dataclass(frozen=True, kw_only=True, slots=True)
class Schema:
    """A version with the steps that lead to it."""

    version: int = SCHEMA_VERSION
    steps: Mapping[int, tuple[Both, ...]] = field(default_factory=lambda: _STEPS)  # version → statements


_STEPS: Mapping[int, tuple[Both, ...]] = {
    2: (Both(sqlite=_ADD_LANGUAGE, postgres=_ADD_LANGUAGE),),
    3: (Both(sqlite=_ADD_ORIGINAL, postgres=_ADD_ORIGINAL),),
}
CURRENT = Schema()


def missing_steps(found: int, schema: Schema, where: str) -> tuple[Both, ...]:
    """What is to be run on a store of an older version; `NewerCrawlStore` for one from the future."""
    if found > schema.version:
        raise NewerCrawlStore(
            f"the crawl store has version {found}, and this Opilio knows versions up to {schema.version}",
            where=where,
            remedy="Use the newer Opilio that wrote it.",
        )
    return tuple(step for version in range(found + 1, schema.version + 1) for step in schema.steps[version])
