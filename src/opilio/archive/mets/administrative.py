"""The administrative part: how it was captured, by which rights, where it came from, and PREMIS for all of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from opilio.archive.mets import premis
from opilio.archive.mets.values import PackageFacts, PackedFile, Step, Withheld
from opilio.archive.mets.xml import fields, moment, ours, wrapped

_FIGURES = (
    "urls_down", "urls_failed", "data_amount", "elapsed", "average_kb", "average_urls", "alerts", "status", "job_name",
)  # fmt: skip
_PERMISSION = (
    "status", "start_date", "end_date", "access_status", "open_access_date", "available", "copyright_statement",
    "copyright_url", "special_requirements", "file_reference", "display_name",
)  # fmt: skip
_AUTHORISATION = ("title", "description", "order_number", "published")
_AGENT = ("name", "description", "contact", "address", "email", "phone")
WHOLE = "tech-result"


def sections(facts: PackageFacts, files: Sequence[PackedFile]) -> Iterator[Any]:
    """The sections of amdSec, in the order that METS asks for: technical, rights, provenance."""
    yield wrapped("techMD", "tech-harvest", "OTHER", _harvest(facts), other="OPILIO")
    yield wrapped("techMD", WHOLE, "PREMIS:OBJECT", premis.representation(facts))
    for number, file in enumerate(files, start=1):
        yield wrapped("techMD", file_section(number), "PREMIS:OBJECT", premis.file_object(facts, file))
    for number, permission in enumerate(facts.rows("permissions"), start=1):
        yield wrapped("rightsMD", f"rights-{number}", "OTHER", _permission(facts, permission), other="OPILIO")
        yield wrapped("rightsMD", f"rights-premis-{number}", "PREMIS:RIGHTS", premis.rights(facts, permission))
    for number, one in enumerate(facts.withheld, start=1):
        yield wrapped("rightsMD", f"rights-takedown-{number}", "OTHER", _withheld(one), other="OPILIO")
    yield wrapped("digiprovMD", "prov-lineage", "OTHER", _provenance(facts), other="OPILIO")
    for number, happening in enumerate(facts.events, start=1):
        yield wrapped("digiprovMD", f"prov-event-{number}", "PREMIS:EVENT", premis.event(facts, happening))
    for number, agent in enumerate(premis.agents(facts), start=1):
        yield wrapped("digiprovMD", f"prov-agent-{number}", "PREMIS:AGENT", agent)


def file_section(number: int) -> str:
    """The identifier of the section about a file."""
    return f"tech-file-{number}"


def _harvest(facts: PackageFacts) -> Any:
    software = facts.sections.get("software") or {}
    return ours(
        "harvest",
        ours("capture-system", text=f"Opilio {software.get('opilio', '')}".strip()),
        ours("python", text=software.get("python")),
        ours("agent", text=facts.agent),
        ours("started", text=facts.started_at),
        ours("ended", text=facts.ended_at),
        *fields(facts.figures, _FIGURES),
        *(_remark(one) for one in facts.remarks if one.about == "harvest"),
        id=facts.harvest,
    )


def _permission(facts: PackageFacts, row: Mapping[str, Any]) -> Any:
    identifier = str(row.get("id"))
    relying = [one for one in facts.rows("seeds") if identifier in [str(each) for each in one.get("permissions") or ()]]
    return ours(
        "permission",
        *fields(row, _PERMISSION),
        ours("authorisation", *fields(row.get("authorisation") or {}, _AUTHORISATION)),
        ours("authorising-agent", *fields(row.get("agent") or {}, _AGENT)),
        *(ours("pattern", text=one) for one in row.get("patterns") or ()),
        *(ours("exclusion", text=one.get("url"), reason=one.get("reason")) for one in row.get("exclusions") or ()),
        *(ours("seed", text=one.get("url")) for one in relying),
        id=identifier,
    )


def _withheld(one: Withheld) -> Any:
    span = {"captured-from": one.captured_from, "captured-to": one.captured_to}
    return ours(
        "takedown",
        ours("value", text=one.value, reach=one.reach),
        ours("authority", text=one.authority),
        ours("reason", text=one.reason),
        ours("reference", text=one.reference),
        level=one.level,
        ordered=one.ordered_at,
        **span,
    )


def _provenance(facts: PackageFacts) -> Any:
    profile = facts.sections.get("profile") or {}
    return ours(
        "provenance",
        ours("snapshot", digest=facts.snapshot_digest, frozen=moment(facts.frozen_at)),
        _people(facts),
        ours("profile", ours("note", text=facts.sections.get("profile-note")), id=profile.get("id"),
             name=profile.get("name"), version=profile.get("version")),
        ours("display", text=facts.display_note, shown=facts.display),
        *(_step(one) for one in facts.steps),
        *(_remark(one) for one in facts.remarks if one.about != "harvest"),
        ours("deposit", *(ours("answer", text=text, name=name) for name, text in sorted(facts.answers.items())),
             by=facts.packed_by),
    )  # fmt: skip


def _people(facts: PackageFacts) -> Any:
    owner, agency = facts.people.get("owner") or {}, facts.people.get("agency") or {}
    return ours(
        "people",
        ours("owner", text=owner.get("name"), username=owner.get("username")),
        ours("agency", text=agency.get("name"), id=agency.get("id")),
        ours("target-owner", text=facts.people.get("target-owner")),
    )


def _step(step: Step) -> Any:
    return ours(
        "result",
        ours("provenance-note", text=step.provenance),
        *(ours("modification", text=note) for note in step.notes),
        number=step.number,
        **{"derived-from": step.derived_from, "made": step.made_at, "made-by": step.made_by, "digest": step.digest},
    )


def _remark(remark: Any) -> Any:
    return ours("annotation", text=remark.text, about=remark.about, at=remark.at, by=remark.by)
