"""Results: what is written is read again in both orders and by every key; damage, strangers and the future are told."""

import gzip
import os
import random
import sqlite3
import stat
import subprocess
from pathlib import Path

import pytest

from opilio.archive.results.errors import DamagedResult, NewerResult, NoResult, NotAResult
from opilio.archive.results.manifest import read_manifest, sha256_of, write_manifest, wrong_files
from opilio.archive.results.packing import pack_links, packed
from opilio.archive.results.reader import ResultReader
from opilio.archive.results.schema import FORMAT
from opilio.archive.results.values import Denied, GivenOrder, Head, Resource, ResultHost, ResultWarc, Way
from opilio.archive.results.writer import ResultWriter
from opilio.kernel.capture import Hop, Position
from opilio.kernel.errors import OpilioError
from opilio.kernel.page_links import PageLink
from opilio.kernel.surt import surt
from opilio.kernel.urls import url_hash64

HEAD = Head(number=1, sealed="2026-11-16T12:00:00+00:00", software="Opilio/test", plan="{}", report={"pages": 3})
#: The result of `fill` in the first form, written by the Opilio that had it.
FORM_1 = Path(__file__).parents[2] / "data" / "results" / "form-1.db.gz"
URLS = ("https://b.example/", "https://a.example/x", "https://a.example/")


def resource(number, url, parent=None, **more):
    key = (7, url_hash64(url))
    above = (7, url_hash64(parent)) if parent else None
    return Resource(id=number, key=key, url=url, seed=0, outcome="fetched", parent=above, **more)


def fill(writer):
    writer.warcs([ResultWarc(file="one.warc.gz", size=10, sha256="0" * 64)])
    writer.hosts(
        [ResultHost(id=7, name="a.example", delay=1.5, pages=2, bytes=3, errors=0, robots="allowed by line 2")]
    )
    place = Position(file="one.warc.gz", offset=4, length=6)
    writer.resources([resource(0, URLS[0], place=place, title="Ünïcode", status=200, counted=True)])
    writer.resources([resource(1, URLS[1], URLS[0]), resource(2, URLS[2], URLS[1], digest="sha256:aa")])
    writer.ways([(1, Way(1, 0, 0)), (1, Way(0, 2, 1))])
    links = [
        PageLink(Hop.LINK, "a", URLS[1]),
        PageLink(Hop.EMBED, "img", URLS[2]),
        PageLink(Hop.LINK, "a", "https://else.example/"),
    ]
    twice = [PageLink(Hop.LINK, "a", URLS[1]), PageLink(Hop.LINK, "a", URLS[1])]
    writer.links([(0, pack_links(links)), (2, pack_links(twice))])
    writer.texts([("sha256:aa", "9", packed("old")), ("sha256:aa", "10", packed("new ä"))])
    writer.counters({"pages": 3, "outcome/fetched": 3})
    writer.denials([Denied("trap calendar", "https://a.example/2099", URLS[0])])
    writer.orders([GivenOrder(id=1, what="limits", by="curator", at=2.0, arguments={"pages": 3}, done=3.0)])
    writer.arrange()


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "results" / "result-1.db"
    with ResultWriter(made, memory=50) as writer:
        fill(writer)
        writer.finish(HEAD)
    return made


def test_everything_is_read_again(path):
    """By URL, by number, in both orders; links both ways; texts by digest and extractor."""
    with ResultReader(path) as result:
        assert (result.format, result.head) == (FORMAT, HEAD)
        first = result.resource(URLS[0])
        assert (first.title, first.status, first.counted) == ("Ünïcode", 200, True)
        assert first.place == Position(file="one.warc.gz", offset=4, length=6)
        assert result.resource("https://nowhere.example/") is None
        assert [each.url for each in result.resources()] == list(URLS)
        assert [each.url for each in result.by_surt()] == sorted(URLS, key=surt)
        assert [each.id for each in result.by_surt("example,a)")] == [2, 1]
        assert list(result.resources(outcome="gone")) == []
        assert [link.url for link in result.outlinks(0)] == [URLS[1], URLS[2], "https://else.example/"]
        assert result.outlinks(1) == []
        assert [(number, len(links)) for number, links in result.all_outlinks()] == [(0, 3), (2, 2)]
        assert [result.inlinks(number) for number in range(3)] == [[], [0, 2], [0]]
        assert (result.text("sha256:aa"), result.text("sha256:aa", "9"), result.text("no")) == ("new ä", "old", None)
        assert [text for *_, text in result.texts()] == ["new ä", "old"]


