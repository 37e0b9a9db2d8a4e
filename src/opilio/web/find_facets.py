"""How hits can be narrowed, and what narrows them now, as links."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from opilio.search.answer import Answer, Facet
from opilio.search.query.canonical import canonical
from opilio.search.query.nodes import Filter, Node, sequence
from opilio.search.query.nodes import Sequence as Side
from opilio.search.query.parser import parse
from opilio.web.find_parameters import Wanted
from opilio.web.find_words import kind_label, language_label

_FIRST: Final = 6  # values of a group that are shown at once
_NAMES: Final = {
    "site": "Site", "host": "Host", "type": "Type", "lang": "Language", "target": "Target", "meta": "Meta tag",
    "since": "Since", "until": "Until",
}  # fmt: skip
_LABELS: Final[dict[str, Callable[[str], str]]] = {"type": kind_label, "lang": language_label}


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """A value that narrows the hits."""

    label: str
    count: int
    link: str  # parameters of the address


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """The values of one kind."""

    label: str
    first: tuple[Choice, ...]
    rest: tuple[Choice, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Chip:
    """A filter of the query, and the address without it."""

    name: str
    label: str
    link: str


def groups(answer: Answer, wanted: Wanted) -> list[Group]:
    """The groups in which there is something to choose: values that not every hit has."""
    found = answer.facets
    kinds: tuple[tuple[str, str, tuple[Facet, ...]], ...] = (
        ("Site", "site", found.sites), ("Type", "type", found.types), ("Language", "lang", found.languages),
        ("Year", "year", found.years),
    )  # fmt: skip
    made = (_group(label, name, facets, answer, wanted) for label, name, facets in kinds)
    return [group for group in made if group.first]


def chips(query: str, wanted: Wanted) -> list[Chip]:
    """The filters of the query, each with the way to take it away."""
    parts = _parts(parse(query).node)
    filters = [part for part in parts if isinstance(part, Filter)]
    since = {each.value for each in filters if each.name == "since"}
    years = since & {each.value for each in filters if each.name == "until"}
    told = [
        _chip(_NAMES[each.name], _LABELS.get(each.name, str)(each.value), [each], parts, wanted)
        for each in filters
        if each.name not in ("since", "until") or each.value not in years
    ]
    spans = [
        _chip("Date", year, [each for each in filters if each.name in ("since", "until")], parts, wanted)
        for year in sorted(years)
    ]
    return [*told, *spans]


def without_filters(query: str) -> str:
    """The words of a query alone."""
    return canonical(sequence(part for part in _parts(parse(query).node) if not isinstance(part, Filter)))


def _group(label: str, name: str, facets: Iterable[Facet], answer: Answer, wanted: Wanted) -> Group:
    spoken = _LABELS.get(name, str)
    choices = [
        Choice(label=spoken(each.value), count=each.count, link=wanted.link(query=_narrowed(answer.query, each.query)))
        for each in facets
        if each.count < answer.total
    ]
    return Group(label=label, first=tuple(choices[:_FIRST]), rest=tuple(choices[_FIRST:]))


def _narrowed(query: str, by: str) -> str:
    return canonical(parse(f"{query} {by}").node)


def _chip(name: str, label: str, gone: Sequence[Filter], parts: Sequence[Node], wanted: Wanted) -> Chip:
    rest = [part for part in parts if part not in gone]
    return Chip(name=name, label=label, link=wanted.link(query=canonical(sequence(rest))))


def _parts(node: Node) -> tuple[Node, ...]:
    return node.parts if isinstance(node, Side) else (node,)
