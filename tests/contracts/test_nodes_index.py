"""A node that serves the real index: searches, suggestions, rules of access, hostile questions."""

import asyncio
import json
import os
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from datetime import UTC, datetime

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from typer.testing import CliRunner

from opilio.cli.node import app as node_commands
from opilio.kernel.access import OPEN_TO_ALL, Default, Reach, Rule, Rules, Says, Where
from opilio.kernel.access_file import write_rules
from opilio.kernel.clock import SYSTEM
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.settings import AnalysisSettings, StopRule
from opilio.search.document import SearchDocument
from opilio.search.generations.build import Filled, build
from opilio.search.generations.library import Generations
from opilio.search.generations.verify import verify
from opilio.search.index.build import IndexBuild
from opilio.search.index.errors import OtherAnalysis
from opilio.search.nodes.app import NodeApp
from opilio.search.nodes.index_contents import ANALYSIS, DOCUMENTS, OpenIndex, analysis_of
from opilio.search.nodes.serving import Serving
from opilio.search.search_index import SearchIndex
from tests import nursery
from tests.servers.http_server import HttpServer

SETTINGS = AnalysisSettings(stop_rules=(StopRule("", "opilio", True),))
PAGES, INDEX = 20, "index"
CAPTURED = datetime(2026, 1, 1, tzinfo=UTC)


def fill(pages=PAGES, settings=SETTINGS):
    def filled(folder, before):
        analyzer = Analyzer(settings)
        (folder / ANALYSIS).write_text(settings.to_json())
        with IndexBuild(folder / INDEX, analyzer, threads=1, memory=15_000_000) as writer:
            for page in range(pages):
                writer.add(page, document(page))
        return Filled(counts={DOCUMENTS: pages}, analyzer=analyzer.fingerprint, probes=("heron", "heron -river"))

    return filled


def document(page):
    return SearchDocument(
        url=f"https://site{page % 2}.test/{page}", title=f"Page {page} about herons",
        text=f"The heron stands in the {'river' if page % 2 else 'lake'} number{page}.",
        captured=CAPTURED.timestamp(), language="en", type="text/html", site=f"site{page % 2}.test",
    )  # fmt: skip


class IndexContents:
    """Opens generations that hold an index and nothing else."""

    def __init__(self, rules=lambda now: OPEN_TO_ALL):
        self.rules = rules

    def open(self, folder, manifest):
        return OpenIndex(SearchIndex(folder / INDEX, Analyzer(analysis_of(folder))), self.rules, {}, SYSTEM)


@pytest.fixture
def generations(tmp_path):
    return Generations(tmp_path / "generations")


@pytest.fixture
def served(generations):
    """Opens an application on a generation; several may be opened in one test."""
    made = []

    def start(contents, name):
        serving = Serving(lambda: generations.path(name), contents)
        assert serving.follow(), serving.refused
        made.append(NodeApp(serving, proxies=1))
        return made[-1]

    yield start
    for app in made:
        app.end()


def ask(app, path, address="", **parameters):
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request", "body": b""}

    query = urllib.parse.urlencode({name.rstrip("_"): value for name, value in parameters.items()}).encode()
    headers = [(b"x-forwarded-for", address.encode())]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query, "headers": headers}
    asyncio.run(app({**scope, "client": ("192.0.2.1", 1)}, receive, send))
    return sent[0]["status"], json.loads(sent[1]["body"])


