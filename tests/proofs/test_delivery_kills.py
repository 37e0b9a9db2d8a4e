"""Delivery sessions that are killed at any moment end as if nobody had killed them.

OPILIO_TEST_PROOF_SCALE multiplies the kills; OPILIO_TEST_SEED chooses their moments.
"""

import json
import random
import shutil
import time
from pathlib import Path

import pytest

from opilio import deliveries
from tests import nursery
from tests.contracts.jobs_database import Database
from tests.hub import experiments, specimens, zipped

SHIPPED = Path(deliveries.__file__).parent / "profiles"
KILLS = 5
LONGEST = 3.0  # seconds until a kill
FIRST = 6  # deliveries that are there when it begins; one more comes before each kill, so that each has work to hit
RECORDS = 20  # of each kind in a delivery

pytestmark = [pytest.mark.proof, pytest.mark.timeout(7_200)]


def opilio(installation, *words):
    """Run a command to its end."""
    done = nursery.run([*nursery.OPILIO, *words, "--json"], env=_environment(installation))
    assert done.returncode in (0, 1, 3), done.stderr
    return done.returncode, json.loads(done.stdout) if done.stdout.strip() else {}


def _environment(installation):
    return {**installation.env, "OPILIO_AGENT_LEASE_SECONDS": "1"}


def prepare(installation, folder):
    """A centre whose deliveries have good and bad documents, by a profile that takes what it sees at once."""
    own = installation.home / "delivery-profiles"
    shutil.copytree(SHIPPED / "impc", own / "impc")
    text = (SHIPPED / "impc.toml").read_text().replace('name = "impc"', 'name = "proof"', 1)
    (own / "proof.toml").write_text(text + "\n[settling]\nlooks = 1\n")
    for action in ("add", "edit", "delete"):
        (folder / action).mkdir(parents=True)
    for number in range(FIRST):
        lay(folder, number)
    opilio(installation, "agency", "create", "Library")
    about = ["--agency", "Library", "--name", "Centre J", "--email", "j@example.org", "--profile", "proof"]
    opilio(installation, "centre", "create", "J", *about)
    opilio(installation, "source", "create", "J", "main", "--protocol", "folder", "--base", str(folder))


def lay(folder, number):
    """A delivery with good documents, or one in six with a bad one."""
    stem = f"J.2024-02-{number % 28 + 1:02d}.{number // 28 + 1}"
    bad = "<centreProcedureSet><wrong/></centreProcedureSet>"
    good = experiments(*((f"E{number}-{each}", f"M{number}-{each}") for each in range(RECORDS)))
    entries = {
        f"{stem}.specimen.impc.xml": specimens(*(f"M{number}-{each}" for each in range(RECORDS))),
        f"{stem}.experiment.impc.xml": bad if number % 6 == 5 else good,
    }
    content = zipped(entries)
    aside = folder / f"{stem}.part"
    aside.write_bytes(content)
    aside.rename(folder / "add" / f"{stem}.impc.zip")


def outcome(database):
    """Where everything stands, and what was loaded."""
    return {
        "deliveries": database.rows(
            "SELECT z.file_name, a.phase_id, a.status_id FROM zip_action a JOIN zip_file z ON z.id = a.zip_id"
            " ORDER BY 1"
        ),
        "attempts": database.rows("SELECT phase_id, status_id, count(*) FROM zip_download GROUP BY 1, 2 ORDER BY 1, 2"),
        "documents": database.rows("SELECT fname, phase_id, status_id, records FROM xml_file ORDER BY 1"),
        "records": database.rows("SELECT kind, count(*), max(number) FROM loaded_record GROUP BY 1 ORDER BY 1"),
        "findings": database.rows("SELECT count(*) FROM xml_log"),
    }


def test_kills_leave_what_an_undisturbed_session_leaves(
    make_installation, tmp_path, proof_scale, random_number, record_property
):
    """Killed again and again, then left alone: the same standings, attempts and records."""
    chance, kills = random.Random(random_number), KILLS * proof_scale
    record_property("kills", kills)
    calm, wild = make_installation("calm"), make_installation("wild")
    for installation, name in ((calm, "calm"), (wild, "wild")):
        prepare(installation, tmp_path / name)
    for number in range(kills):
        lay(tmp_path / "calm", FIRST + number)
        lay(tmp_path / "wild", FIRST + number)
        with nursery.Process(
            [*nursery.OPILIO, "delivery", "run", "--profile", "proof"], env=_environment(wild)
        ) as process:
            time.sleep(chance.random() * LONGEST)
            process.kill()
    end = time.monotonic() + 60
    while opilio(wild, "delivery", "run", "--profile", "proof")[0] == 3 and time.monotonic() < end:
        time.sleep(0.2)  # the lease of the one that was killed
    opilio(calm, "delivery", "run", "--profile", "proof")
    assert outcome(Database(installation=wild)) == outcome(Database(installation=calm))
