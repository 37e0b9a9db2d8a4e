"""The catalogue goes back to a moment, as docs/howto/restore-to-a-moment.md tells, and says what is later than that."""

import json
import shutil
import time

import psycopg
import pytest

from tests.installations import Installation, environment
from tests.servers.postgres import programs_missing, running_postgres

pytestmark = [pytest.mark.proof, pytest.mark.program("pg_basebackup")]

_PATIENCE = 120  # seconds
_HARVEST = """
import json
from opilio.kernel.clock import SYSTEM
from opilio.people import seals
from opilio.people.actions.agencies import create_agency
from opilio.people.actor import system
from tests.harvest_desk import HarvestDesk
from tests.people import Town

{prepare}
create_agency(system(), name="{name}")
row = desk.harvest(desk.ready(name="{name}"), state="harvested")
folder = __import__("pathlib").Path(r"{home}") / "harvests" / str(row.pk) / "results"
folder.mkdir(parents=True)
seals.seal(SYSTEM.now(), limit=100_000)
print(json.dumps(row.pk))
"""


def harvested(installation, name):
    """An agency and a harvest of this name, with a folder as agents leave it; the number of the harvest."""
    code = _HARVEST.format(
        name=name, home=installation.home, prepare="desk = HarvestDesk(Town())" if name == "Before" else _LATER
    )  # fmt: skip
    done = installation.python(code)
    assert done.returncode == 0, done.stderr[-3000:]
    return int(done.stdout.strip().splitlines()[-1])


_LATER = """
import itertools
from unittest import mock
from tests import people
other = lambda actor, name, **more: create_agency(actor, name=name + " again", **more)
with mock.patch.object(people, "create_agency", other):
    desk = HarvestDesk(Town())
desk.town._numbers = itertools.count(1_000)
"""


def faults(installation):
    """What `opilio db check` finds."""
    done = installation.run("db", "check", "--json")
    found = json.loads(done.stdout)
    return [fault["fault"] for fault in found["faults"]], {fault["check"] for fault in found["faults"]}


def names(installation):
    code = "from opilio.people.models import Agency; print(sorted(Agency.objects.values_list('name', flat=True)))"
    done = installation.python(code)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.only_on("postgres")
@pytest.mark.database
@pytest.mark.skipif(bool(programs_missing()), reason="PostgreSQL is not installed")
def test_postgres_goes_back_to_a_moment(tmp_path):
    """From a base backup and the archived log: what was before is there, what came after is named by the check."""
    options = {"wal_level": "replica", "archive_mode": "on", "archive_command": "cp %p ../wal/%f"}
    with running_postgres(options=options) as server:
        (server.folder / "wal").mkdir(mode=0o777)
        (server.folder / "wal").chmod(0o777)
        home = tmp_path / "home"
        home.mkdir()
        url = server.create_database("opilio")
        installation = Installation(home=home, env=environment(home, url), database_url=url)
        assert installation.run("db", "migrate").returncode == 0
        server.program("pg_basebackup", "-D", str(server.folder / "base"), "--checkpoint", "fast", "-X", "none")
        before = harvested(installation, "Before")
        moment = _asked(url, "SELECT clock_timestamp()")
        after = harvested(installation, "After")
        assert faults(installation)[0] == []
        _archived(url, server.folder / "wal")
        server.stop()

        (server.folder / "data").rename(server.folder / "aside")
        (server.folder / "base").rename(server.folder / "data")
        with (server.folder / "data" / "postgresql.auto.conf").open("a") as conf:
            conf.write(f"restore_command = 'cp ../wal/%f %p'\nrecovery_target_time = '{moment.isoformat()}'\n")
            conf.write("recovery_target_action = 'promote'\n")
        (server.folder / "data" / "recovery.signal").touch()
        server.start_again()
        _promoted(url)

        assert "Before" in names(installation)
        assert "After" not in names(installation)
        found, checks = faults(installation)
        assert checks == {"home"}
        assert [fault for fault in found if fault.startswith(f"harvests/{after} ")]
        assert not [fault for fault in found if fault.startswith(f"harvests/{before}/")]
        assert not [fault for fault in found if fault.startswith(f"harvests/{before} ")]


@pytest.mark.only_on("sqlite")
def test_sqlite_goes_back_to_a_copy(installation):
    """The last copy before the moment is restored; the check names what is later."""
    before = harvested(installation, "Before")
    copy = installation.home / "copy"
    assert installation.run("db", "backup", str(copy), "--without-digests").returncode == 0
    after = harvested(installation, "After")
    stray = installation.home / "harvests" / str(before) / "results" / "result-7.db"
    stray.touch()
    assert installation.run("db", "restore", str(copy), "--replace").returncode == 0
    assert "After" not in names(installation)
    found, checks = faults(installation)
    assert checks == {"home"}
    assert [fault.split(" ")[0] for fault in found] == [
        f"harvests/{before}/results/result-7.db", f"harvests/{after}"
    ]  # fmt: skip
    shutil.rmtree(installation.home / "harvests" / str(after))
    stray.unlink()
    assert faults(installation)[0] == []


def _asked(url, question):
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(question).fetchone()[0]


def _archived(url, folder):
    """Until the log that holds what was done lies in the archive."""
    wanted = _asked(url, "SELECT pg_walfile_name(pg_switch_wal())")
    end = time.monotonic() + _PATIENCE
    while not (folder / wanted).exists():
        assert time.monotonic() < end, "the log was not archived"
        time.sleep(0.1)


def _promoted(url):
    end = time.monotonic() + _PATIENCE
    while _asked(url, "SELECT pg_is_in_recovery()"):
        assert time.monotonic() < end, "the recovery did not end"
        time.sleep(0.1)
