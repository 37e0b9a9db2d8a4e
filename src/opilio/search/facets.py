"""How many pages of an answer each site, type, language and year has."""

from collections.abc import Mapping
from typing import Any, Final

import tantivy
from tantivy import Query

from opilio.search.answer import Facet, Facets

_MOST: Final = {"site": 20, "kind": 20, "lang": 20, "year": 40}


def facets(searcher: tantivy.Searcher, query: Query) -> Facets:
    """The facets of the pages that a query (with the filter of access) finds."""
    wanted = {name: {"terms": {"field": name, "size": most}} for name, most in _MOST.items()}
    found = searcher.aggregate(query, wanted)
    years = _facets(found, "year", "")
    return Facets(
        sites=_facets(found, "site", "site:"),
        types=_facets(found, "kind", "type:"),
        languages=_facets(found, "lang", "lang:"),
        years=tuple(sorted(years, key=lambda each: each.value, reverse=True)),
    )


def _facets(found: Mapping[str, Any], name: str, field: str) -> tuple[Facet, ...]:
    counted = [(_value(bucket["key"]), int(bucket["doc_count"])) for bucket in found[name]["buckets"]]
    ordered = sorted(counted, key=lambda each: (-each[1], each[0]))
    return tuple(Facet(value=value, count=count, query=_filter(field, value)) for value, count in ordered if value)


def _value(key: object) -> str:
    return str(int(key)) if isinstance(key, float) else str(key)


def _filter(field: str, value: str) -> str:
    return f"{field}{value}" if field else f"since:{value} until:{value}"
