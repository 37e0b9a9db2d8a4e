"""What speaks against a page, as a number and in words. Pure."""

from opilio.archive.results.values import Resource
from opilio.crawl.outcomes import CUT_OFF, Outcome
from opilio.works.quality.values import PageCompleteness

_BARE = 80  # characters of text below which a page says nearly nothing
_MOST_WORDS = 200  # characters


def risk_of(page: Resource, complete: PageCompleteness | None, text: str | None) -> tuple[float, str]:
    """The risk, 0 when nothing is known against the page, and why."""
    reasons = [
        *_lacking(complete), *_odd(page),
        *([(2.0, "it has nearly no text")] if text is not None and len(text.strip()) < _BARE else []),
    ]  # fmt: skip
    if not page.depth and not page.hops:
        reasons.append((1.0, "it is a seed"))
    why = "; ".join(words for _, words in sorted(reasons, reverse=True))
    return round(sum(weight for weight, _ in reasons), 3), why[:_MOST_WORDS]


def _lacking(complete: PageCompleteness | None) -> list[tuple[float, str]]:
    if complete is None or complete.captured == complete.wanted:
        return []
    lacks = complete.wanted - complete.captured
    return [(1.0 + 4.0 * (1 - complete.share), f"it lacks {lacks} of {complete.wanted} embedded files")]


def _odd(page: Resource) -> list[tuple[float, str]]:
    found = []
    if page.outcome == Outcome.UNPARSABLE:
        found.append((3.0, "its content could not be read"))
    if page.reason.startswith(CUT_OFF):
        found.append((4.0, "its answer ended early"))
    if (page.status or 0) >= 400:
        found.append((3.0, f"its status is {page.status}"))
    return found
