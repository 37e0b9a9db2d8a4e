"""Backups taken while others write, and restored; damaged and wrong ones refused."""

import io
import json
import shutil
import subprocess
import sys
import tarfile

import pytest

from tests.acceptance.cli.answers import document, error, running

pytestmark = [pytest.mark.program("pg_dump"), pytest.mark.program("psql")]

#: Each agency comes with its roles in one transaction: a copy that tears them apart is no snapshot.
_WRITER = """
import itertools
import django
django.setup()
from opilio.people.actions.agencies import create_agency
from opilio.people.actor import system
for number in itertools.count():
    create_agency(system(), name=f"agency {number}")
    print(number, flush=True)
"""
_ROLES_PER_AGENCY = """
from django.apps import apps
Agency, Role = apps.get_model("people", "Agency"), apps.get_model("people", "Role")
print(Agency.objects.count(), {Role.objects.filter(agency=one).count() for one in Agency.objects.all()})
"""
_EVERYTHING = """
import json
from django.apps import apps
for model in sorted(apps.get_models(), key=lambda one: one._meta.db_table):
    for row in model._base_manager.order_by("pk").values():
        print(model._meta.db_table, json.dumps(row, default=str, sort_keys=True))
"""
_SEAL = """
from opilio.kernel.clock import SYSTEM
from opilio.people import seals
seals.seal(SYSTEM.now(), limit=100_000)
"""


@pytest.fixture
def backup(with_people):
    """An installation and a backup of it in a folder."""
    path = with_people.home / "backup"
    document(with_people.run("db", "backup", str(path), "--json"))
    return path


def test_backup_under_fire_is_one_snapshot(installation, fresh):
    """While a process inserts, a backup sees each transaction whole or not at all, and restores elsewhere."""
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER], env=dict(installation.env), stdout=subprocess.PIPE, text=True
    )
    with writer:
        assert writer.stdout.readline() == "0\n"
        taken = document(installation.run("db", "backup", "under-fire.tar", "--json"))
        last = int(writer.stdout.readline())
        writer.kill()
        written = last + len(writer.stdout.readlines())
    target = fresh("target")
    told = document(target.run("db", "restore", taken["backup"], "--json"))
    assert told["rows"] == taken["rows"]
    agencies, roles = target.python(_ROLES_PER_AGENCY).stdout.split(maxsplit=1)
    assert roles.strip() == "{7}"
    assert 1 <= int(agencies) <= written + 1


def test_restored_row_by_row(with_people, fresh):
    """A restored catalogue equals the original in every row, its audit chain holds, and work goes on in it."""
    assert with_people.python(_SEAL).returncode == 0
    taken = document(with_people.run("db", "backup", "--json"))
    assert taken["backup"].startswith(str(with_people.home / "backups"))
    target = fresh("target")
    document(target.run("db", "restore", taken["backup"], "--json"))
    original, copy = with_people.python(_EVERYTHING), target.python(_EVERYTHING)
    assert len(original.stdout.splitlines()) > 100
    assert copy.stdout == original.stdout
    assert document(target.run("audit", "verify", "--json")) == document(with_people.run("audit", "verify", "--json"))
    assert document(target.run("db", "check", "--json"))["ok"] is True
    made = document(target.run("agency", "create", "Museum", "--json"))
    assert int(made["id"]) > 0


def test_database_with_data_is_not_overwritten(backup, with_people):
    """Only --replace overwrites, and it does so entirely."""
    told = error(with_people.run("db", "restore", str(backup), "--json"), 5)
    assert told["code"] == "not-empty"
    document(with_people.run("agency", "create", "Museum", "--json"))
    document(with_people.run("db", "restore", str(backup), "--replace", "--json"))
    names = [one["name"] for one in document(with_people.run("agency", "list", "--json"))["agencies"]]
    assert names == ["Library"]


def test_restore_waits_for_nobody_at_work(backup, with_people):
    """While an agent works with the installation, nothing is restored over it."""
    with running(with_people, "agent", "--json") as agent:
        assert agent.stdout.readline().startswith("{")
        told = error(with_people.run("db", "restore", str(backup), "--replace", "--json"), 5)
    assert told["code"] == "in-operation"


