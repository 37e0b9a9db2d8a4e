"""Did you mean: the query with words that nobody wrote replaced by the nearest that pages hold."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from opilio.search.access_filter import AccessFilter
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.query import nodes
from opilio.search.snapshot import Snapshot

_RARE: Final = 2  # pages; a word that more pages hold is taken to be right
_SHORTEST: Final = 3  # letters of a word that may be wrong
_MOST_WORDS: Final = 8  # of a query that are looked at
_MOST_TRIES: Final = 3


def corrected(node: nodes.Node, analyzer: Analyzer, snapshot: Snapshot, access: AccessFilter) -> Iterator[nodes.Node]:
    """Queries that may have been meant, the likeliest first."""
    likely = _likely(node, analyzer, snapshot, access)
    for number in range(_MOST_TRIES if likely else 0):
        chosen = {word: others[min(number, len(others) - 1)] for word, others in likely.items()}
        yield _replaced(node, chosen)


def _likely(node: nodes.Node, analyzer: Analyzer, snapshot: Snapshot, access: AccessFilter) -> dict[str, list[str]]:
    """For each word that hardly a page holds: those near it that more pages hold."""
    found: dict[str, list[str]] = {}
    known = snapshot.known(access)
    for leaf in list(nodes.leaves(node))[:_MOST_WORDS]:
        if not isinstance(leaf, nodes.Word):
            continue
        words = analyzer.words(leaf.text)
        if len(words) != 1 or len(words[0]) < _SHORTEST:
            continue
        held = snapshot.pages_with(words[0], access)
        if held > _RARE:
            continue
        near = known.near(words[0], 1 if len(words[0]) < 5 else 2, 20)
        counted = [(apart, -snapshot.pages_with(word, access), word) for word, apart in near if word != words[0]]
        better = [word for apart, count, word in sorted(counted) if -count > held]
        if better:
            found[leaf.text] = better
    return found


def _replaced(node: nodes.Node, chosen: Mapping[str, str]) -> nodes.Node:
    match node:
        case nodes.Word():
            return replace(node, text=chosen.get(node.text, node.text))
        case nodes.Not() | nodes.Required():
            return replace(node, part=_replaced(node.part, chosen))
        case nodes.Both() | nodes.Either() | nodes.Sequence():
            return replace(node, parts=tuple(_replaced(part, chosen) for part in node.parts))
        case _:
            return node