def test_the_story_of_a_resource_is_kept(path):
    """Ways, parents, hosts with their robots.txt, denials, numbers, orders, WARC files."""
    with ResultReader(path) as result:
        last = result.numbered(2)
        assert result.parents(last) == (URLS[0], URLS[1])
        assert result.ways(last) == (Way(0, 0, 0),)
        assert result.ways(result.numbered(1)) == (Way(0, 2, 1), Way(1, 0, 0))
        assert result.host(7) == result.host_named("a.example") == next(result.hosts())
        assert result.host(7).robots == "allowed by line 2"
        assert result.denials() == [Denied("trap calendar", "https://a.example/2099", URLS[0])]
        assert (result.counters()["pages"], result.outcomes()) == (3, {"fetched": 3})
        assert result.orders()[0].arguments == {"pages": 3}
        assert [warc.file for warc in result.warcs()] == ["one.warc.gz"]
        result.check()


def test_lists_longer_than_a_portion_are_whole(tmp_path):
    """In the order of numbers and of URLs."""
    path = tmp_path / "r.db"
    urls = [f"https://a.example/{number}" for number in range(1_200)]
    with ResultWriter(path) as writer:
        writer.resources(resource(number, url) for number, url in enumerate(urls))
        writer.arrange()
        writer.finish(HEAD)
    with ResultReader(path) as result:
        assert [each.url for each in result.resources()] == urls
        assert [each.url for each in result.by_surt()] == sorted(urls)


def test_a_finished_result_cannot_be_changed(path):
    """Nobody may write to the file, and its reader never tries."""
    assert stat.S_IMODE(path.stat().st_mode) == 0o444
    with ResultReader(path) as result, pytest.raises(OpilioError):
        result._rows("DELETE FROM meta")


def test_an_unfinished_result_leaves_no_trace(tmp_path):
    """Neither when its writer fails, nor when an earlier one was killed."""
    path = tmp_path / "r.db"
    (tmp_path / ".r.db.new").write_bytes(b"left by a killed writer")
    with pytest.raises(KeyError), ResultWriter(path) as writer:
        writer.resources([resource(0, URLS[0], place=Position(file="unknown.warc.gz", offset=0, length=1))])
    assert list(tmp_path.iterdir()) == []


def test_a_result_that_lacks_rows_gets_no_name(tmp_path):
    """The rows of every table are counted before the file counts."""
    path = tmp_path / "r.db"
    with ResultWriter(path) as writer:
        fill(writer)
        writer._connection.execute("DELETE FROM denial")
        with pytest.raises(DamagedResult, match="denial"):
            writer.finish(HEAD)
    assert not path.exists()


def _changed(path, *statements):
    path.chmod(0o600)
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_newer_result_is_refused_with_the_remedy(path):
    """It was written by a newer Opilio, which can read it."""
    _changed(path, f"PRAGMA user_version = {FORMAT + 1}")
    with pytest.raises(NewerResult) as caught:
        ResultReader(path)
    assert "newer Opilio" in caught.value.remedy


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("PRAGMA application_id = 5", NotAResult),
        ("DROP TABLE meta", DamagedResult),
        ("DELETE FROM meta WHERE name = 'plan'", DamagedResult),
        ("UPDATE meta SET value = '[]' WHERE name = 'report'", DamagedResult),
        ("UPDATE meta SET value = '{' WHERE name = 'report'", DamagedResult),
    ],
)
def test_strange_files_are_told_by_name(path, statement, error):
    """With the place of the file."""
    _changed(path, statement)
    with pytest.raises(error) as caught:
        ResultReader(path)
    assert caught.value.where == str(path)


