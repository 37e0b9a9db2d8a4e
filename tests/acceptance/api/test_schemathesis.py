"""The API keeps to its OpenAPI document for requests that nobody thought of, valid and not.

Every operation is tried. The rows are made once; each example is rolled back, so that the next one finds the same.
"""

import dataclasses
import datetime
import json
import os
import zlib
from pathlib import Path
from typing import Any

import django.conf
import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import override_settings
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from opilio.api.openapi import operations
from opilio.kernel.clock import SYSTEM
from opilio.people.actions.annotations import add_annotation
from opilio.people.actions.intray import create_task
from opilio.people.actions.webhooks import create_webhook, try_webhook
from opilio.people.actor import Via
from opilio.people.audit import write
from opilio.people.privileges import Privilege
from opilio.people.queries.account import actor_for
from opilio.people.ready_roles import READY_ROLES
from tests.acceptance.api.office import Office, administrator
from tests.acceptance.published import ROOT, publish
from tests.people import PASSWORD
from tests.shared_rows import uncommitted
from tests.sharing import is_whole

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
_TIMES = 3 if is_whole() else 1  # `make prove` tries more
EXAMPLES = {schemathesis.GenerationMode.POSITIVE: 4 * _TIMES, schemathesis.GenerationMode.NEGATIVE: 2 * _TIMES}
STRANGER = "nobody"
ROLES = (STRANGER, *(role.name for role in READY_ROLES))
SEED = int(os.environ.get("OPILIO_TEST_SEED", "1"))
# As it is kept; a conformance test sees to it that this is what the product says. Making it takes long in each process.
DOCUMENT = json.loads((Path(__file__).parents[3] / "docs" / "reference" / "openapi.json").read_text("utf-8"))
OPERATIONS = [operation["operationId"] for _, _, operation in operations(DOCUMENT)]


@pytest.fixture(scope="module")
def schema():
    """The document, with the application that it describes."""
    loaded = schemathesis.openapi.from_dict(DOCUMENT)
    loaded.app = get_wsgi_application()
    return loaded


@pytest.fixture
def one_connection(house):
    """The application keeps the connection of the test, and with it the transaction, after a request."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    """A home with a published index."""
    home = tmp_path_factory.mktemp("searched")
    publish(home)
    return home


@pytest.fixture(scope="module")
def house(django_db_setup, django_db_blocker, searched):
    """An installation with rows of each kind in a transaction that is never committed, and who calls."""
    quick = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    there = dataclasses.replace(django.conf.settings.OPILIO, home=searched)
    with django_db_blocker.unblock(), uncommitted(), override_settings(PASSWORD_HASHERS=quick, OPILIO=there):
        office = Office()
        caller = administrator(office)
        others = {role.name: office.caller(privileges=dict(role.privileges)).secret for role in READY_ROLES}
        yield House(secret=caller.secret, rows=_rows(office, caller), others={STRANGER: "", **others})


@dataclasses.dataclass(frozen=True, kw_only=True)
class House:
    """Who calls, and for each parameter of a path, identifiers or names of rows that are there."""

    secret: str
    rows: dict[str, list[Any]]
    others: dict[str, str]  # role → token of somebody who has it


def _rows(office, system_administrator):
    actor = actor_for(system_administrator.user.id, via=Via.PAGE)
    user = office.user("reader")
    task = create_task(actor, subject="Look", message="", privilege=Privilege.VIEW_AUDIT, agency_id=office.library.id)
    note = add_annotation(actor, kind_name="user", row_id=user.id, note="Here.")
    entry = write(office.town.system, action="test.note", agency_id=office.library.id)
    webhook, _ = create_webhook(actor, name="Notes", url="https://hooks.example.org/", events=["task.created"])
    message = try_webhook(actor, webhook_id=webhook.id)
    titles = system_administrator.get("/lists/user-title/entries").json()["items"]
    tokens = system_administrator.get("/tokens").json()["items"]
    return {
        "agency_id": [str(office.library.id)],
        "user_id": [str(user.id), str(system_administrator.user.id)],
        "role_id": [str(row.role_id) for row in user.held_roles.all()],
        "row_id": [str(user.id), str(office.library.id)],
        "annotation_id": [str(note.id)],
        "entry_id": [str(entry.id), titles[0]["id"]],
        "token_id": [tokens[0]["id"]],
        "task_id": [str(task.id)],
        "webhook_id": [str(webhook.id)],
        "message_id": [str(message.id)],
        "kind": ["user", "agency", "role", "annotation"],
        "name": ["user-title", "rows_per_page"],
        "word": ["regatta", "zeppelin"],
        "url": [f"{ROOT}/regatta", f"{ROOT}/never"],
        "q": ["regatta", "the (harbour"],
        "page": [0, 1],
        "in": ["published"],
    }


@pytest.mark.parametrize("name", OPERATIONS)
def test_conforms(schema, house, one_connection, name, proof_scale):
    """Every answer has a documented status, media type, headers and shape, and none is a fault of ours."""
    operation = schema.find_operation_by_id(name)
    headers = {"Authorization": f"Bearer {house.secret}"}
    for mode, examples in EXAMPLES.items():
        if mode is schemathesis.GenerationMode.POSITIVE or _can_be_wrong(operation):
            _try(operation, mode, examples * proof_scale, house.rows, headers)


@pytest.mark.parametrize("name", OPERATIONS)
def test_conforms_for_every_role(schema, house, one_connection, name, proof_scale):
    """Refusals are answers too: whoever asks, the answer is documented. `make prove` tries each with every role."""
    operation = schema.find_operation_by_id(name)
    for role in ROLES if is_whole() else [ROLES[zlib.crc32(name.encode()) % len(ROLES)]]:
        secret = house.others[role]
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        _try(operation, schemathesis.GenerationMode.POSITIVE, proof_scale, house.rows, headers)


def _try(operation, mode, examples, rows, headers):
    """Examples of one kind: the same rows are there for both, as each example is rolled back."""

    @seed(SEED)
    @settings(max_examples=examples, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode), choice=st.data())
    def conforms(case: Any, choice: Any) -> None:
        _meet_rows(case.path_parameters, rows, choice)
        if mode is schemathesis.GenerationMode.POSITIVE:
            _meet_rows(case.body, body_values(rows), choice)
            _meet_rows(case.query, rows, choice)
            if choice.draw(st.booleans()):
                case.headers = {}
        with uncommitted():
            case.call_and_validate(headers=headers, checks=CHECKS)

    conforms()


def body_values(rows):
    """For fields of bodies, values with which a change can succeed."""
    return {
        "agency": rows["agency_id"],
        "version": [1, 2],
        "roles": [rows["role_id"], []],
        "username": ["newcomer"],
        "name": ["Something new"],
        "password": [PASSWORD],
        "new": [f"{PASSWORD} again"],
        "title": ["Dr"],
        "email": ["desk@library.example"],
        "time_zone": ["Europe/Paris"],
        "scopes": [["LOGIN"], []],
        "privileges": [{"VIEW_AUDIT": "agency"}],
        "resource": [None],
        "expires": [(SYSTEM.now() + datetime.timedelta(days=1)).isoformat()],
        "value": [50, True, "text"],
    }


def _meet_rows(values, known, choice):
    """Let some of the drawn values name what is there: by chance alone they hardly would."""
    if not isinstance(values, dict) or not choice.draw(st.booleans()):
        return
    for name in sorted(values.keys() & known.keys()):
        values[name] = choice.draw(st.sampled_from(known[name]))


def _can_be_wrong(operation):
    return bool(operation.definition.raw.get("parameters")) or "requestBody" in operation.definition.raw
