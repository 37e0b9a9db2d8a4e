"""Curation with 100,000 targets, 300,000 seeds, 100,000 permissions and 1,000,000 audit entries, on both databases.

Lists, filters and reports: queries and times. Then 1,000 targets are approved in bulk, and 100,000 schedules planned.
OPILIO_TEST_BENCH_CURATION divides all numbers; OPILIO_TEST_BENCH_DATABASES names sqlite, postgres or both.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

DIVISOR = int(os.environ.get("OPILIO_TEST_BENCH_CURATION", "1"))
DATABASES = os.environ.get("OPILIO_TEST_BENCH_DATABASES", "sqlite,postgres").split(",")
TARGETS, SEEDS, PERMISSIONS, AUDIT = (max(60, number // DIVISOR) for number in (100_000, 300_000, 100_000, 1_000_000))
APPROVED = max(10, 1_000 // DIVISOR)
ROUNDS = 20 if DIVISOR < 100 else 2  # a small run only shows that it runs
MOST_QUERIES = 15
MOST_WAIT = 150.0  # milliseconds, of 95 in 100 answers
MOST_APPROVAL = 20.0  # seconds
MOST_PLANNING = 60.0  # seconds
PASSWORD = "benchmark of curation 42"
PAGES = (
    "/targets", "/targets?q=0042", "/targets?q=river", "/targets?state=5", "/targets?sort=-name", "/targets?page=50",
    "/targets?sort=-updated",
    "/groups", "/groups?q=0042", "/seeds", "/seeds?q=site42",
    "/authorisations", "/authorisations?q=0042", "/permissions", "/permissions?q=0042", "/permissions?status=2",
    "/authorising-agents", "/schedule", "/schedule/schedules", "/schedule/schedules?q=0042",
    "/admin/audit", "/admin/audit?action=user.update", "/admin/profiles",
    "/reports/usage", "/reports/activity", "/reports/schedules", "/reports/schedules?kind=target", "/reports/summary",
    "/search?q=Target+0042",
)  # fmt: skip


def main() -> None:
    """Measure on each database, in a process of its own: Django's settings are read once per process."""
    from tests.servers.postgres import running_postgres

    for name in DATABASES:
        with tempfile.TemporaryDirectory(prefix="opilio-bench-") as home:
            if name == "postgres":
                with running_postgres() as server:
                    _run(home, server.create_database("curation"))
            else:
                _run(home, "")


def _run(home: str, url: str) -> None:
    env = {
        name: value for name, value in os.environ.items()
        if not name.startswith("OPILIO_") or name.startswith("OPILIO_TEST_BENCH_")
    }  # fmt: skip
    env |= {"OPILIO_HOME": home, "DJANGO_SETTINGS_MODULE": "opilio.server.settings"}
    env |= {"OPILIO_SERVER_ALLOWED_HOSTS": "testserver", **({"OPILIO_DATABASE_URL": url} if url else {})}
    for step in ("fill_catalogue", "measure"):
        subprocess.run([sys.executable, "-c", f"from benchmarks.curation import {step}; {step}()"], env=env, check=True)


def fill_catalogue() -> None:
    """Make the catalogue of this process's settings, and fill it."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from benchmarks.curation_data import Sizes, fill

    call_command("migrate", verbosity=0)
    sizes = Sizes(targets=TARGETS, seeds=SEEDS, permissions=PERMISSIONS, audit=AUDIT)
    print(f"Filling {connection.vendor} with {sizes} …", flush=True)
    fill(sizes, password=PASSWORD)


def measure() -> None:
    """Ask for each page many times, approve, plan."""
    import django

    django.setup()
    from django.db import connection

    from benchmarks.machine import line

    print(f"\n{line()}\n\n### curation on {connection.vendor}\n")
    print("| page | queries | p50 ms | p95 ms | CPU p50 ms |\n|---|---|---|---|---|")
    slow = _pages()
    print()
    slow += _approve()
    slow += _plan()
    print("\nAll within their limits." if not slow else "\nNot within their limits: " + "; ".join(slow))


def _pages() -> list[str]:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client()
    if client.post("/sign-in", {"username": "administrator", "password": PASSWORD}).status_code != 302:
        raise SystemExit("Sign-in failed.")
    faults = []
    for page in PAGES:
        times, worked, asked = [], [], []
        for number in range(ROUNDS + 1):
            with CaptureQueriesContext(connection) as captured:
                begun, busy = time.perf_counter(), time.process_time()
                answer = client.get(page)
                took, busy = (time.perf_counter() - begun) * 1000, (time.process_time() - busy) * 1000
            if answer.status_code != 200:
                raise SystemExit(f"{page} answered {answer.status_code}.")
            if number:  # the first one fills caches
                times.append(took)
                worked.append(busy)
            asked.append(len(captured))
        queries = statistics.mode(asked)  # once a minute a request also notes that its session is in use
        p95 = statistics.quantiles(times, n=20, method="inclusive")[-1]
        shown = f"{statistics.median(times):.0f} | {p95:.0f} | {statistics.median(worked):.0f}"
        print(f"| {page} | {queries} | {shown} |", flush=True)
        faults += [f"{page} asks {queries} queries"] if queries > MOST_QUERIES else []
        faults += [f"{page} takes {p95:.0f} ms"] if p95 > MOST_WAIT else []
    return faults


def _approve() -> list[str]:
    """Approve nominated targets by bulk work, which does one action for each."""
    from opilio.curation.bulk import actions as bulk
    from opilio.curation.bulk.performing import counts
    from opilio.curation.models import State, Target
    from opilio.people.actor import system

    chosen = list(Target.objects.filter(state=State.NOMINATED).order_by("id").values_list("id", flat=True)[:APPROVED])
    begun, busy = time.perf_counter(), time.process_time()
    run = bulk.prepare_rows(system(), noun="target", verb="approve", ids=chosen)
    run = bulk.run_now(system(), bulk.start(system(), run_id=run.id))
    if counts(run)["changed"] != len(chosen):
        raise SystemExit(f"Not all were approved: {counts(run)}.")
    took, busy = time.perf_counter() - begun, time.process_time() - busy
    print(f"- {len(chosen):,} targets approved in {took:.1f} s, {busy:.1f} s of CPU (limit {MOST_APPROVAL:.0f} s)")
    return [f"approval takes {took:.0f} s"] if took > MOST_APPROVAL else []


def _plan() -> list[str]:
    """Look ahead for all schedules at once."""
    from opilio.curation.models import Schedule
    from opilio.curation.plan_ahead import extend_all
    from opilio.people.actor import system

    count = Schedule.objects.count()
    begun, busy = time.perf_counter(), time.process_time()
    made = extend_all(system(), should_stop=lambda: False)
    took, busy = time.perf_counter() - begun, time.process_time() - busy
    told = f"in {took:.1f} s, {busy:.1f} s of CPU (limit {MOST_PLANNING:.0f} s)"
    print(f"- {count:,} schedules expanded to {made:,} harvests {told}")
    return [f"planning takes {took:.0f} s"] if took > MOST_PLANNING else []


if __name__ == "__main__":
    main()
