"""URLs that are odd by their form: long ones, those whose path repeats itself, answers of a type that nobody knows."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from opilio.crawl.report.questions import MOST_LISTED
from opilio.crawl.report.source import ReportSource, Section, listed
from opilio.crawl.report.wording import fit
from opilio.kernel.hosts import host_key

LONG = 255  # characters; Heritrix and the Web Curator Tool call longer ones long
_COUNTED_FROM = 100  # characters from which on lengths are counted one by one
MOST_LENGTHS = 5_000
MOST_PATTERNS = 10_000  # kept while walking
REPEATED = 2  # times in a row that make a pattern
_LONGEST_PATTERN = 4  # segments
_PORTION = 5_000  # URLs read at a time
_KEPT = "outcome IN ('fetched', 'unchanged', 'duplicate', 'unparsable')"
_UNKNOWN = f"{_KEPT} AND status IS NOT NULL AND (extension IN ('', 'bin') OR extension IS NULL)"


def long_urls(source: ReportSource) -> Section:
    """The longest URLs, and how many have each length: so that any limit can be asked for afterwards."""
    lengths = source.ask(
        "SELECT length(url), count(*) FROM {page} WHERE length(url) > ? GROUP BY 1 ORDER BY 1 DESC LIMIT ?",
        (_COUNTED_FROM, MOST_LENGTHS),
    )
    rows = source.ask(
        """
        SELECT url, length(url), outcome, status FROM {page} WHERE length(url) > ?
        ORDER BY 2 DESC, id LIMIT ?
        """,
        (_COUNTED_FROM, MOST_LISTED),
    )
    longest = [
        {"url": fit(url), "length": length, "outcome": outcome, "status": status}
        for url, length, outcome, status in rows
    ]
    total = sum(int(number) for length, number in lengths if length > LONG)
    return {
        "limit": LONG, "counted_from": _COUNTED_FROM, "lengths": [[int(length), int(n)] for length, n in lengths],
        **listed(total, longest),
    }  # fmt: skip


def unknown_types(source: ReportSource) -> Section:
    """Answers that were kept and whose type neither header, content nor name told; by host and broad type."""
    ((total,),) = source.ask(f"SELECT count(*) FROM {{page}} WHERE {_UNKNOWN}")  # noqa: S608 - ours
    groups = source.ask(
        f"""
        SELECT host, coalesce(type, ''), count(*), sum(size), min(url) FROM {{page}} WHERE {_UNKNOWN}
        GROUP BY 1, 2 ORDER BY 3 DESC, 5 LIMIT ?
        """,  # noqa: S608 - ours
        (MOST_LISTED,),
    )
    rows = source.ask(
        f"SELECT url, type, size, status FROM {{page}} WHERE {_UNKNOWN} ORDER BY size DESC, id LIMIT ?",  # noqa: S608 - ours
        (MOST_LISTED,),
    )
    found = [
        {"host": host_key(url), "type": kind, "count": int(number), "bytes": int(size), "example": fit(url)}
        for _, kind, number, size, url in groups
    ]
    shown = [{"url": fit(url), "type": kind or "", "bytes": size, "status": status} for url, kind, size, status in rows]
    return {"groups": found, **listed(int(total), shown)}


@dataclass(slots=True)
class _Repeats:
    """Patterns found so far."""

    urls: int = 0
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)  # by host and pattern
    examples: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)  # most times in a row, with a URL


def repeating_patterns(source: ReportSource) -> Section:
    """Paths in which the same segments stand two or more times in a row, by host and pattern."""
    found = _Repeats()
    for url in _urls(source):
        pattern, times = repeat_in(url)
        if times >= REPEATED:
            _count(found, url, pattern, times)
    rows = [
        {"host": host, "pattern": fit(pattern), "count": number, "times": found.examples[host, pattern][0],
         "example": fit(found.examples[host, pattern][1])}
        for (host, pattern), number in sorted(found.counts.items(), key=lambda each: (-each[1], each[0]))[:MOST_LISTED]
    ]  # fmt: skip
    return {
        "urls": found.urls, "counted_to": MOST_PATTERNS if len(found.counts) >= MOST_PATTERNS else None,
        **listed(len(found.counts), rows),
    }  # fmt: skip


def repeat_in(url: str) -> tuple[str, int]:
    """The segments of a URL's path that are repeated at once, with how often; the most frequent of them."""
    segments = url.partition("?")[0].split("/")[3:]
    best = ("", 1)
    if len(set(segments)) == len(segments):
        return best
    for width in range(1, min(_LONGEST_PATTERN, len(segments) // REPEATED) + 1):
        start, length = _longest_run([one == other for one, other in zip(segments, segments[width:], strict=False)])
        piece, times = segments[start : start + width], length // width + 1
        if times > best[1] and any(piece):
            best = (f"/{'/'.join(piece)}", times)
    return best


def _longest_run(alike: list[bool]) -> tuple[int, int]:
    """Where the longest run of True begins, and how long it is."""
    best = begin = 0
    length = 0
    for place, holds in enumerate(alike):
        if not holds:
            begin = place + 1
        elif place + 1 - begin > length:
            best, length = begin, place + 1 - begin
    return best, length


def _count(found: _Repeats, url: str, pattern: str, times: int) -> None:
    found.urls += 1
    key = (host_key(url), pattern)
    if key not in found.counts and len(found.counts) >= MOST_PATTERNS:
        return
    found.counts[key] += 1
    if times > found.examples.get(key, (0, ""))[0]:
        found.examples[key] = (times, url)


def _urls(source: ReportSource) -> Iterator[str]:
    last = -1
    while rows := source.ask("SELECT id, url FROM {page} WHERE id > ? ORDER BY id LIMIT ?", (last, _PORTION)):
        last = rows[-1][0]
        for _, url in rows:
            yield url
