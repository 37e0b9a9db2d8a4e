"""Questions to the pages of a crawl that a database answers by counting: no more than the answer comes to memory."""

from collections.abc import Sequence

from opilio.crawl.frontier.database import Both, Row
from opilio.crawl.frontier.packing import unpack_outlinks
from opilio.crawl.outcomes import Outcome
from opilio.crawl.report.source import ReportSource, Section, listed
from opilio.crawl.report.wording import fit
from opilio.extract.page_types import EXTENSIONS
from opilio.kernel.capture import Hop
from opilio.kernel.hosts import host_key

#: So many entries of a list are shown; the total is always told.
MOST_LISTED = 200
MOST_HOSTS = 1_000
MOST_LANGUAGES = 1_000
LARGEST = 20
SLOW = 20
_TIMED = 20  # hosts with a histogram of their own
_BINS = 100  # at most, of the time axis
_NARROWEST = 0.1  # seconds of one of them
#: Upper ends of the bins, the last one open: milliseconds of an exchange, bytes of a payload.
TIMES = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
#: Outcomes that are as they should be; all others are troubles.
_WELL = (Outcome.FETCHED, Outcome.UNCHANGED, Outcome.DUPLICATE, Outcome.REDIRECTED)
_TROUBLES = tuple(outcome.value for outcome in Outcome if outcome not in _WELL)


def reasons(source: ReportSource) -> list[Section]:
    """Outcomes with their reasons, the most frequent first; the reason of a redirect is its target, and left out."""
    rows = source.ask(
        """
        SELECT outcome, CASE outcome WHEN 'redirected' THEN '' ELSE reason END AS why, count(*), min(url)
        FROM {page} GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ?
        """,
        (MOST_LISTED,),
    )
    return [
        {"outcome": outcome, "reason": fit(why or ""), "count": count, "example": fit(url)}
        for outcome, why, count, url in rows
    ]


def by_type(source: ReportSource) -> list[Section]:
    """Answers by type: how many, and how large."""
    rows = source.ask("""
        SELECT coalesce(type, ''), count(*), sum(size), max(size) FROM {page} WHERE status IS NOT NULL
        GROUP BY 1 ORDER BY 2 DESC, 1
    """)
    return [
        {"type": kind or "not read", "count": count, "bytes": int(size), "largest": largest}
        for kind, count, size, largest in rows
    ]


def by_mime(source: ReportSource) -> list[Section]:
    """Answers by the media type that header, content or name told, in that order: how many, and how large."""
    rows = source.ask(
        """
        SELECT coalesce(extension, ''), coalesce(type, ''), count(*), sum(size), max(size) FROM {page}
        WHERE status IS NOT NULL AND type <> '' GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ?
        """,
        (MOST_LISTED,),
    )
    return [
        {"mime": _mime(ending), "type": kind, "count": count, "bytes": int(size), "largest": largest}
        for ending, kind, count, size, largest in rows
    ]


def sizes(source: ReportSource) -> Section:
    """How many answers are how large."""
    rows = source.ask(
        f"SELECT {_bin('size', SIZES)}, count(*) FROM {{page}} WHERE status IS NOT NULL GROUP BY 1"  # noqa: S608 - ours
    )
    return {"below": [*SIZES, None], "counts": _counts(rows, len(SIZES) + 1)}


def depths(source: ReportSource) -> list[Section]:
    """How many pages were fetched how many links from a seed; embeds apart."""
    rows = source.ask("""
        SELECT depth, sum(CASE WHEN hops = 0 THEN 1 ELSE 0 END), sum(CASE WHEN hops > 0 THEN 1 ELSE 0 END)
        FROM {page} WHERE status IS NOT NULL GROUP BY depth ORDER BY depth LIMIT 1000
    """)
    return [{"depth": depth, "pages": int(pages), "embeds": int(embeds)} for depth, pages, embeds in rows]


