"""The sheet of an assessment: what people look at, as JSON of bounded size. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from opilio.curation.recommending import Known, Recommendation
from opilio.works.quality.values import Measured, RiskyPage, document

VERSION = 1
_PATCH = 500
_LONGEST = 2_000  # characters of a text; longer URLs are counted, and not offered


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A URL that a patch should fetch, and the page that needs it."""

    url: str
    page: str
    why: str
    check: bool  # found by the replay check


def sheet_of(known: Known, made: Recommendation) -> dict[str, Any]:
    """What is kept beside the indicators."""
    found = known.measured
    wanted = to_patch(found)
    sheet: dict[str, Any] = _cut({
        "version": VERSION,
        "reasons": [{"code": row.code, "advice": int(row.advice), "reason": row.reason} for row in made.ranked],
        "look": [_look(page) for page in known.sample if len(page.url) <= _LONGEST],
        "patch": [{"url": one.url, "page": one.page, "why": one.why, "check": one.check} for one in wanted],
        "patch_total": max(len(wanted), found.completeness.missing_total),
        "pages": [{**document(one), "share": round(one.share, 4)} for one in found.completeness.worst],
        "incomplete": found.completeness.incomplete,
        "embeds": {"wanted": found.completeness.wanted, "captured": found.completeness.captured,
                   "withheld": found.completeness.withheld},
        "clusters": [document(one) for one in found.clusters],
        "hosts": [document(one) for one in found.hosts],
        "figures": document(found.figures),
        "checks": document(found.checks),
        "differential": document(found.differential) if found.differential else None,
        "reference": known.reference, "not_compared": found.not_compared,
    })  # fmt: skip
    return sheet


def to_patch(found: Measured) -> Sequence[Wanted]:
    """What the result lacks: embedded files, then what important pages asked for in replay; each once."""
    rows: dict[str, Wanted] = {}
    for one in found.completeness.missing:
        rows.setdefault(one.url, Wanted(url=one.url, page=one.page, why=one.why, check=False))
    for page in found.checks.pages:
        for url in page.failed.listed:
            rows.setdefault(url, Wanted(url=url, page=page.url, why="replay asked for it", check=True))
    return [one for one in rows.values() if len(one.url) <= _LONGEST][:_PATCH]


def _cut(value: Any) -> Any:
    """The same with every text of bearable length."""
    if isinstance(value, str):
        return value[:_LONGEST]
    if isinstance(value, dict):
        return {key: _cut(one) for key, one in value.items()}
    return [_cut(one) for one in value] if isinstance(value, list | tuple) else value


def _look(page: RiskyPage) -> dict[str, Any]:
    return {"url": page.url, "title": page.title, "cluster": page.cluster, "risk": page.risk, "why": page.why}
