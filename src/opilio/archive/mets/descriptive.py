"""The descriptive part: Dublin Core, then the target or group with its groups, members and seeds, all as frozen."""

from collections.abc import Iterator, Mapping
from typing import Any

from opilio.archive.mets.values import PackageFacts
from opilio.archive.mets.xml import DC, element, fields, ours, wrapped

#: Elements of the description, and where they go in Dublin Core.
_ELEMENTS = (
    ("title", "title", ""), ("creator", "creator", ""), ("subject", "subject", ""), ("description", "description", ""),
    ("publisher", "publisher", ""), ("contributor", "contributor", ""), ("date", "date", ""), ("type", "type", ""),
    ("format", "format", ""), ("identifier", "identifier", ""), ("identifier_isbn", "identifier", "ISBN "),
    ("identifier_issn", "identifier", "ISSN "), ("source", "source", ""), ("language", "language", ""),
    ("relation", "relation", ""), ("coverage", "coverage", ""), ("rights", "rights", ""),
)  # fmt: skip
_TARGET = (
    "name", "description", "profile_note", "selection_date", "selection_type", "selection_note", "evaluation_note",
    "harvest_type", "request_to_archivists", "access_zone", "display", "display_note", "embargo_days", "group_type",
    "ownership_metadata",
)  # fmt: skip
_GROUP = ("name", "reference", "description", "type", "ownership")
_SEED = ("url", "root", "depth_limit", "page_limit", "append")
DESCRIBED, TARGET, SEEDS, GROUPS = "dmd-dc", "dmd-target", "dmd-seeds", "dmd-groups"


def sections(facts: PackageFacts) -> Iterator[Any]:
    """The sections dmdSec."""
    yield wrapped("dmdSec", DESCRIBED, "DC", *_dublin_core(facts))
    reference = facts.target.get("reference") or facts.reference
    target = ours("target", *_reference(reference), *fields(facts.target, _TARGET), id=facts.target.get("id"))
    yield wrapped("dmdSec", TARGET, "OTHER", target, other="OPILIO")
    for number, member in enumerate(facts.rows("members"), start=1):
        row = ours("member", *_reference(member.get("reference")), *fields(member, _TARGET), id=member.get("id"))
        yield wrapped("dmdSec", f"dmd-member-{number}", "OTHER", row, *_described(member), other="OPILIO")
    groups = [ours("group", *fields(one, _GROUP), id=one.get("id")) for one in facts.target.get("groups") or ()]
    yield wrapped("dmdSec", GROUPS, "OTHER", ours("groups", *groups), other="OPILIO")
    seeds = [_seed(one) for one in facts.rows("seeds")]
    yield wrapped("dmdSec", SEEDS, "OTHER", ours("seeds", *seeds), other="OPILIO")


def _dublin_core(facts: PackageFacts) -> list[Any]:
    described = _described(facts.target)
    if not any(one.tag == f"{{{DC}}}title" for one in described):
        described.insert(0, element(DC, "title", text=facts.title))
    return [*described, element(DC, "identifier", text=facts.identifier)]


def _described(row: Mapping[str, Any]) -> list[Any]:
    record = row.get("description-record") or {}
    return [
        element(DC, name, text=f"{before}{record[column]}") for column, name, before in _ELEMENTS if record.get(column)
    ]


def _reference(value: Any) -> list[Any]:
    return [ours("reference", text=value)] if value else []


def _seed(row: Mapping[str, Any]) -> Any:
    kind = "primary" if row.get("primary") else "secondary"
    relied = [ours("permission", text=one) for one in row.get("permissions") or ()]
    return ours("seed", *fields(row, _SEED), *relied, id=row.get("id"), kind=kind)