def languages(source: ReportSource) -> list[Section]:
    """Pages by language, regions together; empty: not known."""
    rows = source.ask(
        """
        SELECT lower(coalesce(language, '')), count(*) FROM {page}
        WHERE outcome IN ('fetched', 'unchanged', 'duplicate') AND type IN ('html', 'text', 'pdf', 'office')
        GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?
        """,
        (MOST_LANGUAGES,),
    )
    sums: dict[str, int] = {}
    for name, count in rows:
        main = name.partition("-")[0]
        sums[main] = sums.get(main, 0) + count
    return [
        {"language": name, "count": count} for name, count in sorted(sums.items(), key=lambda each: (-each[1], each[0]))
    ]


def over_time(source: ReportSource) -> Section | None:
    """Answers and bytes in equal spans of time, from the first answer to the last; None without any."""
    ((first, last),) = source.ask("SELECT min(at), max(at) FROM {page} WHERE at > 0")
    if first is None:
        return None
    width = max((last - first) / _BINS, _NARROWEST)
    place = Both(sqlite="CAST((at - ?) / ? AS INTEGER)", postgres="floor((at - ?) / ?)::int8")
    words = "SELECT {}, count(*), sum(size) FROM {{page}} WHERE at > 0 GROUP BY 1"
    asked = Both(sqlite=words.format(place.sqlite), postgres=words.format(place.postgres))
    rows = source.ask(asked, (first, width))
    length = int((last - first) / width) + 1
    answers, received = [0] * length, [0] * length
    for number, count, size in rows:
        at = min(int(number), length - 1)
        answers[at] += int(count)
        received[at] += int(size)
    return {"begin": first, "end": last, "width": width, "pages": answers, "bytes": received}


def hosts(source: ReportSource) -> Section:
    """Hosts with the most URLs first; names are those of their URLs, so that they outlive the frontier."""
    ((total,),) = source.ask("SELECT count(DISTINCT host) FROM {page}")
    rows = source.ask(f"{_HOSTS} ORDER BY 3 DESC, 1 LIMIT ?", (MOST_HOSTS,))
    return listed(int(total), [_host(row) for row in rows])


def slow_hosts(source: ReportSource) -> list[Section]:
    """Hosts that took longest to answer, on average."""
    rows = source.ask(
        f"{_HOSTS} HAVING avg(CASE WHEN status IS NOT NULL THEN ms END) > 0 ORDER BY 6 DESC, 1 LIMIT ?", (SLOW,)
    )
    return [_host(row) for row in rows]


def response_times(source: ReportSource) -> Section:
    """How many answers took how long: in all, and for each of the largest hosts."""
    place = _bin("ms", TIMES)
    everywhere = source.ask(f"SELECT {place}, count(*) FROM {{page}} WHERE status IS NOT NULL GROUP BY 1")  # noqa: S608 - ours
    width = len(TIMES) + 1
    found: Section = {"below": [*TIMES, None], "counts": _counts(everywhere, width), "hosts": []}
    largest = source.ask(
        "SELECT host, min(url), count(*) FROM {page} WHERE status IS NOT NULL GROUP BY host ORDER BY 3 DESC, 1 LIMIT ?",
        (_TIMED,),
    )
    for host, url, _ in largest:
        rows = source.ask(
            f"SELECT {place}, count(*) FROM {{page}} WHERE host = ? AND status IS NOT NULL GROUP BY 1",  # noqa: S608 - ours
            (host,),
        )
        found["hosts"].append({"host": host_key(url), "counts": _counts(rows, width)})
    return found


def largest(source: ReportSource) -> list[Section]:
    """The largest answers."""
    rows = source.ask(
        "SELECT url, size, type FROM {page} WHERE status IS NOT NULL ORDER BY size DESC, id LIMIT ?", (LARGEST,)
    )
    return [{"url": fit(url), "bytes": size, "type": kind or ""} for url, size, kind in rows]


