"""An installation with targets on a loopback site, and agents that harvest them, for tests with real processes."""

import json
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests import nursery
from tests.contracts.jobs_database import Database
from tests.installations import Installation

PATIENCE = 90  # seconds; for a busy machine
AGENT = (sys.executable, "-m", "tests.idle_opilio", "agent")
#: However busy the machine of the tests is, its agents take harvests.
WELL = {"OPILIO_AGENT_LEAST_MEMORY": "0", "OPILIO_AGENT_LEAST_DISK": "0", "OPILIO_AGENT_MOST_LOAD": "0",
        "OPILIO_QUALITY_REPLAY_CHECK": "false"}  # fmt: skip
_BUILD = """
import json, sys
from datetime import timedelta
from django.db import transaction
from opilio.kernel.clock import SYSTEM
from opilio.people.actor import system
from opilio.curation.actions.profiles import create_profile
from opilio.curation import planning
from opilio.people.acting import action
from tests.curation import Desk
from tests.people import Town

@action("test.plan", "Plan harvests.")
def plan(act, rows):
    act.require_that(True, "", "")
    return [planning.plan_once(act, row, SYSTEM.now()).pk for row in rows]

desk = Desk(Town())
settings = {settings}
create_profile(desk.town.system, agency_id=desk.town.library.id, name="Quick", settings=settings)
owner, rows = desk.town.user(), []  # one for all: a password takes longer than all else of a target
with transaction.atomic():
    for number in range({count}):
        row = desk.target(state=5, name=f"Site {{number}}", owner=owner)
        desk.link(desk.seed(row, {seed!r}.format(number=number)), desk.permission("http://127.0.0.1:{port}/*"))
        rows.append(row)
print(json.dumps(plan(system(), rows)))
"""

_BUILD_TARGETS = """
import json
from opilio.kernel.clock import SYSTEM
from opilio.people.actor import system
from opilio.curation.actions.profiles import create_profile
from opilio.curation import planning
from opilio.people.acting import action
from tests.curation import Desk
from tests.people import Town

@action("test.plan", "Plan harvests.")
def plan(act, rows):
    act.require_that(True, "", "")
    return [planning.plan_once(act, row, SYSTEM.now()).pk for row in rows]

desk = Desk(Town())
create_profile(desk.town.system, agency_id=desk.town.library.id, name="Quick", settings={settings})
permission = desk.permission(*{patterns})
owner, rows = desk.town.user(), []  # one for all: a password takes longer than all else of a target
for number, seeds in enumerate({targets}):
    row = desk.target(state=5, name=f"Site {{number}}", owner=owner)
    for seed in seeds:
        desk.link(desk.seed(row, seed), permission)
    rows.append(row)
print(json.dumps(plan(system(), rows)))
"""


@dataclass(kw_only=True)
class Yard:
    """Targets, their harvests, and agents."""

    installation: Installation
    settings: dict = field(default_factory=lambda: {"manners": {"preset": "own-site"}, "scope": {"kind": "host"}})

    def plan(self, seed, *, port, count=1):
        """Targets with one seed each, approved, with a right, and a harvest of each that is due now; identifiers."""
        code = _BUILD.format(settings=self.settings, count=count, seed=seed, port=port)
        done = self.installation.python(code)
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads(done.stdout.strip().splitlines()[-1])

    def plan_targets(self, targets, patterns):
        """Targets with these seeds each, under one right, and a harvest of each that is due now; identifiers."""
        done = self.installation.python(
            _BUILD_TARGETS.format(settings=self.settings, patterns=patterns, targets=targets)
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads(done.stdout.strip().splitlines()[-1])

    def rows(self, query):
        """What the catalogue answers."""
        return Database(installation=self.installation).rows(query)

    def state(self, harvest):
        """The state of a harvest."""
        return self.rows(f"SELECT state FROM harvest WHERE id = {harvest}")[0][0]

    def events(self, harvest):
        """The names of its events, in order."""
        return [
            name
            for (name,) in self.rows(f"SELECT name FROM harvest_event WHERE harvest_id = {harvest} ORDER BY number")
        ]

    def until(self, condition, what=""):
        """Wait until it holds."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, what or "it did not come to pass"
            time.sleep(0.05)

    @contextmanager
    def agent(self, **environ):
        """An agent for the length of the block."""
        env = {
            **self.installation.env, "OPILIO_SCHEDULER_SECONDS": "0.2", "OPILIO_AGENT_POLL_SECONDS": "0.1",
            "OPILIO_AGENT_LEASE_SECONDS": "3", "OPILIO_HARVEST_ALLOW_PRIVATE": "127.0.0.0/8",
            **WELL, **environ,
        }  # fmt: skip
        log = self.installation.home / f"agent-{time.monotonic_ns()}.log"
        with log.open("wb") as stream:
            process = nursery.Process(AGENT, env=env, stdout=stream, stderr=stream)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def logs(self):
        """What agents said."""
        return "\n".join(one.read_text(errors="replace") for one in self.installation.home.glob("agent-*.log"))

    def act(self, code):
        """Run actions as the installation, in a process of its own; `actor` and `SYSTEM` are at hand."""
        start = "from opilio.kernel.clock import SYSTEM\nfrom opilio.people.actor import system\nactor = system()\n"
        done = self.installation.python(start + code)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    def order(self, harvest, what):
        """Pause, resume, stop or abort."""
        self.act(
            "from opilio.curation.actions.harvest_orders import order_move\n"
            f"order_move(actor, harvest_id={harvest}, what={what!r})"
        )

    def wait_for(self, harvest, *states):
        """Wait until it is in one of these states."""
        self.until(lambda: self.state(harvest) in states, f"harvest {harvest} is {self.state(harvest)}")
