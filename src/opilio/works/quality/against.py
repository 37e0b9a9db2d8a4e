"""A result against that of an earlier harvest: which captured URLs match, which are missing, which are new."""

from collections.abc import Callable

from opilio.archive.compare.differences import Kind, differences
from opilio.archive.results.view import ResultView
from opilio.works.quality.values import Differential, Lines

_LISTED = 100
_EVERY = 1_000  # URLs between two calls of `told`


def against(before: ResultView, after: ResultView, told: Callable[[int], None] = lambda done: None) -> Differential:
    """Both are streamed side by side."""
    counts = dict.fromkeys(Kind, 0)
    listed: dict[Kind, list[str]] = {Kind.REMOVED: [], Kind.ADDED: []}
    for done, row in enumerate(differences(before, after)):
        if done % _EVERY == 0:
            told(done)
        counts[row.kind] += 1
        examples = listed.get(row.kind)
        if examples is not None and len(examples) < _LISTED:
            examples.append(row.url[:2_000])
    return Differential(
        matching=counts[Kind.CHANGED] + counts[Kind.UNCHANGED], changed=counts[Kind.CHANGED],
        missing=Lines(total=counts[Kind.REMOVED], listed=tuple(listed[Kind.REMOVED])),
        new=Lines(total=counts[Kind.ADDED], listed=tuple(listed[Kind.ADDED])),
    )  # fmt: skip
