"""`opilio serve` and `opilio agent` as real processes."""

import http.client
import json
import os
import signal
import time
from types import SimpleNamespace
from urllib.parse import urlsplit

import psutil
import pytest

from opilio.web.sections import SECTIONS
from tests.acceptance.cli.answers import document, error, running
from tests.installations import environment

_PATIENCE = 60  # seconds
#: Pages whose links are followed; `make prove` follows all.
LINKED_PAGES = 2_000 if os.environ.get("OPILIO_TEST_WHOLE") else 120


@pytest.fixture
def served(installation):
    """A server that answers, and its address."""
    with running(installation, "serve", "--port", "0", "--json") as process:
        told = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
        yield process, urlsplit(told["address"])


def _status(address):
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=_PATIENCE)
    try:
        connection.request("GET", "/sign-in")
        return connection.getresponse().status
    finally:
        connection.close()


def _child(process, word):
    """The child whose command line has the word, once it is there."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        for child in psutil.Process(process.pid).children():
            try:
                if word in child.cmdline():
                    return child
            except psutil.Error:
                continue
        time.sleep(0.05)
    raise AssertionError(f"no child {word}")


def test_serve_answers_and_ends_on_sigterm(served):
    """One command gives pages and an agent; SIGTERM ends all of them, with exit code 0."""
    process, address = served
    assert _status(address) == 200
    children = psutil.Process(process.pid).children(recursive=True)
    assert len(children) >= 3
    process.send_signal(signal.SIGTERM)
    assert process.wait(_PATIENCE) == 0
    assert psutil.wait_procs(children, timeout=_PATIENCE)[1] == []


def test_agent_that_dies_is_started_again(served):
    """A killed agent is replaced by another."""
    process, _ = served
    first = _child(process, "agent")
    first.kill()
    first.wait(_PATIENCE)
    assert _child(process, "agent").pid != first.pid
    assert process.poll() is None


def test_end_of_the_server_is_an_error(served):
    """When the server dies, the command ends with an error, and leaves no process behind."""
    process, _ = served
    children = psutil.Process(process.pid).children(recursive=True)
    _child(process, "opilio.server.pages_process").kill()
    assert process.wait(_PATIENCE) == 6
    assert '"server-died"' in process.stderr.read()
    assert psutil.wait_procs(children, timeout=_PATIENCE)[1] == []


def test_children_do_not_outlive_a_killed_parent(served):
    """kill -9 of the command takes server and agent with it."""
    process, _ = served
    _child(process, "agent")
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait(_PATIENCE)
    assert psutil.wait_procs(children, timeout=_PATIENCE)[1] == []


def test_agent_in_the_foreground(installation):
    """An agent says who it is, and ends in good order on SIGTERM."""
    with running(installation, "agent", "--name", "night", "--slots", "3", "--json") as process:
        told = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
        assert (told["agent"], told["slots"], told["pid"]) == ("night", 3, process.pid)
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(_PATIENCE) == 0


def test_serve_needs_tables(fresh):
    """A database without tables is not served, and not migrated behind one's back."""
    assert error(fresh().run("serve", "--port", "0", "--json"), 6)["code"] == "not-migrated"


def test_demo_once_and_again(bare, tmp_path):
    """The demo builds itself, checks itself over HTTP, and a second run finds all of it and adds nothing."""
    home = tmp_path / "demo"
    first = document(bare("demo", "--home", str(home), "--once", "--json"))
    users = {one["username"] for one in first["sign_ins"]}
    assert {"administrator", "archivist", "curator", "reviewer", "operator", "wrangler", "reader"} <= users
    assert len(first["checked"]) > 60
    assert first["crawl"]["pages"] > 10
    assert first["harvests"]["scheduled"] > 0
    assert {"to_review", "archived", "running", "held"} <= set(first["harvests"])
    assert (first["deliveries"]["all"], first["deliveries"]["failed"]) == (6, 4)
    assert "no profile" in first["harvests"]["reason"]
    second = document(bare("demo", "--home", str(home), "--once", "--json"))
    assert second["sign_ins"] == first["sign_ins"]
    for which in ("to_review", "archived", "running", "held"):
        assert second["harvests"][which].rpartition("/")[2] == first["harvests"][which].rpartition("/")[2]
    assert second["deliveries"]["all"] == 6
    assert len(document(bare("agency", "list", "--json", home=home))["agencies"]) == 3
    assert (home / "demo-sign-ins.json").stat().st_mode & 0o77 == 0
    _check_links(bare, home, tmp_path, first["sign_ins"][0])


def _check_links(bare, home, folder, who):
    """Our own crawler, signed in, follows the links of every page of the navigation; none is broken, none fails."""
    place = SimpleNamespace(env=environment(home), home=home)
    with running(place, "serve", "--port", "0", "--without-agent", "--json") as process:
        base = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")["address"]
        login = folder / "logins.toml"
        login.write_text(
            f'[me]\nkind = "form"\nhosts = ["{urlsplit(base).netloc}"]\npage = "{base}sign-in"\nhttps_only = false\n'
            f'user = "{who["username"]}"\npassword = "{who["password"]}"\n'
        )
        login.chmod(0o600)
        starts = [f"{base}{section.path.lstrip('/')}" for section in SECTIONS]
        report = document(bare(
            "crawl", *starts, "--into", str(folder / "links"), "--scope", "host", "--depth", "1", "--exclude", "[?]",
            "--max-pages", str(LINKED_PAGES), "--allow-private", "--preset", "own-site", "--login", str(login),
            "--json",
        ))  # fmt: skip
    assert [(each["url"], each["status"], each["linked_from"]) for each in report["broken_links"]["listed"]] == []
    assert report["failed_seeds"]["listed"] == []
    assert report["counted"] > len(SECTIONS)
    assert [status for status in report["statuses"] if int(status) >= 400] == []
