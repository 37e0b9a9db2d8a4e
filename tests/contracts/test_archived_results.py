"""`opilio archive store …`: results archived on a disk and in a bucket, listed, checked and taken out again."""

import itertools
import json

import pytest

from opilio.archive.results.folder import Protection, ResultsFolder
from opilio.archive.results.manifest import wrong_files
from opilio.archive.results.undoing import undo
from opilio.archive.store.addresses import open_store
from opilio.archive.store.s3_options import s3_options
from opilio.cli.main import main
from opilio.kernel.config import load
from opilio.kernel.errors import Conflict, Damaged, Denied, InvalidInput, Missing, Unavailable
from tests.servers.s3 import ACCESS_KEY, SECRET_KEY
from tests.servers.s3_faults import FaultyServer, failing
from tests.unit.archive.derived import AT, Page, derived, first_result

_NAMES = itertools.count(1)
PAGES = [Page(f"http://a.example/{name}", name, (), f"text {name}") for name in "123"]
MORE = [Page("http://b.example/new", "new", (), "new")]
ID = "info:opilio/harvest/crawl"


@pytest.fixture(params=["disk", "s3"])
def address(request, tmp_path, monkeypatch):
    """The address of an empty store, and the settings that it needs."""
    monkeypatch.chdir(tmp_path)
    if request.param == "disk":
        return str(tmp_path / "archive")
    server = request.getfixturevalue("s3")
    monkeypatch.setenv("OPILIO_S3_ENDPOINT", server.url)
    monkeypatch.setenv("OPILIO_S3_ACCESS_KEY", ACCESS_KEY)
    monkeypatch.setenv("OPILIO_S3_SECRET_KEY", SECRET_KEY)
    return f"s3://{server.make_bucket(f'results-{next(_NAMES)}')}/archive"


@pytest.fixture
def crawl(tmp_path):
    """A sealed crawl with one result."""
    results = first_result(tmp_path / "crawl", PAGES)
    (results.crawl / "plan.json").write_text("{}")
    (results.crawl / "index.cdxj").write_text("")
    (results.crawl / "screenshots").mkdir()
    (results.crawl / "screenshots" / "index.cdxj").write_text("")
    return results


@pytest.fixture
def say(capsys):
    """Runs a command; its document, or its error."""

    def say(*words, code=0):
        found = main(["archive", "store", *map(str, words), "--json"])
        told = capsys.readouterr()
        assert found == code, told.err
        return json.loads(told.out) if told.out else json.loads(told.err)["error"]

    return say


def test_results_are_archived_and_come_back(address, crawl, say, tmp_path):
    """Result n is version n, also where one was undone; each comes back whole, and is protected from then on."""
    first = say("put", crawl.crawl, "--store", address)
    assert first["id"] == ID
    assert [each["result"] for each in first["versions"]] == [1]
    derived(crawl, pages=MORE)
    undo(crawl, 2, why="It was wrong.", by="curator", at=AT)
    derived(crawl, pages=MORE, note="The page was missing", name="other.warc.gz")
    assert crawl.numbers() == [1, 3]
    again = say("put", crawl.crawl, "--store", address, "--by", "archivist")
    assert [(each["result"], each["already"]) for each in again["versions"]] == [(1, True), (3, False)]
    assert crawl.protection(3) is Protection.ARCHIVED
    harvest = say("list", "--store", address)["harvests"][0]
    assert [each["number"] for each in harvest["versions"]] == [1, 2, 3]
    assert harvest["versions"][1]["message"] == "Result 2 was undone"
    assert harvest["versions"][2]["message"] == "Result 3: The page was missing"
    assert harvest["versions"][2]["by"] == "archivist"
    say("get", ID, "--store", address, "--into", tmp_path / "out")
    out = ResultsFolder(tmp_path / "out")
    assert out.numbers() == [1, 3]
    for number in (1, 3):
        assert list(wrong_files(out.crawl, out.manifest(number))) == []
    assert sorted(path.name for path in out.warcs.iterdir()) == sorted(path.name for path in crawl.warcs.iterdir())
    say("get", ID, "--store", address, "--result", "1", "--into", tmp_path / "one")
    assert ResultsFolder(tmp_path / "one").numbers() == [1]
    assert (tmp_path / "one" / "screenshots" / "index.cdxj").is_file()
    assert (tmp_path / "one" / "plan.json").read_text() == "{}"
    assert say("check", "--store", address)["faults"] == []


