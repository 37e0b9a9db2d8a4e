"""Publishing to nodes that run: order, readers, failures, rollback, two publishers."""

import json
import sys
import threading
import urllib.error
import urllib.request
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from opilio.kernel.errors import Conflict
from opilio.kernel.locks import locked
from opilio.search.generations.errors import NoGeneration
from opilio.search.generations.library import Generations
from opilio.search.nodes.errors import NoEarlierGeneration, NoNode
from opilio.search.nodes.nodes_file import read_nodes
from opilio.search.nodes.publishing import Outcome
from opilio.search.nodes.reader_state import DrainedBy, ReaderState
from tests.contracts.generations_tiny import WORD, TinyContents, complete, flip, made
from tests.contracts.nodes_process import TOKEN, publishing, started

#: A hook that writes down each order, what readers of the built-in endpoint got at that moment, and fails when told to.
HOOK = """
import json, pathlib, sys, urllib.request
index = pathlib.Path(sys.argv[1])
verb, name = sys.argv[2:]
reader = (index / "reader.url").read_text() if (index / "reader.url").exists() else ""
node = urllib.request.urlopen(reader + "/health").headers["x-opilio-node"] if reader else ""
drained = list(json.loads((index / "reader.json").read_text())["drained"])
with (index / "hook.log").open("a") as log:
    print(json.dumps([verb, name, drained, node]), file=log)
sys.exit(3 if (index / f"fail-{verb}").exists() else 0)
"""


@dataclass
class Installation:
    """An index with three nodes in folders of their own, whose services may run."""

    index: Path
    stack: ExitStack = field(default_factory=ExitStack)
    addresses: dict = field(default_factory=dict)

    def start(self, *names):
        for name in names:
            errors = self.index / f"{name}.errors"
            service = self.stack.enter_context(started("node", self.place(name), TOKEN, errors=errors))
            self.addresses[name] = service.address["url"]
        self.describe()

    def start_reader(self):
        reader = self.stack.enter_context(started("reader", self.index, errors=self.index / "reader.errors"))
        self.addresses["reader"] = reader.address["url"]
        (self.index / "reader.url").write_text(reader.address["url"])

    def describe(self):
        tables = [
            f'[[node]]\nname = "{name}"\nrole = "{name}"\nplace = "{self.place(name)}"\n'
            + (f'reader = "{self.addresses[name]}"\n' if name in self.addresses else "")
            for name in ("backup", "content", "primary")
        ]
        (self.index / "hook.py").write_text(HOOK)
        hook = json.dumps([sys.executable, str(self.index / "hook.py"), str(self.index)])
        (self.index / "nodes.toml").write_text("\n".join(tables) + f"\n[hook]\ncommand = {hook}\n")

    def place(self, name):
        return self.index.parent / name

    def made(self, bears):
        return made(self.index / "generations", bears).id

    def publish(self, **more):
        return outcomes(publishing(self.index).publish(**more))

    def served(self):
        return {
            name: self.place(name).joinpath("current").readlink().name if self.place(name).exists() else ""
            for name in ("content", "primary", "backup")
        }

    def hook_log(self):
        path = self.index / "hook.log"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def asked(self, name):
        with urllib.request.urlopen(f"{self.addresses[name]}/search?q={WORD}") as answer:
            return complete(json.load(answer)), answer.headers["x-opilio-node"]


def outcomes(report):
    return {each.node: each.outcome for each in report.nodes}


@pytest.fixture
def network(tmp_path):
    index = tmp_path / "index"
    index.mkdir()
    found = Installation(index)
    found.describe()
    with found.stack:
        yield found


ALL = {"content": Outcome.SWITCHED, "primary": Outcome.SWITCHED, "backup": Outcome.SWITCHED}


def test_all_nodes_get_the_newest(network):
    """In the order content, primary, backup; a second time nothing is left to do."""
    network.made(1)
    second = network.made(2)
    report = publishing(network.index).publish()
    assert outcomes(report) == ALL
    assert [each.node for each in report.nodes] == ["content", "primary", "backup"]
    assert report.complete
    assert set(network.served().values()) == {second}
    assert set(network.publish().values()) == {Outcome.ALREADY}


