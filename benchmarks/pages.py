"""Every list page with 50,000 users and 1,000,000 audit entries on SQLite: its queries, and how long it takes.

Numbers can be made smaller with OPILIO_TEST_BENCH_USERS and OPILIO_TEST_BENCH_AUDIT.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

USERS = int(os.environ.get("OPILIO_TEST_BENCH_USERS", "50000"))
AUDIT = int(os.environ.get("OPILIO_TEST_BENCH_AUDIT", "1000000"))
ROUNDS = 20
MOST_QUERIES = 15
PASSWORD = "benchmark of the pages 42"
PAGES = (
    "/in-tray",
    "/admin/users",
    "/admin/users?q=user04",
    "/admin/users?sort=-last_name",
    "/admin/agencies",
    "/admin/roles",
    "/admin/audit",
    "/admin/audit?action=user.update",
    "/admin/audit?username=user00042",
    "/admin/sessions",
    "/admin/deleted",
    "/admin/outbox",
    "/search?q=user0001",
)


def main() -> None:
    """Run in a process of its own: Django's settings are read once per process."""
    with tempfile.TemporaryDirectory(prefix="opilio-bench-") as home:
        env = {name: value for name, value in os.environ.items() if not name.startswith("OPILIO_")}
        env |= {"OPILIO_HOME": home, "DJANGO_SETTINGS_MODULE": "opilio.server.settings"}
        env |= {"OPILIO_TEST_BENCH_USERS": str(USERS), "OPILIO_TEST_BENCH_AUDIT": str(AUDIT)}
        env |= {"OPILIO_SERVER_ALLOWED_HOSTS": "testserver"}
        subprocess.run([sys.executable, "-c", "from benchmarks.pages import measure; measure()"], env=env, check=True)


def measure() -> None:
    """Fill a catalogue, then ask for each page many times."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from benchmarks.machine import line
    from benchmarks.pages_data import fill

    call_command("migrate", verbosity=0)
    print(f"Filling with {USERS:,} users and {AUDIT:,} audit entries …", flush=True)
    fill(users=USERS, audit=AUDIT, password=PASSWORD)
    client = Client()
    answer = client.post("/sign-in", {"username": "administrator", "password": PASSWORD})
    if answer.status_code != 302:
        raise SystemExit(f"Sign-in failed with status {answer.status_code}.")
    print(f"\n{line()}\n\n| page | queries | p50 ms | p95 ms |\n|---|---|---|---|")
    worst = 0
    everything: list[float] = []
    for page in PAGES:
        times, queries = [], 0
        for _ in range(ROUNDS):
            with CaptureQueriesContext(connection) as captured:
                begun = time.perf_counter()
                answer = client.get(page)
                times.append((time.perf_counter() - begun) * 1000)
            if answer.status_code != 200:
                raise SystemExit(f"{page} answered {answer.status_code}.")
            queries = max(queries, len(captured))
        worst = max(worst, queries)
        everything += times
        print(f"| {page} | {queries} | {statistics.median(times):.0f} | {_p95(times):.0f} |", flush=True)
    print(f"\nAll pages: p95 {_p95(everything):.0f} ms; at most {worst} queries (limit {MOST_QUERIES}).")
    if worst > MOST_QUERIES:
        raise SystemExit("A page asks too many queries.")


def _p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20, method="inclusive")[-1]
