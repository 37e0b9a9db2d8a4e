"""What `opilio doctor` finds."""

import datetime
import json
import socket
import threading

import pytest

from opilio.jobs.models import Job
from opilio.jobs.states import JobState
from opilio.kernel.clock import SYSTEM, ManualClock
from opilio.kernel.config import load
from opilio.people.actions.agencies import create_agency
from opilio.people.actor import system
from opilio.server.checks import catalogue, machine, network
from opilio.server.checks.finding import Level, examined
from tests import nursery
from tests.installations import environment


@pytest.fixture
def settings_with(tmp_path):
    """Settings of an installation in a temporary home, with changes."""

    def make(**changes):
        environ = {"OPILIO_HOME": str(tmp_path), **{f"OPILIO_{name.upper()}": value for name, value in changes.items()}}
        return load(environ, tmp_path).settings

    return make


@pytest.fixture
def refused():
    """A port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        yield probe.getsockname()[1]


@pytest.fixture
def bare_home(tmp_path):
    """A home in which nothing was done yet."""
    home = tmp_path / "bare"
    home.mkdir()
    return home


def test_doctor_tells_everything_at_once(inline):
    """All checks are told; agents that never ran are a warning, which is no failure."""
    done = inline.run("doctor", "--json")
    told = {one["check"]: one for one in json.loads(done.stdout)["findings"]}
    assert {"settings", "home", "disk", "database", "migrations", "writing", "clock", "jobs", "audit"} <= told.keys()
    assert told["agents"]["level"] == "warning"
    assert "opilio agent" in told["agents"]["remedy"]
    assert done.returncode == (1 if any(one["level"] == "problem" for one in told.values()) else 0)


def test_broken_settings_are_a_finding(inline, monkeypatch):
    """A setting that cannot be used is told as the one problem, with exit code 1."""
    monkeypatch.setenv("OPILIO_SERVER_PORT", "many")
    done = inline.run("doctor", "--json")
    assert done.returncode == 1
    assert [one["level"] for one in json.loads(done.stdout)["findings"]] == ["problem"]


def test_a_home_without_a_catalogue_stays_without(bare_home):
    """Whoever only crawls is told what needs none; asking makes no file."""
    done = nursery.run([*nursery.OPILIO, "doctor", "--json"], env=environment(bare_home), cwd=bare_home, text=True)
    (found,) = [one for one in json.loads(done.stdout)["findings"] if one["check"] == "database"]
    assert found["level"] == "problem"
    assert "opilio db migrate" in found["remedy"]
    assert "opilio crawl" in found["remedy"]
    assert not (bare_home / "catalogue.db").exists()


def test_open_secrets_are_closed_by_the_remedy(settings_with):
    """Keys that others can read are a problem, and the remedy is the command."""
    settings = settings_with()
    settings.secrets_folder.mkdir(mode=0o755)
    key = settings.secrets_folder / "signing.key"
    key.touch(mode=0o644)
    found = machine.secrets(settings)
    assert found.level is Level.PROBLEM
    assert f"chmod 700 {settings.secrets_folder}" in found.remedy
    assert f"chmod 600 {key}" in found.remedy
    settings.secrets_folder.chmod(0o700)
    key.chmod(0o600)
    assert machine.secrets(settings).level is Level.OK


def test_unusable_home_is_a_finding(settings_with, tmp_path):
    """A home that cannot be written to is told, and the other checks go on."""
    (tmp_path / "file").touch()
    found = {one.check: one for one in examined(machine.checks(settings_with(home=str(tmp_path / "file"))))}
    assert found["home"].level is Level.PROBLEM
    assert "open files" in found


def test_zone_that_does_not_exist(settings_with):
    """A zone nobody knows is a problem."""
    assert machine.time_zones(settings_with(time_zone="Atlantis/Centre")).level is Level.PROBLEM


def test_port_taken_by_another_program(settings_with):
    """A port on which something other than HTTP listens is a problem; once it is free again, all is well."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        settings = settings_with(server_port=str(other.getsockname()[1]))
        rude = threading.Thread(target=lambda: other.accept()[0].close())
        rude.start()
        found = next(one for one in examined(machine.checks(settings)) if one.check == "port")
        rude.join()
    assert found.level is Level.PROBLEM
    assert "--port" in found.remedy
    assert machine.port(settings).level is Level.OK


def test_extra_that_a_setting_needs(settings_with, monkeypatch):
    """A library is missed only where a setting asks for it."""
    monkeypatch.setitem(machine.EXTRAS, "no_such_module", ("sign-in by LDAP", "ldap", "ldap_url"))
    check = machine.extra
    assert check("no_such_module", settings_with()).level is Level.OK
    found = check("no_such_module", settings_with(ldap_url="ldap://localhost"))
    assert found.level is Level.PROBLEM
    assert "opilio[ldap]" in found.remedy


def test_servers_that_do_not_answer(settings_with, refused):
    """SMTP, LDAP and single sign-on are tried when they are configured, and only then."""
    assert list(network.checks(settings_with())) == []
    settings = settings_with(
        mail_host="127.0.0.1", mail_port=str(refused), ldap_url=f"ldap://127.0.0.1:{refused}",
        oidc_issuer=f"http://127.0.0.1:{refused}",
    )  # fmt: skip
    found = list(examined(network.checks(settings)))
    assert [(one.check, one.level) for one in found] == [
        ("mail", Level.PROBLEM),
        ("LDAP", Level.PROBLEM),
        ("single sign-on", Level.PROBLEM),
    ]


def test_clock_that_went_back(db):
    """A clock behind what was recorded is a problem."""
    create_agency(system(), name="Library")
    clock = ManualClock(at=SYSTEM.now())
    assert catalogue.clock_sanity(clock).level is Level.OK
    clock.set_back(3600)
    assert catalogue.clock_sanity(clock).level is Level.PROBLEM


def test_unsealed_tail_that_grows_old(db):
    """Entries that nobody seals for minutes are a warning."""
    create_agency(system(), name="Library")
    clock = ManualClock(at=SYSTEM.now())
    assert catalogue.unsealed_tail(clock).level is Level.OK
    clock.advance(600)
    assert catalogue.unsealed_tail(clock).level is Level.WARNING


def test_dead_jobs_are_told(db):
    """Jobs that failed for good are counted, with the latest reason."""
    now = SYSTEM.now()
    Job(kind="x", payload={}, state=JobState.DEAD, run_after=now, max_attempts=1, created=now,
        finished=now - datetime.timedelta(hours=1), last_error="the disk was full").save()  # fmt: skip
    found = catalogue.dead_jobs()
    assert found.level is Level.WARNING
    assert "the disk was full" in found.words
