"""Programs that look after a server learn whether it lives, whether it can work, and how much goes on."""

import dataclasses
import json
import re

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from opilio.jobs.models import Job
from opilio.jobs.states import JobState
from opilio.kernel.clock import SYSTEM

_LINE = re.compile(r'(opilio_[a-z_]+)(\{([a-z_]+="(?:[^"\\\n]|\\.)*",?)+\})? (-?[0-9.]+(e[+-]?[0-9]+)?)')


def told(client, **headers):
    """The figures, by name with labels."""
    answer = client.get("/metrics", **headers)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    assert all(_LINE.fullmatch(line) for line in lines), lines
    return dict(line.rsplit(" ", 1) for line in lines)


def test_it_lives_whatever_the_database_does():
    """No table is asked, and nobody signs in."""
    assert Client().get("/health/live").json()["live"] is True


def test_ready_with_the_tables_of_this_version(db):
    """A database that lacks a migration sends requests elsewhere, with a reason that tells strangers nothing."""
    assert Client().get("/health/ready").json()["ready"] is True
    MigrationRecorder(connection).migration_qs.filter(app="tracker").delete()
    answer = Client().get("/health/ready")
    assert answer.status_code == 503
    assert answer["Retry-After"] == "5"
    assert answer.json()["error"]["code"] == "not-migrated"
    assert str(connection.settings_dict["NAME"]) not in json.dumps(answer.json())


def test_figures(db, settings, tmp_path):
    """Jobs, agents, harvests, deliveries, messages and space are counted."""
    settings.OPILIO = dataclasses.replace(settings.OPILIO, home=tmp_path)
    now = SYSTEM.now()
    for state in (JobState.READY, JobState.READY, JobState.DEAD, JobState.DONE):
        Job.objects.create(kind='od"d', payload={}, state=state, run_after=now, max_attempts=1, created=now)
    found = told(Client())
    assert found['opilio_jobs{kind="od\\"d",state="ready"}'] == "2"
    assert found['opilio_jobs{kind="od\\"d",state="dead"}'] == "1"
    assert not any('state="done"' in name for name in found)
    assert float(found["opilio_oldest_due_job_seconds"]) > 0
    assert int(found['opilio_home_bytes{kind="total"}']) > int(found['opilio_home_bytes{kind="free"}']) > 10_000
    assert {"opilio_tasks", "opilio_outbox_waiting", "opilio_audit_unsealed", "opilio_agent_silence_seconds"} <= {
        *found
    }


def test_figures_are_for_the_networks_of_the_setting(db, settings):
    """Others, and addresses that are none, are refused; behind a trusted proxy the asker's address counts."""
    assert Client().get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 403
    assert Client().get("/metrics", REMOTE_ADDR="nonsense").status_code == 403
    assert told(Client(), REMOTE_ADDR="::ffff:127.0.0.1")
    settings.OPILIO = dataclasses.replace(settings.OPILIO, metrics_networks=("192.0.2.0/24",), server_trusted_proxies=1)
    assert told(Client(), HTTP_X_FORWARDED_FOR="203.0.113.1, 192.0.2.7")
    assert Client().get("/metrics", HTTP_X_FORWARDED_FOR="192.0.2.7, 203.0.113.1").status_code == 403


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/metrics"])
def test_nothing_is_kept_by_caches(db, path):
    """An answer is of now."""
    assert "no-cache" in Client().get(path)["Cache-Control"]


def test_a_wrong_network_is_named(db, settings):
    """An operator who mistypes the setting reads which word is wrong."""
    settings.OPILIO = dataclasses.replace(settings.OPILIO, metrics_networks=("10.0.0.0/99",))
    answer = Client(raise_request_exception=False).get("/metrics")
    assert answer.status_code >= 400
    assert "10.0.0.0/99" in answer.content.decode()
