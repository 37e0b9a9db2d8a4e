"""What a report is made of: a crawl store, or whatever else keeps pages and outlinks in tables of the same form."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from opilio.crawl.frontier.batch import Denial
from opilio.crawl.frontier.database import Row, Sql
from opilio.crawl.frontier.rows import Counts
from opilio.crawl.plan import CrawlPlan

Section = dict[str, Any]  # a part of the report, as JSON carries it
Listed = Mapping[str, Any]  # "total", and under "listed" the first of them


class ReportSource(Protocol):
    """Answers questions about one crawl, from committed rows. It may be asked while the crawl runs."""

    @property
    def plan(self) -> CrawlPlan:
        """What was asked for."""
        ...

    def counts(self, now: float) -> Counts:
        """The state of the crawl in numbers."""
        ...

    def denials(self) -> list[Denial]:
        """Some examples for each rule that denied links."""
        ...

    def ask(self, question: Sql, values: Sequence[object] = ()) -> list[Row]:
        """What a question about {page}, {outlinks}, {queue}, {host} and {seen} is answered with.

        Tables that were dropped when the crawl ended are asked too, and then hold no rows.
        """
        ...


def listed(total: int, rows: Sequence[Section]) -> Section:
    """A list that is bounded, with the number of what there is in all."""
    return {"total": total, "listed": list(rows)}
