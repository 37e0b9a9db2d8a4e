"""Deliveries of one partner beside a proof: laid on its SFTP server, taken in by whichever agent has the session."""

import json
import shutil
import time
from pathlib import Path

from opilio import deliveries
from tests.contracts.jobs_database import Database
from tests.hub import experiments, specimens, zipped
from tests.servers.sshd import Sshd

SHIPPED = Path(deliveries.__file__).parent / "profiles"
RECORDS = 200  # of each kind in a delivery
PATIENCE = 1_200  # seconds in which all are taken in, once nothing disturbs any more
_FAILED, _DOWNLOAD, _UNPACK = 5, 3, 5  # status; phases
_RETRY = """
from opilio.tracker.actions.deliveries import retry
for number in {numbers}:
    retry(actor, delivery_id=number)
"""
_ORDER = """
from opilio.tracker import session_jobs
session_jobs.run_soon(session_jobs.ordered("proof", "proof"), SYSTEM.now())
"""


def with_profile(home):
    """A profile of its own in a home folder: it takes what it sees at once."""
    own = home / "delivery-profiles"
    shutil.copytree(SHIPPED / "impc", own / "impc")
    text = (SHIPPED / "impc.toml").read_text().replace('name = "impc"', 'name = "proof"', 1)
    (own / "proof.toml").write_text(text + "\n[settling]\nlooks = 1\n")


class Parcels:
    """What the partner lays, and an installation that takes it in."""

    def __init__(self, yard, folder):
        self._yard, self._folder, self.laid = yard, folder, 0
        for action in ("add", "edit", "delete"):
            (folder / action).mkdir(parents=True)
        with_profile(yard.installation.home)
        self._opilio("agency", "create", "Partners")
        about = ["--agency", "Partners", "--name", "Centre J", "--email", "j@example.org", "--profile", "proof"]
        self._opilio("centre", "create", "J", *about)

    def offer_by_sftp(self, server: Sshd, address, port):
        """The source is a server, at this address for those who ask."""
        key = self._folder.parent / "partner_key"
        key.write_text(server.private_key)
        words = ["--host", address, "--port", str(port), "--user", server.user, "--base", str(self._folder)]
        self._opilio("source", "create", "J", "main", "--protocol", "sftp", *words, "--key-file", str(key),
                     "--host-key", server.host_key)  # fmt: skip

    def offer_by_folder(self):
        """The source is the folder."""
        self._opilio("source", "create", "J", "main", "--protocol", "folder", "--base", str(self._folder))

    def lay(self):
        """One more: good documents, or one in three with a bad one."""
        number, self.laid = self.laid, self.laid + 1
        stem = f"J.2024-02-{number % 28 + 1:02d}.{number // 28 + 1}"
        bad = "<centreProcedureSet><wrong/></centreProcedureSet>"
        good = experiments(*((f"E{number}-{each}", f"M{number}-{each}") for each in range(RECORDS)))
        entries = {
            f"{stem}.specimen.impc.xml": specimens(*(f"M{number}-{each}" for each in range(RECORDS))),
            f"{stem}.experiment.impc.xml": bad if number % 3 == 2 else good,
        }
        aside = self._folder / f"{stem}.part"
        aside.write_bytes(zipped(entries))
        aside.rename(self._folder / "add" / f"{stem}.impc.zip")

    def order(self):
        """A session, as the clock orders one; the one that waits already, if there is one."""
        self._yard.act(_ORDER)

    def run(self):
        """A session here and now, whatever it finds wrong."""
        done = self._yard.installation.run("delivery", "run", "--profile", "proof", "--json")
        assert done.returncode in (0, 1), done.stderr

    def finish(self):
        """Order sessions until all are taken in; what a cut wire ended is asked for again, as a person would."""
        end = time.monotonic() + PATIENCE
        while not self._all_in():
            assert time.monotonic() < end, json.dumps(self.outcome(), default=str)
            cut = self._rows(
                f"SELECT id FROM zip_action WHERE status_id = {_FAILED} AND phase_id = {_DOWNLOAD}"
            )  # fmt: skip
            self._yard.act(_RETRY.format(numbers=[number for (number,) in cut]) + _ORDER)
            time.sleep(5)

    def outcome(self):
        """Where everything stands and what was loaded, however many attempts it took to fetch it."""
        return {
            "deliveries": self._rows(
                "SELECT z.file_name, a.phase_id, a.status_id FROM zip_action a JOIN zip_file z ON z.id = a.zip_id"
                " ORDER BY 1"
            ),
            "documents": self._rows("SELECT fname, phase_id, status_id, records FROM xml_file ORDER BY 1"),
            "records": self._rows("SELECT kind, count(*), max(number) FROM loaded_record GROUP BY 1 ORDER BY 1"),
            "findings": self._rows("SELECT count(*) FROM xml_log"),
        }

    def _all_in(self):
        """Whether every delivery that was laid stands behind its last step, well or not; and no session runs."""
        stand = self._rows("SELECT phase_id, status_id FROM zip_action")
        open_ = self._rows(f"SELECT 1 FROM xml_file WHERE status_id <> {_FAILED} AND phase_id < 9")
        over = [phase >= _UNPACK and (status == _FAILED or phase >= 9) for phase, status in stand]
        return len(over) == self.laid and all(over) and not open_ and not self._rows(
            "SELECT 1 FROM crawling_session WHERE finish_time IS NULL"
        )  # fmt: skip

    def _rows(self, query):
        return Database(installation=self._yard.installation).rows(query)

    def _opilio(self, *words):
        done = self._yard.installation.run(*words)
        assert done.returncode == 0, done.stderr
