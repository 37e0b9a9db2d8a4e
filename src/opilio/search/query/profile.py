"""What counts how much when pages are ranked. Every number of the ranking stands here."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """How pages are ranked: the weight of each text field, and the gentle factors of link rank and freshness.

    The score of a page is the sum of weight × BM25 over fields and terms. That of the first pages is multiplied by
    1 + link_rank × rank + freshness × 2^(-age / half_life), where age is counted back from the newest page.
    """

    weights: tuple[tuple[str, float], ...]  # field of the index, weight
    link_rank: float = 0.0  # what a page of rank 1 gains
    freshness: float = 0.0  # what the newest page gains
    half_life: float = 365 * 86_400.0  # seconds after which the gain of freshness is half
    rescored: int = 200  # pages, the best by their text, to which both factors are applied
    synonym: float = 0.7  # weight of a synonym
    fuzzy: float = 0.7  # weight of a word for each letter in which it differs


#: For people.
FULL: Final = Profile(
    weights=(
        ("title", 1.5),
        ("headings", 0.8),
        ("about", 0.8),
        ("anchors", 1.0),
        ("body", 1.0),
        ("aside", 0.1),
        ("urlwords", 0.3),
    ),
    link_rank=0.25,
    freshness=0.05,
)
#: BM25 over the text alone, for comparison with other engines.
PLAIN: Final = Profile(weights=(("body", 1.0),))
