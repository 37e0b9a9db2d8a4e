"""PREMIS 3: the result and its files as objects, what happened to them, who did it, and the rights they are kept by."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from opilio.archive.mets.formats import Format, format_of
from opilio.archive.mets.values import IDENTIFIERS, Happening, PackageFacts, PackedFile
from opilio.archive.mets.xml import PREMIS, XSI, element, moment

_APPROVED = 2  # of a permission's status
_STATUS = {0: "pending", 1: "requested", 2: "approved", 3: "rejected"}


def premis(name: str, /, *children: Any, text: Any = None) -> Any:
    """An element of PREMIS."""
    return element(PREMIS, name, *children, text=text)


def representation(facts: PackageFacts) -> Any:
    """The result as a whole, and what it was derived from."""
    made = premis(
        "object",
        _identifier("object", facts.identifier),
        premis("originalName", text=facts.title),
        *(_derivation(facts, step.derived_from) for step in facts.steps if step.number == facts.result),
        *(_linked("Event", event.identifier) for event in facts.events if event.result == facts.result),
        *(_linked("RightsStatement", permission_identifier(one)) for one in facts.rows("permissions")),
    )
    return _typed(made, "representation")


def file_object(facts: PackageFacts, file: PackedFile) -> Any:
    """A file, with its digest, its format and the result that it is part of."""
    kind = format_of(file.path)
    made = premis(
        "object",
        _identifier("object", file_identifier(facts, file)),
        premis(
            "objectCharacteristics",
            premis("compositionLevel", text=kind.layers),
            premis(
                "fixity",
                premis("messageDigestAlgorithm", text=file.algorithm),
                premis("messageDigest", text=file.checksum),
                premis("messageDigestOriginator", text=facts.software),
            ),
            premis("size", text=file.size),
            _format(kind),
        ),
        premis("originalName", text=file.path),
        _related("structural", "is Included In", facts.identifier),
    )
    return _typed(made, "file")


def event(facts: PackageFacts, happening: Happening) -> Any:
    """Something that happened to a result."""
    outcome = premis("eventOutcomeInformation", premis("eventOutcome", text=happening.outcome or "unknown"))
    detail = premis("eventDetailInformation", premis("eventDetail", text=happening.detail))
    return premis(
        "event",
        _identifier("event", happening.identifier),
        premis("eventType", text=happening.kind),
        premis("eventDateTime", text=moment(happening.at)),
        detail if happening.detail else None,
        outcome,
        _link("Agent", person_identifier(happening.by), role="implementer"),
        _link("Agent", happening.software, role="executing program") if happening.software else None,
        _link("Object", facts.number_of(happening.result)),
    )


def agents(facts: PackageFacts) -> Iterator[Any]:
    """Everybody and everything that an event or a right names, each once."""
    people = {event.by for event in facts.events} | {step.made_by for step in facts.steps} | {facts.packed_by}
    programs = {event.software for event in facts.events} | {facts.software}
    for name in sorted(filter(None, people)):
        yield _agent(person_identifier(name), name, "person")
    for name in sorted(filter(None, programs)):
        yield _agent(name, name.partition(" ")[0], "software", version=name.partition(" ")[2])
    agency = facts.people.get("agency") or {}
    if agency:
        yield _agent(f"agency {agency.get('id')}", str(agency.get("name")), "organization")
    granting = {_granter(one): one.get("agent") or {} for one in facts.rows("permissions")}
    for identifier, one in sorted(granting.items()):
        yield _agent(identifier, str(one.get("name") or identifier), "organization")


def rights(facts: PackageFacts, permission: Mapping[str, Any]) -> Any:
    """What a permission allows, as it was when the harvest was frozen."""
    granted = permission.get("status") == _APPROVED
    statement = premis(
        "rightsStatement",
        _identifier("rightsStatement", permission_identifier(permission)),
        premis("rightsBasis", text="license" if granted else "other"),
        _licence(permission) if granted else _other(permission),
        _granted(permission) if granted else None,
        _link("Object", facts.identifier),
        _link("Agent", _granter(permission), role="grantor"),
    )
    return premis("rights", statement)


def file_identifier(facts: PackageFacts, file: PackedFile) -> str:
    """What a file of the package is called."""
    return f"{facts.identifier}/{file.path}"


def permission_identifier(permission: Mapping[str, Any]) -> str:
    """What a permission is called."""
    return f"permission {permission.get('id')}"


def person_identifier(name: str) -> str:
    """What a person, or a part of the system that did something, is called."""
    return f"user {name}"


def _granter(permission: Mapping[str, Any]) -> str:
    return f"authorising agent {permission.get('agent_id')}"


def _licence(permission: Mapping[str, Any]) -> Any:
    authorisation = permission.get("authorisation") or {}
    document = permission.get("file_reference") or authorisation.get("order_number")
    notes = (permission.get("copyright_statement"), permission.get("copyright_url"), authorisation.get("title"))
    return premis(
        "licenseInformation",
        _document("license", str(document)) if document else None,
        premis("licenseTerms", text=permission.get("special_requirements") or "No special requirements."),
        *(premis("licenseNote", text=note) for note in notes if note),
        _dates("licenseApplicableDates", permission),
    )


def _document(kind: str, value: str) -> Any:
    name = f"{kind}DocumentationIdentifier"
    return premis(name, premis(f"{name}Type", text="file reference"), premis(f"{name}Value", text=value))


def _other(permission: Mapping[str, Any]) -> Any:
    status = permission.get("status")
    state = _STATUS.get(status, str(status)) if isinstance(status, int) else str(status)
    return premis(
        "otherRightsInformation",
        premis("otherRightsBasis", text=f"permission {state}"),
        _dates("otherRightsApplicableDates", permission),
    )


def _granted(permission: Mapping[str, Any]) -> Any:
    restrictions = [permission.get("access_status")]
    if permission.get("open_access_date"):
        restrictions.append(f"open access from {permission['open_access_date']}")
    left_out = [f"without {one.get('url')}" for one in _rows(permission.get("exclusions"))]
    return premis(
        "rightsGranted",
        premis("act", text="collect, keep and show"),
        *(premis("restriction", text=one) for one in (*restrictions, *left_out) if one),
        _dates("termOfGrant", permission),
        *(premis("rightsGrantedNote", text=f"covers {one}") for one in permission.get("patterns") or ()),
    )


def _rows(value: Any) -> Iterable[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _dates(name: str, permission: Mapping[str, Any]) -> Any:
    start, end = permission.get("start_date"), permission.get("end_date")
    if not start:
        return None
    return premis(name, premis("startDate", text=start), premis("endDate", text=end) if end else None)


def _derivation(facts: PackageFacts, parent: int | None) -> Any:
    return _related("derivation", "has source", facts.number_of(parent)) if parent is not None else None


def _related(kind: str, closer: str, identifier: str) -> Any:
    return premis(
        "relationship",
        premis("relationshipType", text=kind),
        premis("relationshipSubType", text=closer),
        premis(
            "relatedObjectIdentifier",
            premis("relatedObjectIdentifierType", text=IDENTIFIERS),
            premis("relatedObjectIdentifierValue", text=identifier),
        ),
    )


def _format(kind: Format) -> Any:
    designation = premis(
        "formatDesignation",
        premis("formatName", text=kind.name),
        premis("formatVersion", text=kind.version) if kind.version else None,
    )
    return premis("format", designation)


def _agent(identifier: str, name: str, kind: str, *, version: str = "") -> Any:
    return premis(
        "agent",
        _identifier("agent", identifier),
        premis("agentName", text=name),
        premis("agentType", text=kind),
        premis("agentVersion", text=version) if version else None,
    )


def _identifier(kind: str, value: str) -> Any:
    name = f"{kind}Identifier"
    return premis(name, premis(f"{name}Type", text=IDENTIFIERS), premis(f"{name}Value", text=value))


def _linked(kind: str, value: str) -> Any:
    return _link(kind, value)


def _link(kind: str, value: str, *, role: str = "") -> Any:
    name = f"linking{kind}Identifier"
    return premis(
        name,
        premis(f"{name}Type", text=IDENTIFIERS),
        premis(f"{name}Value", text=value),
        premis(f"linking{kind}Role", text=role) if role else None,
    )


def _typed(made: Any, kind: str) -> Any:
    made.set(f"{{{XSI}}}type", f"premis:{kind}")
    return made
