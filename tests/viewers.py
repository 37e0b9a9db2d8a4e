"""A server of pages as a process, and people who watch a harvest there, for tests and for the benchmark."""

import http.client
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode

import psutil

from tests import nursery
from tests.installations import Installation

PATIENCE = 90  # seconds; for a busy machine
PASSWORD = "four unrelated words here"  # of people in a `Town`
_FILL = """
import json
from opilio.curation.actions import harvest_live
from opilio.curation.actions.harvest_running import figures
from opilio.kernel.clock import SYSTEM
from opilio.people.privileges import Privilege, Scope
from tests.harvest_desk import HarvestDesk
from tests.people import Town

desk = HarvestDesk(Town())
desk.town.user("curator", privileges={Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY})
row = desk.harvest(desk.ready(name="Owls"), state="running")
figures(row.pk, {"urls_down": 1, "updated_at": SYSTEM.now()})
harvest_live.write_sheet(row.pk, at=SYSTEM.now(), sheet="{}")
print(json.dumps(row.pk))
"""


def filled(installation: Installation) -> int:
    """A curator, and a harvest that runs; its number."""
    done = installation.python(_FILL)
    assert done.returncode == 0, done.stderr[-3000:]
    return int(json.loads(done.stdout.strip().splitlines()[-1]))


@dataclass(kw_only=True)
class Pages:
    """A server, and who is signed in there."""

    process: "subprocess.Popen[bytes]"
    port: int
    cookie: str = ""
    https: bool = False  # as if a proxy before it ended TLS
    _open: ExitStack = field(default_factory=ExitStack)

    def sign_in(self) -> None:
        """Sign the curator in by the page."""
        response = self._asked("GET", "/sign-in")
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', response.read().decode())
        assert token is not None
        cookie = _cookies(response)
        body = urlencode({"username": "curator", "password": PASSWORD, "csrfmiddlewaretoken": token[1]})
        headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        if self.https:
            headers["Referer"] = f"https://127.0.0.1:{self.port}/sign-in"
        response = self._asked("POST", "/sign-in", body, headers)
        assert response.status == 302, response.read()
        self.cookie = _cookies(response)

    def watch(self, harvest: int) -> http.client.HTTPResponse:
        """The stream of one more viewer."""
        response = self._asked("GET", f"/harvests/{harvest}/live/stream", headers={"Cookie": self.cookie})
        assert response.status == 200, response.read()
        return response

    def worker(self) -> psutil.Process:
        """The process that answers."""
        return max(self.workers(), key=lambda child: child.memory_info().rss)

    def workers(self) -> list[psutil.Process]:
        """The processes that answer."""
        return [child for child in psutil.Process(self.process.pid).children() if child.num_threads() > 1]

    def _asked(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self._open.callback(connection.close)
        forwarded = {"X-Forwarded-Proto": "https"} if self.https else {}
        connection.request(method, path, body, {**forwarded, **(headers or {})})
        return connection.getresponse()

    def close(self) -> None:
        """Hang up."""
        self._open.close()


@contextmanager
def serving(installation: Installation, *, https: bool = False, workers: int = 1) -> Iterator[Pages]:
    """The pages of an installation, with the curator signed in."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "opilio.server.pages_process", "127.0.0.1", str(port), str(workers)]
    log = installation.home / "pages.log"
    with log.open("wb") as stream:
        process = nursery.Process(
            command, env=dict(installation.env), stdin=subprocess.PIPE, stdout=stream, stderr=stream
        )
    pages = Pages(process=process, port=port, https=https)
    try:
        _wait_until_listening(process, port)
        pages.sign_in()
        yield pages
    finally:
        pages.close()
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=PATIENCE)


def next_event(response: http.client.HTTPResponse) -> dict[str, str]:
    """The next event of a stream that is no comment; empty at the end of the stream."""
    found: dict[str, str] = {}
    while line := response.readline().decode():
        name, _, value = line.rstrip("\n").partition(": ")
        if name and value:
            found[name] = value
        elif not line.strip() and "event" in found:
            return found
    return {}


def _cookies(response: http.client.HTTPResponse) -> str:
    given = [value.split(";")[0] for name, value in response.getheaders() if name.lower() == "set-cookie"]
    return "; ".join(given)


def _wait_until_listening(process: "subprocess.Popen[bytes]", port: int) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"The server does not listen on port {port}")
