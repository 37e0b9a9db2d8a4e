"""Imports from the Web Curator Tool through pages, API, command and agent."""

import dataclasses
import datetime
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from typer.testing import CliRunner

from opilio.agents.context import RunContext
from opilio.agents.wct import import_wct
from opilio.cli import wct as command
from opilio.curation.actions.wct_import import ImportWct
from opilio.curation.models import WctImport
from opilio.curation.wct import uploads
from opilio.curation.wct.errors import BadDump
from opilio.jobs.models import Job
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import Conflict
from opilio.people.actions.account import create_token
from opilio.people.actor import Via
from opilio.people.models import Agency
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries.account import actor_for
from tests import wct_dump

MANAGER = {Privilege.CONFIGURE_PARAMETERS: Scope.NONE, Privilege.MODIFY_OWN_CREDENTIALS: Scope.NONE}
DUMP = b"AGC_OID,AGC_NAME,AGC_COLOUR\r\n1,<b>Archive</b>,red\r\nx,Nowhere,\r\n"


class Idle(RunContext):
    """An attempt that nobody stops."""

    def __init__(self):
        super().__init__(None, clock=SYSTEM, lease=datetime.timedelta(minutes=1))


@pytest.fixture
def home(tmp_path, settings):
    """A home of the test's own."""
    settings.OPILIO = dataclasses.replace(settings.OPILIO, home=tmp_path)
    return uploads.folder()


@pytest.fixture
def manager(enter, home):
    return enter("manager", privileges=MANAGER)


def form(upload=DUMP, **more):
    data = {"time_zone": "UTC", "encoding": "utf-8", "lying": ""} | more
    return data | ({"upload": SimpleUploadedFile("AGENCY.csv", upload)} if upload else {})


def work():
    """What an agent would do."""
    for job in Job.objects.filter(kind="curation.import_wct"):
        import_wct(ImportWct(import_id=job.payload["import_id"]), Idle())


def test_an_upload_is_tried_then_imported_then_removed(manager):
    """The whole way on the pages."""
    response = manager.send("/admin/import", form(dry_run="on"))
    assert response.status_code == 302, response.content
    assert "An agent works on it" in manager.see(response["Location"])
    work()
    page = manager.see(response["Location"])
    assert "A dry run" in page
    assert "AGC_COLOUR" in page
    assert "is no whole number" in page
    assert not Agency.objects.filter(name="<b>Archive</b>").exists()
    again = manager.send(f"{response['Location']}/again")
    work()
    assert Agency.objects.filter(name="<b>Archive</b>").exists()
    listed = manager.see("/admin/import")
    assert listed.count("AGENCY.csv") >= 2
    whole = manager.get(f"{again['Location']}/report.csv")
    assert b"AGC_COLOUR" in b"".join(whole.streaming_content)
    name = WctImport.objects.first().path
    manager.send(f"{again['Location']}/discard")
    assert WctImport.objects.filter(path=name).count() == 0


def test_a_form_without_a_dump_or_with_a_wrong_one_is_told(manager):
    """And nothing waits for an agent."""
    assert manager.send("/admin/import", form(upload=b"")).status_code == 422
    wrong = form() | {"upload": SimpleUploadedFile("dump.exe", b"MZ")}
    response = manager.send("/admin/import", wrong)
    assert response.status_code == 422
    assert "no dump that can be read" in response.content.decode()
    assert not WctImport.objects.exists()


def test_a_dump_that_cannot_be_read_is_told_on_its_page(manager):
    """The import failed, says why, and can be removed."""
    broken = form() | {"upload": SimpleUploadedFile("dump.sql", b"INSERT INTO agency (agc_oid) VALUES ('1")}
    place = manager.send("/admin/import", broken)["Location"]
    work()
    page = manager.see(place)
    assert "Failed" in page
    assert "never closed" in page
    work()  # finished is finished
    assert WctImport.objects.get().state == "failed"


def test_only_dumps_in_the_folder_can_be_named(home):
    """Not their parents, not hidden files, not links that lead elsewhere."""
    (home / "link.sql").symlink_to("/etc/passwd")
    for name in ("../catalogue.db", "/etc/passwd", ".reports", "", "a\\b.sql", "missing.sql", "link.sql", "a\x00.sql"):
        with pytest.raises(BadDump):
            uploads.named(name)
    assert "link.sql" not in uploads.listed()


def test_the_api_asks_shows_and_removes(town, home):
    """For a dump that lies on the server."""
    user = town.user("program", privileges=MANAGER)
    secret = create_token(
        actor_for(user.id, via=Via.PAGE, clock=SYSTEM), name="t", scopes=["CONFIGURE_PARAMETERS"],
        expires=SYSTEM.now() + datetime.timedelta(days=1), longest=datetime.timedelta(days=9),
    )[1]  # fmt: skip
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    file = uploads.keep("AGENCY.csv", [DUMP])
    body = json.dumps({"file": file, "dry_run": False})
    made = client.post("/api/v1/imports", body, "application/json").json()
    removal = client.delete(f"/api/v1/imports/{made['id']}/dump")
    assert removal.status_code == 409  # it waits
    work()
    shown = client.get(f"/api/v1/imports/{made['id']}").json()
    assert (shown["state"], shown["report"]["totals"]["made"]) == ("done", 1)
    assert [one["id"] for one in client.get("/api/v1/imports").json()["items"]] == [made["id"]]
    assert client.delete(f"/api/v1/imports/{made['id']}/dump").status_code == 204
    outside = json.dumps({"file": "../secrets"})
    assert client.post("/api/v1/imports", outside, "application/json").status_code == 422


@pytest.fixture
def run(town, home):
    """Runs a command in this process; its JSON document, or the error it raised."""

    def run(*words, error=None):
        done = CliRunner().invoke(command.app, [*map(str, words), "--json"])
        if error is not None:
            assert isinstance(done.exception, error), (done.exception, done.output)
            return str(done.exception)
        assert done.exception is None, repr(done.exception)
        return json.loads(done.stdout)

    return run


def test_the_command_imports_and_exports(run, tmp_path):
    """With a dry run before, and a file for the whole report."""
    found = {name: rows for name, rows in wct_dump.tables().items() if name in ("AGENCY", "WCTUSER", "HARVEST_RESULT")}
    dump = wct_dump.write_folder(tmp_path / "dump", wct_dump.as_csv(found))
    dry = run("import", dump, "--dry-run", "--report", tmp_path / "report.csv")
    assert (dry["dry_run"], dry["totals"]["made"], dry["totals"]["refused"]) == (True, 6, 3)
    assert (tmp_path / "report.csv").read_text(encoding="utf-8").startswith("what,table,column")
    assert run("import", dump)["totals"]["made"] == 6
    done = run("export", tmp_path / "out", "--format", "sql")
    assert done["rows"]["WCTUSER"] == 3
    assert "Curator1" in (tmp_path / "out/wct.sql").read_text(encoding="utf-8")
    run("export", tmp_path / "out", error=Conflict)


def test_the_command_lets_an_agent_import(run, home):
    """And lists what agents did."""
    file = uploads.keep("AGENCY.csv", [DUMP])
    number = run("ask", file, "--dry-run")["import"]
    work()
    assert [(one["id"], one["state"]) for one in run("list")["imports"]] == [(number, "done")]
    run("discard", number)
    assert run("ask", "missing.sql", error=BadDump)
