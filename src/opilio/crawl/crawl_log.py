"""One line per URL in the form of Heritrix's crawl.log, which many tools read.

Columns: time, status (negative where there is no answer), bytes, URL, path from the seed, page that led here, type,
worker, start with duration, digest, seed, annotations.
"""

from datetime import UTC, datetime

from opilio.crawl.frontier.batch import PageResult
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan

_CODES = {
    Outcome.ROBOTS_DENIED: -9998,
    Outcome.SCOPE_DENIED: -5000,
    Outcome.EXCLUDED: -5003,
    Outcome.OVER_LIMIT: -5003,
    Outcome.TRAP: -5000,
}
_NO_ANSWER = -2


def line(result: PageResult, plan: CrawlPlan, worker: str, mime: str) -> str:
    """The line of one result, with its line end."""
    entry = result.entry
    at = datetime.fromtimestamp(result.at, UTC)
    began = f"{at:%Y%m%d%H%M%S}{at.microsecond // 1000:03d}+{result.ms}" if result.at else "-"
    columns = (
        f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z",
        f"{result.status if result.status is not None else _CODES.get(result.outcome, _NO_ANSWER):5d}",
        f"{result.size if result.at else '-':>10}",
        entry.url,
        entry.path or "-",
        entry.parent or "-",
        _word(mime or "unknown"),
        f"#{worker}",
        began,
        result.digest or "-",
        plan.seeds[entry.label.seed].url,
        _word(f"{result.outcome.value}{',' if entry.tries else ''}{f'{entry.tries + 1}t' if entry.tries else ''}"),
    )
    return " ".join(columns) + "\n"


def _word(text: str) -> str:
    return "".join(char if char.isprintable() and char != " " else "_" for char in text)[:200]
