"""What a crawl must never do, and how it says no."""

import contextlib
import json
import socket
import subprocess
import sys
from dataclasses import replace

import pytest

from opilio.cli.failures import NOTHING_FETCHED
from opilio.cli.main import main
from opilio.crawl.engine import parts
from opilio.crawl.errors import AnotherPlan, BadPlan
from opilio.crawl.fetch.resolver import Resolved, Resolver
from opilio.crawl.plan import Fetch
from opilio.kernel.errors import Conflict
from opilio.works.crawl_checks import check_authorities
from opilio.works.crawl_to_archive import crawl
from tests import nursery
from tests.acceptance.crawl.crawls import pages_of, plan_for
from tests.servers.certificates import Certificates
from tests.servers.http_server import HttpServer


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        yield running


def run(*arguments):
    return nursery.run([*nursery.OPILIO, "crawl", *arguments], text=True)


#: Ways to write 127.0.0.2, which stands for any private address: 127.0.0.1 alone may be fetched in these crawls.
SPELLINGS = (
    "127.0.0.2", "0x7f.2", "2130706434", "017700000002", "0177.0.0.2", "127.2", "0X7F.0x0.0.2", "127.0.0.2.",
    "%31%32%37.0.0.2", "１２７.0.0.2", "[::ffff:127.0.0.2]", "[::ffff:7f00:2]", "[0:0:0:0:0:ffff:7f00:0002]",
    "[64:ff9b::127.0.0.2]", "[::127.0.0.2]", "[::1]", "[::]", "0", "0.0.0.0", "169.254.169.254", "[fe80::1]",
)  # fmt: skip


@contextlib.contextmanager
def nobody_connects(port):
    """Listens where no crawl may come."""
    with socket.socket() as waiting:
        waiting.bind(("127.0.0.2", port))
        waiting.listen(16)
        waiting.setblocking(False)
        yield
        with pytest.raises(BlockingIOError):
            waiting.accept()


def narrow(plan):
    """The plan, with one address that may be fetched."""
    return replace(plan, fetch=Fetch(allow_private=("127.0.0.1",), connect_timeout=5))


def test_no_private_address_is_reached_by_a_redirect(server, tmp_path):
    """The redirect is kept; its target, within the scope, is refused by the guard and recorded with the reason."""
    away = f"http://127.0.0.2:{server.port}/page"
    start = server.url(f"/redirect/to?url={away}")
    with nobody_connects(server.port):
        crawl(narrow(plan_for(start, scope="any")), tmp_path / "out")
    outcomes = {page.url: (page.outcome.value, page.reason) for page in pages_of(tmp_path / "out")}
    assert outcomes[start][0] == "redirected"
    assert outcomes[away][0] == "permanent-error"
    assert "private-address" in outcomes[away][1]


def test_no_private_address_is_reached_by_an_odd_spelling(server, tmp_path):
    """Numbers in every base and length, mapped and embedded IPv6; as links, as embeds and as targets of redirects."""
    places = [f"http://{host}:{server.port}/{number}/" for number, host in enumerate(SPELLINGS)]
    site = tmp_path / "site"
    site.mkdir()
    led = "".join(f'<a href="/redirect/to?url={place}r">r</a>' for place in places)
    plain = "".join(f'<a href="{place}a">a</a><img src="{place}i">' for place in places)
    (site / "index.html").write_text(f"<meta charset=utf-8>{led}{plain}")
    before = len(server.log())
    with HttpServer(site=site) as other, nobody_connects(server.port):
        crawl(narrow(plan_for(other.url("/"), scope="any")), tmp_path / "out")
        asked = {entry.target.partition("?")[0] for entry in other.log()}
        assert len(server.log()) == before
    assert asked == {"/", "/robots.txt", "/redirect/to"}
    rows = {page.url: page for page in pages_of(tmp_path / "out") if "/redirect/to" not in page.url}
    rows.pop(other.url("/"))
    assert {int(url.split("/")[3]) for url in rows} == set(range(len(SPELLINGS)))
    assert {page.outcome.value for page in rows.values()} == {"permanent-error"}
    assert {page.reason.partition(":")[0] for page in rows.values()} == {"private-address"}


