"""`opilio replay --access`: the rules decide at every door of a real process, and are read again while it runs."""

import contextlib
import http.client
import json
import re
import time
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlencode

import pytest

from opilio.archive.cdxj import CdxFile, stamp
from opilio.archive.replay.finding import original_of
from opilio.cli.main import main
from opilio.crawl.plan import CrawlPlan, Fetch, Manners, Preset, Scope, ScopeKind, Seed
from opilio.kernel.access import Default, Reach, Rule, Says, Statement, Where
from opilio.kernel.access_file import ForgedRules, write_rules
from opilio.kernel.access_keys import BadKey, make_keys, signing_key
from opilio.kernel.clock import SYSTEM, ManualClock
from opilio.kernel.errors import InvalidInput
from opilio.works.crawl_to_archive import crawl
from opilio.works.replay_access import AccessWishes, guarded, ruled_access
from opilio.works.replay_crawl import opened_holdings
from tests.acceptance.replay.test_replay_command import PATIENCE, ask, started
from tests.servers.http_server import HttpServer

pytestmark = pytest.mark.only_on("sqlite")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """A sealed crawl of four pages that are all seeds, and where the site was."""
    site = tmp_path_factory.mktemp("site")
    for name in ("index", "closed", "hidden", "room"):
        (site / f"{name}.html").write_text(f"<title>{name}</title><p>Text of {name}.")
    folder = tmp_path_factory.mktemp("crawls") / "owls"
    with HttpServer(site=site) as server:
        seeds = tuple(Seed(url=server.url(path)) for path in ("/", "/closed.html", "/hidden.html", "/room.html"))
        manners, fetch = Manners(preset=Preset.OWN_SITE), Fetch(allow_private=("127.0.0.0/8",))
        crawl(CrawlPlan(seeds=seeds, scope=Scope(kind=ScopeKind.HOST), manners=manners, fetch=fetch), folder)
        return folder, server.url("")


class Desk:
    """Where rules are made."""

    def __init__(self, place, base):
        self.rules, self.key, self._private = place / "rules", place / "public.pem", place / "private.pem"
        self._base = base
        make_keys(self._private, self.key)

    def write(self, *, sequence=1, made=None, agency=""):
        statement = Statement(text="© The Owlery", link="https://owls.example/rights", requirements="Name the owl.")
        rules = [
            Rule(id="permission 1", says=Says.OPEN, statement=statement),
            Rule(id="permission 2", says=Says.TAKEN_BLOCK, where=self._at("closed"), reason="A court closed it."),
            Rule(id="permission 3", says=Says.TAKEN_HIDE, where=self._at("hidden"), agency=agency),
            Rule(id="permission 4", says=Says.ROOMS, where=self._at("room"), rooms=frozenset({"main"})),
        ]
        write_rules(
            self.rules, rules, signing_key(self._private), sequence=sequence, made=made or SYSTEM.now(),
            default=Default.CLOSED, rooms={"main": ["192.0.2.0/24"]},
        )  # fmt: skip

    def forge(self):
        """What somebody does who has no key: a rule is another, the signature the same."""
        aside = self.rules.with_name("forged")
        aside.write_bytes(self.rules.read_bytes().replace(b"takedown-block", b"open"))
        aside.replace(self.rules)

    @property
    def options(self):
        return ("--access", self.rules, "--access-key", self.key)

    @property
    def wishes(self):
        return AccessWishes(access=self.rules, access_key=self.key)

    def _at(self, name):
        return Where(reach=Reach.URL, value=f"{self._base}/{name}.html")


@pytest.fixture
def desk(crawled, tmp_path):
    return Desk(tmp_path, crawled[1])


@contextlib.contextmanager
def replayed(folder, *options):
    process = started(folder, "--no-open", "--json", *options)
    try:
        yield json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)


@pytest.fixture
def refused(capsys):
    """Runs the command in this process, where it ends before it serves; the exit code, and the error that is told."""

    def run(folder, *options):
        code = main(["replay", str(folder), "--no-open", "--json", *map(str, options)])
        return code, json.loads(capsys.readouterr().err)["error"]

    return run


@pytest.fixture(scope="module")
def ruled(crawled, tmp_path_factory):
    """A process that serves by good rules, for tests that only ask it."""
    desk = Desk(tmp_path_factory.mktemp("rules"), crawled[1])
    desk.write()
    with replayed(crawled[0], *desk.options) as told:
        yield told


def page(told, url):
    """Status and text of the last capture of a URL, as a browser gets it."""
    status, headers, body = ask(told, f"/2026/{url}")
    if status == 302:
        status, headers, body = ask(told, headers["location"])
    return status, body.decode()


def entry(told, path, cookie=""):
    connection = http.client.HTTPConnection("127.0.0.1", told["port"], timeout=PATIENCE)
    connection.request("GET", path, headers={"Host": "replay.localhost", "Cookie": cookie})
    answer = connection.getresponse()
    found = answer.status, dict(answer.headers), answer.read().decode()
    connection.close()
    return found


