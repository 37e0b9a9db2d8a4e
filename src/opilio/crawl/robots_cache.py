"""What the answer for a robots.txt means (RFC 9309 §2.3.1), how long it holds (§2.4), and what it decides for a URL.

Pure: the fetcher brings answers, the crawl store keeps `RobotsRecord`s as evidence, body and expiry.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from opilio.crawl.plan import RobotsPolicy
from opilio.crawl.robots import MOST_BYTES, Decision, Ruleset, parse
from opilio.kernel.errors import BadUrl
from opilio.kernel.urls import Base, canonical

MOST_HOPS = 5  # redirects that are followed (§2.3.1.2)
DAY = 24 * 3600.0  # seconds
_SKEW = 300.0  # seconds by which clocks of one crawl may differ
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_STORED = re.compile(
    r"(?P<found>[a-z-]+): (?P<sentence>.*) "
    r"\[fetched (?P<fetched>-?\d+(?:\.\d+)?)(?:, failing since (?P<since>-?\d+(?:\.\d+)?))?\]"
)


class Found(StrEnum):
    """What stands in for a host's robots.txt."""

    RULES = "rules"  # a file that was read
    UNAVAILABLE = "unavailable"  # there is none (4xx): all is allowed
    FORBIDDEN = "forbidden"  # 401 or 403, where the plan takes that for a no
    UNREACHABLE = "unreachable"  # 429, 5xx or no answer: nothing is allowed, and it is tried again


@dataclass(frozen=True, kw_only=True, slots=True)
class RobotsTerms:
    """What a plan may choose."""

    forbidden_deny: bool = False  # 401 and 403 keep us out
    valid: float = DAY  # seconds that an answer holds
    retry: float = 300.0  # seconds until an unreachable file is tried again, unless the server names its own
    give_up: float | None = None  # seconds after which an unreachable file counts as absent; RFC: 30 days
    keep_stale: bool = False  # use the last file that was read while it cannot be reached


@dataclass(frozen=True, kw_only=True, slots=True)
class RobotsAnswer:
    """What came back for /robots.txt, after redirects."""

    status: int | None  # None: no answer
    body: bytes = b""  # decoded
    hops: int = 0  # redirects that were followed
    retry_after: float | None = None  # seconds


@dataclass(frozen=True, kw_only=True, slots=True)
class RobotsRecord:
    """What is known of a host's robots.txt. Times are seconds since 1970."""

    found: Found
    sentence: str  # how it came about, for people
    fetched: float
    expires: float
    body: bytes = b""  # cut to what is parsed
    since: float | None = None  # first of the failures in a row

    @property
    def evidence(self) -> str:
        """One line for people that `from_store` can read again."""
        failing = f", failing since {self.since}" if self.since is not None else ""
        return f"{self.found}: {self.sentence} [fetched {self.fetched}{failing}]"

    def fresh(self, now: float) -> bool:
        """Whether it still holds. One from the future, by a clock that went back, does not."""
        return self.fetched - _SKEW <= now < self.expires

    def rules(self, agent: str) -> Ruleset:
        """The lines for a crawler."""
        return parse(self.body).for_agent(agent)


def from_store(evidence: str, body: bytes, expires: float) -> RobotsRecord | None:
    """A record as the store kept it; None when it is none of ours, so that the file is fetched again."""
    parts = _STORED.fullmatch(evidence)
    if parts is None or parts["found"] not in list(Found):
        return None
    return RobotsRecord(
        found=Found(parts["found"]),
        sentence=parts["sentence"],
        fetched=float(parts["fetched"]),
        expires=expires,
        body=body,
        since=float(parts["since"]) if parts["since"] is not None else None,
    )


def robots_url(url: str) -> str:
    """Where the robots.txt of a URL lies."""
    found = Base(url).link("/robots.txt")
    if found is None:  # a canonical URL always has an origin
        raise BadUrl("the URL has no robots.txt", where=url, remedy="Give an http or https URL.")
    return found


def redirect(url: str, status: int, location: str | None, hops: int) -> str | None:
    """Where to ask next after a redirect; None when the chain ends here, and the file counts as absent."""
    if status not in _REDIRECTS or not location or hops >= MOST_HOPS:
        return None
    target = Base(url).link(location)
    return target if target is not None and target != canonical(url) else None


def judge(answer: RobotsAnswer, terms: RobotsTerms, now: float, previous: RobotsRecord | None = None) -> RobotsRecord:
    """What an answer means, given what was known before."""
    status = answer.status
    if status is not None and 200 <= status < 300:
        sentence = f"status {status}{_after(answer.hops)}, {len(answer.body)} bytes"
        return _settled(Found.RULES, sentence, terms, now, body=answer.body[: MOST_BYTES + 4])
    if status == 304 and previous is not None and previous.found is Found.RULES:
        return replace(previous, fetched=now, expires=now + terms.valid, since=None)
    if status is not None and 300 <= status < 400:
        return _settled(Found.UNAVAILABLE, f"status {status}{_after(answer.hops)} leads nowhere", terms, now)
    if status in (401, 403) and terms.forbidden_deny:
        return _settled(Found.FORBIDDEN, f"status {status}", terms, now)
    if status is not None and 400 <= status < 500 and status != 429:
        return _settled(Found.UNAVAILABLE, f"status {status}", terms, now)
    return _unreachable(answer, terms, now, previous)


def decide(record: RobotsRecord, url: str, agent: str, *, policy: RobotsPolicy = RobotsPolicy.OBEY) -> Decision:
    """Whether a URL may be fetched. For many URLs of a host keep `record.rules(agent)` and ask that."""
    if policy is RobotsPolicy.IGNORE:
        return Decision(allowed=True, reason="the plan ignores robots.txt for this host")
    if record.found is Found.RULES:
        return record.rules(agent).decide(url)
    return Decision(
        allowed=record.found is Found.UNAVAILABLE, reason=f"robots.txt is {record.found}: {record.sentence}"
    )


def _settled(found: Found, sentence: str, terms: RobotsTerms, now: float, body: bytes = b"") -> RobotsRecord:
    return RobotsRecord(found=found, sentence=sentence, fetched=now, expires=now + terms.valid, body=body)


def _unreachable(answer: RobotsAnswer, terms: RobotsTerms, now: float, previous: RobotsRecord | None) -> RobotsRecord:
    sentence = f"status {answer.status}" if answer.status is not None else "no answer"
    since = previous.since if previous is not None and previous.since is not None else now
    since = min(since, now)
    if terms.give_up is not None and now - since >= terms.give_up:
        return replace(_settled(Found.UNAVAILABLE, f"{sentence} for too long", terms, now), since=since)
    again = now + min(max(answer.retry_after or 0.0, terms.retry), terms.valid)
    if terms.keep_stale and previous is not None and previous.found is Found.RULES:
        return replace(previous, expires=again, since=since)
    return RobotsRecord(found=Found.UNREACHABLE, sentence=sentence, fetched=now, expires=again, since=since)


def _after(hops: int) -> str:
    return f" after {hops} redirect{'s' if hops != 1 else ''}" if hops else ""