def test_no_private_address_is_reached_by_a_name_that_changes_its_address(tmp_path, monkeypatch):
    """The first answers of the name server are allowed, all later ones are not: what was begun is not gone on with."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text('<title>Bait</title><a href="inside.html">on</a><img src="inside.png">')

    class Rebinding(Resolver):
        async def resolve(self, host):
            changed = any(entry.target == "/" for entry in bait.log())
            return Resolved(name=host, addresses=("127.0.0.2" if changed else "127.0.0.1",))

    monkeypatch.setattr(parts, "Resolver", Rebinding)
    with HttpServer(site=site) as bait, nobody_connects(bait.port):
        crawl(narrow(plan_for(bait.url("/", host="bait.localhost"), scope="host")), tmp_path / "out")
        assert [entry.target for entry in bait.log()] == ["/robots.txt", "/"]
    rows = {page.url.rpartition("/")[2]: page for page in pages_of(tmp_path / "out")}
    assert rows[""].outcome == "fetched"
    assert rows["inside.html"].reason.startswith("private-address")
    assert rows["inside.png"].reason.startswith("private-address")


def test_without_leave_a_private_start_is_refused(server, tmp_path):
    """Nothing is asked for; the crawl ends with an exit code of its own, and says why."""
    before = len(server.log())
    done = run(server.url("/page"), "--into", str(tmp_path / "out"), "--json")
    assert done.returncode == NOTHING_FETCHED, done.stderr
    assert json.loads(done.stdout)["troubles"]["listed"][0]["reason"].startswith("private-address")
    assert len(server.log()) == before


def test_public_sites_need_a_contact(tmp_path):
    """The message says what to give."""
    done = run("https://example.org/", "--into", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "contact" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["not a url", "--into", "DIR"], "is not a URL"),
        (["ftp://example.org/", "--into", "DIR"], "cannot be fetched"),
        (["--into", "DIR"], "no URL was given"),
        (["http://a.localhost/", "--into", "DIR", "--exclude", "(("], "'((' is no expression: missing )"),
        (["http://a.localhost/"], "--into"),
        (["http://a.localhost/", "--into", "DIR", "--depth", "-1"], "depth"),
        (["http://a.localhost/", "--into", "DIR", "--store", "mysql://x"], "PostgreSQL"),
        (["resume", "DIR"], "no crawl was begun"),
        (["explain", "DIR", "http://a.localhost/"], "no crawl was begun"),
    ],
)
def test_wrong_words_are_refused_with_a_remedy(tmp_path, capfd, arguments, said):
    """Each with the exit code for what cannot be used, and nothing is left behind."""
    words = [str(tmp_path / "out") if word == "DIR" else word for word in arguments]
    assert main(["crawl", *words]) in (2, 4)
    told = capfd.readouterr().err
    assert said.lower() in told.lower()
    assert len(told.splitlines()) == 2, "a message and a remedy, and nothing of a library"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--private-range", "foo"], 2, "'foo' is no range of addresses"),
        (["--delay", "inf"], 2, "Delay is inf"),
        (["--delay", "nan"], 2, "'--delay'"),
        (["--include", "(?=x)"], 2, "invalid perl operator"),
        (["--exclude-url", "nonsense"], 2, "is not a URL"),
        (["--append", "?a\nb"], 2, "append string"),
        (["--user-agent", "a\r\nX-Evil: 1"], 2, "user agent"),
        (["--proxy", "nonsense"], 2, "is no proxy"),
        (["--seeds", "MISSING"], 4, "There is no such file"),
        (["--seeds", "FOLDER"], 2, "Cannot read: Is a directory"),
        (["--login", "MISSING"], 4, "There is no such file"),
        (["--ca-file", "MISSING"], 4, "There is no such file"),
        (["--ca-file", "FOLDER"], 2, "Cannot read"),
        (["--ca-file", "TEXT"], 2, "holds no certificate"),
        (["--store", "postgresql://curator:hush@127.0.0.1:1/crawls"], 6, "at 127.0.0.1, port 1"),
        (["--store", "postgresql://curator:hu@sh@127.0.0.1:1/crawls"], 2, "cannot be read"),
        (["--store", "postgresql://curator:hush@127.0.0.1:x/crawls"], 2, "cannot be read"),
        (["--store", "postgresql://curator:hush@[/crawls"], 2, "cannot be read"),
    ],
)
def test_bad_options_are_refused_before_the_folder_is_made(tmp_path, capsys, arguments, code, said):
    """At once, with the place, the remedy, and no password."""
    (tmp_path / "text").write_text("dear curator")
    places = {"MISSING": tmp_path / "missing", "FOLDER": tmp_path, "TEXT": tmp_path / "text"}
    words = [str(places.get(word, word)) for word in arguments]
    assert main(["crawl", "start", "http://a.localhost/", "--into", str(tmp_path / "out"), *words]) == code
    told = capsys.readouterr().err
    assert said in told
    assert "hu" not in told.replace("such", "")
    assert not (tmp_path / "out").exists()


def test_a_certificate_is_good_for_authorities(tmp_path):
    """A file that holds one is taken."""
    check_authorities(str(Certificates(tmp_path).ca_file))
    check_authorities("")


@pytest.mark.parametrize("verb", ["bandwidth", "delay"])
def test_a_negative_number_is_no_option(tmp_path, capsys, verb):
    """The message is about the number."""
    assert main(["crawl", verb, str(tmp_path), "-5"]) == 2
    assert "greater than or equal to 0" in capsys.readouterr().err


def test_a_folder_with_something_else_in_it_is_refused(server, tmp_path):
    """Nothing in it is touched."""
    (tmp_path / "letter.txt").write_text("dear curator")
    with pytest.raises(Conflict) as caught:
        crawl(plan_for(server.url("/page")), tmp_path)
    assert "not empty" in caught.value.what
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]


def test_a_folder_of_another_plan_is_refused(server, tmp_path):
    """The crawl that is there stays as it is."""
    crawl(plan_for(server.url("/page")), tmp_path / "out")
    with pytest.raises(AnotherPlan):
        crawl(plan_for(server.url("/echo")), tmp_path / "out")


def test_a_public_seed_without_contact_is_refused_by_the_library_too(tmp_path):
    """Before anything is made."""
    with pytest.raises(BadPlan):
        crawl(plan_for("https://example.org/"), tmp_path / "out")


def test_crawling_imports_no_django():
    """The command and the library work without the web framework."""
    code = (
        "import sys; import opilio.works.crawl_to_archive, opilio.works.crawl_process, opilio.cli.crawl; "
        "print([name for name in sys.modules if name.split('.')[0] == 'django'])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
