"""The sample site, crawled once and replayed by the program that people use."""

import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from opilio.crawl.plan import CrawlPlan, Fetch, Manners, Preset, Scope, ScopeKind, Seed
from opilio.works.crawl_to_archive import crawl
from opilio.works.sample import SampleSite
from tests import nursery

PATIENCE = 60  # seconds
ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, kw_only=True)
class Replayed:
    """A running `opilio replay`."""

    folder: Path
    port: int
    entry: str
    site: str  # where the live site was


def crawl_sample(folder):
    """Crawl the sample site, with the data that only its script asks for; where the site was."""
    with SampleSite() as site:
        plan = CrawlPlan(
            seeds=(Seed(url=f"{site.url}/"), Seed(url=f"{site.url}/data/board.json")),
            scope=Scope(kind=ScopeKind.HOST),
            manners=Manners(preset=Preset.OWN_SITE),
            fetch=Fetch(allow_private=("127.0.0.0/8",)),
        )
        crawl(plan, folder)
        return site.url


def crawled_sample(folder):
    """The same in a process of its own, because a browser's driver keeps an event loop running here."""
    command = [sys.executable, "-m", "tests.browser.replay.sample", str(folder)]
    done = nursery.run(command, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@contextmanager
def replaying(folder, site=""):
    """Run `opilio replay` on a folder."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("OPILIO_")}
    command = [*nursery.OPILIO, "replay", str(folder), "--no-open", "--json"]
    process = nursery.Process(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, cwd=folder)
    try:
        told = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
        yield Replayed(folder=folder, port=told["port"], entry=told["address"], site=site), process
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


class Trap:
    """Listens where the live site was, and counts who comes."""

    def __init__(self, port):
        self.visits = []
        self._socket = socket.create_server(("127.0.0.1", port))
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.visits.append(connection.recv(200))
            connection.close()

    def close(self):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


if __name__ == "__main__":
    print(crawl_sample(Path(sys.argv[1])))
