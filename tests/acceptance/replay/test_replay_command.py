"""`opilio replay` as a real process: what it prints, what it serves, how it ends."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time

import pytest

from opilio.cli.main import main
from opilio.crawl.plan import CrawlPlan, Fetch, Limits, Manners, Preset, Scope, ScopeKind, Seed
from opilio.works.crawl_to_archive import Crew, crawl
from opilio.works.seal_at_end import Sealing
from tests import nursery
from tests.servers.http_server import HttpServer

PATIENCE = 30  # seconds
pytestmark = pytest.mark.only_on("sqlite")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """A sealed crawl of a tiny site, and where the site was."""
    site = tmp_path_factory.mktemp("site")
    (site / "index.html").write_text("<title>Owls</title><a href='/two.html'>two</a><p>All about owls.")
    (site / "two.html").write_text("<title>Two</title><p>Second.")
    (site / "large.bin").write_bytes(b"\0" * (24 << 20))
    folder = tmp_path_factory.mktemp("crawls") / "owls"
    with HttpServer(site=site) as server:
        plan = CrawlPlan(
            seeds=(Seed(url=server.url("/")), Seed(url=server.url("/large.bin"))), scope=Scope(kind=ScopeKind.HOST),
            manners=Manners(preset=Preset.OWN_SITE), fetch=Fetch(allow_private=("127.0.0.0/8",)), limits=Limits(),
        )  # fmt: skip
        crawl(plan, folder)
        return folder, server.url("")


def started(*arguments):
    env = {name: value for name, value in os.environ.items() if not name.startswith("OPILIO_")}
    command = [*nursery.OPILIO, "replay", *map(str, arguments)]
    return nursery.Process(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


@pytest.fixture
def replay(crawled):
    process = started(crawled[0], "--no-open", "--json")
    told = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
    yield process, told
    process.kill()
    process.communicate(timeout=PATIENCE)


def ask(told, path, **headers):
    result = told["results"][0]
    connection = http.client.HTTPConnection("127.0.0.1", told["port"], timeout=PATIENCE)
    sent = {"Host": result["host"], "Authorization": f"Bearer {result['token']}", **headers}
    connection.request("GET", path, headers=sent)
    answer = connection.getresponse()
    found = answer.status, dict(answer.headers), answer.read()
    connection.close()
    return found


def test_crawl_is_shown(crawled, replay):
    """The command prints the key to the list of results, and the pages of the crawl are served."""
    _, told = replay
    assert re.fullmatch(rf"http://replay\.localhost:{told['port']}/\?key=entry\.0\.\d+\.\.[\w-]+", told["address"])
    assert told["results"][0]["host"] == "r1.replay.localhost"
    assert told["results"][0]["seeds"][0] == f"{crawled[1]}/"
    status, headers, _ = ask(told, f"/2026/{crawled[1]}/")
    assert status == 302
    status, _, body = ask(told, headers["location"])
    assert status == 200
    assert b"All about owls." in body
    assert ask(told, f"/cdx?url={crawled[1]}/")[0] == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_at_once_while_somebody_reads(crawled, replay, number):
    """A signal ends it with code 0, also while a large file is being sent to a slow reader."""
    process, told = replay
    result = told["results"][0]
    _, headers, _ = ask(told, f"/2026/{crawled[1]}/large.bin")
    with socket.create_connection(("127.0.0.1", told["port"]), timeout=PATIENCE) as reader:
        lines = [
            f"GET {headers['location']} HTTP/1.1",
            f"Host: {result['host']}",
            f"Authorization: Bearer {result['token']}",
        ]
        reader.sendall("\r\n".join([*lines, "", ""]).encode())
        assert reader.recv(15) == b"HTTP/1.1 200 OK"
        begun = time.monotonic()
        process.send_signal(number)
        assert process.wait(PATIENCE) == 0
        assert time.monotonic() - begun < PATIENCE


def test_unsealed_crawl_is_shown_as_far_as_it_is_committed(tmp_path):
    """A crawl that was not sealed is result 1 all the same."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<title>Open</title>")
    with HttpServer(site=site) as server:
        plan = CrawlPlan(
            seeds=(Seed(url=server.url("/")),), scope=Scope(kind=ScopeKind.HOST),
            manners=Manners(preset=Preset.OWN_SITE), fetch=Fetch(allow_private=("127.0.0.0/8",)),
        )  # fmt: skip
        crawl(plan, tmp_path / "crawl", Crew(sealing=Sealing(keep_open=True)))
        url = server.url("/")
    process = started(tmp_path / "crawl", "--no-open", "--json")
    try:
        told = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
        assert ask(told, f"/2026/{url}")[0] == 302
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [(["nowhere"], 4, "missing"), (["--result", "7"], 4, "no-result"), (["--port", "x"], 2, None)],
)
def test_what_is_not_there_is_told(crawled, tmp_path, arguments, code, error, capsys):
    """A folder that is missing, empty or without that result ends in an error that names the remedy."""
    folder = tmp_path / "nowhere" if arguments == ["nowhere"] else crawled[0]
    given = [] if arguments == ["nowhere"] else arguments
    assert main(["replay", str(folder), "--no-open", "--json", *given]) == code
    told = capsys.readouterr().err
    if error:
        assert json.loads(told)["error"]["code"] == error


def test_folder_without_a_crawl_is_refused(tmp_path, capsys):
    """An empty folder is no crawl."""
    assert main(["replay", str(tmp_path), "--no-open"]) == 4
    assert "No crawl was begun in this folder" in capsys.readouterr().err