def test_faults_are_told_with_an_exit_code(address, crawl, say):
    """A content that is gone is reported by its key, for all and for one harvest; cleaning removes leftovers only."""
    say("put", crawl.crawl, "--store", address)
    assert say("clean", "--store", address, "--older-than", "0")["removed"] == []
    from_settings = say("check", ID, "--store", address, "--quick")
    assert from_settings["faults"] == []
    assert from_settings["bytes_read"] == 0
    _remove(address, "warcs/one.warc.gz")
    for words in ((), (ID,)):
        faults = say("check", *words, "--store", address, code=Damaged.exit_code)["faults"]
        assert [fault["what"] for fault in faults] == ["the content is missing"]
        assert faults[0]["where"].endswith("v1/content/warcs/one.warc.gz")


def _remove(address, name):
    store = open_store(address, s3_options(load().settings))
    for stored in list(store.list()):
        if stored.key.endswith(name):
            store.delete(stored.key)


def test_another_crawl_of_the_same_name_is_refused(address, crawl, say, tmp_path):
    """The archive keeps what it has; under another name both are kept."""
    say("put", crawl.crawl, "--store", address)
    other = first_result(tmp_path / "elsewhere" / "crawl", MORE)
    assert say("put", other.crawl, "--store", address, code=Conflict.exit_code)["code"] == "version-taken"
    say("put", other.crawl, "--store", address, "--id", "info:opilio/harvest/other")
    assert len(say("list", "--store", address)["harvests"]) == 2


def test_a_changed_warc_file_is_not_archived(address, crawl, say):
    """The digests of the result are compared first."""
    (crawl.warcs / "one.warc.gz").write_bytes(b"changed")
    told = say("put", crawl.crawl, "--store", address, code=Damaged.exit_code)
    assert told["code"] == "damaged-object"
    assert "one.warc.gz" in told["message"]
    assert say("list", "--store", address)["harvests"] == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("put", "nowhere"), Missing),
        (("list",), Missing),
        (("list", "--store", "ftp://example.org/x"), InvalidInput),
        (("list", "--store", f"s3://{ACCESS_KEY}:{SECRET_KEY}@bucket/x"), InvalidInput),
        (("list", "--store", "s3://b/../x"), InvalidInput),
        (("list", "--store", "file://elsewhere/x"), InvalidInput),
        (("list", "--store", "s3://bucket/x"), Unavailable),
        (("get", "none", "--into", "x"), Missing),
    ],
)
def test_bad_input_is_answered_with_a_remedy(say, tmp_path, monkeypatch, words, code):
    """Nothing there, addresses of no store, servers out of reach: told, with what to do, and without secrets."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPILIO_S3_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("OPILIO_S3_ACCESS_KEY", ACCESS_KEY)
    monkeypatch.setenv("OPILIO_S3_SECRET_KEY", SECRET_KEY)
    monkeypatch.setenv("OPILIO_S3_TIMEOUT", "0.5")
    told = say(*words, code=code.exit_code)
    assert told["remedy"]
    assert SECRET_KEY not in json.dumps(told)


def test_half_a_credential_is_refused(say, tmp_path, monkeypatch):
    """One key without the other is a mistake, not a wish for the machine's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPILIO_S3_ACCESS_KEY", ACCESS_KEY)
    assert say("list", "--store", "s3://bucket/x", code=InvalidInput.exit_code)["where"] == "s3_secret_key"


@pytest.mark.parametrize("endpoint", ["ftp://x", "buckets.example", "https://a:b@s3.example.org", "https://x/?a=b"])
def test_an_endpoint_that_is_none_is_refused(say, tmp_path, monkeypatch, endpoint):
    """The setting is named, and what it holds is not repeated."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPILIO_S3_ENDPOINT", endpoint)
    told = say("list", "--store", "s3://bucket/x", code=InvalidInput.exit_code)
    assert told["where"] == "s3_endpoint"
    assert endpoint not in json.dumps(told)


def test_refused_keys_are_told(s3, say, tmp_path, monkeypatch, crawl):
    """A server that denies is not a server that is gone."""
    monkeypatch.chdir(tmp_path)
    with FaultyServer(s3.port) as server:
        server.fault = failing(403, "InvalidAccessKeyId")
        monkeypatch.setenv("OPILIO_S3_ENDPOINT", server.url)
        monkeypatch.setenv("OPILIO_S3_ACCESS_KEY", ACCESS_KEY)
        monkeypatch.setenv("OPILIO_S3_SECRET_KEY", SECRET_KEY)
        told = say("put", crawl.crawl, "--store", "s3://bucket/x", code=Denied.exit_code)
    assert "OPILIO_S3_ACCESS_KEY" in told["remedy"]
