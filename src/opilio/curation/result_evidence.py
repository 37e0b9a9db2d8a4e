"""What a decision about a result stands on: the recommendation as it was, how much was looked at, which file it was."""

from typing import Any

from opilio.curation.coverage import coverage
from opilio.curation.models import Advice, Assessment, Result


def evidence(result: Result) -> dict[str, Any]:
    """For the audit log: small, and enough to prove later what was known."""
    seen = coverage(result).document()
    return {"result": result.number, "digest": result.digest, **_assessed(result), "coverage": seen}


def _assessed(result: Result) -> dict[str, Any]:
    found: Assessment | None = Assessment.objects.filter(result=result).first()
    if found is None:
        return {"advice": "", "assessed_at": None}
    return {
        "advice": Advice(found.advice).label, "headline": found.headline,
        "assessed_at": found.made_at.isoformat(timespec="seconds"), "assessed_digest": found.digest,
        "completeness": found.completeness,
    }  # fmt: skip
