"""A generated site of known pages that is crawled by processes which die: nothing is lost, nothing kept twice."""

import json
import os
import signal
import subprocess
import threading

import pytest

from opilio.kernel.errors import OpilioError
from opilio.works.crawl_to_archive import Crew, crawl, resume
from tests import nursery
from tests.acceptance.crawl.crawls import fetched, plan_for, responses, worker_processes
from tests.nursery import OPILIO
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
    process = nursery.Process(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
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
    process = nursery.Process([*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
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
            victims.append(worker_processes()[0].pid)
            os.kill(victims[-1], signal.SIGKILL)

    summary = crawl(plan_for(*starts(server, 3)), folder, Crew(workers=2, watch=kill_some))
    assert len(set(victims)) == 3
    assert summary.ended.ending == "finished"
    assert set(fetched(folder)) == everything(server, 3)
    records = responses(folder)
    assert {url: records[url] for url in everything(server, 3)} == dict.fromkeys(everything(server, 3), 1)
