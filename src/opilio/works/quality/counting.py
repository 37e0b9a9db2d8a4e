"""Counts along while the resources of a result pass, with the first examples of whatever is odd."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from opilio.archive.results.values import Resource
from opilio.crawl.outcomes import Outcome
from opilio.crawl.report.url_forms import REPEATED, repeat_in
from opilio.kernel.errors import BadUrl
from opilio.kernel.hosts import host_key
from opilio.works.quality.values import Figures, HostCount, Lines

LONG = 125  # characters from which on a URL counts as long
_LISTED = 50  # examples
_LONGEST = 500  # characters of an example
_HOSTS = 50_000  # that are told apart
_HOSTS_LISTED = 200
_ERRORS = frozenset({Outcome.TRANSIENT_ERROR, Outcome.PERMANENT_ERROR})
_READABLE = frozenset({Outcome.FETCHED, Outcome.UNCHANGED, Outcome.DUPLICATE, Outcome.UNPARSABLE})
_BAD_STATUS = 400
_NO_TYPE = frozenset({"", "bin"})
_PASSWORD = ("password", "sign in")  # words in the reason of a wall that asks who one is


class Counts:
    """What was counted so far."""

    def __init__(self) -> None:
        self.bytes = self.urls = self.pages = 0
        self.statuses: Counter[str] = Counter()
        self.totals: Counter[str] = Counter()
        self._examples: dict[str, list[str]] = {}
        self._hosts: Counter[str] = Counter()
        self._host_bytes: Counter[str] = Counter()

    def take(self, one: Resource) -> None:
        """One more resource."""
        if one.place is not None:
            self.urls += 1
            self.bytes += one.size
            self._host(one)
        if one.status is not None:
            self.statuses[str(one.status)] += 1
        if is_page(one):
            self.pages += 1
        for name in oddities(one):
            self.note(name, told(one))

    def note(self, name: str, line: str) -> None:
        """One more of something, with a line that tells it."""
        self.totals[name] += 1
        examples = self._examples.setdefault(name, [])
        if len(examples) < _LISTED:
            examples.append(line[:_LONGEST])

    def evidence(self) -> dict[str, Lines]:
        """By name."""
        return {name: Lines(total=total, listed=tuple(self._examples[name])) for name, total in self.totals.items()}

    def hosts(self) -> tuple[HostCount, ...]:
        """The hosts from which most came."""
        most = sorted(self._hosts.items(), key=lambda one: (-one[1], one[0]))[:_HOSTS_LISTED]
        return tuple(HostCount(host=host, urls=urls, bytes=self._host_bytes[host]) for host, urls in most)

    def figures(self, report: Mapping[str, Any], *, seeds: int, seeds_well: int) -> Figures:
        """Together with what only the crawl can tell."""
        off_scope = report.get("off_scope")
        return Figures(
            bytes=self.bytes, urls=self.urls, pages=self.pages, seconds=float(report.get("seconds") or 0.0),
            finished=report.get("ended") == "finished" and not report.get("waiting"),
            seeds=seeds, seeds_well=seeds_well, hosts=len(self._hosts),
            off_scope=int(off_scope["links"]) if isinstance(off_scope, dict) and "links" in off_scope else 0,
            statuses=dict(sorted(self.statuses.items())),
            **{name: self.totals[name] for name in _COUNTED},
        )  # fmt: skip

    def _host(self, one: Resource) -> None:
        try:
            host = host_key(one.url)
        except BadUrl:
            return
        if host in self._hosts or len(self._hosts) < _HOSTS:
            self._hosts[host] += 1
            self._host_bytes[host] += one.size


_COUNTED = ("errors", "long_urls", "unknown_types", "robots_denied", "repeating", "blocked", "soft_404", "sign_in")


def is_page(one: Resource) -> bool:
    """Whether it is something that people read, and came as one."""
    return one.type == "html" and one.outcome in _READABLE


def oddities(one: Resource) -> list[str]:
    """The names of what is odd about a resource."""
    found = [name for name, holds in (
        ("errors", one.outcome in _ERRORS or (one.status or 0) >= _BAD_STATUS),
        ("long_urls", len(one.url) > LONG),
        ("unknown_types", one.place is not None and one.outcome in _READABLE and one.extension in _NO_TYPE),
        ("robots_denied", one.outcome == Outcome.ROBOTS_DENIED),
        ("soft_404", one.outcome == Outcome.SOFT_404),
        ("repeating", repeat_in(one.url)[1] >= REPEATED),
    ) if holds]  # fmt: skip
    if one.outcome == Outcome.AUTH_LOST or (one.outcome == Outcome.BLOCKED and _asks_who(one.reason)):
        found.append("sign_in")
    elif one.outcome == Outcome.BLOCKED:
        found.append("blocked")
    return found


def told(one: Resource) -> str:
    """A line of evidence."""
    came = f"status {one.status}" if one.status is not None else one.outcome
    return f"{one.url[:400]} ({came}{f', {one.reason[:80]}' if one.reason else ''})"


def _asks_who(reason: str) -> bool:
    return any(word in reason.lower() for word in _PASSWORD)
