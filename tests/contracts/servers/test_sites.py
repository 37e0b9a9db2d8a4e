"""Folders served under host names, and robots.txt as the control file says."""

import json
from pathlib import Path

import pytest

from tests.servers.folder import Sites, type_of
from tests.servers.http_server import HttpServer
from tests.servers.raw_client import ask
from tests.servers.robots import Rule


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> Path:
    """A default site, a site by name, and a collection of sites."""
    root = tmp_path_factory.mktemp("sites")
    files = {
        "plain/index.html": b"<p>plain</p>", "plain/sub/index.html": b"<p>sub</p>", "plain/data.json": b"{}",
        "plain/mäher 1.html": b"<p>name</p>", "plain/robots.txt": b"User-agent: *\nDisallow: /x\n",
        "plain/empty/keep.txt": b"", "named/index.html": b"<p>named</p>",
        "many/calendar_trap/index.html": b"<p>trap</p>", "many/soft/index.html": b"<p>soft</p>",
        "secret.txt": b"secret",
    }  # fmt: skip
    for name, body in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(body)
    (root / "plain/out.txt").symlink_to(root / "secret.txt")
    return root


@pytest.fixture(scope="module")
def sites(folders):
    hosts = {"named.localhost": folders / "named"}
    with HttpServer(site=folders / "plain", hosts=hosts, sites=folders / "many") as running:
        yield running


@pytest.mark.parametrize(
    ("host", "body"),
    [
        ("named.localhost", b"<p>named</p>"),
        ("NAMED.localhost:80", b"<p>named</p>"),
        ("calendar_trap.localhost", b"<p>trap</p>"),
        ("calendar-trap.localhost", b"<p>trap</p>"),
        ("soft.localhost", b"<p>soft</p>"),
        ("other.localhost", b"<p>plain</p>"),
        ("...localhost", b"<p>plain</p>"),
        ("soft", b"<p>plain</p>"),
    ],
)
def test_host_chooses_the_folder(sites, host, body):
    """Each folder has its host name; all other hosts see the default one."""
    assert ask(sites.port, "/", host=host).body == body


def test_files_have_types_and_validators(sites):
    """Type by name, 304 by tag, index pages for folders, and a redirect where the slash is missing."""
    answer = ask(sites.port, "/data.json")
    assert answer.header("Content-Type") == "application/json"
    assert ask(sites.port, "/data.json", headers={"If-None-Match": answer.header("ETag")}).status == 304
    assert ask(sites.port, "/sub/").body == b"<p>sub</p>"
    bare = ask(sites.port, "/sub?x=1")
    assert (bare.status, bare.header("Location")) == (301, "/sub/?x=1")
    assert ask(sites.port, "/m%C3%A4her%201.html").body == b"<p>name</p>"


@pytest.mark.parametrize(
    "path",
    ["/../secret.txt", "/%2e%2e/secret.txt", "/sub/..%2f..%2fsecret.txt", "/out.txt", "/a%00b", "/%FF",
     "/" + "n" * 5000, "/data.json/", "/data.json/x", "/empty/", "/missing.html"],
)  # fmt: skip
def test_nothing_outside_the_folder_is_served(sites, path):
    """Paths that climb, links that lead out, and names that cannot be are missing."""
    assert ask(sites.port, path).status == 404


def test_behaviours_are_there_beside_the_files(sites):
    """What the folder does not have, the server's behaviours answer."""
    assert ask(sites.port, "/drop").data == b""


