"""Secrets are planted wherever people and programs give them; afterwards they are nowhere: logs, tables, pages."""

import dataclasses
import io
import json
import re

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from opilio.curation.actions.credentials import create_credential, update_credential
from opilio.kernel import logs
from opilio.kernel.errors import OpilioError
from opilio.kernel.settings import Settings
from opilio.people.actions.webhooks import create_webhook, try_webhook
from opilio.tracker.actions.centres import create_centre
from opilio.tracker.actions.sources import Keys, create_source
from tests.acceptance.api.office import Office, administrator
from tests.acceptance.pages.conftest import Visitor
from tests.curation import Desk

WRONG = "wr0ng-passw0rd-tr1ed"
CREDENTIAL = "cred3ntial-of-a-site"
AGAIN = "cred3ntial-changed-later"
SOURCE = "s0urce-password-of-a-partner"
KEY = "s0urce-passphrase-of-a-key"
URL = "https://hooks.example.org/in?token=w3bhook-url-token"
IN_PATH = "4n-0dd-secret-in-an-address"


@pytest.fixture
def heard():
    """All that is logged, down to the least important."""
    stream = io.StringIO()
    logs.configure(as_json=True, level="debug", stream=stream)
    return stream


def everything():
    """Every row of every table, as text."""
    for model in apps.get_models(include_auto_created=True):
        for row in model._base_manager.values():
            yield model._meta.db_table, json.dumps(row, default=repr)


def test_secrets_are_nowhere(db, settings, tmp_path, heard):
    """Of sign-in, tokens, credentials, webhooks and sources, no log line, table, audit entry, job or page has any."""
    settings.OPILIO = dataclasses.replace(settings.OPILIO, home=tmp_path)
    office = Office()
    caller = administrator(office)
    actor = office.town.system
    pages = [_signed_in_wrongly(caller.user.username)]
    pages += _api(caller)
    target = Desk(office.town).target()
    made = create_credential(
        actor, holder_id=target.pk, kind="basic", domain="a.example", username="u", secret=CREDENTIAL
    )
    update_credential(actor, credential_id=made.pk, version=made.version, secret=AGAIN)
    centre = create_centre(
        actor, agency_id=office.library.id, short_name="J", full_name="Jura", email="desk@jura.example"
    )
    create_source(
        actor, centre_id=centre.pk, protocol="sftp", name="main", hostname="files.example.org", username="u",
        keys=Keys(password=SOURCE, passphrase=KEY),
    )  # fmt: skip
    webhook, signing = create_webhook(actor, name="Notes", url=URL, events=["task.created"])
    try_webhook(actor, webhook_id=webhook.pk)
    logs.logger("opilio.tests").info(
        "job_failed", url=f"https://u:{WRONG}@a.example/", password=WRONG, exc_info=_error()
    )
    secrets = {
        "wrong password": WRONG, "credential": CREDENTIAL, "changed credential": AGAIN, "source": SOURCE,
        "passphrase": KEY, "token": caller.secret, "signing key": signing,
    }  # fmt: skip
    written = heard.getvalue()
    assert '"job_failed"' in written
    for name, secret in secrets.items():
        assert secret not in written, f"{name} is in the log"
        assert not [table for table, row in everything() if secret in row], f"{name} is in a table"
        assert not [page for page in pages if secret in page], f"{name} is in a page"


def test_addresses_with_secrets_are_not_logged(db, heard):
    """What stands behind the question mark of a request, or in its cookies and headers, is in no log line."""
    client = Client(headers={"Authorization": f"Bearer {IN_PATH}"})
    client.cookies["opilio"] = IN_PATH
    for path in (f"/answers/x?token={IN_PATH}", f"/api/v1/targets?key={IN_PATH}", f"/sign-in?next=/{IN_PATH}"):
        client.get(path)
    client.post("/sign-in", {"username": "nobody", "password": IN_PATH})
    assert IN_PATH not in heard.getvalue()


def test_settings_do_not_print_secrets():
    """What is declared as secret covers every setting whose name says so."""
    from_names = re.compile(r"password|secret_key|client_secret|access_key|database_url")
    fields = {field.name: field.metadata["rule"] for field in dataclasses.fields(Settings)}
    wrong = [name for name, rule in fields.items() if from_names.search(name) and not rule.secret]
    assert [name for name in wrong if not name.startswith("password_")] == []


def _signed_in_wrongly(username):
    browser = Visitor()
    return browser.sign_in(username, WRONG).content.decode()


def _api(caller):
    answers = [caller.get("/tokens"), caller.get("/users"), caller.get("/nothing-here")]
    assert caller.secret
    return [answer.content.decode() for answer in answers]


def _error():
    return OpilioError(f"password={WRONG} was refused", where=f"https://u:{WRONG}@a.example/")


def test_the_tables_are_really_read(db):
    """The look through the tables finds what is there: a name that is no secret."""
    Office()
    assert any("Library" in row for _, row in everything())
    assert connection.vendor in ("sqlite", "postgresql")
