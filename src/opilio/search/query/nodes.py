"""The tree of a query. Made only by the functions at the end, so that equal queries have equal trees."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

#: Fields that restrict text to a part of the page, and fields that hold one exact value.
TEXT_FIELDS: Final = ("title", "url")
EXACT_FIELDS: Final = ("site", "host", "type", "lang", "target", "meta", "since", "until")


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
    """A word as it was typed; what analysis splits into several is asked as a phrase."""

    text: str
    field: str = ""  # empty: anywhere


@dataclass(frozen=True, kw_only=True, slots=True)
class Fuzzy:
    """A word and those that differ from it in a few letters."""

    text: str
    distance: int = 1  # 1 or 2 letters
    field: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Wildcard:
    """Words of a form: `*` stands for any letters, `?` for one, and a backslash before either for itself."""

    pattern: str
    field: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Phrase:
    """Words in this order, with up to `slop` moves between them."""

    text: str
    slop: int = 0
    field: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """An exact field: restricts, adds nothing to the score."""

    name: str  # of EXACT_FIELDS
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Not:
    """Pages that the part does not find."""

    part: "Node"


@dataclass(frozen=True, kw_only=True, slots=True)
class Required:
    """In a sequence: the part must be found, the other words need not."""

    part: "Node"


@dataclass(frozen=True, kw_only=True, slots=True)
class Both:
    """Pages that every part finds."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Either:
    """Pages that at least one part finds."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sequence:
    """Words side by side: filters and required parts hold; of the others one is enough, and more are better."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Everything:
    """Every page."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """No page: nothing was asked."""


Text = Word | Fuzzy | Wildcard | Phrase
Node = Text | Filter | Not | Required | Both | Either | Sequence | Everything | Nothing
EVERYTHING: Final = Everything()
NOTHING: Final = Nothing()


def negated(part: Node) -> Node:
    """The pages that the part does not find."""
    match part:
        case Not():
            return part.part
        case Required():
            return negated(part.part)
        case _:
            return Not(part=part)


def required(part: Node) -> Node:
    """The part, demanded; filters are anyway."""
    return part if isinstance(part, Not | Required | Filter | Nothing) else Required(part=part)


def both(parts: Iterable[Node]) -> Node:
    """Every part; parts of parts are taken up."""
    return _joined(Both, parts)


def either(parts: Iterable[Node]) -> Node:
    """At least one part; parts of parts are taken up."""
    return _joined(Either, parts)


def sequence(parts: Iterable[Node]) -> Node:
    """Parts side by side; one alone stands for itself."""
    found = tuple(part for part in parts if not isinstance(part, Nothing))
    if not found:
        return NOTHING
    return _plain(found[0]) if len(found) == 1 else Sequence(parts=found)


def restricts(node: Node) -> bool:
    """Whether a part of a sequence only narrows what is found."""
    match node:
        case Filter() | Not():
            return True
        case Word() | Fuzzy() | Wildcard() | Phrase():
            return bool(node.field)
        case Both() | Either() | Sequence():
            return all(restricts(part) for part in node.parts)
        case _:
            return False


def leaves(node: Node) -> Iterable[Text | Filter | Everything | Nothing]:
    """The parts that have no parts, in order."""
    match node:
        case Not() | Required():
            yield from leaves(node.part)
        case Both() | Either() | Sequence():
            for part in node.parts:
                yield from leaves(part)
        case _:
            yield node


def _joined(kind: type[Both] | type[Either], parts: Iterable[Node]) -> Node:
    found: list[Node] = []
    for part in map(_plain, parts):
        if isinstance(part, kind):
            found += part.parts
        elif not isinstance(part, Nothing):
            found.append(part)
    if not found:
        return NOTHING
    return found[0] if len(found) == 1 else kind(parts=tuple(found))


def _plain(part: Node) -> Node:
    return part.part if isinstance(part, Required) else part
