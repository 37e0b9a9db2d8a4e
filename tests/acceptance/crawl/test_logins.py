"""`opilio crawl … --login FILE`: crawls behind a login, from the command line, and what is left of the secrets."""

import gzip
import json

import pytest

from opilio.crawl.logins.book_file import read_book
from opilio.crawl.logins.errors import UnknownCredential
from opilio.crawl.plan import ScopeKind
from opilio.works.crawl_folder import StoreAddress
from opilio.works.crawl_orders import Orders
from opilio.works.crawl_story import explain
from opilio.works.crawl_to_archive import Crew, crawl, resume
from opilio.works.seal_at_end import Sealing
from tests import nursery
from tests.acceptance.crawl.crawls import fetched, pages_of, plan_for, responses
from tests.servers.http_logins import PASSWORD, USER
from tests.servers.http_server import HttpServer
from tests.servers.other_logins import KEY, KEY_HEADER

VARIABLE = "GRANARY_PASSWORD"


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        yield running


def login_file(tmp_path, server, host, *, text="", query="", more=""):
    """A file of mode 600 with the form of a host; the password stands in the environment."""
    file = tmp_path / f"{host}.toml"
    page = server.url(f"/login/form{query}", host=f"{host}.localhost")
    file.write_text(
        text
        or f'[granary]\nkind = "form"\nhosts = ["{host}.localhost:{server.port}"]\nhttps_only = false\n'
        f'page = "{page}"\nuser = "{USER}"\npassword_variable = "{VARIABLE}"\n{more}'
    )
    file.chmod(0o600)
    return file


def run(*arguments, environ=None):
    """Exit code, answer and what was said beside it."""
    command = [*nursery.OPILIO, "crawl", *map(str, arguments), "--json"]
    done = nursery.run(command, env=environ)
    return done.returncode, json.loads(done.stdout or b"{}"), done.stderr.decode()


def contents(folder):
    """Every byte of a crawl's folder, WARC records unpacked."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert any(file.name.endswith(".warc.gz") for file in files)
    return {file.name: _unpacked(file) for file in files}


def _unpacked(file):
    data = file.read_bytes()
    return gzip.decompress(data) if file.name.endswith(".gz") else data


def secrets_in(folder):
    marks = (PASSWORD, "straw+%26+hay", "straw%20%26%20hay", KEY)
    return [(name, mark) for name, data in contents(folder).items() for mark in marks if mark.encode() in data]


def test_a_crawl_behind_a_form_from_the_command_line(server, tmp_path, monkeypatch):
    """Pages come, links to sign out do not, and the folder holds no secret; `explain` tells of both."""
    monkeypatch.setenv(VARIABLE, PASSWORD)
    file = login_file(tmp_path, server, "cli")
    start, into = server.url("/login/inside/0", host="cli.localhost"), tmp_path / "out"
    code, answer, errors = run(
        start, "--into", into, "--scope", "host", "--login", file, "--preset", "own-site", "--allow-private",
        "--keep-open",
    )  # fmt: skip
    assert (code, answer["outcomes"]) == (0, {"fetched": 6}), errors
    assert secrets_in(into) == []
    assert PASSWORD not in errors
    plan = json.loads((into / "plan.json").read_text())
    assert plan["seeds"][0]["credential"] == "granary"
    story = explain(into, server.url("/login/logout", host="cli.localhost"))
    assert story["scope"][0]["rule"] == "sign-out"
    assert "end the session" in story["scope"][0]["reason"]
    posted = server.url("/login/form", host="cli.localhost")
    assert responses(into)[posted] == 2  # the form, and the answer to it


def test_a_lost_login_is_explained(server, tmp_path):
    """The outcome, its meaning and its reason."""
    book = read_book(login_file(tmp_path, server, "wrong"), {VARIABLE: "chaff"})
    start, into = server.url("/login/inside/0", host="wrong.localhost"), tmp_path / "out"
    crawl(book.assigned(plan_for(start)), into, Crew(book=book))
    story = explain(into, start)
    assert story["outcome"] == "auth-lost"
    assert story["meaning"] == "The login failed, or its session ended and could not be renewed."
    assert "user or password was not accepted" in story["reason"]


def test_a_file_that_cannot_be_used_stops_the_crawl_before_it_begins(server, tmp_path):
    """Exit code 2, the remedy, and no folder."""
    file, into = login_file(tmp_path, server, "bad"), tmp_path / "out"
    file.chmod(0o644)
    code, answer, errors = run(server.url("/", host="bad.localhost"), "--into", into, "--login", file)
    assert (code, "chmod 600" in json.dumps(answer) + errors) == (2, True)
    assert not into.exists()


def key_text(host, port):
    return (
        f'[granary]\nkind = "header"\nhosts = ["{host}:{port}"]\nhttps_only = false\n'
        f'headers = {{ {KEY_HEADER} = "{KEY}" }}\n'
    )


def test_workers_are_handed_the_credentials(server, tmp_path):
    """Over the pipe: each logs in for its own hosts, and no file of the crawl holds a secret."""
    names = [f"w{number}" for number in range(4)]
    text = "".join(key_text(f"{name}.localhost", server.port).replace("granary", name) for name in names)
    book = read_book(login_file(tmp_path, server, "many", text=text), {})
    starts = [server.url("/login/key", host=f"{name}.localhost") for name in names]
    plan = book.assigned(plan_for(*starts, scope=ScopeKind.HOST))
    assert [seed.credential for seed in plan.seeds] == names
    summary = crawl(plan, tmp_path / "out", Crew(workers=2, book=book))
    assert summary.report["outcomes"] == {"fetched": 16}
    assert secrets_in(tmp_path / "out") == []


def test_a_credential_for_https_is_sent_over_https(tmp_path):
    """As all are unless their file says otherwise."""
    with HttpServer(tls=True) as secure:
        text = (
            f'[a]\nkind = "digest"\nhosts = ["tls.localhost:{secure.port}"]\nuser = "{USER}"\npassword = "{PASSWORD}"'
        )
        book = read_book(login_file(tmp_path, secure, "tls", text=text), {})
        plan = book.assigned(plan_for(secure.url("/login/digest/both", host="tls.localhost"), scope=ScopeKind.HOST))
        summary = crawl(plan, tmp_path / "out", Crew(book=book, ca_file=str(secure.ca_file)))
    assert summary.report["outcomes"] == {"fetched": 4}


def test_a_resume_needs_the_credentials_again_and_keeps_the_session(server, tmp_path):
    """Without them it says so; with them, the cookies of the first part are good for the second."""
    host = "again.localhost"
    book = read_book(login_file(tmp_path, server, "again"), {VARIABLE: PASSWORD})
    plan = plan_for(server.url("/login/inside/0", host=host), scope=ScopeKind.HOST, limits={"pages": 2})
    from_file = book.assigned(plan)
    into = tmp_path / "out"
    crew = Crew(book=book, sealing=Sealing(keep_open=True))
    crawl(from_file, into, crew)
    assert len(fetched(into)) == 2
    with pytest.raises(UnknownCredential, match="'granary'"):
        resume(into)
    Orders(folder=into, by="operator", address=StoreAddress()).limit(pages=0)
    resume(into, crew)
    assert len(fetched(into)) == 6
    assert {page.outcome.value for page in pages_of(into)} == {"fetched"}
    posts = [each for each in server.log() if each.host == host and each.method == "POST"]
    assert len(posts) == 1
    assert secrets_in(into) == []
