"""Agents that share PostgreSQL and a bucket, and no disk, take deliveries in: one is killed and its home removed."""

import shutil
import signal
from pathlib import Path

import pytest

from opilio import deliveries
from tests.contracts.crawl_stores import KINDS
from tests.contracts.test_agents_apart import machine
from tests.harvests import Yard
from tests.hub import specimens, zipped
from tests.servers.s3 import ACCESS_KEY, SECRET_KEY

pytestmark = [pytest.mark.database, pytest.mark.timeout(600)]
__test__ = "postgres" in KINDS
SHIPPED = Path(deliveries.__file__).parent / "profiles"
STEM = "J.2024-02-29.1"
#: Takes a document: waits as long as the first file is there, then notes in the second what it was given.
_SINK = """
[settling]
looks = 1

[sink]
argv = ["sh", "-c", 'while test -e "$0"; do sleep 0.1; done; cat "$2" > "$1"', "{hold}", "{given}"]
"""


@pytest.fixture
def yard(make_installation, s3):
    installation = make_installation()
    bucket = s3.make_bucket(f"parcels-{installation.home.parent.name[-30:].strip('_').replace('_', '-')}")
    installation.env.update(
        OPILIO_STORE=f"s3://{bucket}/opilio", OPILIO_S3_ENDPOINT=s3.url, OPILIO_S3_ACCESS_KEY=ACCESS_KEY,
        OPILIO_S3_SECRET_KEY=SECRET_KEY,
    )  # fmt: skip
    return Yard(installation=installation)


def opilio(yard, *words):
    done = yard.installation.run(*words)
    assert done.returncode == 0, done.stderr


def test_a_delivery_survives_the_machine_that_pulled_it(yard, tmp_path):
    """Killed while its document is being loaded, and its home removed; another loads it, and the source is gone."""
    homes, hold, given, source = [machine(yard, name) for name in ("barn", "byre")], *(
        tmp_path / name for name in ("hold", "given", "partner")
    )  # fmt: skip
    hold.touch()
    rules = (SHIPPED / "impc.toml").read_text().replace('name = "impc"', 'name = "sunk"', 1)
    for home in (*homes, yard.installation.home):
        shutil.copytree(SHIPPED / "impc", home / "delivery-profiles" / "impc")
        (home / "delivery-profiles" / "sunk.toml").write_text(rules + _SINK.format(hold=hold, given=given))
    (source / "add").mkdir(parents=True)
    content = specimens("M1", "M2")
    (source / "add" / f"{STEM}.impc.zip").write_bytes(zipped({f"{STEM}.specimen.impc.xml": content}))
    opilio(yard, "agency", "create", "Library")
    opilio(yard, "centre", "create", "J", "--agency", "Library", "--name", "Centre J", "--email", "j@example.org",
           "--profile", "sunk")  # fmt: skip
    opilio(yard, "source", "create", "J", "main", "--protocol", "folder", "--base", str(source))
    opilio(yard, "delivery", "start", "--profile", "sunk")
    with yard.agent(OPILIO_HOME=str(homes[0]), OPILIO_AGENT_NAME="barn") as agent:
        yard.until(lambda: yard.rows("SELECT 1 FROM xml_file WHERE phase_id = 8"), f"it is not loaded: {yard.logs()}")
        agent.send_signal(signal.SIGKILL)
        agent.wait()
    shutil.rmtree(homes[0])
    shutil.rmtree(source)
    hold.unlink()
    with yard.agent(OPILIO_HOME=str(homes[1]), OPILIO_AGENT_NAME="byre"):
        standing = "SELECT status_id FROM zip_action WHERE phase_id = 9"
        yard.until(lambda: yard.rows(standing) == [(3,)], f"it was not loaded: {yard.logs()[-3000:]}")
    assert given.read_text() == content
    assert not list(homes[1].rglob("delivery.zip.part"))
