"""Programs of the tests about nodes: `python -m tests.contracts.nodes_process ROLE …`.

`node FOLDER TOKEN PORT` and `reader INDEX` serve until standard input closes and print their address as JSON. `mortal`
obeys one order a line: it forks a child that builds, publishes or rolls back, and kills itself when it was told to.
All know the tiny generations only.
"""

import json
import os
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path

from opilio.kernel import logs
from opilio.kernel.errors import OpilioError
from opilio.search.generations.library import Generations
from opilio.search.nodes.nodes_file import read_nodes
from opilio.search.nodes.reader_app import ReaderApp
from opilio.search.nodes.reader_state import ReaderState
from opilio.server import lifeline, ports
from opilio.works.node_server import serve_node
from opilio.works.node_service import NodeService, NodeWishes
from opilio.works.publish_generation import Publishing
from opilio.works.publish_places import PlaceFinder
from tests.contracts.generations_tiny import TinyContents, made
from tests.servers.process import ServerProcess

TOKEN = "a-token-of-the-tests"


def publishing(index, *, settle=60.0):
    """What publishes the tiny generations of a folder."""
    return Publishing(finder=PlaceFinder(index=index, contents=TinyContents(), token=TOKEN), settle=settle)


def started(role, *arguments, errors):
    """A service as a process; use it as a context manager."""
    return ServerProcess(__name__, [role, *map(str, arguments)], errors=errors)


def serve(app, follow=None, *, port=0):
    lifeline.end_with_parent()
    port = ports.free_port("127.0.0.1", port)
    address = {"url": f"http://127.0.0.1:{port}", "port": port}
    serve_node(
        app,
        host="127.0.0.1",
        port=port,
        follow=follow,
        seconds=0.05,
        ready=lambda: ports.answers("127.0.0.1", port, seconds=1.0),
        when_ready=lambda: print(json.dumps(address), flush=True),
    )


def node(folder, token="", port="0"):
    service = NodeService(NodeWishes(folder=Path(folder), token=token), TinyContents())
    serve(service.app, service.follow, port=int(port))


def reader(index):
    folder = Path(index)
    serve(ReaderApp(read_nodes(folder / "nodes.toml").nodes, ReaderState(folder / "reader.json")))


def build(index, number):
    generations = Generations(index / "generations")
    made(generations.root, number, parent=generations.newest())


def publish(index, number):
    require_complete(publishing(index).publish(keep=3, wait=60.0))


def rollback(index, number):
    require_complete(publishing(index).roll_back(wait=60.0))


def require_complete(report):
    if not report.complete:
        raise RuntimeError(str(report))


WORKS = {"build": build, "publish": publish, "rollback": rollback}


class Death:
    """Kills this process at the nth thing that it does to a file, or after a time, whichever comes first."""

    def __init__(self, root, *, event, seconds):
        self.root, self.event, self.seen = root, event, 0
        if seconds is not None:
            threading.Thread(target=self._after, args=(seconds,), daemon=True).start()
        sys.addaudithook(self._audit)

    def _audit(self, event, arguments):
        if event in FILE_EVENTS and any(self.root in str(each) for each in arguments[:2]):
            self.seen += 1
            if self.seen == self.event:
                os.kill(os.getpid(), signal.SIGKILL)

    def _after(self, seconds):
        time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGKILL)


FILE_EVENTS = {
    "open", "os.rename", "os.link", "os.symlink", "os.mkdir", "os.remove", "os.rmdir", "os.scandir", "os.listdir",
    "os.chmod", "shutil.copyfile", "shutil.rmtree", "fcntl.flock",
}  # fmt: skip


def mortal():
    """Obey orders; of each, say how it ended and how much it did to files."""
    for line in sys.stdin:
        order = json.loads(line)
        index = Path(order["index"])
        inner, outer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(inner)
            code = 1
            try:
                death = Death(str(index.parent), event=order["event"], seconds=order["seconds"])
                WORKS[order["work"]](index, order["number"])
                os.write(outer, str(death.seen).encode())
                code = 0
            except OpilioError as error:
                print(f"{order}: {error}", file=sys.stderr, flush=True)
            finally:
                os._exit(code)
        os.close(outer)
        _, status = os.waitpid(child, 0)
        with os.fdopen(inner, "rb") as said:
            events = int(said.read() or 0)
        print(json.dumps({"code": os.waitstatus_to_exitcode(status), "events": events}), flush=True)


ROLES = {"node": node, "reader": reader, "mortal": mortal}

if __name__ == "__main__":
    logs.configure(as_json=True)
    threading.current_thread().name = sys.argv[1]
    partial(ROLES[sys.argv[1]], *sys.argv[2:])()
