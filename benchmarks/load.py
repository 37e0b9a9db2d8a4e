"""Two hundred people at work on the pages, first with nothing else going on, then beside a harvest at full speed:
one of an agent that gives way to the pages, as agents do, and one of an agent that does not.

Each looks at a page for ten seconds in the mean, then asks for the next one: lists, filters, a search, a target, the
harvest that runs. Pages, agent and database are processes of their own, as in an installation; the site that is
harvested is served by nginx. OPILIO_TEST_BENCH_USERS and OPILIO_TEST_BENCH_SECONDS say how many people and
how long each part lasts, OPILIO_TEST_BENCH_WORKERS how many processes answer, OPILIO_TEST_BENCH_TARGETS how many
targets there are, OPILIO_TEST_BENCH_SITE how many pages the site has; OPILIO_TEST_BENCH_DATABASES names sqlite,
postgres or both.
"""

import contextlib
import http.client
import json
import os
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import machine
from benchmarks.harvests import _cpu as cpu_of
from benchmarks.harvests import _installed
from benchmarks.names import address
from benchmarks.nginx import Site, free_port, serving
from opilio.kernel.settings import Settings
from tests.harvests import Yard
from tests.viewers import PATIENCE, Pages
from tests.viewers import serving as serving_pages

USERS = int(os.environ.get("OPILIO_TEST_BENCH_USERS", "200"))
SECONDS = float(os.environ.get("OPILIO_TEST_BENCH_SECONDS", "90"))
WORKERS = int(os.environ.get("OPILIO_TEST_BENCH_WORKERS", "2"))
DATABASES = os.environ.get("OPILIO_TEST_BENCH_DATABASES", "sqlite,postgres").split(",")
DEFAULT = Settings()
THINKING = 10.0  # seconds in the mean between two pages of one person
SESSIONS = 10  # that people share: signing in is dear on purpose
TARGETS = int(os.environ.get("OPILIO_TEST_BENCH_TARGETS", "10000"))
SITE = int(os.environ.get("OPILIO_TEST_BENCH_SITE", "20000"))  # pages of the site that is harvested
PATHS = (
    "/in-tray", "/targets", "/targets?q=0042", "/targets?state=5", "/targets/{target}", "/groups", "/seeds",
    "/permissions", "/authorisations?q=0042", "/schedule", "/harvests", "/harvests/{harvest}", "/search?q=Target+0042",
    "/reports/summary",
)  # fmt: skip
_FILL = """
import json
from benchmarks.curation_data import Sizes, fill_curation
from opilio.curation import planning
from opilio.curation.actions.profiles import create_profile
from opilio.curation.models import Target
from opilio.kernel.clock import SYSTEM
from opilio.people.acting import action
from opilio.people.actions.installation import create_first_user, prepare
from opilio.people.actor import system
from opilio.people.passwords import Policy
from tests.curation import Desk
from tests.people import Town
from tests.viewers import PASSWORD

@action("test.plan", "Plan a harvest.")
def plan(act, row):
    act.require_that(True, "", "")
    return planning.plan_once(act, row, SYSTEM.now()).pk

prepare(system())
policy = Policy(min_length=12, history=0)
create_first_user(system(), agency_name="Reading", username="curator", password=PASSWORD, policy=policy)
desk = Desk(Town())
settings = {{"manners": {{"preset": "own-site"}}, "scope": {{"kind": "host"}}}}
create_profile(desk.town.system, agency_id=desk.town.library.id, name="Quick", settings=settings)
rows = [desk.target(state=5, name=name) for name in ("Large site", "The same again")]
for row in rows:
    desk.link(desk.seed(row, "{seed}"), desk.permission("{pattern}"))
fill_curation(Sizes(targets={targets}, seeds={targets} * 3, permissions={targets}, audit=0))
planned = [plan(system(), row) for row in rows]
print(json.dumps({{"harvest": planned[0], "target": Target.objects.order_by("id").last().pk}}))
"""


@dataclass
class Asked:
    """What people got."""

    times: list[float] = field(default_factory=list)  # milliseconds
    failed: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, took: float, *, good: bool) -> None:
        with self.lock:
            self.times.append(took * 1_000)
            self.failed += not good


def main() -> None:
    """Measure on each database."""
    print(f"\n{machine.line()}\n\n### {USERS} people at work, a page each {THINKING:.0f} s\n")
    print("| database | beside | pages/s | p50 ms | p95 ms | failed | CPU of the pages | pages harvested/s |")
    print("|---|---|---|---|---|---|---|---|")
    for name in DATABASES:
        with _installed(name) as yard, _site() as port:
            _measure(name, yard, port)


