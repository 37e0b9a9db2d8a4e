"""The service of a node, asked without a network."""

import asyncio
import json

import pytest

from opilio.search.generations.library import Generations
from opilio.search.generations.manifest import dumped
from opilio.search.nodes.app import NodeApp
from opilio.search.nodes.folder_place import own_place
from opilio.search.nodes.intake import Intake
from opilio.search.nodes.messages import LONGEST_QUERY
from opilio.search.nodes.serving import Serving
from tests.contracts.generations_tiny import WORD, TinyContents, complete, made

TOKEN = "a-token-of-the-tests"


class Asked:
    """An answer of the application."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)


def ask(app, path, *, method="GET", query=b"", body=b"", token="", breaks=False):
    sent = []
    messages = [{"type": "http.request", "body": body[:7], "more_body": True}]
    messages.append({"type": "http.disconnect"} if breaks else {"type": "http.request", "body": body[7:]})

    async def receive():
        return messages.pop(0)

    async def send(message):
        sent.append(message)

    headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
    scope = {"type": "http", "method": method, "path": path, "query_string": query, "headers": headers}
    asyncio.run(app(scope, receive, send))
    start, end = sent
    return Asked(start["status"], dict(start["headers"]), end["body"])


@pytest.fixture
def generations(tmp_path):
    return Generations(tmp_path / "generations")


@pytest.fixture
def place(tmp_path):
    return own_place(tmp_path / "node", TinyContents())


@pytest.fixture
def app(place):
    serving = Serving(lambda: place.link.resolve() if place.link.exists() else None, TinyContents())
    found = NodeApp(serving, name="north", intake=Intake(place, TOKEN))
    found.follow = serving.follow
    yield found
    found.end()


@pytest.fixture
def ready(app, place, generations):
    manifest = made(place.generations.root, 7)
    place.switch(manifest.id, instead_of="")
    app.follow()
    return app


def test_a_search_says_its_generation(ready, place):
    """Every answer names the one generation it comes from."""
    found = ask(ready, "/search", query=f"q={WORD}".encode())
    assert found.status == 200
    assert found.headers[b"content-type"] == b"application/json"
    assert complete(found.json) == 7
    assert found.json["generation"] == place.current().generation
    assert ask(ready, "/suggest", query=b"q=he").json["suggestions"] == [WORD]


def test_health_tells_what_is_open(app, place, generations, ready):
    """Ready means: a verified generation is open, and it says which, since when, and with how much."""
    found = ask(ready, "/health")
    assert found.status == 200
    assert {name: found.json[name] for name in ("ready", "node", "counts", "refused")} == {
        "ready": True, "node": "north", "counts": {"pages": 12}, "refused": None,
    }  # fmt: skip
    assert found.json["since"] > found.json["made"]


def test_not_ready_is_503(app):
    """Before the first generation, searches and health say so in the one shape of errors."""
    for path in ("/health", "/search", "/suggest"):
        found = ask(app, path, query=b"q=x")
        assert found.status == 503
        assert set(found.json["error"]) == {"code", "message", "where", "remedy", "correlation"}
        assert found.json["error"]["code"] == "not-ready"
        assert found.headers[b"retry-after"] == b"1"


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("/search", b"q=" + b"x" * LONGEST_QUERY, 414),
        ("/search", b"q=%ff", 400),
        ("/search", b"q=\xff", 400),
        ("/search", b"&".join(b"a=1" for _ in range(101)), 400),
        ("/search", b"", 400),
        ("/search", b"q=x&limit=-1", 400),
        ("/search", b"q=x&limit=1e9", 400),
        ("/search", b"q=x&limit=" + b"9" * 5_000, 400),
        ("/search", "q=x&limit=\u0663".encode("ascii", "xmlcharrefreplace"), 200),
        ("/nothing", b"", 404),
        ("/", b"", 404),
    ],
)
def test_senseless_requests_are_refused_in_one_shape(ready, path, query, status):
    """Huge, undecodable and wrong parameters get a message that names the thing and the remedy."""
    found = ask(ready, path, query=query)
    assert found.status == status
    if status != 200:
        assert found.json["error"]["message"]
        assert found.json["error"]["remedy"]


def test_a_long_question_is_answered(ready):
    """Ten thousand words are no error."""
    words = "+".join(["heron"] * 10_000).encode()
    assert ask(ready, "/search", query=b"q=" + words).status == 200


def test_a_fault_of_ours_is_told_and_logged(ready, place, caplog):
    """The reader gets the one shape of errors without the reason, the operator the reason."""
    with ready._serving.reading() as held:
        held.opened.search = lambda question, reader: 1 / 0
        found = ask(ready, "/search", query=b"q=x")
    assert (found.status, found.json["error"]["code"]) == (500, "node-failed")
    assert "division" not in found.body.decode()
    assert "node_failed" in caplog.text
    assert ask(ready, "/health").status == 200


def test_only_get(ready):
    """Other methods are refused; HEAD has no body."""
    found = ask(ready, "/search", method="DELETE")
    assert (found.status, found.headers[b"allow"]) == (405, b"GET, HEAD")
    assert ask(ready, "/health", method="HEAD").body == b""


def test_counts_for_a_monitor(ready):
    """Requests are counted by path and status."""
    ask(ready, "/search", query=f"q={WORD}".encode())
    ask(ready, "/search")
    lines = ask(ready, "/metrics").body.decode().splitlines()
    assert 'opilio_node_requests_total{path="/search",status="200"} 1' in lines
    assert 'opilio_node_requests_total{path="/search",status="400"} 1' in lines
    assert "opilio_node_ready 1" in lines
    assert 'opilio_node_count{kind="pages"} 12' in lines


ORDERS = [
    ("GET", "/node/current"), ("POST", "/node/switch"), ("POST", "/node/keep"),
    ("POST", "/node/generations/20261116T120000000000-00000000"),
    ("PUT", "/node/generations/20261116T120000000000-00000000/files/a"),
    ("POST", "/node/generations/20261116T120000000000-00000000/finish"),
    ("POST", "/node/generations/20261116T120000000000-00000000/probe"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), ORDERS)
@pytest.mark.parametrize("token", ["", "wrong", TOKEN + "x", TOKEN[:-1], "ü"])
def test_orders_need_the_token(ready, method, path, token):
    """Without it, or with another one, nothing is done and nothing is told."""
    found = ask(ready, path, method=method, token=token)
    assert found.status == 401
    assert found.headers[b"www-authenticate"].startswith(b"Bearer")
    assert "held" not in found.json


def test_without_a_token_there_is_no_door(place):
    """A node that was given no token takes no orders at all."""
    app = NodeApp(Serving(lambda: None, TinyContents()))
    assert ask(app, "/node/current", token="x").status == 404
    shut = NodeApp(Serving(lambda: None, TinyContents()), intake=Intake(place, ""))
    assert ask(shut, "/node/current", token="").status == 401
    for each in (app, shut):
        each.end()


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/node/switch", b"", 422),
        ("POST", "/node/switch", b"[]", 422),
        ("POST", "/node/switch", b'{"generation": 1, "instead_of": ""}', 422),
        ("POST", "/node/switch", b'{"generation": "../x", "instead_of": ""}', 422),
        ("POST", "/node/switch", b'{"generation": "20261116T120000000000-00000000", "instead_of": ""}', 404),
        ("POST", "/node/switch", b"x" * 100_000, 422),
        ("POST", "/node/switch", b"[" * 60_000, 422),
        ("POST", "/node/keep", b'{"count": 0}', 422),
        ("POST", "/node/keep", b'{"count": true}', 422),
        ("POST", "/node/generations/20261116T120000000000-00000000", b"{}", 500),
        ("POST", "/node/generations/..%2f..%2fetc", b"{}", 422),
        ("POST", "/node/generations/20261116T120000000000-00000000/probe", b"", 404),
        ("POST", "/node/generations/20261116T120000000000-00000000/finish", b"", 422),
        ("PUT", "/node/generations/20261116T120000000000-00000000/files/../../x", b"x", 422),
        ("PUT", "/node/other", b"x", 404),
        ("DELETE", "/node/current", b"", 404),
    ],
)
def test_senseless_orders_are_refused(ready, place, method, path, body, status):
    """The node serves on, and has what it had."""
    before = place.current(), place.held()
    found = ask(ready, path, method=method, body=body, token=TOKEN)
    assert (found.status, bool(found.json["error"]["message"])) == (status, True)
    assert (place.current(), place.held()) == before
    assert ask(ready, "/search", query=f"q={WORD}".encode()).status == 200


def test_a_file_that_breaks_off_or_is_another_is_not_kept(app, place, generations):
    """The node has the whole file or none; the right one is taken afterwards."""
    manifest = made(generations.root, 1)
    base = f"/node/generations/{manifest.id}"
    missing = ask(app, base, method="POST", body=dumped(manifest), token=TOKEN).json["missing"]
    assert sorted(missing) == sorted(entry.name for entry in manifest.files)
    data = (generations.path(manifest.id) / "views.txt").read_bytes()
    target = f"{base}/files/views.txt"
    assert ask(app, target, method="PUT", body=data, token=TOKEN, breaks=True).json["error"]["code"] == "bad-upload"
    for wrong in (data + b"x", data[:-1], data[:-1] + b"!", b""):
        found = ask(app, target, method="PUT", body=wrong, token=TOKEN)
        assert found.json["error"]["code"] == "damaged-generation"
    assert ask(app, f"{base}/files/other.txt", method="PUT", body=b"x", token=TOKEN).status == 422
    assert "views.txt" in ask(app, base, method="POST", body=dumped(manifest), token=TOKEN).json["missing"]
    assert ask(app, f"{base}/finish", method="POST", token=TOKEN).json["error"]["code"] == "damaged-generation"
    assert ask(app, target, method="PUT", body=data, token=TOKEN).status == 200
    assert "views.txt" not in ask(app, base, method="POST", body=dumped(manifest), token=TOKEN).json["missing"]
    assert place.held() == []


def test_the_manifest_must_be_that_of_the_generation(app, generations):
    """A manifest under another name is refused."""
    manifest = made(generations.root, 1)
    found = ask(
        app, "/node/generations/20261116T120000000000-00000000", method="POST", body=dumped(manifest), token=TOKEN
    )
    assert found.status == 422


def test_folders_of_the_machine_are_not_told(ready, place, generations):
    """Errors leave the node without its paths."""
    other = made(place.generations.root, 8)
    next((place.generations.root / other.id).rglob("*.idx")).unlink()
    found = ask(ready, f"/node/generations/{other.id}/probe", method="POST", token=TOKEN)
    assert found.json["error"]["code"] == "damaged-generation"
    assert str(place.generations.root) not in found.body.decode()
