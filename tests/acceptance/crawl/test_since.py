"""Crawling again and through a proxy from the command line, with the store in a file and in PostgreSQL."""

import json
import os
import secrets

import pytest

from opilio.crawl.errors import NoCrawlStore
from opilio.works.crawl_folder import StoreAddress
from opilio.works.crawl_story import report
from opilio.works.crawl_to_archive import Crew, crawl
from opilio.works.earlier_crawl import earlier_of
from opilio.works.seal_at_end import Sealing
from tests import nursery
from tests.acceptance.crawl.crawls import plan_for
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite
from tests.servers.postgres import create_database, drop_database
from tests.servers.proxies import HttpProxy

SITE = LargeSite(pages=12)


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        yield running


@pytest.fixture
def address(database_engine):
    if database_engine == "sqlite":
        yield StoreAddress()
        return
    place = os.environ["OPILIO_TEST_POSTGRES_URL"]
    name = f"opilio_{secrets.token_hex(8)}"
    yield StoreAddress(url=create_database(place, name))
    drop_database(place, name)


def opilio(*words, **variables):
    done = nursery.run([*nursery.OPILIO, *map(str, words), "--json"], text=True, env={**os.environ, **variables})
    return done.returncode, done.stdout, done.stderr


def start(server, *words, **variables):
    url = server.url(f"{SITE.base}/", host="a.localhost")
    return opilio("crawl", url, "--preset", "own-site", "--allow-private", *words, **variables)


@pytest.mark.database
def test_an_earlier_crawl_is_read_from_either_database(server, address, tmp_path):
    """With two workers, each of which opens it; one in PostgreSQL is found with the database of the new one."""
    plan = plan_for(server.url(f"{SITE.base}/", host="a.localhost"))
    crew = Crew(address=address, sealing=Sealing(keep_open=True))
    before = crawl(plan, tmp_path / "first", crew).report["outcomes"]
    again = plan_for(server.url(f"{SITE.base}/", host="a.localhost"), since=str(tmp_path / "first"))
    found = crawl(again, tmp_path / "second", Crew(address=address, workers=2)).report["outcomes"]
    assert found == {"unchanged": before["fetched"]}
    if address.url:
        with pytest.raises(NoCrawlStore, match="PostgreSQL"):
            earlier_of(again, StoreAddress())


def test_since_on_the_command_line(server, tmp_path, monkeypatch):
    """A relative folder is found again by a resumption from elsewhere, because the plan has it in full."""
    assert start(server, "--into", tmp_path / "first")[0] == 0
    monkeypatch.chdir(tmp_path)
    code, out, errors = start(server, "--into", tmp_path / "second", "--since", "first")
    assert (code, set(json.loads(out)["outcomes"])) == (0, {"unchanged"}), errors
    plan = json.loads((tmp_path / "second" / "plan.json").read_text())
    assert plan["fetch"]["since"] == str(tmp_path / "first")
    assert report(tmp_path / "second")["outcomes"].keys() == {"unchanged"}
    code, _, errors = start(server, "--into", tmp_path / "third", "--since", "nowhere")
    assert (code != 0, "no folder of an earlier crawl" in errors, (tmp_path / "third").exists()) == (True, True, False)


def test_no_password_of_a_proxy_is_written_anywhere(server, tmp_path):
    """Not into plan, store, log, report or WARC files; one in the command itself is refused."""
    with HttpProxy(user="curator", password="s3cret-w0rd") as proxy:
        url = proxy.url.replace("://", "://curator:${PROXY_WORD}@")
        code, out, errors = start(server, "--into", tmp_path / "out", "--proxy", url, PROXY_WORD="s3cret-w0rd")
        assert (code, proxy.targets[0]) == (0, f"127.0.0.1:{server.port}"), errors
        files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
        assert not [path for path in files if b"s3cret-w0rd" in path.read_bytes()]
        assert "s3cret-w0rd" not in out + errors
        refused = start(
            server, "--into", tmp_path / "two", "--proxy", proxy.url.replace("://", "://curator:s3cret-w0rd@")
        )
        assert refused[0] != 0
        assert "holds a password" in refused[2]
        assert "s3cret-w0rd" not in refused[1] + refused[2]
        unset = start(server, "--into", tmp_path / "three", "--proxy", f"a.localhost={url}")
        assert "PROXY_WORD" in unset[2]
        assert not (tmp_path / "three").exists()