def test_rules_hold_at_every_door(crawled, ruled):
    """A closed page says why; neither it nor a hidden one is in CDX and TimeMap; a hidden one was never captured."""
    base = crawled[1]
    assert ruled["closed"] == ""
    status, text = page(ruled, f"{base}/closed.html")
    assert status == 451
    assert "A court closed it." in text
    assert "Text of closed" not in text
    status, text = page(ruled, f"{base}/hidden.html")
    never, other = page(ruled, f"{base}/never.html")
    assert status == never == 404
    assert _alike(text, "hidden.html") == _alike(other, "never.html")
    assert page(ruled, f"{base}/room.html")[0] == 451
    for name in ("closed", "hidden", "room"):
        url = f"{base}/{name}.html"
        assert ask(ruled, f"/timemap/link/{url}")[0] == ask(ruled, f"/timegate/{url}")[0] == 404
        assert ask(ruled, f"/cdx?url={url}")[2] == b""
    listed = ask(ruled, f"/cdx?url={base}/&matchType=prefix")[2].decode()
    assert [json.loads(line.split(" ", 2)[2])["url"] for line in listed.splitlines()] == [f"{base}/"]
    assert ask(ruled, f"/timemap/link/{base}/")[0] == 200


def test_statement_of_a_permission_is_in_the_banner(crawled, ruled):
    """Text, link and special requirements stand beside the page."""
    status, text = page(ruled, f"{crawled[1]}/")
    assert status == 200
    assert "Text of index." in text
    for said in ("© The Owlery", 'href="https://owls.example/rights"', "Name the owl."):
        assert said in text.replace("&#169;", "©")


def test_list_of_results_does_not_give_hidden_pages_away(crawled, ruled):
    """A hidden seed is not listed, and the way to it has no date of a capture."""
    folder, base = crawled
    (row,) = CdxFile(folder / "index.cdxj").exact(f"{base}/hidden.html")
    assert f"{base}/hidden.html" not in ruled["results"][0]["seeds"]
    _, headers, _ = entry(ruled, re.sub(r"^http://[^/]+", "", ruled["address"]))
    cookie = headers["set-cookie"].partition(";")[0]
    status, _, text = entry(ruled, "/", cookie)
    assert (status, "closed.html" in text, "hidden.html" in text) == (200, True, False)
    question = urlencode({"result": 1, "url": f"{base}/hidden.html"})
    while stamp(SYSTEM.now(), 14) == stamp(row.at, 14):
        time.sleep(0.05)  # the way to it has the date of this moment, which is another second than the capture's
    status, headers, _ = entry(ruled, f"/open?{question}", cookie)
    assert status == 302
    assert f"time={stamp(row.at, 14)}" not in headers["location"]


def test_old_rules_close_everything(crawled, desk):
    """Rules that are older than they may be let nobody see anything, and that is told."""
    folder, base = crawled
    desk.write(made=SYSTEM.now() - timedelta(hours=1))
    with replayed(folder, *desk.options) as told:
        assert "too old to be relied on" in told["closed"]
        for path in ("/", "/closed.html", "/room.html"):
            status, text = page(told, f"{base}{path}")
            assert status == 403
            assert "too old to be relied on" in text
        assert ask(told, f"/cdx?url={base}/&matchType=prefix")[2] == b""
        assert ask(told, f"/timemap/link/{base}/")[0] == ask(told, f"/timegate/{base}/")[0] == 404


def test_rules_that_are_forged_while_it_runs_close_everything(crawled, desk):
    """The next look at the file, within ten seconds, finds the wrong signature."""
    folder, base = crawled
    desk.write()
    clock = ManualClock(at=SYSTEM.now())
    with opened_holdings(folder, access=ruled_access(desk.wishes, clock=clock)) as holdings:
        row = next(holdings[1].source.index.exact(f"{base}/"))
        assert holdings[1].access(row.url, row.at).allowed
        desk.forge()
        clock.advance(10)
        for name in ("", "closed.html"):
            decision = holdings[1].access(f"{base}/{name}", row.at)
            assert not decision.allowed
            assert "signature of their maker" in decision.reason


def test_rules_from_a_source_count_while_it_runs(crawled, desk, tmp_path):
    """The copy is made at the start; what the source has next closes a page within ten seconds."""
    folder, base = crawled
    desk.write()
    options = ("--access", tmp_path / "copy", "--access-key", desk.key, "--access-source", desk.rules)
    with replayed(folder, *options) as told:
        assert (tmp_path / "copy").read_bytes() == desk.rules.read_bytes()
        assert page(told, f"{base}/")[0] == 200
        desk.write(sequence=2, made=SYSTEM.now() - timedelta(hours=1))
        status, text = _waited(lambda: page(told, f"{base}/"), until=403)
        assert status == 403
        assert "too old to be relied on" in text


