"""The exact fields of a query, as the engine is asked for them."""

from collections.abc import Callable
from typing import Final

import tantivy
from tantivy import FieldType, Occur, Query

from opilio.kernel.errors import BadUrl
from opilio.kernel.hosts import to_ascii
from opilio.search.analysis.languages import language_code
from opilio.search.index.entry import meta_value
from opilio.search.index.kinds import meant_by
from opilio.search.index.schema import UNKNOWN_LANGUAGE
from opilio.search.query.dates import begins, ends
from opilio.search.query.nodes import Filter


def filter_query(schema: tantivy.Schema, node: Filter) -> Query:
    """The pages that a filter lets through."""
    return _FILTERS[node.name](schema, node.value)


def _site(schema: tantivy.Schema, value: str) -> Query:
    return Query.term_query(schema, "domain", _host(value), "basic")


def _on_host(schema: tantivy.Schema, value: str) -> Query:
    return Query.term_query(schema, "host", _host(value), "basic")


def _type(schema: tantivy.Schema, value: str) -> Query:
    kinds, types = meant_by(value)
    wanted = [("kind", kind) for kind in kinds] + [("type", type_) for type_ in types]
    return Query.boolean_query([(Occur.Should, Query.term_query(schema, *each, "basic")) for each in wanted])


def _lang(schema: tantivy.Schema, value: str) -> Query:
    code = value if value == UNKNOWN_LANGUAGE else language_code(value)
    return Query.term_query(schema, "lang", code, "basic")


def _target(schema: tantivy.Schema, value: str) -> Query:
    return Query.term_query(schema, "target", value, "basic")


def _meta(schema: tantivy.Schema, value: str) -> Query:
    name, equals, content = value.partition("=")
    asked = f"{meta_value(name)}={meta_value(content)}" if equals else meta_value(name)
    return Query.term_query(schema, "meta", asked, "basic")


def _since(schema: tantivy.Schema, value: str) -> Query:
    return Query.range_query(schema, "date", FieldType.Integer, lower_bound=begins(value))


def _until(schema: tantivy.Schema, value: str) -> Query:
    return Query.range_query(schema, "date", FieldType.Integer, upper_bound=ends(value), include_upper=False)


def _host(value: str) -> str:
    try:
        return to_ascii(value)
    except BadUrl:
        return value


_FILTERS: Final[dict[str, Callable[[tantivy.Schema, str], Query]]] = {
    "site": _site,
    "host": _on_host,
    "type": _type,
    "lang": _lang,
    "target": _target,
    "meta": _meta,
    "since": _since,
    "until": _until,
}
