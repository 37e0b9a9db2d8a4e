"""Holds the rules of access against every page of an index, once for each kind of reader, and keeps what came out.

An answer is good until the rules change or until the first decision in it may change by itself (`Decision.until`).
"""

import threading
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, NamedTuple

from opilio.kernel.access import OPEN_TO_ALL, UNOWNED, Reader, Rules, decide
from opilio.kernel.errors import BadUrl
from opilio.kernel.hosts import host_key
from opilio.search.access_filter import OPEN, SHUT, AccessFilter

_MOST_KEPT: Final = 64  # kinds of readers whose answers are kept


class PageFacts(NamedTuple):
    """What rules of access are held against."""

    page: int
    url: str
    captured: float  # seconds since 1970
    agency: str = ""
    target: str = ""
    harvest: str = ""


class _Kept(NamedTuple):
    found: AccessFilter
    since: datetime
    until: datetime | None


class AccessDecisions:
    """The filters of one index. `facts` gives every page of it, and is asked again for each kind of reader."""

    def __init__(self, facts: Callable[[], Iterable[PageFacts]]) -> None:
        self._facts = facts
        self._kept: dict[Hashable, _Kept] = {}
        self._lock = threading.Lock()

    def filter_for(self, rules: Rules, version: Hashable, reader: Reader, now: datetime) -> AccessFilter:
        """What the reader may find now. `version` tells one state of the rules from another."""
        if rules.shut:
            return SHUT
        if not rules.count and rules.default is OPEN_TO_ALL.default:
            return replace(OPEN, now=now.timestamp())
        key = (version, _kind(rules, reader))
        kept = self._kept.get(key)
        if kept is None or not kept.since <= now or (kept.until is not None and now >= kept.until):
            kept = decided(self._facts(), rules, reader, now)
            with self._lock:
                self._kept = dict([*self._kept.items(), (key, kept)][-_MOST_KEPT:])
        return replace(kept.found, now=now.timestamp())


def decided(facts: Iterable[PageFacts], rules: Rules, reader: Reader, now: datetime) -> _Kept:
    """The exact decision for every page, in the shorter of two forms: what is denied, or what is allowed."""
    sides: tuple[dict[int, str], dict[int, str]] = ({}, {})  # denied, allowed: page → host
    until: datetime | None = None
    for each in facts:
        decision = decide(
            rules, url=each.url, captured=datetime.fromtimestamp(each.captured, UTC), agency=each.agency or UNOWNED,
            reader=reader, now=now, target=each.target, harvest=each.harvest,
        )  # fmt: skip
        sides[decision.allowed][each.page] = _host(each.url)
        if decision.until is not None and (until is None or decision.until < until):
            until = decision.until
    denied, allowed = sides
    only = len(allowed) < len(denied)
    named, other = (allowed, denied) if only else (denied, allowed)
    hosts = frozenset(named.values()) - frozenset(other.values())
    pages = frozenset(page for page, host in named.items() if host not in hosts)
    found = AccessFilter(now=now.timestamp(), only=only, hosts=hosts, pages=pages)
    return _Kept(found, now, until)


def _kind(rules: Rules, reader: Reader) -> Hashable:
    """What of a reader can matter to the rules."""
    return rules.rooms_of(reader.address), replace(reader, address="")


def _host(url: str) -> str:
    try:
        return host_key(url).lower()
    except BadUrl:
        return ""
