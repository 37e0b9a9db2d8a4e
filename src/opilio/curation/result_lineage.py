"""How the results of a harvest came from one another, as a tree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from opilio.curation.models import Result


@dataclass(frozen=True, kw_only=True)
class Node:
    """A result with those that were derived from it."""

    row: Result
    depth: int
    notes: tuple[str, ...]
    children: "tuple[Node, ...]"

    def flat(self) -> "Iterator[Node]":
        """It and all below it, in order."""
        yield self
        for child in self.children:
            yield from child.flat()


def lineage(rows: Sequence[Result], notes: dict[int, tuple[str, ...]]) -> tuple[Node, ...]:
    """The tree; a result whose parent is not among them stands at the top, so that none is lost."""
    numbers = {row.number for row in rows}
    parents: dict[int | None, list[Result]] = {}
    for row in rows:
        later = row.derived_from is not None and row.derived_from < row.number  # what other catalogues say may be odd
        parents.setdefault(row.derived_from if later and row.derived_from in numbers else None, []).append(row)

    def below(parent: int | None, depth: int) -> tuple[Node, ...]:
        return tuple(
            Node(row=row, depth=depth, notes=notes.get(row.pk, ()), children=below(row.number, depth + 1))
            for row in parents.get(parent, ())
        )

    return below(None, 0)
