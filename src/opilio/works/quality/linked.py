"""The pages that most others link to, found in one pass and little memory: rare ones are forgotten now and then."""

from collections import Counter
from collections.abc import Iterable

from opilio.kernel.capture import Hop
from opilio.kernel.page_links import PageLink

_KEPT = 20_000  # URLs counted at a time
_LEFT = 2_000  # that stay when there are more


class MostLinked:
    """Counts links."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def take(self, links: Iterable[PageLink]) -> None:
        """The links of one page, each URL once."""
        self._counts.update({link.url for link in links if link.hop is Hop.LINK})
        if len(self._counts) > _KEPT:
            self._counts = Counter(dict(self._counts.most_common(_LEFT)))

    def most(self, number: int) -> list[str]:
        """The most linked first."""
        rows = sorted(self._counts.items(), key=lambda one: (-one[1], one[0]))
        return [url for url, _ in rows[:number]]
