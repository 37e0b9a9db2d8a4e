"""Which pages a reader may find: a filter that every query passes, and that facets, suggestions and all else pass too.

Later pages, agencies and access classes are fields of the index; what the rules of access deny is a list of hosts and
pages, which `access_decisions` works out. Nothing of it needs a new index.
"""

import math
import re
from dataclasses import dataclass
from typing import Final

import tantivy
from tantivy import FieldType, Occur, Query

_SPECIAL: Final = re.compile(r"[^\w,/:=&%~@!;<>' \"_-]")
_Clause = tuple[Occur, Query]


@dataclass(frozen=True, kw_only=True, slots=True)
class AccessFilter:
    """The pages that a reader may find. All that is named must hold."""

    now: float  # seconds since 1970: pages that become visible later are hidden
    agencies: frozenset[str] | None = None  # only pages of these; None: of any and of none
    classes: frozenset[str] | None = None  # only pages of these access classes; None: of any and of none
    only: bool = False  # whether `hosts` and `pages` name all that is allowed, rather than what is denied
    hosts: frozenset[str] = frozenset()  # as `host_key` gives them
    pages: frozenset[int] = frozenset()
    surts: tuple[str, ...] = ()  # beginnings of SURT keys that are denied

    def clauses(self, schema: tantivy.Schema) -> list[_Clause]:
        """What is added to every query; adds nothing to a score."""
        found = [*self._later(schema), *self._fields(schema), *self._lists(schema)]
        if found and all(occur is Occur.MustNot for occur, _ in found):
            return found
        return [(occur, _silent(query) if occur is Occur.Must else query) for occur, query in found]

    def _later(self, schema: tantivy.Schema) -> list[_Clause]:
        if math.isinf(self.now):
            return []
        bound = int(min(max(self.now, 0.0), 2.0**53))
        late = Query.range_query(schema, "visible", FieldType.Integer, lower_bound=bound, include_lower=False)
        return [(Occur.MustNot, late)]

    def _fields(self, schema: tantivy.Schema) -> list[_Clause]:
        wanted = (("agency", self.agencies), ("access", self.classes))
        return [(Occur.Must, _one_of(schema, name, values)) for name, values in wanted if values is not None]

    def _lists(self, schema: tantivy.Schema) -> list[_Clause]:
        listed: list[Query] = []
        if self.hosts:
            listed.append(Query.term_set_query(schema, "host", sorted(self.hosts)))
        if self.pages:
            listed.append(Query.term_set_query(schema, "page", sorted(self.pages)))
        surts = [(Occur.MustNot, Query.regex_query(schema, "surt", f"{_literal(each)}.*")) for each in self.surts]
        if not self.only:
            return [*surts, *((Occur.MustNot, each) for each in listed)]
        allowed = Query.boolean_query([(Occur.Should, each) for each in listed]) if listed else Query.empty_query()
        return [*surts, (Occur.Must, allowed)]


#: Nothing is hidden: for a person's own machine, and for those who build.
OPEN: Final = AccessFilter(now=math.inf)
#: Everything is hidden.
SHUT: Final = AccessFilter(now=math.inf, only=True)


def filtered(schema: tantivy.Schema, query: Query, access: AccessFilter) -> Query:
    """The query with the filter of access."""
    clauses = access.clauses(schema)
    return Query.boolean_query([(Occur.Must, query), *clauses]) if clauses else query


def _one_of(schema: tantivy.Schema, name: str, values: frozenset[str]) -> Query:
    return Query.term_set_query(schema, name, sorted(values)) if values else Query.empty_query()


def _silent(query: Query) -> Query:
    return Query.const_score_query(query, 0.0)


def _literal(text: str) -> str:
    return _SPECIAL.sub(lambda found: f"\\{found[0]}" if found[0].isascii() else found[0], text)