@pytest.mark.parametrize(
    ("name", "body", "kind"),
    [
        ("a.html", "Mäher".encode(), "text/html; charset=utf-8"),
        ("a.HTM", "Mäher".encode("latin-1"), "text/html"),
        ("a.css", b"", "text/css; charset=utf-8"),
        ("a.js", b"", "text/javascript; charset=utf-8"),
        ("a.pdf", b"", "application/pdf"),
        ("a.png", b"", "image/png"),
        ("a.svg", b"", "image/svg+xml"),
        ("a.xml", b"", "application/xml"),
        ("a.atom", b"", "application/atom+xml"),
        ("a.tar.gz", b"", "application/gzip"),
        ("a", b"", "application/octet-stream"),
    ],
)
def test_types_by_name(name, body, kind):
    """Texts in UTF-8 say so; other texts leave the charset open."""
    assert type_of(Path(name), body) == kind


def test_missing_folder_is_an_error(tmp_path):
    """A folder that is not there is named when the server starts."""
    with pytest.raises(SystemExit, match="nowhere is no folder"):
        Sites.parsed([f"a.localhost={tmp_path / 'nowhere'}"], None)


@pytest.mark.parametrize("status", [200, 404, 410, 429, 500, 503])
def test_robots_status_is_as_told(server, key, status):
    """Any status and body can be set for a host, while the server runs; other hosts keep theirs."""
    host = f"{key}.localhost"
    assert ask(server.port, "/robots.txt", host=host).status == 404
    server.set_robots(host, Rule(status=status, body="User-agent: *\nDisallow: /private\n"))
    answer = ask(server.port, "/robots.txt", host=host)
    assert (answer.status, answer.body) == (status, b"User-agent: *\nDisallow: /private\n")
    assert answer.header("Content-Type") == "text/plain; charset=utf-8"
    assert ask(server.port, "/robots.txt", host=f"other-{host}").status == 404


def test_robots_can_redirect(server, key):
    """A redirect to another place, of any kind."""
    server.set_robots(f"{key}.localhost", Rule(status=301, location="http://b.localhost/robots.txt"))
    answer = ask(server.port, "/robots.txt", host=f"{key}.localhost")
    assert (answer.status, answer.header("Location")) == (301, "http://b.localhost/robots.txt")


def test_robots_can_be_huge(server, key):
    """A file larger than any client reads, with the rules at its end."""
    server.set_robots(f"{key}.localhost", Rule(filler=1027, body="User-agent: *\nDisallow: /\n"))
    answer = ask(server.port, "/robots.txt", host=f"{key}.localhost")
    assert len(answer.body) == int(answer.header("Content-Length")) == 1027 * 1024 + 26
    assert answer.body.startswith(b"# straw\n")
    assert answer.body.endswith(b"# straw\nUser-agent: *\nDisallow: /\n")


def test_robots_can_be_reset(server, key):
    """The connection is reset instead of an answer, after a wait."""
    server.set_robots(f"{key}.localhost", Rule(wait=0.01, reset=True))
    with pytest.raises(ConnectionResetError):
        ask(server.port, "/robots.txt", host=f"{key}.localhost")


def test_robots_for_all_others(folders):
    """The rule of `*` holds for hosts without one, and wins over a file of the folder."""
    with HttpServer(site=folders / "plain") as server:
        assert b"Disallow: /x" in ask(server.port, "/robots.txt").body
        server.set_robots("*", Rule(body="User-agent: a\n"))
        server.set_robots("b.localhost", Rule(status=500))
        assert ask(server.port, "/robots.txt").body == b"User-agent: a\n"
        assert ask(server.port, "/robots.txt", host="b.localhost").status == 500


@pytest.mark.parametrize("text", ["{", "[]", json.dumps({"*": {"colour": "red"}}), json.dumps({"*": 5}), "\x00"])
def test_broken_control_file_is_reported(text):
    """A control file that makes no sense gives 400 that names it, and the server goes on."""
    with HttpServer() as server:
        (server.folder / "robots.json").write_text(text, encoding="utf-8")
        answer = ask(server.port, "/robots.txt")
        assert (answer.status, b"robots.json is no JSON object" in answer.body) == (400, True)
        (server.folder / "robots.json").unlink()
        assert ask(server.port, "/robots.txt").status == 404
