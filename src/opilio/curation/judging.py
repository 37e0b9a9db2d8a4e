"""What each indicator advises, and why. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from opilio.curation.indicators import Declared, Limit, Side, shown
from opilio.curation.models import Advice

_LINES = 100  # of evidence
_LINE = 500  # characters


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One number, that of the reference harvest, and the lines behind it."""

    value: float
    reference: float | None = None
    lines: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Judged:
    """One indicator of a result."""

    code: str
    value: float
    reference: float | None
    limit: Limit
    advice: Advice
    reason: str
    lines: Sequence[str]
    excess: float = 0.0  # how far beyond the limit, as a share of it


def judged(declared: Declared, limit: Limit, measure: Measure, *, whole: bool = False) -> Judged:
    """What a measure advises; `whole`: the crawl ended by itself and every seed was answered."""
    advice, reason, excess = _advice(declared, limit, measure, whole=whole)
    return Judged(
        code=declared.code, value=measure.value, reference=measure.reference, limit=limit, advice=advice,
        reason=reason[:1_000], lines=[line[:_LINE] for line in measure.lines[:_LINES]], excess=excess,
    )  # fmt: skip


def _advice(declared: Declared, limit: Limit, measure: Measure, *, whole: bool) -> tuple[Advice, str, float]:
    value, unit = measure.value, declared.unit
    said = f"{declared.label}: {shown(value, unit)}"
    if limit.tolerance is not None and measure.reference is not None:
        return _against_reference(declared, limit.tolerance, measure, said)
    if limit.lower is not None and value < limit.lower:
        words = f"{said}, less than the limit of {shown(limit.lower, unit)}."
        if whole and declared.under is Advice.REJECT:
            return (
                Advice.LOOK,
                f"{words} But the crawl ended by itself, and every seed was answered.",
                _excess(value, limit.lower),
            )
        return declared.under, words, _excess(value, limit.lower)
    if limit.upper is not None and value > limit.upper:
        return declared.over, f"{said}, more than the limit of {shown(limit.upper, unit)}.", _excess(value, limit.upper)
    return Advice.ENDORSE, f"{said}, as expected.", 0.0


def _against_reference(
    declared: Declared, tolerance: float, measure: Measure, said: str
) -> tuple[Advice, str, float]:  # fmt: skip
    reference = measure.reference or 0.0
    allowed = abs(reference) * tolerance / 100
    apart = measure.value - reference
    beside = f"{said}, beside {shown(reference, declared.unit)} in the reference harvest"
    worse = {Side.BOTH: abs(apart) > allowed, Side.MORE: apart > allowed, Side.LESS: -apart > allowed}[declared.side]
    if not worse:
        return Advice.ENDORSE, f"{beside}: within {tolerance:g} %.", 0.0
    words = f"{beside}: {_change(apart, reference)}, where {tolerance:g} % are tolerated."
    return declared.outside, words, _excess(measure.value, reference)


def _change(apart: float, reference: float) -> str:
    way = "more" if apart > 0 else "less"
    return f"{abs(apart) / reference:.0%} {way}".replace("%", " %") if reference else way


def _excess(value: float, limit: float) -> float:
    return min(1_000.0, abs(value - limit) / max(1.0, abs(limit)))