def test_results_are_those_of_the_index(generations, served):
    """Titles, snippets, facets and the way to ask the same again come as JSON."""
    name = build(generations, fill(), IndexContents()).id
    status, found = ask(
        served(IndexContents(), name), "/search", q="heron lake", limit=3, every=1, sort="date", duplicates=1
    )
    assert status == 200
    assert (found["generation"], found["total"], len(found["results"])) == (name, PAGES // 2, 3)
    assert "<mark>" in found["results"][0]["snippet"]["html"]
    assert {each["value"] for each in found["facets"]["sites"]} == {"site0.test"}
    assert urllib.parse.parse_qs(found["permalink"])["sort"] == ["date"]
    assert found["further"]


def test_suggestions(generations, served):
    """What was begun is continued by words of the index."""
    app = served(IndexContents(), build(generations, fill(), IndexContents()).id)
    status, found = ask(app, "/suggest", q="her")
    assert status == 200
    assert "heron" in found["queries"]


def test_the_analysis_travels_with_the_generation(generations):
    """A node opens a generation with the stop words it was built with, whatever its own are; others are refused."""
    manifest = build(generations, fill(), IndexContents())
    folder = generations.path(manifest.id)
    assert verify(folder, IndexContents()) == manifest
    (folder / ANALYSIS).unlink()
    with pytest.raises(OtherAnalysis):
        IndexContents().open(folder, manifest)


def test_a_takedown_counts_at_once(generations, served):
    """Results, totals, facets and suggestions change with the rules, without another generation."""
    now = [Rules([], default=Default.OPEN)]
    app = served(IndexContents(lambda moment: now[0]), build(generations, fill(), IndexContents()).id)
    assert ask(app, "/search", q="heron")[1]["total"] == PAGES
    gone = Rule(id="1", where=Where(reach=Reach.HOST, value="site1.test"), says=Says.TAKEN_BLOCK)
    now[0] = Rules([gone], default=Default.OPEN)
    found = ask(app, "/search", q="heron")[1]
    assert found["total"] == PAGES // 2
    assert {each["value"] for each in found["facets"]["sites"]} == {"site0.test"}
    assert ask(app, "/suggest", q="riv")[1]["queries"] == []
    now[0] = Rules.closed("The rules are too old.")
    assert ask(app, "/search", q="heron")[1]["total"] == 0


def test_a_reading_room_is_known_by_its_address(generations, served):
    """The nearest entry that our own proxy wrote counts; what the reader wrote before it does not."""
    rules = Rules(
        [Rule(id="1", where=Where(reach=Reach.HOST, value="site1.test"), says=Says.ROOMS)], default=Default.OPEN,
        rooms={"hall": ["198.51.100.0/24"]},
    )  # fmt: skip
    app = served(IndexContents(lambda moment: rules), build(generations, fill(), IndexContents()).id)
    assert ask(app, "/search", "198.51.100.7", q="heron")[1]["total"] == PAGES
    assert ask(app, "/search", "198.51.100.7, 203.0.113.9", q="heron")[1]["total"] == PAGES // 2
    assert ask(app, "/search", "198.51.100.7 or so", q="heron")[1]["total"] == PAGES // 2


@pytest.mark.parametrize(
    ("parameters", "status"),
    [
        ({"q": ""}, 200),
        ({"q": "(" * 15 + '"unclosed OR AND -'}, 200),
        ({"q": " ".join(f"w{each}" for each in range(5_000))}, 200),
        ({"q": "nofield:x \x00 \ud7ff *"}, 200),
        ({"q": "heron", "from_": "999999999"}, 200),
        ({"q": "heron", "limit": "1000000"}, 200),
        ({"q": "heron", "limit": "-1"}, 400),
        ({"q": "heron", "sort": "king"}, 400),
        ({"q": "heron", "every": "yes"}, 400),
        ({"q": "heron", "from_": "1.5"}, 400),
        ({}, 400),
    ],
)
def test_hostile_questions(generations, served, parameters, status):
    """A query never fails; parameters that mean nothing are named."""
    app = served(IndexContents(), build(generations, fill(pages=3), IndexContents()).id)
    found, document = ask(app, "/search", **parameters)
    assert found == status
    assert ("error" in document) is (status != 200)


def run(home, *arguments, within=True):
    """A command; inside the test where that is possible."""
    if within:
        answer = CliRunner().invoke(node_commands, [*arguments, "--json"], env={"OPILIO_HOME": str(home)})
        assert answer.exit_code == 0, answer.output
        return json.loads(answer.stdout)
    environment = {**os.environ, "OPILIO_HOME": str(home)}
    done = nursery.run([*nursery.OPILIO, *arguments, "--json"], env=environment, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Running:
    """`opilio node …` as a process that answers."""

    def __init__(self, home, *arguments):
        command = [*nursery.OPILIO, "node", *arguments, "--port", "0", "--json", "--with-parent"]
        environment = {**os.environ, "OPILIO_HOME": str(home)}
        self.process = nursery.Process(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        text = ""
        while not text.endswith("}\n"):
            line = self.process.stdout.readline().decode()
            if not line:
                self.__exit__()
                raise AssertionError("it ended")
            text += line
        self.url = json.loads(text)["address"].rstrip("/")
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()

    def ask(self, path):
        """The answer, as soon as the node is ready."""
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}{path}", timeout=60) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                if error.code != 503:
                    raise


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An installation whose index holds a crawl."""
    folder = tmp_path_factory.mktemp("home")
    crawl = str(folder / "crawl")
    with HttpServer() as server:
        run(folder, "crawl", server.url("/large/12/"), "--into", crawl, "--allow-private", "--delay", "0", within=False)
    run(folder, "index", "build", crawl, within=False)
    run(folder, "index", "publish", within=False)
    return folder


def test_the_commands(home):
    """A node serves a crawl from the command line, with rules or without; the others say what they did."""
    generations = Generations(home / "index" / "generations")
    name, primary = generations.newest(), str(home / "index" / "nodes" / "primary")
    probe = generations.manifest(name).probes[0]
    question = f"/search?{urllib.parse.urlencode({'q': probe.query})}"
    with Running(home, "serve", primary) as node:
        found = node.ask(question)
        assert (found["generation"], found["total"]) == (name, probe.total)
        assert found["results"][0]["url"] == probe.expected[0]
        (home / "index" / "nodes.toml").write_text(f'[[node]]\nname="primary"\nrole="primary"\nreader="{node.url}"\n')
        with Running(home, "reader") as reader:
            assert reader.ask(question)["results"] == found["results"]
        told = run(home, "status")["nodes"][0]
        assert (told["generation"], told["behind"], told["serving"]) == (name, 0, name)
    assert run(home, "drain", "primary") == {"node": "primary", "drained": True}
    assert "primary" in (home / "index" / "reader.json").read_text()
    assert run(home, "restore", "primary") == {"node": "primary", "drained": False}
    assert run(home, "verify", primary)["generation"] == name


def test_a_node_obeys_rules_that_it_pulls(home, tmp_path):
    """Rules that let nobody in hide everything."""
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (tmp_path / "key").write_bytes(public)
    write_rules(tmp_path / "rules", [], key, sequence=1, made=SYSTEM.now(), default=Default.CLOSED)
    rules = ("--access", str(tmp_path / "copy"), "--access-key", str(tmp_path / "key"))
    with Running(
        home, "serve", str(home / "index" / "nodes" / "primary"), *rules, "--access-source", str(tmp_path / "rules")
    ) as node:
        assert node.ask("/health")["counts"]["documents"] == 12
        assert node.ask("/search?q=type:html")["total"] == 0


def test_a_token_is_made_once(tmp_path):
    """The command never shows it."""
    made = run(tmp_path, "token")
    token = tmp_path / "secrets" / "node_token"
    assert made == {"file": str(token), "made": True}
    assert run(tmp_path, "token")["made"] is False
    assert (token.stat().st_mode & 0o777, len(token.read_text()) > 40) == (0o600, True)
