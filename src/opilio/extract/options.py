"""What a plan may choose about extraction, and the limits under which hostile input is read."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from opilio.kernel.errors import InvalidInput
from opilio.kernel.urls import KEEP_QUERY, QueryPolicy, QueryRule

_MEGABYTE = 1024 * 1024


class BadOptions(InvalidInput):
    """Options of extraction that cannot be read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """Choices and limits of one extraction; the defaults suit a crawl of ordinary sites."""

    query: QueryPolicy = KEEP_QUERY  # how the canonical form of a link treats its query
    forms: bool = False  # follow GET forms that have few combinations of choices
    anchors: bool = True  # the text of links
    script_strings: bool = False  # take strings of scripts that look like URLs, as speculative links
    mark_boilerplate: bool = True  # tell navigation, footers and menus apart from the rest of the text
    lazy_images: bool = True  # take data-src and its kin, as speculative links
    max_form_choices: int = 20  # combinations of one form; a form with more is left alone
    max_links: int = 250_000  # further links of a page are counted, not kept
    max_text: int = 5_000_000  # characters; the rest is cut
    max_html_bytes: int = 4 * _MEGABYTE  # larger HTML is parsed by a helper process
    max_tag_depth: int = 4_000  # more deeply nested HTML is parsed by a helper process
    max_tag_attributes: int = 500  # the same for a tag with more attributes
    max_xml_depth: int = 200
    max_sitemap_bytes: int = 50 * _MEGABYTE  # unpacked, as sitemaps.org has it
    max_sitemap_entries: int = 50_000
    max_feed_entries: int = 10_000
    max_pdf_pages: int = 2_000
    max_zip_entries: int = 5_000
    max_unpacked_bytes: int = 64 * _MEGABYTE  # of all parts of an office file that are read


DEFAULTS = Options()
_LIMITS = frozenset(field.name for field in fields(Options) if field.name.startswith("max_"))


def to_values(options: Options) -> dict[str, Any]:
    """The options as values that JSON can carry."""
    values = asdict(options)
    values["query"] = {"rule": options.query.rule.value, "names": sorted(options.query.names)}
    return values


def from_values(values: Mapping[str, Any]) -> Options:
    """The options that `to_values` described; names and types are checked."""
    known = {field.name for field in fields(Options)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise BadOptions(f"“{unknown[0]}” is no option of extraction", remedy=f"Known are: {', '.join(sorted(known))}.")
    return Options(**{name: _checked(name, value) for name, value in values.items()})


def _checked(name: str, value: object) -> Any:
    if name == "query":
        return _query(value)
    wanted = int if name in _LIMITS else bool
    if type(value) is not wanted or (name in _LIMITS and value <= 0):
        kind = "a whole number above 0" if wanted is int else "true or false"
        raise BadOptions(f"the option {name} must be {kind}, not {value!r:.50}", remedy="Correct it in the plan.")
    return value


def _query(value: object) -> QueryPolicy:
    try:
        rule, names = QueryRule(value["rule"]), value["names"]  # type: ignore[index]  # checked by the except
        return QueryPolicy(rule=rule, names=frozenset(str(name) for name in names))
    except (KeyError, TypeError, ValueError):
        raise BadOptions("the option query has another shape", remedy="It holds “rule” and “names”.") from None
