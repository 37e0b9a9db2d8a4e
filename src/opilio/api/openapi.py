"""Completes the OpenAPI document that Django Ninja derives: error answers, headers, summaries, tags."""

from typing import Any

from ninja import NinjaAPI
from ninja.openapi.schema import REF_TEMPLATE, OpenAPISchema
from ninja.schema import NinjaGenerateJsonSchema

from opilio.api.schemas import FaultAnswer

BASE = "/api/v1"
TAGS = {
    "me": "Who you are and what you may do.",
    "agencies": "Institutions that collect on their own account.",
    "users": "Who signs in.",
    "roles": "Sets of privileges that agencies hand out, and the privileges themselves.",
    "tokens": "API tokens: let a program act for a user.",
    "sessions": "Sign-in sessions of browsers.",
    "in-tray": "Tasks for whoever can do them, and notifications for one user.",
    "audit": "Who did what, when, and what changed.",
    "lists": "Values that constrained fields may take.",
    "parameters": "What an installation sets for itself.",
    "annotations": "Notes pinned to rows.",
    "deleted rows": "What was deleted and can be restored.",
    "views": "Lists as somebody likes to see them.",
    "webhooks": "Other programs that are told what happens, and every message to them.",
    "targets": "What is worth collecting, and every move between its states.",
    "seeds": "Where harvests of targets start, and the permissions that they rely on.",
    "nominations": "Sites that people outside propose.",
    "rejection-reasons": "Reasons for which targets and harvests are rejected.",
    "groups": "Targets and groups that belong together.",
    "owners": "Whose targets and groups are; giving and taking them.",
    "assignments": "Targets that somebody should see to, until a day.",
    "authorisations": "Rights to collect, with their URL patterns.",
    "authorising-agents": "Who is asked for permission.",
    "permissions": "What authorising agents allow: asked for, answered, explained.",
    "permission-templates": "Texts of permission requests.",
    "profiles": "How to crawl, with every version.",
    "overrides": "Settings of one target that replace those of its profile, and its credentials.",
    "schedules": "When targets and groups are harvested, and what is planned.",
    "schedule-patterns": "Cron expressions with a name.",
    "indicators": "Limits of agencies for what is measured of results.",
    "review-policies": "What agencies leave to rules when results are reviewed.",
    "bulk": "Changes to everything that a filter finds; tables in and out.",
    "imports": "Imports from the Web Curator Tool.",
    "bandwidth": "What the line may carry at which time of the week.",
    "reports": "Usage, activity and schedules.",
    "depositories": "Where endorsed results are handed to.",
    "deposits": "Hand-overs of endorsed results to depositories, with their receipts.",
    "deliveries": "Files of partners: where they stand, what is wrong with them, sessions, centres, sources.",
    "fixity": "Readings of kept files, and what was damaged and repaired.",
    "takedowns": "What readers must not see any more: hidden, blocked or destroyed, with proof.",
    "harvests": "Dated runs of targets and groups: where they stand, what they were run with, what they are told.",
    "results": "What harvests captured and what was derived from it: decisions, provenance, events.",
    "flags": "Coloured marks that agencies put on harvests.",
    "agents": "Processes that run harvests and other jobs, and the rules for what they take.",
    "publications": "Builds of the public index from what is endorsed.",
    "reading-rooms": "Addresses from which readers are on site.",
    "access": "The rules by which readers see captures.",
    "wasapi": "WARC files of endorsed results, listed and fetched by partners.",
    "search": "Finds archived pages, and tells the stories of pages, words and links.",
    "index": "Generations of the search index, and the nodes that serve them.",
}
_NOT_THERE = frozenset(
    {"/access/rules", "/access/decision", "/permissions/explain"}
)  # may miss something without an identifier in the path
_OPEN = frozenset({"search"})  # tags of operations that strangers may use
_ERRORS = {
    400: "The body is no JSON or no UTF-8, or the request cannot be read.",
    401: "No token and no sign-in session, or a token that is unknown, expired or revoked.",
    403: "A privilege is missing, does not reach that far, or is not among the token's scopes.",
    404: "No such row, or not visible to you.",
    409: "The row was changed since you read it (with both versions), or is in use.",
    413: "The body is too large.",
    415: "The body does not say that it is JSON.",
    422: "Parameters or fields cannot be used; `fields` says which and why.",
    429: "More requests from this address than are answered; Retry-After tells when to come back.",
    500: "A fault of Opilio; the correlation id finds it in the log.",
    503: "The database cannot be had now.",
}
_ALWAYS = (400, 401, 403, 422, 429, 500, 503)
_HEADERS = {
    "X-Request-ID": {"description": "Correlation id of the request.", "schema": {"type": "string"}},
}
_TAGGED = {"ETag": {"description": "Version of the row, for If-Match.", "schema": {"type": "string"}}}
_IF_MATCH = {
    "in": "header",
    "name": "If-Match",
    "required": False,
    "description": "ETag of the version that you changed or want to delete.",
    "schema": {"type": "string", "pattern": '^(W/)?"[1-9][0-9]{0,9}"$'},
}


def complete(api: NinjaAPI) -> dict[str, Any]:
    """The whole document of an API."""
    document: dict[str, Any] = dict(OpenAPISchema(api, ""))
    document["servers"] = [{"url": BASE}]
    document["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
    fault = FaultAnswer.model_json_schema(ref_template=REF_TEMPLATE, schema_generator=NinjaGenerateJsonSchema)
    document["components"]["schemas"].update({**fault.pop("$defs"), "FaultAnswer": fault})
    document["components"]["responses"] = {f"Error{status}": _error(text) for status, text in _ERRORS.items()}
    document["components"]["schemas"] = dict(sorted(document["components"]["schemas"].items()))
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            _complete(path, method, operation)
    return document


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Method, path and operation of each operation, in the order of the document."""
    return [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def _complete(path: str, method: str, operation: dict[str, Any]) -> None:
    summary, _, rest = operation.pop("description", operation["summary"]).partition("\n")
    operation["summary"] = summary
    if rest.strip():
        operation["description"] = " ".join(rest.split())
    for parameter in operation["parameters"]:
        parameter.pop("examples", None)  # a list here is JSON Schema's; the schema below has it
    if method in ("patch", "delete"):
        operation["parameters"].append(_IF_MATCH)
    for status, answer in operation["responses"].items():
        tagged = status != 204 and _has_version(operation, method, path)
        answer["headers"] = {**_HEADERS, **_TAGGED} if tagged else _HEADERS
    strangers = bool(_OPEN.intersection(operation["tags"]))
    if strangers:
        operation["security"] = [*operation["security"], {}]
    for status in _statuses(method, may_miss=strangers or "{" in path or path in _NOT_THERE):
        operation["responses"][status] = {"$ref": f"#/components/responses/Error{status}"}
    operation["responses"] = {str(status): answer for status, answer in sorted(operation["responses"].items())}


def _has_version(operation: dict[str, Any], method: str, path: str) -> bool:
    return method == "patch" or (method == "get" and path == "/me")


def _statuses(method: str, *, may_miss: bool) -> list[int]:
    writes = () if method == "get" else (404, 409, 413, 415)
    return sorted({*_ALWAYS, *writes, *((404,) if may_miss else ())})


def _error(text: str) -> dict[str, Any]:
    schema = {"$ref": REF_TEMPLATE.format(model="FaultAnswer")}
    return {"description": text, "headers": _HEADERS, "content": {"application/json": {"schema": schema}}}
