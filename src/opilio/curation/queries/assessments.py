"""Assessments of results that the asker may see, limits and rules that they manage, and the panel for deciding."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from opilio.curation.assessing import own_limits, rules_of
from opilio.curation.coverage import Coverage, coverage
from opilio.curation.indicators import BY_CODE, INDICATORS, Declared, Limit, Side, limits_of, shown
from opilio.curation.models import Advice, Assessment, Indicator, IndicatorValue, Result, ReviewPolicy
from opilio.curation.queries.results import may
from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.people.queries.visible import one, visible

_TONES = {
    Advice.ENDORSE: "good", Advice.LOOK: "info", Advice.PATCH: "warn", Advice.DELIST: "warn", Advice.REJECT: "bad",
    Advice.FAILED: "bad",
}  # fmt: skip
_SIGNS = {Side.BOTH: "±", Side.MORE: "+", Side.LESS: "−"}
_PANEL_REASONS = 6
_PANEL_PAGES = 8


def tone_of(advice: int) -> str:
    """The tone of an advice's badge."""
    return _TONES.get(Advice(advice), "quiet")


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One indicator as people read it."""

    code: str
    label: str
    sentence: str
    value: str
    reference: str
    limits: str
    advice: str
    tone: str
    reason: str
    evidence: list[str]
    share: float | None  # of the reference, for the picture; None: nothing to compare


@dataclass(frozen=True, kw_only=True)
class Assessed:
    """An assessment, ready to be shown; the reader may see the result."""

    row: Assessment
    label: str
    tone: str
    sheet: dict[str, Any]
    values: list[Shown]
    stale: bool  # the result is another file than the one that was measured

    @property
    def running(self) -> bool:
        """Whether nothing is known yet."""
        return self.row.advice == Advice.RUNNING

    @property
    def failed(self) -> bool:
        """Whether it could not be measured."""
        return self.row.advice == Advice.FAILED


def assessment(row: Result) -> Assessed | None:
    """Of a result that the asker was given; None: it was not assessed."""
    found = Assessment.objects.filter(result=row).first()
    if found is None:
        return None
    values = {value.code: value for value in IndicatorValue.objects.filter(assessment=found)}
    rows = [_shown(declared, values[declared.code]) for declared in INDICATORS if declared.code in values]
    return Assessed(
        row=found, label=Advice(found.advice).label, tone=tone_of(found.advice), sheet=found.sheet, values=rows,
        stale=bool(found.digest and row.digest and found.digest != row.digest),
    )  # fmt: skip


def panel(actor: Actor, row: Result) -> dict[str, Any]:
    """What the page of a result says first: the advice, its reasons, pages to look at, what was looked at."""
    found = assessment(row)
    seen = coverage(row)
    if found is None:
        return {"assessed": None, "coverage": seen}
    reasons = found.sheet.get("reasons", [])
    look = found.sheet.get("look", [])
    return {
        "assessed": found, "coverage": seen,
        "reasons": [_reason(each) for each in reasons[:_PANEL_REASONS]],
        "more_reasons": max(0, len(reasons) - _PANEL_REASONS),
        "look": look[:_PANEL_PAGES], "more_pages": max(0, len(look) - _PANEL_PAGES),
        "patch": found.sheet.get("patch", [])[:_PANEL_PAGES], "patch_total": int(found.sheet.get("patch_total", 0)),
        "may_patch": may(actor, row, Privilege.ENDORSE_HARVEST),
    }  # fmt: skip


def document(row: Result) -> dict[str, Any]:
    """The whole assessment for programs."""
    found, seen = assessment(row), coverage(row)
    if found is None:
        return {"advice": "none", "coverage": seen.document()}
    return {
        "advice": Advice(found.row.advice).name.lower(), "headline": found.row.headline,
        "made_at": found.row.made_at.isoformat(timespec="seconds"), "failure": found.row.failure,
        "reference": str(found.row.reference) if found.row.reference else None, "pages": found.row.pages,
        "clusters": found.row.clusters, "sample": found.row.sample, "completeness": found.row.completeness,
        "digest": found.row.digest, "stale": found.stale, "coverage": seen.document(),
        "indicators": [_plain(value) for value in IndicatorValue.objects.filter(assessment=found.row)],
        "sheet": found.sheet,
    }  # fmt: skip


def covered(row: Result) -> Coverage:
    """How much of a result was looked at."""
    return coverage(row)


def indicators(actor: Actor) -> QuerySet[Indicator]:
    """The own limits of agencies whose limits the asker manages."""
    rows: QuerySet[Indicator] = Indicator.objects.select_related("agency")
    return visible(rows, actor, Privilege.MANAGE_INDICATORS, agency_path="agency_id")


def indicator(actor: Actor, identifier: int) -> Indicator:
    """One of them, or `NotFound`."""
    return one(indicators(actor), "indicator", identifier)


@dataclass(frozen=True, kw_only=True)
class InForce:
    """The limits of one indicator, as they hold for an agency."""

    declared: Declared
    limit: Limit
    own: int | None  # identifier of the agency's own row

    @property
    def words(self) -> str:
        """For people."""
        return limit_words(self.declared, self.limit)


def in_force(agency_id: int) -> list[InForce]:
    """All indicators with the limits that hold for an agency."""
    limits = limits_of(own_limits(agency_id), delist_after=rules_of(agency_id).delist_after)
    rows = dict(Indicator.objects.filter(agency_id=agency_id).values_list("code", "id"))
    return [InForce(declared=each, limit=limits[each.code], own=rows.get(each.code)) for each in INDICATORS]


@dataclass(frozen=True, kw_only=True)
class Home:
    """An agency by its identifier and name."""

    pk: int
    name: str


def agencies(actor: Actor) -> list[Home]:
    """The agencies whose limits and rules the asker manages."""
    return [Home(pk=pk, name=name) for pk, name in agencies_where(actor, Privilege.MANAGE_INDICATORS)]


def agency(actor: Actor, identifier: int) -> Home:
    """One of them, or `NotFound`."""
    found = next((home for home in agencies(actor) if home.pk == identifier), None)
    if found is None:
        raise NotFound(
            f"There is no agency {identifier} whose rules you manage",
            remedy="It may have been deleted, or it needs the privilege MANAGE_INDICATORS in that agency.",
        )
    return found


def policy(found: Home) -> ReviewPolicy:
    """The rules of an agency; one that set none has the usual ones, with version 0."""
    row = ReviewPolicy.objects.select_related("agency").filter(agency_id=found.pk).first()
    return row if row is not None else ReviewPolicy(agency_id=found.pk, version=0)


def limit_words(declared: Declared, limit: Limit) -> str:
    """The limits of an indicator in words."""
    if not limit.active:
        return "not counted"
    parts: Iterable[str] = (
        f"{_SIGNS[declared.side]} {limit.tolerance:g} % of the reference" if limit.tolerance is not None else "",
        f"at least {shown(limit.lower, declared.unit)}" if limit.lower is not None else "",
        f"at most {shown(limit.upper, declared.unit)}" if limit.upper is not None else "",
    )
    return ", ".join(part for part in parts if part) or "no limit"


def _shown(declared: Declared, value: IndicatorValue) -> Shown:
    limit = Limit(tolerance=value.tolerance, lower=value.lower, upper=value.upper)
    return Shown(
        code=value.code, label=declared.label, sentence=declared.sentence, value=shown(value.value, declared.unit),
        reference=shown(value.reference, declared.unit), limits=limit_words(declared, limit),
        advice=Advice(value.advice).label, tone=tone_of(value.advice), reason=value.reason, evidence=value.evidence,
        share=value.value / value.reference if value.reference else None,
    )  # fmt: skip


def _reason(each: dict[str, Any]) -> dict[str, str]:
    advice = Advice(each["advice"])
    declared = BY_CODE.get(each["code"])
    return {"reason": each["reason"], "advice": advice.label, "tone": tone_of(advice), "code": each["code"],
            "label": declared.label if declared else each["code"]}  # fmt: skip


def _plain(value: IndicatorValue) -> dict[str, Any]:
    return {
        "code": value.code, "value": value.value, "reference": value.reference, "tolerance": value.tolerance,
        "lower": value.lower, "upper": value.upper, "advice": Advice(value.advice).name.lower(),
        "reason": value.reason, "evidence": value.evidence,
    }  # fmt: skip