def redirects(source: ReportSource) -> Section:
    """URLs for which the server named another, with that URL."""
    ((total,),) = source.ask("SELECT count(*) FROM {page} WHERE outcome = 'redirected'")
    rows = source.ask(
        """
        SELECT p.url, p.status, o.body FROM {page} AS p LEFT JOIN {outlinks} AS o ON o.page = p.id
        WHERE p.outcome = 'redirected' ORDER BY p.id LIMIT ?
        """,
        (MOST_LISTED,),
    )
    return listed(
        int(total), [{"url": fit(url), "status": status, "to": fit(_target(body))} for url, status, body in rows]
    )


def robots_denied(source: ReportSource) -> Section:
    """What robots.txt forbade, by its lines."""
    ((total,),) = source.ask("SELECT count(*) FROM {page} WHERE outcome = 'robots-denied'")
    rows = source.ask(
        """
        SELECT host, robots, reason, count(*), min(url) FROM {page} WHERE outcome = 'robots-denied'
        GROUP BY host, robots, reason ORDER BY 4 DESC, 5 LIMIT ?
        """,
        (MOST_LISTED,),
    )
    lines = [
        {
            "host": host_key(url),
            "line": fit(line or ""),
            "reason": fit(reason or ""),
            "count": count,
            "example": fit(url),
        }
        for _, line, reason, count, url in rows
    ]
    return {"total": int(total), "lines": lines}


def cut_off(source: ReportSource) -> Section:
    """Answers of which only the beginning was kept."""
    where = "status IS NOT NULL AND reason LIKE '%%cut off: %%'"
    return _short(source, where)


def traps(source: ReportSource) -> Section:
    """URLs that were recorded as traps; links denied as traps are among the denials."""
    return _short(source, "outcome = 'trap'")


def over_limit(source: ReportSource) -> Section:
    """URLs that a limit kept out."""
    return _short(source, "outcome = 'over-limit'")


def troubles(source: ReportSource) -> Section:
    """URLs with an outcome that somebody should look at."""
    names = ", ".join(f"'{name}'" for name in _TROUBLES)
    return _short(source, f"outcome IN ({names})")


def _short(source: ReportSource, where: str) -> Section:
    ((total,),) = source.ask(f"SELECT count(*) FROM {{page}} WHERE {where}")  # noqa: S608 - ours
    rows = source.ask(
        f"SELECT url, outcome, reason, status FROM {{page}} WHERE {where} ORDER BY id LIMIT ?",  # noqa: S608 - ours
        (MOST_LISTED,),
    )
    found = [
        {"url": fit(url), "outcome": outcome, "reason": fit(reason or ""), "status": status}
        for url, outcome, reason, status in rows
    ]
    return listed(int(total), found)


_HOSTS = """
    SELECT host, min(url), count(*), sum(size),
        sum(CASE WHEN outcome IN ('transient-error', 'permanent-error', 'blocked', 'auth-lost') THEN 1 ELSE 0 END),
        avg(CASE WHEN status IS NOT NULL THEN ms END), max(CASE WHEN status IS NOT NULL THEN ms END)
    FROM {page} GROUP BY host
"""


def _host(row: Row) -> Section:
    _, url, count, size, errors, average, longest = row
    return {
        "host": host_key(url),
        "pages": count,
        "bytes": int(size),
        "errors": int(errors),
        "average_ms": None if average is None else round(float(average), 1),
        "longest_ms": longest,
    }


def _mime(extension: str) -> str:
    found = EXTENSIONS.get(extension)
    return found[1][0] if found and found[1] else "not known"


def _target(body: bytes | None) -> str:
    links = unpack_outlinks(bytes(body)) if body else []
    return next((link.url for link in links if link.hop is Hop.REDIRECT), "")


def _bin(column: str, ends: Sequence[int]) -> str:
    cases = " ".join(f"WHEN {column} < {end} THEN {number}" for number, end in enumerate(ends))
    return f"CASE {cases} ELSE {len(ends)} END"


def _counts(rows: Sequence[Row], width: int) -> list[int]:
    found = [0] * width
    for number, count in rows:
        found[int(number)] = int(count)
    return found
