"""The METS document of a package: head, description, administration, list of files, and how they belong together."""

from collections.abc import Mapping, Sequence
from typing import Any

from opilio.archive.mets import administrative, descriptive
from opilio.archive.mets.formats import GROUPS, format_of, group_of
from opilio.archive.mets.values import PackageFacts, PackedFile
from opilio.archive.mets.xml import XLINK, XSI, mets, moment, written

NAME = "mets.xml"
_SCHEMAS = (
    "http://www.loc.gov/METS/ http://www.loc.gov/standards/mets/mets.xsd "
    "http://www.loc.gov/premis/v3 http://www.loc.gov/standards/premis/v3/premis.xsd"
)


def document(facts: PackageFacts, files: Sequence[PackedFile]) -> bytes:
    """The whole document about these files; the same facts give the same bytes."""
    ordered = sorted(files, key=lambda file: file.path)
    numbers = {file.path: number for number, file in enumerate(ordered, start=1)}
    root = mets(
        "mets",
        _head(facts),
        *descriptive.sections(facts),
        mets("amdSec", *administrative.sections(facts, ordered), ID="amd"),
        mets("fileSec", *_groups(ordered, numbers)) if ordered else None,
        mets("structMap", _whole(facts, ordered, numbers), TYPE="logical", LABEL="Harvest"),
        OBJID=facts.identifier,
        TYPE="web archive",
        LABEL=facts.title,
    )
    root.set(f"{{{XSI}}}schemaLocation", _SCHEMAS)
    return written(root)


def _head(facts: PackageFacts) -> Any:
    owner, agency = facts.people.get("owner") or {}, facts.people.get("agency") or {}
    return mets(
        "metsHdr",
        _agent("CREATOR", "INDIVIDUAL", owner.get("name") or owner.get("username") or "unknown"),
        _agent("CUSTODIAN", "ORGANIZATION", agency.get("name") or "unknown"),
        _agent("DISSEMINATOR", "INDIVIDUAL", facts.packed_by or "unknown"),
        _agent("CREATOR", "OTHER", facts.software, other="SOFTWARE"),
        CREATEDATE=moment(facts.packed_at),
        RECORDSTATUS="complete",
    )


def _agent(role: str, kind: str, name: str, *, other: str = "") -> Any:
    return mets("agent", mets("name", text=name), ROLE=role, TYPE=kind, OTHERTYPE=other)


def _groups(files: Sequence[PackedFile], numbers: Mapping[str, int]) -> list[Any]:
    return [
        mets("fileGrp", *(_file(one, numbers[one.path]) for one in files if group_of(one.path) == group), USE=group)
        for group in GROUPS
        if any(group_of(one.path) == group for one in files)
    ]


def _file(file: PackedFile, number: int) -> Any:
    place = mets("FLocat", LOCTYPE="URL")
    place.set(f"{{{XLINK}}}href", _href(file.path))
    place.set(f"{{{XLINK}}}type", "simple")
    return mets(
        "file", place, ID=f"file-{number}", MIMETYPE=format_of(file.path).mime, SIZE=file.size, CREATED=file.created,
        CHECKSUM=file.checksum, CHECKSUMTYPE=file.algorithm, ADMID=administrative.file_section(number),
    )  # fmt: skip


def _whole(facts: PackageFacts, files: Sequence[PackedFile], numbers: Mapping[str, int]) -> Any:
    parts = [
        mets(
            "div", *(mets("fptr", FILEID=f"file-{numbers[one.path]}") for one in files if group_of(one.path) == group),
            TYPE=group,
        )
        for group in GROUPS
        if any(group_of(one.path) == group for one in files)
    ]  # fmt: skip
    told = " ".join((descriptive.DESCRIBED, descriptive.TARGET, descriptive.SEEDS, descriptive.GROUPS))
    return mets(
        "div", *parts, TYPE="result", LABEL=facts.title, ORDER=facts.result, DMDID=told, ADMID=administrative.WHOLE
    )


def _href(path: str) -> str:
    """A path as a relative reference; a percent sign would be read as an escape."""
    return path.replace("%", "%25").replace("#", "%23").replace("?", "%3F").replace(" ", "%20")