def test_readers_are_at_the_backup_while_the_primary_is_switched(network):
    """The endpoint and the hook move them before the switch and back after it."""
    first = network.made(1)
    network.start("content", "primary", "backup")
    network.start_reader()
    assert network.publish() == ALL
    assert network.hook_log() == [], "the first time nobody could take the readers"
    assert network.asked("reader") == (1, "primary")
    network.made(2)
    assert network.publish() == ALL
    assert network.hook_log() == [
        ["drain", "primary", ["primary"], "backup"], ["restore", "primary", [], "primary"],
    ]  # fmt: skip
    assert {network.asked(name)[0] for name in ("content", "primary", "backup")} == {2}
    assert outcomes(publishing(network.index).roll_back()) == ALL
    assert set(network.served().values()) == {first}
    assert network.asked("reader") == (1, "primary")


def test_a_node_that_fails_its_probe_is_not_switched_and_the_others_are_not_harmed(network):
    """The one before keeps the new generation, the ones behind keep the old; mended, all get it."""
    first = network.made(1)
    network.publish()
    second = network.made(2)
    manifest = TinyContents.open
    copy = network.place("primary") / "generations"

    def broken(self, folder, described):
        opened = manifest(self, folder, described)
        if folder.is_relative_to(copy):
            opened.probe = lambda query, ask=opened.probe: ask("nothing")
        return opened

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TinyContents, "open", broken)
        report = publishing(network.index).publish()
    assert outcomes(report) == {
        "content": Outcome.SWITCHED, "primary": Outcome.FAILED, "backup": Outcome.UNTOUCHED,
    }  # fmt: skip
    assert "probe" in report.nodes[1].error
    assert not report.complete
    assert network.served() == {"content": second, "primary": first, "backup": first}
    assert network.hook_log() == []
    assert network.publish() == {**ALL, "content": Outcome.ALREADY}


def test_a_flipped_bit_reaches_nobody(network):
    """A damaged generation is refused at the first node."""
    first = network.made(1)
    network.publish()
    second = network.made(2)
    flip(network.index / "generations" / second / "views.txt")
    report = publishing(network.index).publish()
    assert outcomes(report) == {
        "content": Outcome.FAILED, "primary": Outcome.UNTOUCHED, "backup": Outcome.UNTOUCHED,
    }  # fmt: skip
    assert "digest" in report.nodes[0].error
    assert set(network.served().values()) == {first}


def test_a_service_that_refuses_is_switched_back(network):
    """What a service does not open is not left in its place, and readers come back."""
    first = network.made(1)
    network.start("primary", "backup")
    network.publish()
    second = network.made(2)
    original = TinyContents.open

    def flipping(self, folder, manifest):
        opened = original(self, folder, manifest)
        if folder.is_relative_to(network.place("primary")):
            opened.close = lambda: flip(folder / "views.txt")  # the probe was good; then the disk was not
        return opened

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TinyContents, "open", flipping)
        report = publishing(network.index).publish()
    assert report.nodes[1].outcome is Outcome.FAILED
    assert "views.txt has another digest" in report.nodes[1].error
    assert network.served() == {"content": second, "primary": first, "backup": first}
    assert network.asked("primary")[0] == 1
    assert ReaderState(network.index / "reader.json").drained() == {}


@pytest.mark.parametrize("verb", ["drain", "restore"])
def test_the_exit_code_of_the_hook_counts(network, verb):
    """Readers that cannot leave keep the primary as it is; readers that cannot come back are told of."""
    first = network.made(1)
    network.publish()
    second = network.made(2)
    (network.index / f"fail-{verb}").touch()
    report = publishing(network.index).publish()
    if verb == "drain":
        assert report.nodes[1].outcome is Outcome.FAILED
        assert "code 3" in report.nodes[1].error
        assert network.served() == {"content": second, "primary": first, "backup": first}
    else:
        assert report.complete
        assert "readers were not sent back" in " ".join(report.nodes[1].notes)
    assert ReaderState(network.index / "reader.json").drained() == {}


def test_what_a_killed_publisher_left_is_put_right(network):
    """Readers that it sent away come back with the next publish; those of an operator stay away."""
    network.made(1)
    network.publish()
    state = ReaderState(network.index / "reader.json")
    state.drain("primary", DrainedBy.PUBLISH)
    state.drain("backup", DrainedBy.OPERATOR)
    network.publish()
    assert set(state.drained()) == {"backup"}
    publishing(network.index).restore("backup")
    publishing(network.index).drain("primary")
    assert set(state.drained()) == {"primary"}


def test_two_publishers(network):
    """The second is refused by name, or waits if it was told to."""
    network.made(1)
    lock = network.index / ".publish.lock"
    with locked(lock, purpose="publishing by hand"):
        with pytest.raises(Conflict, match="publishing by hand"):
            network.publish()
        with pytest.raises(Conflict, match="publishing by hand"):
            publishing(network.index).roll_back(wait=0.2)
        told = []
        thread = threading.Thread(target=lambda: told.append(network.publish(wait=60.0)))
        thread.start()
    thread.join()
    assert told == [ALL]