def _damage(backup, place):
    manifest = json.loads((backup / "manifest.json").read_bytes())
    dump = backup / manifest["dump"]["path"]
    if place == "dump":
        data = bytearray(dump.read_bytes())
        data[len(data) // 2] ^= 0xFF
        dump.write_bytes(data)
    elif place == "manifest":
        (backup / "manifest.json").write_bytes(b'{"format": 1, "engine"')
    elif place == "missing":
        dump.unlink()
    else:
        del manifest["tables"]["agency"]
        manifest["tables"]["no_such_table"] = {"rows": 7, "digest": "0" * 64}
        (backup / "manifest.json").write_text(json.dumps(manifest))


def test_damaged_backup_is_refused(backup, fresh):
    """A backup that does not hold what its manifest says is refused, with the place, before anything is touched."""
    target = fresh("target")
    for place in ("dump", "manifest", "missing", "counts"):
        damaged = backup.with_name(place)
        shutil.copytree(backup, damaged)
        _damage(damaged, place)
        told = error(target.run("db", "restore", str(damaged), "--json"), 7)
        assert told["code"] == "damaged-backup"
        assert str(damaged) in told["where"]
    assert error(target.run("user", "list", "--json"), 6)["code"] == "not-migrated"


def test_other_engine_newer_version_and_no_backup(backup, with_people, tmp_path):
    """What cannot be restored here is refused by what it is."""
    restore = ["db", "restore", "--replace", "--json"]
    assert error(with_people.run(*restore, str(tmp_path)), 2)["code"] == "no-backup"
    assert error(with_people.run(*restore, str(tmp_path / "nowhere.tar")), 2)["code"] == "no-backup"
    path = backup / "manifest.json"
    manifest = json.loads(path.read_bytes())
    path.write_text(json.dumps({**manifest, "migrations": [*manifest["migrations"], ["people", "9999_later"]]}))
    assert error(with_people.run(*restore, str(backup)), 5)["code"] == "newer-database"
    path.write_text(json.dumps({**manifest, "format": 2}))
    assert error(with_people.run(*restore, str(backup)), 5)["code"] == "newer-database"
    other = {"sqlite": "postgresql", "postgresql": "sqlite"}[manifest["engine"]]
    path.write_text(json.dumps({**manifest, "engine": other}))
    assert error(with_people.run(*restore, str(backup)), 2)["code"] == "other-engine"


@pytest.mark.parametrize("name", ["../escaped", "/escaped", "a/b/c"])
def test_hostile_tar_reaches_nothing(installation, name):
    """A .tar with names that lead elsewhere is refused."""
    path = installation.home / "hostile.tar"
    with tarfile.open(path, "w") as tar:
        member = tarfile.TarInfo(name)
        member.size = 3
        tar.addfile(member, io.BytesIO(b"abc"))
    told = error(installation.run("db", "restore", str(path), "--replace", "--json"), 7)
    assert told["code"] == "damaged-backup"
    assert not list(installation.home.parent.rglob("escaped"))


def test_cut_tar_is_refused(with_people):
    """A .tar whose end is missing is refused."""
    taken = document(with_people.run("db", "backup", "whole.tar", "--json"))
    data = (with_people.home / "whole.tar").read_bytes()
    (with_people.home / "cut.tar").write_bytes(data[: len(data) // 2])
    assert taken["backup"] == str(with_people.home / "whole.tar")
    assert error(with_people.run("db", "restore", "cut.tar", "--replace", "--json"), 7)["code"] == "damaged-backup"


def test_secrets_only_when_asked_for(with_people, fresh):
    """Keys are in a backup only on request, then closed to others, and come back on request."""
    plain = with_people.home / "plain"
    document(with_people.run("db", "backup", str(plain), "--json"))
    assert {path.suffix for path in plain.iterdir()} <= {".json", ".sqlite", ".pgdump"}
    full = with_people.home / "full"
    assert document(with_people.run("db", "backup", str(full), "--with-secrets", "--json"))["secrets"] >= 1
    assert {path.stat().st_mode & 0o77 for path in (full, *full.rglob("*"))} == {0}
    target = fresh("target")
    document(target.run("db", "restore", str(full), "--with-secrets", "--json"))
    key = with_people.home / "secrets" / "signing.key"
    assert (target.home / "secrets" / "signing.key").read_bytes() == key.read_bytes()


def test_archive_manifest_is_compared(with_people):
    """A backup lists the archive's files; `db check --backup` names what is missing or changed since."""
    folder = with_people.home / "archive" / "deep"
    folder.mkdir(parents=True)
    for name in ("kept.warc.gz", "changed.warc.gz", "lost.warc.gz"):
        (folder / name).write_bytes(name.encode() * 1000)
    taken = document(with_people.run("db", "backup", "b.tar", "--json"))
    assert taken["archive_files"] == 3
    assert document(with_people.run("db", "check", "--backup", "b.tar", "--json"))["faults"] == []
    (folder / "lost.warc.gz").unlink()
    data = bytearray((folder / "changed.warc.gz").read_bytes())
    data[500] ^= 1
    (folder / "changed.warc.gz").write_bytes(data)
    told = document(with_people.run("db", "check", "--backup", "b.tar", "--json"), code=7)
    assert [one["fault"] for one in told["faults"]] == [
        "archive/deep/changed.warc.gz has other contents",
        "archive/deep/lost.warc.gz is missing",
    ]


def test_existing_target_is_left_alone(backup, with_people):
    """A backup never replaces what has its name."""
    assert error(with_people.run("db", "backup", str(backup), "--json"), 5)["code"] == "not-empty"
    assert not list(with_people.home.glob(".*.partial"))
