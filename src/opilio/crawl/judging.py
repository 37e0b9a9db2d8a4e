"""What an answer means for its URL. Pure: status, headers and content in, an outcome with its reason out."""

from collections.abc import Sequence
from dataclasses import dataclass

from opilio.crawl import walls
from opilio.crawl.exchange_to_capture import Payload
from opilio.crawl.fetch.exchange import Failure, Trouble
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import Scope, limit
from opilio.extract.extracted import Extracted
from opilio.extract.kind import essence
from opilio.extract.page_types import PageType

REDIRECTS = frozenset({301, 302, 303, 307, 308})
_GONE = frozenset({404, 410})
#: The server could not answer now; it may later.
_PASSING = frozenset({408, 421, 425, 429, 500, 502, 503, 504, 507, 508, 509, 520, 521, 522, 523, 524, 529, 530, 598})


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """An outcome with its reason."""

    outcome: Outcome
    reason: str = ""
    again: bool = False  # it may pass: to be tried again while the plan allows it
    kept: bool = True  # whether the exchange is written


def of_failure(failure: Failure) -> Judgement:
    """There is no answer."""
    reason = f"{failure.trouble.value}: {failure.words}" if failure.words else failure.trouble.value
    if failure.passing:
        return Judgement(outcome=Outcome.TRANSIENT_ERROR, reason=reason, again=True, kept=False)
    outcome = Outcome.EXCLUDED if failure.trouble is Trouble.NO_CONTACT else Outcome.PERMANENT_ERROR
    return Judgement(outcome=outcome, reason=reason, kept=False)


def of_status(status: int) -> Judgement:
    """What the status alone says."""
    if 200 <= status < 300:
        return Judgement(outcome=Outcome.FETCHED)
    if status in REDIRECTS:
        return Judgement(outcome=Outcome.REDIRECTED)
    if status == 304:
        return Judgement(outcome=Outcome.UNCHANGED, reason="status 304")
    if status in _GONE:
        return Judgement(outcome=Outcome.GONE, reason=f"status {status}")
    if status in _PASSING:
        return Judgement(outcome=Outcome.TRANSIENT_ERROR, reason=f"status {status}", again=True)
    return Judgement(outcome=Outcome.PERMANENT_ERROR, reason=f"status {status}")


def of_content(first: Judgement, payload: Payload, read: Extracted) -> Judgement:
    """What the content adds to what the status said."""
    if first.outcome in (Outcome.PERMANENT_ERROR, Outcome.TRANSIENT_ERROR, Outcome.FETCHED) and walls.is_wall(
        payload.head, payload.content, read
    ):
        again = first.again and first.outcome is Outcome.TRANSIENT_ERROR
        return Judgement(outcome=Outcome.BLOCKED, reason=f"a wall, {_told(payload)}", again=again)
    if first.outcome is not Outcome.FETCHED:
        return first
    if read.page_type is PageType.HTML and walls.says_not_found(read):
        return Judgement(outcome=Outcome.SOFT_404, reason="the page says that it does not exist")
    if read.unparsable:
        return Judgement(outcome=Outcome.UNPARSABLE, reason=read.unparsable)
    return Judgement(outcome=Outcome.FETCHED, reason=payload.fault)


def refusal(scope: Scope, payload: Payload) -> Judgement | None:
    """Whether type or size keep an answer out of the crawl."""
    mime = essence(payload.content_type)
    if scope.types and not _listed(mime, scope.types):
        return _out(f"type: {mime or 'no type'} is not among those to keep")
    if _listed(mime, scope.excluded_types):
        return _out(f"type: {mime} is excluded")
    most = limit(scope.max_size)
    if most is not None and payload.size > most:
        return _out(f"size: it has {payload.size} bytes or more; the limit is {most}")
    return None


def _out(reason: str) -> Judgement:
    return Judgement(outcome=Outcome.SCOPE_DENIED, reason=reason, kept=False)


def _listed(mime: str, patterns: Sequence[str]) -> bool:
    return any(
        mime == pattern or (pattern.endswith("/*") and mime.startswith(pattern[:-1])) or pattern == "*/*"
        for pattern in patterns
    )


def _told(payload: Payload) -> str:
    return f"status {payload.head.status}"
