"""`opilio crawl start --plan FILE`: everything that a plan can say is reached from the command line."""

import json

import pytest

from opilio.archive.warc.fast import ArchiveIterator
from opilio.cli.main import main
from tests.servers.http_server import HttpServer


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        yield running


@pytest.fixture
def plan(server, tmp_path):
    """A file with a plan for one page, without limits of bandwidth."""
    document = {
        "version": 1,
        "seeds": [{"url": server.url("/page"), "max_pages": 1}],
        "scope": {"kind": "page"},
        "manners": {"preset": "own-site", "bandwidth": 0, "host_bandwidth": 0},
        "fetch": {"allow_private": ["127.0.0.0/8"]},
        "warc": {"digest": "sha256", "outlinks": True},
    }
    file = tmp_path / "wanted.json"
    file.write_text(json.dumps(document))
    return file


def test_a_plan_is_carried_out(server, plan, tmp_path, capsys):
    """Without a URL; a bandwidth of 0 is no limit; what no option says is done; plan.json is a plan again."""
    first, second = tmp_path / "first", tmp_path / "second"
    assert main(["crawl", "start", "--plan", str(plan), "--into", str(first), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcomes"] == {"fetched": 1}
    (file,) = (first / "warcs").iterdir()
    with file.open("rb") as stream:
        digests = [record.headers.get("WARC-Block-Digest") for record in ArchiveIterator(stream, parse_http=False)]
    assert all(digest.startswith("sha256:") for digest in digests if digest)
    assert main(["crawl", "--plan", str(first / "plan.json"), "--into", str(second), "--json"]) == 0
    assert (first / "plan.json").read_bytes() == (second / "plan.json").read_bytes()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["http://a.localhost/"], "URL"),
        (["--depth", "1"], "--depth"),
        (["--scope", "prefix"], "--scope"),  # the default, yet typed
        (["--max-pages", "1", "--no-sitemaps"], "--max-pages, --sitemaps"),
    ],
)
def test_what_a_plan_says_is_not_said_twice(plan, tmp_path, capsys, words, named):
    """Options beside it that belong to a plan are refused by name."""
    assert main(["crawl", "start", "--plan", str(plan), "--into", str(tmp_path / "out"), *words]) == 2
    assert f"beside it: {named}" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (None, 4, "There is no such file"),
        (b"", 2, "not JSON"),
        (b"\xff\xfe", 2, "no UTF-8"),
        (b'{"version": 1}', 2, "missing"),
        (b'{"version": 1, "seeds": [{"url": "http://a/"}], "fetch": {"connections_per_host": 0}}', 2, "plan.fetch"),
        (b'{"version": 1, "seeds": [{"url": "http://a/"}], "manners": {"delay": Infinity}}', 2, "Infinity"),
    ],
)
def test_a_file_that_is_no_plan_is_refused(tmp_path, capsys, text, code, said):
    """With the file's name and the field; nothing is made."""
    file = tmp_path / "plan.json"
    if text is not None:
        file.write_bytes(text)
    assert main(["crawl", "start", "--plan", str(file), "--into", str(tmp_path / "out")]) == code
    told = capsys.readouterr().err
    assert said in told
    assert str(file) in told
    assert not (tmp_path / "out").exists()


def test_a_url_is_explained_in_words(server, plan, tmp_path, capsys):
    """One line for each fact: no dictionary, no seconds since 1970."""
    into = str(tmp_path / "out")
    assert main(["crawl", "start", "--plan", str(plan), "--into", into]) == 0
    capsys.readouterr()
    assert main(["crawl", "explain", into, server.url("/page")]) == 0
    lines = dict(line.split("\t", 1) for line in capsys.readouterr().out.splitlines())
    assert lines["outcome"] == "fetched"
    assert lines["reached from"] == f"the seed {server.url('/page')}, 0 links away"
    assert lines["took"].endswith(" ms")
    assert lines["robots.txt"].partition(", fetched ")[2].startswith("20")
    assert main(["crawl", "explain", into, "http://elsewhere.localhost/"]) == 0
    told = capsys.readouterr().out
    assert f"from the seed {server.url('/page')}, the rule root denies it: " in told
    assert "{" not in told
    assert "[fetched" not in told


def test_a_failed_seed_is_no_broken_link(server, tmp_path, capsys):
    """It is listed as what it is, on the terminal and on the page; and nothing fetched has an exit code."""
    into = tmp_path / "out"
    start = server.url("/status/410")
    words = ["crawl", "start", start, "--into", str(into), "--allow-private", "--preset", "own-site"]
    assert main(words) == 8
    told = capsys.readouterr().out
    assert f"failed seed\twhat came\n{start}\tstatus 410" in told
    assert "broken link" not in told
    report = json.loads((into / "report.json").read_text())
    assert report["failed_seeds"] == {
        "total": 1,
        "listed": [{"url": start, "outcome": "gone", "reason": "status 410", "status": 410}],
    }
    assert (report["broken_links"]["total"], report["broken_links"]["listed"]) == (0, [])
    assert "Failed seeds" in (into / "report.html").read_text()