def _measure(name: str, yard: Yard, port: int) -> None:
    home = f"http://{address(1)}:{port}"
    code = _FILL.format(seed=f"{home}/0.html", pattern=f"{home}/*", targets=TARGETS)
    done = yard.installation.python(code)
    if done.returncode:
        raise SystemExit(done.stderr[-2_000:])
    known = json.loads(done.stdout.strip().splitlines()[-1])
    paths = [path.format(**known) for path in PATHS]
    with serving_pages(yard.installation, workers=WORKERS) as pages:
        cookies = _cookies(pages)
        _warm(pages, cookies[0], paths)
        print(_line(name, "nothing", _worked(pages, cookies, paths), 0), flush=True)
        for nice, beside in ((DEFAULT.agent_nice, "a harvest at full speed"), (0, "the same, agent_nice 0")):
            with yard.agent(OPILIO_HARVEST_SLOTS="1", OPILIO_SCHEDULER_SECONDS="1", OPILIO_AGENT_NICE=str(nice)):
                begun = _harvested(yard)
                yard.until(lambda begun=begun: _harvested(yard) > begun, yard.logs()[-2_000:])
                before = _harvested(yard)
                told = _worked(pages, cookies, paths)
                print(_line(name, beside, told, (_harvested(yard) - before) / SECONDS), flush=True)


def _cookies(pages: Pages) -> list[str]:
    found = [pages.cookie]
    while len(found) < SESSIONS:
        pages.sign_in()
        found.append(pages.cookie)
    return found


def _warm(pages: Pages, cookie: str, paths: list[str]) -> None:
    """Each process has drawn each page before anybody is timed: the first one of each loads what it needs."""
    for path in paths * 2 * WORKERS:
        _ask(pages.port, cookie, path)


def _worked(pages: Pages, cookies: list[str], paths: list[str]) -> tuple[Asked, float]:
    """What people got in the time, and the CPU of the processes that answered."""
    asked, end = Asked(), time.monotonic() + SECONDS
    before = _cpu(pages)
    people = [
        threading.Thread(target=_person, args=(pages.port, cookies[number % SESSIONS], paths, end, asked, number))
        for number in range(USERS)
    ]
    for person in people:
        person.start()
    for person in people:
        person.join()
    return asked, _cpu(pages) - before


def _cpu(pages: Pages) -> float:
    return sum(cpu_of(worker.pid) for worker in pages.workers())


def _person(port: int, cookie: str, paths: list[str], end: float, asked: Asked, seed: int) -> None:
    chance = random.Random(seed)
    _think(chance.random() * THINKING, end)
    while time.monotonic() < end:
        begun = time.perf_counter()
        status = _ask(port, cookie, chance.choice(paths))
        asked.add(time.perf_counter() - begun, good=status == 200)
        _think(chance.expovariate(1 / THINKING), end)


def _think(seconds: float, end: float) -> None:
    """Nobody needs to be waited for who would ask for nothing more before the end."""
    time.sleep(max(0, min(seconds, end - time.monotonic())))


def _ask(port: int, cookie: str, path: str) -> int:
    """The status of an answer that was read to its end."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", path, headers={"Cookie": cookie})
        answer = connection.getresponse()
        answer.read()
    return answer.status


def _line(name: str, beside: str, told: tuple[Asked, float], harvested: float) -> str:
    asked, busy = told
    p95 = statistics.quantiles(asked.times, n=20, method="inclusive")[-1]
    return (
        f"| {name} | {beside} | {len(asked.times) / SECONDS:.1f} | {statistics.median(asked.times):.0f} | {p95:.0f} "
        f"| {asked.failed} | {busy / SECONDS:.0%} of a core, {1_000 * busy / len(asked.times):.0f} ms a page "
        f"| {f'{harvested:.0f}' if harvested else ''} |"
    )


def _harvested(yard: Yard) -> int:
    return int(yard.rows("SELECT COALESCE(SUM(urls_down), 0) FROM harvest_figures")[0][0])


@contextlib.contextmanager
def _site() -> Iterator[int]:
    """Pages of 8 kB, each with links to ten more."""
    with tempfile.TemporaryDirectory(prefix="opilio-bench-") as folder:
        root = Path(folder) / "site"
        root.mkdir()
        words = "word and another word, " * 330
        for number in range(SITE):
            links = "".join(f"<a href='{10 * number + more}.html'>{more}</a> " for more in range(1, 11))
            (root / f"{number}.html").write_text(f"<title>Page {number}</title><p>{links}<p>{number} {words}")
        port = free_port()
        site = Site(number=1, root=root, start="/0.html")
        with serving([site], port=port, folder=Path(folder) / "nginx", log=Path(folder) / "visits", core=0):
            yield port


if __name__ == "__main__":
    main()