def test_no_file_and_no_database(tmp_path):
    """Each has a message of its own."""
    with pytest.raises(NoResult):
        ResultReader(tmp_path / "none.db")
    (tmp_path / "text.db").write_text("a letter to a curator, and no database at all" * 50)
    with pytest.raises(NotAResult):
        ResultReader(tmp_path / "text.db")


@pytest.mark.parametrize("body", [b"", b"\x02x", b"\x01nonsense", packed("x")[:-2]])
def test_packed_values_that_cannot_be_unfolded(path, body):
    """A message, not a traceback of zlib."""
    path.chmod(0o600)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE outlinks SET body = ?", (body,))
    connection.execute("UPDATE inlinks SET body = ?", (packed("three"),))
    connection.commit()
    connection.close()
    with ResultReader(path) as result:
        with pytest.raises(DamagedResult):
            result.outlinks(0)
        with pytest.raises(DamagedResult):
            result.inlinks(1)


def test_the_manifest_is_checked_by_sha256sum(path):
    """And by us: a changed and a missing file are named."""
    folder = path.parents[1]
    (folder / "warcs").mkdir()
    (folder / "warcs" / "one.warc.gz").write_bytes(b"captures")
    names = ["results/result-1.db", "warcs/one.warc.gz"]
    manifest = path.with_suffix(".sha256")
    write_manifest(manifest, {name: sha256_of(folder / name) for name in names})
    assert list(read_manifest(manifest)) == names
    done = subprocess.run(["sha256sum", "-c", os.fspath(manifest)], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert list(wrong_files(folder, manifest)) == []
    (folder / "warcs" / "one.warc.gz").write_bytes(b"capturez")
    path.unlink()
    assert list(wrong_files(folder, manifest)) == names


@pytest.mark.parametrize("limits", [{}, {"_KNOWN": 5, "_HELD": 7, "_NUMBERED": 0}])
def test_links_are_turned_round_whatever_fits_into_memory(tmp_path, monkeypatch, limits):
    """Each page once among the parents of a page, however often and by whatever link it leads there."""
    for name, value in limits.items():
        monkeypatch.setattr(f"opilio.archive.results.writer.{name}", value)
    dice, urls = random.Random(5), [f"https://a.example/{number}" for number in range(30)]
    pages = {
        number: [
            PageLink(Hop.LINK, dice.choice(["a", "area"]), dice.choice([*urls, "https://else.example/"]), text=text)
            for text in dice.choices(["", "one", "two words", "ü"], k=dice.randrange(40))
        ]
        for number in range(30)
    }
    path = tmp_path / "result-1.db"
    with ResultWriter(path, memory=200) as writer:
        writer.resources([resource(number, url) for number, url in enumerate(urls)])
        writer.links([(number, pack_links(links)) for number, links in pages.items()])
        writer.arrange()
        writer.finish(HEAD)
    with ResultReader(path) as result:
        for child, url in enumerate(urls):
            parents = [number for number, links in pages.items() if url in {link.url for link in links}]
            assert result.inlinks(child) == parents


@pytest.mark.parametrize("text", ["", "no digest  file\n", "0" * 63 + "  x\n"])
def test_a_manifest_that_is_none(tmp_path, text):
    """It is told as damage; a missing one as missing."""
    with pytest.raises(NoResult):
        read_manifest(tmp_path / "m")
    (tmp_path / "m").write_text(text)
    with pytest.raises(DamagedResult):
        read_manifest(tmp_path / "m")


def test_a_result_of_form_1_is_read(tmp_path):
    """What an earlier Opilio sealed is read as ever, and says nothing about removals."""
    path = tmp_path / "result-1.db"
    path.write_bytes(gzip.decompress(FORM_1.read_bytes()))
    with ResultReader(path) as result:
        assert (result.format, result.head) == (1, HEAD)
        assert [each.url for each in result.resources()] == list(URLS)
        assert [each.url for each in result.by_surt()] == sorted(URLS, key=surt)
        assert result.inlinks(1) == [0, 2]
        assert result.text("sha256:aa") == "new ä"
        assert (list(result.removed()), result.removed_among([0]), result.removed_outcomes()) == ([], set(), {})
        assert list(result.earlier()) == []
