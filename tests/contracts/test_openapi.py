"""What the API promises is written down, complete, and changes only on purpose."""

import ast
import collections
import json
from pathlib import Path

import pytest

from opilio.api.document import table, text
from opilio.api.openapi import TAGS, operations
from opilio.api.urls import api

DOCS = Path(__file__).parents[2] / "docs" / "reference"
BEGIN, END = "<!-- operations: begin -->\n", "<!-- operations: end -->\n"
WRITES = {"POST", "PUT", "PATCH", "DELETE"}


@pytest.fixture(scope="module")
def document():
    """The document as JSON readers see it."""
    return json.loads(text(api.get_openapi_schema()))


@pytest.fixture(scope="module")
def every(document):
    """Method, path and operation of each operation."""
    return operations(document)


def test_committed_document():
    """The committed document is the generated one; `python -m opilio.api.document` writes it anew."""
    assert (DOCS / "openapi.json").read_text("utf-8") == text(api.get_openapi_schema())


def test_committed_table():
    """The table of operations in the reference is the generated one; `--table` writes it anew."""
    _, _, rest = (DOCS / "api.md").read_text("utf-8").partition(BEGIN)
    assert rest.partition(END)[0] == table(api.get_openapi_schema())


def test_version_of_openapi(document):
    """The document is OpenAPI 3.1, and says where the API lies."""
    assert document["openapi"].startswith("3.1")
    assert document["servers"] == [{"url": "/api/v1"}]


def test_operation_ids_are_unique(every):
    """Each operation has a name of its own."""
    names = [operation["operationId"] for _, _, operation in every]
    assert len(names) == len(set(names))


def test_every_operation_says_what_it_does(every):
    """Each operation has a sentence and a known tag."""
    for method, path, operation in every:
        assert operation["summary"].endswith("."), (method, path)
        assert set(operation["tags"]) <= set(TAGS), (method, path)


def test_every_tag_is_used(every):
    """No tag is left over."""
    assert {tag for _, _, operation in every for tag in operation["tags"]} == set(TAGS)


def test_every_operation_needs_credentials(document, every):
    """Each asks for a token or a sign-in session, but search, which strangers may use for what is published."""
    assert set(document["components"]["securitySchemes"]) == {"ApiToken", "SignInSession"}
    for method, path, operation in every:
        strangers = [{}] if path.startswith(("/search", "/pages", "/words/", "/links")) else []
        assert operation["security"] == [{"ApiToken": []}, {"SignInSession": []}, *strangers], (method, path)


def test_every_operation_tells_its_errors(document, every):
    """Each operation documents its errors, all in the one shape; those with a row, or a change, more of them."""
    for method, path, operation in every:
        wanted = {"400", "401", "403", "422", "500", "503"}
        wanted |= {"404", "409", "413", "415"} if method in WRITES else set()
        wanted |= {"404"} if "{" in path else set()
        assert wanted <= set(operation["responses"]), (method, path)
    for answer in document["components"]["responses"].values():
        assert answer["content"]["application/json"]["schema"]["$ref"].endswith("/FaultAnswer")


def test_lists_are_paged(document, every):
    """Each operation that answers a page takes limit and cursor; limit ends at 500."""
    paged = [one for one in every if "/Page_" in json.dumps(one[2]["responses"]["200" if one[0] == "GET" else "401"])]
    assert len(paged) > 10
    for _, path, operation in paged:
        parameters = {one["name"]: one["schema"] for one in operation["parameters"]}
        assert parameters["limit"]["maximum"] == 500, path
        assert "cursor" in parameters, path


def test_identifiers_are_strings(document, every):
    """No identifier is a number, in paths, bodies or answers."""
    for _, path, operation in every:
        for one in operation["parameters"]:
            if one["name"].endswith("_id") or one["name"] == "agency":
                assert "integer" not in json.dumps(one["schema"]), (path, one["name"])
    for name, schema in document["components"]["schemas"].items():
        for field, one in schema.get("properties", {}).items():
            if field in ("id", "ids", "agency", "roles", "user", "owner") or field.endswith("_id"):
                assert "integer" not in json.dumps(one), (name, field)


def test_changes_name_a_version(document, every):
    """Each change of a row takes the version that it was made from, in the body or in If-Match."""
    for method, path, operation in every:
        if method == "PATCH":
            body = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[-1]
            assert "version" in document["components"]["schemas"][body]["properties"], path
            assert "If-Match" in [one["name"] for one in operation["parameters"]], path


def test_nothing_refers_to_nothing(document):
    """Every reference inside the document leads somewhere."""
    for reference in _references(document):
        found = document
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]
        assert found


def _references(node):
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for one in node.values():
            yield from _references(one)
    elif isinstance(node, list):
        for one in node:
            yield from _references(one)


def test_no_two_schemas_share_a_name():
    """The document knows a schema by its name alone: of two with one name it would tell only one."""
    found = collections.defaultdict(set)
    for path in sorted((Path(__file__).parents[2] / "src/opilio/api").rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].add(path.name)
    assert {name: places for name, places in found.items() if len(places) > 1} == {}
