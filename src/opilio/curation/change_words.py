"""How changes are told to people and programs, on pages, by the API and by commands."""

import math
from datetime import UTC, datetime
from typing import Any

from opilio.curation.change_rate import Rate, Suggestion
from opilio.curation.queries.harvest_changes import Evidence, Found, PageChanges

#: Counts of a harvest → how people call them.
COUNTS = (
    ("not_modified", "Not modified"), ("same", "The same"), ("changed", "Changed"), ("new", "New"), ("gone", "Gone"),
)  # fmt: skip


def lasting(days: float) -> str:
    """A span of days as people read it: 3 hours, 9 days, 2 years."""
    if math.isinf(days):
        return "ever"
    if days < 1:
        return _many(max(1, round(days * 24)), "hour")
    return _many(round(days), "day") if days < 730 else _many(round(days / 365), "year")


def rate_words(rate: Rate) -> str:
    """A rate with its interval."""
    high = f"to {_number(rate.high)}" if rate.high is not None else "or more"
    return f"{_number(rate.per_day)} a day (95 %: {_number(rate.low)} {high})"


def suggestion_words(suggestion: Suggestion) -> str:
    """What is suggested, and why."""
    exact, least, most = (lasting(one) for one in (suggestion.exact, suggestion.least, suggestion.most))
    between = f" (between {least} and {most})" if least != most else ""
    after = f"after {exact}" if math.isfinite(suggestion.exact) else "at no time that can be foreseen"
    return f"{suggestion.name.capitalize()}: a fifth of the pages has changed {after}{between}."


def found_told(found: Found) -> dict[str, Any]:
    """What a harvest found changed, for programs."""
    return {
        "harvest": str(found.harvest), "began": found.began, "since": str(found.since) if found.since else None,
        "days": round(found.days, 4), **{name: getattr(found, name) for name, _ in COUNTS}, "checked": found.checked,
        "share": None if found.share is None else round(found.share, 6),
    }  # fmt: skip


def evidence_told(evidence: Evidence) -> dict[str, Any]:
    """How a target changes, for programs; numbers without end are null."""
    suggested = evidence.suggestion
    return {
        "comparisons": evidence.comparisons, "rate": rate_told(evidence.rate),
        "suggestion": None if suggested is None else {
            "days": suggested.days, "name": suggested.name, "exact": _finite(suggested.exact),
            "least": _finite(suggested.least), "most": _finite(suggested.most),
        },
        "scheduled": None if evidence.scheduled is None else round(evidence.scheduled, 4), "verdict": evidence.verdict,
        "harvests": [found_told(one) for one in evidence.found],
    }  # fmt: skip


def page_told(page: PageChanges) -> dict[str, Any]:
    """What is known of a page, for programs."""
    one = page.history
    return {
        "url": one.url, "present": one.present, "first": _moment(one.first), "last": _moment(one.last),
        "changed": None if one.changed is None else _moment(one.changed), "checks": one.checks, "changes": one.changes,
        "rate": rate_told(page.rate),
    }  # fmt: skip


def rate_told(rate: Rate | None) -> dict[str, Any] | None:
    """A rate for programs."""
    if rate is None:
        return None
    return {"per_day": rate.per_day, "low": rate.low, "high": rate.high, "checks": rate.checks, "changes": rate.changes}


def _number(value: float) -> str:
    return f"{value:.2g}" if value >= 0.001 else f"{value:.0e}" if value > 0 else "0"


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _finite(number: float) -> float | None:
    return round(number, 4) if math.isfinite(number) else None


def _many(number: int, unit: str) -> str:
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"