def test_broken_rules_are_refused_at_the_start(crawled, desk, refused):
    """A missing file and a forged one each end in an error with a remedy."""
    code, error = refused(crawled[0], *desk.options)
    assert (code, error["code"]) == (4, "missing")
    desk.write()
    desk.forge()
    code, error = refused(crawled[0], *desk.options)
    assert (code, error["code"]) == (ForgedRules.exit_code, "forged-rules")
    assert "signature of their maker" in error["message"]
    assert "Fetch the file again" in error["remedy"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"access_key": None}, "belong together"),
        ({"access": None}, "belong together"),
        ({"access": None, "access_key": None, "agency": "one"}, "mean nothing without rules"),
        ({"access": None, "access_key": None, "reader": "staff"}, "mean nothing without rules"),
        ({"reader": "everybody\ud800"}, "is no reader"),
        ({"reader": ""}, "is no reader"),
        ({"reader": "staff"}, "staff of an agency"),
    ],
)
def test_wishes_that_do_not_fit_are_refused(desk, wrong, said):
    """Options that contradict each other, and readers that are none, are named with a remedy."""
    desk.write()
    with pytest.raises(InvalidInput) as caught:
        ruled_access(replace(desk.wishes, **wrong))
    assert said in caught.value.what
    assert caught.value.remedy


def test_key_that_is_none_is_refused(desk):
    """A file that holds no key checks nothing."""
    desk.write()
    with pytest.raises(BadKey):
        ruled_access(replace(desk.wishes, access_key=desk.rules))


@pytest.mark.parametrize(("reader", "room", "hidden"), [("192.0.2.7", 200, 404), ("staff", 200, 200)])
def test_another_reader_sees_what_is_meant_for_it(crawled, desk, reader, room, hidden):
    """A reading room opens to its addresses; staff see all but what was blocked."""
    base = crawled[1]
    desk.write()
    with replayed(crawled[0], *desk.options, "--agency", "one", "--reader", reader) as told:
        found = [page(told, f"{base}/{name}.html")[0] for name in ("room", "hidden", "closed")]
    assert found == [room, hidden, 451]


def test_rules_of_agencies_need_one(crawled, desk, refused):
    """Without --agency a rule of one could not be applied: it is asked for, and later everything is closed."""
    desk.write()
    clock = ManualClock(at=SYSTEM.now())
    access = ruled_access(desk.wishes, clock=clock)
    assert access.shut == ""
    desk.write(sequence=2, agency="one")
    clock.advance(10)
    assert "name agencies" in access.shut
    assert "--agency" in refused(crawled[0], *desk.options)[1]["remedy"]


def test_thumbnails_are_shown_of_open_pages_only(crawled, desk):
    """A picture of a page that is closed or hidden would show it all the same."""
    folder, base = crawled
    desk.write()
    access = ruled_access(desk.wishes)
    with opened_holdings(folder) as holdings:
        holding = replace(holdings[1], thumbnail=lambda url: b"jpeg" if url.startswith(base) else None)
        shown = guarded(holding, holding.source.index, access).thumbnail
        found = [shown(f"{base}/{name}") for name in ("", "closed.html", "hidden.html", "never.html")]
        assert found == [b"jpeg", None, None, None]
        assert shown("no address") is None


def test_body_that_a_hidden_capture_holds_is_shown_for_the_open_one(crawled, desk):
    """A capture that refers to a hidden one is decided by itself."""
    base = crawled[1]
    desk.write()
    access = ruled_access(desk.wishes)
    with opened_holdings(crawled[0], access=access) as holdings, opened_holdings(crawled[0]) as whole:
        hidden = next(whole[1].source.index.exact(f"{base}/hidden.html"))
        assert list(holdings[1].source.index.exact(hidden.url)) == []
        revisit = replace(hidden, url=f"{base}/", revisit=True, original_url=hidden.url, original_at=hidden.at)
        found = original_of(revisit, (holdings[1].source, *holdings[1].earlier))
    assert found is not None
    assert found[0] == hidden


def test_rules_grow_old_while_it_runs(crawled, desk):
    """Nothing is written, and after a quarter of an hour nothing is open."""
    folder, base = crawled
    desk.write()
    clock = ManualClock(at=SYSTEM.now())
    with opened_holdings(folder, access=ruled_access(desk.wishes, clock=clock)) as holdings:
        row = next(holdings[1].source.index.exact(f"{base}/"))
        assert holdings[1].access(row.url, row.at).allowed
        clock.advance(14 * 60)
        assert holdings[1].access(row.url, row.at).allowed
        clock.advance(2 * 60)
        assert not holdings[1].access(row.url, row.at).allowed
        desk.write(sequence=2, made=clock.now())
        clock.advance(10)
        assert holdings[1].access(row.url, row.at).allowed
        desk.rules.unlink()
        clock.advance(10)
        assert not holdings[1].access(row.url, row.at).allowed


def _alike(text, name):
    """A page about a missing capture, without what is different each time."""
    return re.sub(r'value="[^"]*"', "", text.replace(name, "NAME"))


def _waited(asked, *, until):
    """Ask until the status comes; the file is looked at every ten seconds."""
    end = time.monotonic() + PATIENCE
    found = asked()
    while found[0] != until and time.monotonic() < end:
        time.sleep(0.2)
        found = asked()
    return found
