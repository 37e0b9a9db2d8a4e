"""People at work beside a harvest at full speed: every page is answered, and the harvest goes on; times are printed."""

import os
import subprocess
import sys

import pytest

from tests.contracts.jobs_database import ROOT

pytestmark = [pytest.mark.proof, pytest.mark.database, pytest.mark.program("nginx")]
USERS, SECONDS = 10, 8  # for each unit of the scale
TARGETS, SITE = 1_000, 4_000  # likewise; more pages than can be harvested meanwhile


def test_people_are_answered_beside_a_harvest_at_full_speed(proof_scale, record_property):
    """The benchmark at small counts: no answer fails, and pages are harvested meanwhile."""
    numbers = {
        "USERS": USERS * min(proof_scale, 20), "SECONDS": SECONDS * min(proof_scale, 8),
        "TARGETS": TARGETS * min(proof_scale, 10), "SITE": SITE * min(proof_scale, 5),
    }  # fmt: skip
    chosen = os.environ.get("OPILIO_TEST_DATABASE", "sqlite")
    given = {name: str(number) for name, number in numbers.items()} | {"DATABASES": chosen}
    env = os.environ | {f"OPILIO_TEST_BENCH_{name}": value for name, value in given.items()}
    command = [sys.executable, "-m", "benchmarks", "load"]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    rows = [line.split(" | ") for line in done.stdout.splitlines() if line.startswith(f"| {chosen}")]
    alone, beside, unkind = ([cell.strip(" |") for cell in row] for row in rows)
    assert alone[5] == beside[5] == unkind[5] == "0", done.stdout
    assert int(beside[7]) > 0, done.stdout
    assert int(unkind[7]) > 0, done.stdout
    record_property("p95 alone", f"{alone[4]} ms")
    record_property("p95 beside a harvest", f"{beside[4]} ms")