def test_single_nodes(network):
    """One node can be published to and rolled back alone; unknown ones are told."""
    first = network.made(1)
    second = network.made(2)
    network.publish(generation=first)
    assert network.publish(only=["content"]) == {"content": Outcome.SWITCHED}
    assert network.served() == {"content": second, "primary": first, "backup": first}
    report = publishing(network.index).roll_back(only=["content"])
    assert outcomes(report) == {"content": Outcome.SWITCHED}
    assert network.served()["content"] == first
    with pytest.raises(NoEarlierGeneration):
        publishing(network.index).roll_back(only=["content"])
    with pytest.raises(NoNode):
        network.publish(only=["north"])
    report = publishing(network.index).roll_back(to=second)
    assert [each.outcome for each in report.nodes] == [Outcome.SWITCHED, Outcome.FAILED, Outcome.UNTOUCHED]
    assert second in report.nodes[1].error


def test_nothing_to_publish(network):
    """Without a generation the message says how to get one."""
    with pytest.raises(NoGeneration, match="opilio index build"):
        network.publish()


def test_old_generations_go_when_all_nodes_have_the_new(network):
    """At the nodes and where they were built; what is served stays."""
    names = []
    for each in range(4):
        names.append(network.made(each))
        report = publishing(network.index).publish(keep=2)
    assert report.removed == tuple((where, (names[1],)) for where in ("backup", "content", "primary", "here"))
    for folder in (network.index, *map(network.place, ("content", "primary", "backup"))):
        kept = sorted(path.name for path in (folder / "generations").iterdir() if path.is_dir())
        assert kept == names[2:]


def test_status(network):
    """Which generation is where, since when, with how much, and how far behind."""
    first = network.made(1)
    network.start("primary")
    network.publish()
    second = network.made(2)
    network.publish(only=["content"])
    publishing(network.index).drain("backup")
    found = {each.node: each for each in publishing(network.index).status()}
    assert (found["content"].generation, found["content"].behind, found["content"].lag) == (second, 0, 0.0)
    assert (found["primary"].generation, found["primary"].behind, found["primary"].serving) == (first, 1, first)
    assert found["primary"].lag > 0
    assert found["primary"].counts == {"pages": 12}
    assert found["backup"].drained == "operator"
    assert found["backup"].since <= found["content"].since


def test_nodes_beside_the_generations(tmp_path):
    """Without a list there are the seed's three, as links to the generations that were built here."""
    index = tmp_path / "index"
    first, second = made(index / "generations", 1).id, made(index / "generations", 2).id
    assert outcomes(publishing(index).publish()) == ALL
    for name in ("content", "primary", "backup"):
        assert (index / "nodes" / name).resolve() == index / "generations" / second
    publishing(index).roll_back(only=["backup"])
    third = made(index / "generations", 3).id
    publishing(index).keep(1)
    assert sorted(path.name for path in (index / "generations").iterdir() if path.is_dir()) == [first, second, third]


def test_publishing_does_not_wait_for_a_build(tmp_path):
    """While the next generation is built, nodes are published to and rolled back; only removing waits."""
    index = tmp_path / "index"
    for number in (1, 2):
        made(index / "generations", number)
    with Generations(index / "generations").changing("building a generation"):
        report = publishing(index).publish(keep=1)
        assert outcomes(report) == ALL
        assert "building a generation" in " ".join(report.notes)
        assert publishing(index).roll_back().complete


def test_the_reader_endpoint_passes_over_nodes_that_do_not_answer(network):
    """As long as one node serves, readers are answered; then they are told."""
    network.made(1)
    network.start("primary", "backup")
    dead = network.addresses["primary"]
    network.publish()
    network.start_reader()
    assert network.asked("reader") == (1, "primary")
    text = (network.index / "nodes.toml").read_text()
    (network.index / "nodes.toml").write_text(text.replace(dead, "http://127.0.0.1:1"))
    assert [node.name for node in read_nodes(network.index / "nodes.toml").nodes] == [
        "backup",
        "content",
        "primary",
    ]
    network.start_reader()
    assert network.asked("reader") == (1, "backup")
    (network.index / "nodes.toml").write_text("")
    network.start_reader()
    with pytest.raises(urllib.error.HTTPError) as told:
        network.asked("reader")
    assert told.value.code == 503
    assert json.load(told.value)["error"]["code"] == "node-unreachable"
