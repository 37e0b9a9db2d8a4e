"""One line per URL in the form of Heritrix's crawl.log, which many tools read.

Columns: moment of writing, status (negative where there is no answer), bytes, URL, path from the seed, page that led
here, type, worker, start with duration, digest, seed, annotations. None holds a space; `-` stands for nothing.
"""

import functools
from datetime import UTC, datetime

from opilio.crawl.fetch.exchange import Trouble
from opilio.crawl.frontier.batch import PageResult
from opilio.crawl.outcomes import CUT_OFF, Outcome
from opilio.crawl.plan import CrawlPlan

#: Heritrix's codes for URLs that were not asked for.
_CODES = {
    Outcome.ROBOTS_DENIED: -9998,
    Outcome.SCOPE_DENIED: -5000,
    Outcome.EXCLUDED: -5001,
    Outcome.OVER_LIMIT: -5003,
    Outcome.TRAP: -4000,
}
#: … and for those that were, in vain.
_TROUBLES = {
    Trouble.DNS: -1,
    Trouble.NO_SUCH_HOST: -1,
    Trouble.REFUSED: -2,
    Trouble.CONNECT_TIMEOUT: -2,
    Trouble.TLS: -2,
    Trouble.PROXY: -2,
    Trouble.RESET: -3,
    Trouble.PROTOCOL: -3,
    Trouble.HEAD_TOO_LARGE: -3,
    Trouble.FIRST_BYTE_TIMEOUT: -4,
    Trouble.IDLE_TIMEOUT: -4,
    Trouble.TOTAL_TIMEOUT: -4,
    Trouble.PRIVATE_ADDRESS: -5001,
}
_NO_ANSWER = -2
_NO_SIGNS = str.maketrans("", "", "-:.T")
_CUT = {"length": "lenTrunc", "time": "timeTrunc", "disconnect": "midFetchAbort"}


def line(result: PageResult, plan: CrawlPlan, worker: str, mime: str, now: datetime) -> str:
    """The line of one result, with its line end; `now` is the moment of writing."""
    entry = result.entry
    began = datetime.fromtimestamp(result.at, UTC)
    columns = (
        f"{now.isoformat(timespec='milliseconds')[:23]}Z",
        f"{code_of(result):5d}",
        f"{result.size if result.at else '-':>10}",
        entry.url,
        entry.path or "-",
        entry.parent or "-",
        _word(mime or "unknown"),
        f"#{worker}",
        f"{_digits(began)}+{result.ms}" if result.at else "-",
        result.digest or "-",
        _unspaced(plan.seeds[entry.label.seed].url),
        ",".join(_annotations(result)),
    )
    return " ".join(columns) + "\n"


def code_of(result: PageResult) -> int:
    """The status, or what Heritrix would write where there is none."""
    if result.status is not None:
        return result.status
    trouble = result.reason.partition(":")[0]
    if result.outcome not in _CODES and trouble in _TROUBLES:
        return _TROUBLES[Trouble(trouble)]
    return _CODES.get(result.outcome, _NO_ANSWER)


def _annotations(result: PageResult) -> list[str]:
    """The outcome in our words, then tries and cuts in Heritrix's."""
    found = [result.outcome.value]
    if result.entry.tries:
        found.append(f"{result.entry.tries + 1}t")
    cut = result.reason.partition(CUT_OFF)[2].partition(";")[0]
    return [*found, _CUT[cut]] if cut in _CUT else found


def _digits(at: datetime) -> str:
    """Year to milliseconds in 17 digits."""
    return at.isoformat(timespec="milliseconds")[:23].translate(_NO_SIGNS)


@functools.lru_cache(maxsize=1024)
def _unspaced(url: str) -> str:
    return "%20".join(url.split())


@functools.lru_cache(maxsize=1024)
def _word(text: str) -> str:
    return "".join(char if char.isprintable() and char != " " else "_" for char in text)[:200]
