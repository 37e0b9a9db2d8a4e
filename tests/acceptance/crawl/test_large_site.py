"""A generated site of known pages: the same set whatever the store and the number of workers; polite; safe to kill."""

import itertools
import json
import os
import signal
import subprocess
import threading

import psutil
import pytest

from opilio.crawl.plan import Preset
from opilio.kernel.errors import OpilioError
from opilio.works.crawl_to_archive import Crew, crawl, resume
from tests.acceptance.crawl.crawls import OPILIO, fetched, pages_of, plan_for, responses
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite

SITE = LargeSite(pages=150)


@pytest.fixture
def server():
    with HttpServer() as running:
        yield running


def starts(server, hosts, site=SITE):
    return [server.url(f"{site.base}/", host=f"h{number}.localhost") for number in range(hosts)]


def everything(server, hosts, site=SITE):
    paths = [*site.page_paths(), *site.asset_paths()]
    return {server.url(path, host=f"h{number}.localhost") for number in range(hosts) for path in paths}


@pytest.mark.parametrize("workers", [1, 3])
def test_the_same_set_with_any_number_of_workers(server, tmp_path, workers):
    """Every page of every host, each asked for once."""
    summary = crawl(plan_for(*starts(server, 3)), tmp_path / "out", Crew(workers=workers))
    assert summary.ended.ending == "finished"
    assert set(fetched(tmp_path / "out")) == everything(server, 3)
    assert set(responses(tmp_path / "out").values()) == {1}
    assert len(server.log()) == len(everything(server, 3)) + 3  # robots.txt


@pytest.mark.parametrize("workers", [1, 2])
def test_a_limit_of_pages_is_exact_with_any_number_of_workers(server, tmp_path, workers):
    """Embeds apart."""
    plan = plan_for(*starts(server, 4), limits={"pages": 57})
    summary = crawl(plan, tmp_path / "out", Crew(workers=workers))
    assert sum(page.counted for page in pages_of(tmp_path / "out")) == 57
    assert (summary.ended.ending, summary.ended.limit) == ("limit", "pages")


def test_no_two_requests_to_a_host_are_closer_than_the_delay(server, tmp_path):
    """Two workers; pages, embeds, robots.txt and retries share one ledger per host."""
    seeds = [*starts(server, 3, LargeSite(pages=4)), server.url("/503/flapping?every=2", host="h0.localhost")]
    plan = plan_for(*seeds, manners={"preset": Preset.OWN_SITE, "delay": 0.15, "tries": 3})
    crawl(plan, tmp_path / "out", Crew(workers=2))
    times: dict[str, list[float]] = {}
    for entry in server.log():
        times.setdefault(entry.host, []).append(entry.at)
    assert len(times) == 3
    assert all(len(each) > 8 for each in times.values())
    gaps = [later - earlier for each in times.values() for earlier, later in itertools.pairwise(sorted(each))]
    assert min(gaps) >= 0.14  # the server notes a request a little after it was sent


def killed_after(process, folder, lines):
    """Kill a crawl once its log has so many lines."""
    log, tick = folder / "logs" / "crawl.log", threading.Event()
    while process.poll() is None:
        if log.exists() and len(log.read_bytes().splitlines()) >= lines:
            os.kill(process.pid, signal.SIGKILL)
            break
        tick.wait(0.02)
    process.wait()
    process.stdout.close()
    process.stderr.close()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_crawl_goes_on_where_it_was(server, tmp_path, workers):
    """After SIGKILL nothing is lost, nothing is recorded twice, and the captures are sound."""
    folder = tmp_path / "out"
    command = [*OPILIO, "crawl", *starts(server, 2), "--into", str(folder), "--workers", str(workers)]
    command += ["--preset", "own-site", "--allow-private"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    killed_after(process, folder, 60)
    assert process.returncode == -signal.SIGKILL
    before = fetched(folder)
    assert 0 < len(before) < len(everything(server, 2))
    _resumed(folder, workers)
    assert set(fetched(folder)) == everything(server, 2)
    assert set(fetched(folder).values()) == {1}
    records = responses(folder)
    assert {url: records[url] for url in everything(server, 2)} == dict.fromkeys(everything(server, 2), 1)


def _resumed(folder, workers):
    """Resume; workers of the killed parent may need a moment to notice."""
    tick = threading.Event()
    for _ in range(100):
        try:
            return resume(folder, Crew(workers=workers))
        except OpilioError as error:
            if "another process writes" not in error.what:
                raise
            tick.wait(0.1)
    raise AssertionError("the workers of a killed parent did not end")


def test_an_interrupted_crawl_stops_whole_and_can_be_resumed(server, tmp_path):
    """The first SIGINT lets requests end and commits; the exit code says that it was interrupted."""
    folder = tmp_path / "out"
    command = [*OPILIO, "crawl", *starts(server, 2), "--into", str(folder), "--preset", "own-site", "--allow-private"]
    process = subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    log, tick = folder / "logs" / "crawl.log", threading.Event()
    while process.poll() is None and not (log.exists() and log.stat().st_size):
        tick.wait(0.02)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate()
    assert process.returncode == 130, errors
    assert json.loads(out)["ended"] == "stopped"
    asked = len(server.log())
    resume(folder)
    assert set(fetched(folder)) == everything(server, 2)
    assert len(server.log()) <= len(everything(server, 2)) + 4
    assert asked < len(server.log())


def test_a_worker_that_dies_is_replaced(server, tmp_path):
    """Killed again and again while its parent lives: the others go on, and another takes its place."""
    folder, victims = tmp_path / "out", []

    def kill_some(progress):
        if len(victims) < 3:
            victims.append(_children()[0])
            os.kill(victims[-1], signal.SIGKILL)

    summary = crawl(plan_for(*starts(server, 3)), folder, Crew(workers=2, watch=kill_some))
    assert len(set(victims)) == 3
    assert summary.ended.ending == "finished"
    assert set(fetched(folder)) == everything(server, 3)
    records = responses(folder)
    assert {url: records[url] for url in everything(server, 3)} == dict.fromkeys(everything(server, 3), 1)


def _children():
    """The worker processes of this test."""
    found = psutil.Process().children()
    return [one.pid for one in found if any("crawl_process" in word for word in one.cmdline())]
