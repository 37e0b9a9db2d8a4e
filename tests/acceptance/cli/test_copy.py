"""An installation moves from SQLite to PostgreSQL and back, each row compared; what cannot be copied is named."""

import os
import secrets

import pytest

from tests import wct_dump
from tests.acceptance.cli.answers import document, error, running
from tests.acceptance.cli.test_backup import _EVERYTHING
from tests.installations import Installation, Installations, environment
from tests.servers.postgres import create_database

pytestmark = pytest.mark.only_on("postgres")

_FILLED = """
from django.apps import apps
print(sum(model._base_manager.exists() for model in apps.get_models()))
"""
_TABLES = """
from django.db import connection
from opilio.server.copying import tables
print({*connection.introspection.table_names()} - {model._meta.db_table for model in tables()})
"""
_NUL = """
from opilio.people.models import Agency
Agency.objects.filter(name="Library").update(address="a" + chr(0) + "b")
"""
_FORGED = """
from opilio.people.models import Agency
from opilio.server import copying
real = copying._copy_table
def forge(model, target):
    count = real(model, target)
    if model is Agency:
        with target.cursor() as cursor:
            cursor.execute("UPDATE agency SET name = name || '!'")
    return count
copying._copy_table = forge
from django.conf import settings
from opilio.kernel.errors import OpilioError
try:
    copying.copy(settings.OPILIO, {url!r}, replace=False, step=lambda name: lambda done, total: None)
except OpilioError as refused:
    print(type(refused).__name__, refused, refused.where)
"""


@pytest.fixture
def on_sqlite(_installations, make_installation, tmp_path):
    """An installation on SQLite, with an agency and an administrator."""
    found = Installations(engine="sqlite", shared=_installations.shared).make(tmp_path / "moving")
    document(found.run("user", "first", "administrator", "--agency", "Library", "--generate-password", "--json"))
    return found


@pytest.fixture
def empty_url():
    """The address of an empty database on the server."""
    url = create_database(os.environ["OPILIO_TEST_POSTGRES_URL"], f"opilio_{secrets.token_hex(8)}")
    yield url
    Installation(home=None, env={}, database_url=url).remove()


def moved(installation, url):
    """The same home, with another database."""
    return Installation(home=installation.home, env=environment(installation.home, url), database_url="")


def test_moved_to_postgres_and_back_row_by_row(on_sqlite, empty_url, tmp_path):
    """With rows in the tables of people and curation, both copies equal the original, and work goes on in them."""
    dump = wct_dump.write_folder(tmp_path / "dump", wct_dump.as_csv(wct_dump.tables()))
    document(on_sqlite.run("wct", "import", str(dump), "--time-zone", "Pacific/Auckland", "--json"))
    original = on_sqlite.python(_EVERYTHING).stdout
    assert int(on_sqlite.python(_FILLED).stdout) > 40
    told = document(on_sqlite.run("db", "copy", empty_url, "--json"))
    assert told["rows"] == len(original.splitlines())
    assert empty_url.split(":")[2].partition("@")[0] not in told["target"]
    there = moved(on_sqlite, empty_url)
    assert there.python(_EVERYTHING).stdout == original
    assert document(there.run("db", "check", "--json"))["ok"] is True
    document(there.run("agency", "create", "Museum", "--json"))
    changed = there.python(_EVERYTHING).stdout
    back = f"sqlite:///{tmp_path}/back.db"
    document(there.run("db", "copy", "--json", COPY_TARGET_URL=back))
    again = moved(on_sqlite, back)
    assert again.python(_EVERYTHING).stdout == changed
    assert document(again.run("db", "check", "--json"))["ok"] is True
    document(again.run("agency", "create", "Archive", "--json"))


def test_no_table_is_left_out(on_sqlite):
    """All tables are copied, but for the list of migrations, which the target makes itself."""
    assert on_sqlite.python(_TABLES).stdout == "{'django_migrations'}\n"


def test_target_that_holds_tables(on_sqlite, empty_url):
    """It is refused; --replace empties it first."""
    document(on_sqlite.run("db", "copy", empty_url, "--json"))
    document(on_sqlite.run("agency", "create", "Museum", "--json"))
    assert error(on_sqlite.run("db", "copy", empty_url, "--json"), 5)["code"] == "not-empty"
    document(on_sqlite.run("db", "copy", empty_url, "--replace", "--json"))
    assert moved(on_sqlite, empty_url).python(_EVERYTHING).stdout == on_sqlite.python(_EVERYTHING).stdout


def test_row_that_the_other_database_cannot_hold(on_sqlite, empty_url):
    """SQLite keeps a text with a NUL, PostgreSQL does not: table and row are named, and nothing is kept."""
    assert on_sqlite.python(_NUL).returncode == 0
    told = error(on_sqlite.run("db", "copy", empty_url, "--json"), 2)
    assert told["code"] == "untransferable"
    assert told["where"].startswith("table agency, row ")
    names = moved(on_sqlite, empty_url).python("from opilio.people.models import Agency; print(Agency.objects.count())")
    assert names.stdout == "0\n"


def test_row_that_changed_on_the_way(on_sqlite, empty_url):
    """The comparison finds it, names table and column, and nothing is kept."""
    told = on_sqlite.python(_FORGED.format(url=empty_url)).stdout
    assert told.startswith("CopyDiffers A row differs after copying: name")
    assert "table agency" in told
    assert "Library" not in moved(on_sqlite, empty_url).python(_EVERYTHING).stdout


def test_the_source_under_another_name_is_never_emptied(on_sqlite, installation, tmp_path):
    """A link to the file, or another name of the server: with --replace the source would be gone."""
    (tmp_path / "link.db").symlink_to(on_sqlite.home / "catalogue.db")
    link = f"sqlite:///{tmp_path}/link.db"
    assert error(on_sqlite.run("db", "copy", link, "--replace", "--json"), 2)["code"] == "same-database"
    named = installation.database_url.replace("127.0.0.1", "localhost")
    assert error(installation.run("db", "copy", named, "--replace", "--json"), 2)["code"] == "same-database"
    assert document(installation.run("db", "check", "--json"))["ok"] is True


def test_wrong_targets(on_sqlite, empty_url):
    """No address, another kind of database, the source itself, a server that is not there, and one at work."""
    for url in ("nonsense", "mysql://localhost/x"):
        assert error(on_sqlite.run("db", "copy", url, "--json"), 2)["where"] == "TARGET"
    own = f"sqlite:///{on_sqlite.home}/catalogue.db"
    assert error(on_sqlite.run("db", "copy", own, "--json"), 2)["code"] == "same-database"
    gone = error(on_sqlite.run("db", "copy", "postgresql://x:secret@127.0.0.1:9/x", "--json"), 6)
    assert gone["code"] == "database-unreachable"
    assert "secret" not in str(gone)
    with running(on_sqlite, "agent", "--json") as agent:
        assert agent.stdout.readline().startswith("{")
        assert error(on_sqlite.run("db", "copy", empty_url, "--json"), 5)["code"] == "in-operation"
