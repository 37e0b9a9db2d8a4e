"""The reference page, drawn on the server from the OpenAPI document: no script, no style from elsewhere."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

from opilio.api.openapi import BASE, operations


@dataclass(frozen=True, kw_only=True)
class Field:
    """A parameter of an operation, or a field of its body."""

    name: str
    place: str  # path, query, header, body
    kind: str  # as people read it: string, list of string
    required: bool
    text: str


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An operation as the page shows it."""

    anchor: str
    method: str
    path: str
    summary: str
    text: str
    fields: tuple[Field, ...]
    answers: tuple[tuple[str, str], ...]  # status, meaning


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """The operations of one noun."""

    name: str
    text: str
    entries: tuple[Entry, ...]


class ReferencePage(DocsBase):
    """Answers /docs."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        """The page of the whole API."""
        document: dict[str, Any] = dict(api.get_openapi_schema())
        context = {"info": document["info"], "base": BASE, "chapters": chapters(document)}
        return HttpResponse(render_to_string("api/reference.html", context))


def chapters(document: dict[str, Any]) -> list[Chapter]:
    """The document by tags."""
    every = operations(document)
    return [
        Chapter(
            name=tag["name"],
            text=tag["description"],
            entries=tuple(_entry(document, *one) for one in every if tag["name"] in one[2]["tags"]),
        )
        for tag in document["tags"]
    ]


def _entry(document: dict[str, Any], method: str, path: str, operation: dict[str, Any]) -> Entry:
    answers = [
        (status, _resolved(document, answer)["description"]) for status, answer in operation["responses"].items()
    ]
    return Entry(
        anchor=operation["operationId"],
        method=method,
        path=path,
        summary=operation["summary"],
        text=operation.get("description", ""),
        fields=(*_parameters(operation), *_body(document, operation)),
        answers=tuple(answers),
    )


def _parameters(operation: dict[str, Any]) -> list[Field]:
    return [
        Field(
            name=one["name"], place=one["in"], kind=_kind(one["schema"]), required=one["required"],
            text=one.get("description", ""),
        )
        for one in operation["parameters"]
    ]  # fmt: skip


def _body(document: dict[str, Any], operation: dict[str, Any]) -> list[Field]:
    if "requestBody" not in operation:
        return []
    schema = _resolved(document, operation["requestBody"]["content"]["application/json"]["schema"])
    required = schema.get("required", [])
    return [
        Field(
            name=name, place="body", kind=_kind(one), required=name in required, text=one.get("description", ""),
        )
        for name, one in schema["properties"].items()
    ]  # fmt: skip


def _kind(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    for join in ("anyOf", "allOf"):
        if join in schema:
            kinds = [_kind(one) for one in schema[join]]
            return " or ".join(kind for kind in kinds if kind != "null")
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    return str(schema.get("format") or schema.get("type", "anything"))


def _resolved(document: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in node:
        return node
    found: dict[str, Any] = document
    for part in str(node["$ref"]).removeprefix("#/").split("/"):
        found = found[part]
    return found
