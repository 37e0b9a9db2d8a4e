"""A crawl handed over in every form, and brought back: the same captures, texts and links."""

import gzip
import io
import json
import logging
import zipfile
from datetime import timedelta

import bagit
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from opilio.archive.cdxj import parse_line
from opilio.archive.results.deriving import Change
from opilio.archive.results.reader import ResultReader
from opilio.archive.results.selection import Selection
from opilio.archive.wacz.reader import WaczFile
from opilio.cli.main import main
from opilio.kernel.access import Default, Reach, Rule, Says, Where
from opilio.kernel.access_file import write_rules
from opilio.kernel.access_keys import make_keys, signing_key
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import Conflict, InvalidInput, Missing
from opilio.works.crawl_to_archive import crawl
from opilio.works.dedup_crawl import deduplicate
from opilio.works.derive_result import derive
from opilio.works.import_archive import import_archives
from opilio.works.pack_crawl import Form, Wishes, pack
from opilio.works.pack_needs import dependents, find_needs, require_unneeded, siblings
from tests.acceptance.archive.test_import import Warc, index
from tests.acceptance.crawl.crawls import plan_for
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite
from tests.unit.archive.warcs import assert_valid

SITE = LargeSite(pages=8)


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    """A crawl, and a second one of the same site that refers to it for every body."""
    place = tmp_path_factory.mktemp("crawls")
    with HttpServer() as server:
        url = server.url(f"{SITE.base}/", host="a.localhost")
        crawl(plan_for(url), place / "first")
        crawl(plan_for(url, since=str(place / "first")), place / "second")
    return place


@pytest.fixture
def quiet_logs():
    """The root logger as it was, after commands configured it."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def told(folder):
    """All that a result says of its pages, but for times and places."""
    with ResultReader(folder / "results/result-1.db") as result:
        return {
            page.url: (
                page.status, page.digest, page.title, page.type, page.size, page.depth, page.hops, page.path,
                result.text(page.digest), result.outlinks(page.id),
                sorted(result.numbered(number).url for number in result.inlinks(page.id)),
            )
            for page in result.resources()
        }  # fmt: skip


def captures(folder):
    return {(row.url, row.at, row.status, str(row.digest), row.revisit) for row in index(folder)}


@pytest.mark.parametrize("form", list(Form))
def test_what_was_packed_can_be_imported_again(crawls, tmp_path, form):
    """Every page with status, digest, title, depth, text and links."""
    output = tmp_path / f"out.{form}"
    packed = pack(crawls / "first", output, Wishes(form=form, title="Almanac"))
    assert (packed.warcs, packed.needed) == (1, 0)
    if form is Form.BAGIT:
        bagit.Bag(str(output)).validate()
    import_archives([output], tmp_path / "back")
    assert told(tmp_path / "back") == told(crawls / "first")
    assert captures(crawls / "first") == captures(tmp_path / "back")
    assert_valid(tmp_path / "back" / "warcs")


def test_a_result_that_needs_another_crawl_is_not_packed_unawares(crawls, tmp_path):
    """The message says how many captures, and both ways out."""
    with pytest.raises(Conflict, match="need the bodies of captures in other crawls") as failed:
        pack(crawls / "second", tmp_path / "out.wacz")
    assert "--self-contained" in failed.value.remedy
    packed = pack(crawls / "second", tmp_path / "out.wacz", Wishes(without_originals=True))
    assert packed.needed == len(told(crawls / "second"))


def test_a_self_contained_package_holds_every_original(crawls, tmp_path):
    """Each revisit in it refers to a response in it, as another program reads it; imported, it needs nobody."""
    packed = pack(crawls / "second", tmp_path / "out.wacz", Wishes(self_contained=True))
    count = len(told(crawls / "second"))
    assert (packed.originals, packed.needed, packed.captures) == (count, 0, 2 * count)
    kept, referred = set(), set()
    with WaczFile(tmp_path / "out.wacz") as wacz:
        assert list(wacz.faults()) == []
        for name in wacz.warcs():
            for record in WarcioIterator(io.BytesIO(b"".join(wacz.pieces(name)))):
                field = record.rec_headers.get_header
                if record.rec_type == "response":
                    kept.add((field("WARC-Target-URI"), field("WARC-Date")))
                elif record.rec_type == "revisit":
                    referred.add((field("WARC-Refers-To-Target-URI"), field("WARC-Refers-To-Date")))
    assert len(referred) == count
    assert referred <= kept
    import_archives([tmp_path / "out.wacz"], tmp_path / "back")
    needs = find_needs(tmp_path / "back")
    assert (needs.inside, needs.crawls, needs.missing_total) == (count, {}, 0)
    texts = {url: page[8] for url, page in told(crawls / "second").items()}
    assert {url: page[8] for url, page in told(tmp_path / "back").items() if url in texts} == texts


def test_the_earlier_crawl_knows_who_needs_it(crawls, tmp_path):
    """Before it is deleted; the later one is needed by nobody. The list lies beside the result."""
    count = len(told(crawls / "second"))
    needs = find_needs(crawls / "second")
    assert needs.crawls == {str(crawls / "first"): count}
    assert sum(needs.files.values()) == count
    assert len(needs.listed_in.read_text().splitlines()) == count + 1
    assert siblings(crawls / "first") == [crawls / "second"]
    assert {each.crawl for each in dependents(crawls / "first", [crawls / "second"])} == {str(crawls / "second")}
    with pytest.raises(Conflict, match="needs captures of this crawl"):
        require_unneeded(crawls / "first", [crawls / "second"])
    require_unneeded(crawls / "second", [crawls / "first"])
    with pytest.raises(Missing, match="no index"):
        list(dependents(tmp_path, []))


def test_a_lost_original_is_told_when_it_is_to_come_along(crawls, tmp_path):
    """The message names the capture, and where it might be found."""
    second = tmp_path / "second"
    import_archives([next((crawls / "second/warcs").iterdir())], second)
    plan = json.loads((second / "plan.json").read_text())
    plan["fetch"]["since"] = ""
    (second / "plan.json").write_text(json.dumps(plan))
    with pytest.raises(Missing, match="was found nowhere") as failed:
        pack(second, tmp_path / "out.wacz", Wishes(self_contained=True))
    assert "--against" in failed.value.remedy
    assert not (tmp_path / "out.wacz").exists()
    wishes = Wishes(self_contained=True, against=(crawls / "first",))
    assert pack(second, tmp_path / "out.wacz", wishes).originals == len(told(crawls / "second"))


def test_bodies_that_an_earlier_crawl_keeps_are_left_out(crawls, tmp_path):
    """The copy has the same pages and texts, is sound, and is smaller; the crawl itself is not touched."""
    import_archives([next((crawls / "first/warcs").iterdir())], tmp_path / "again")
    before = {path: path.read_bytes() for path in (tmp_path / "again").rglob("*") if path.is_file()}
    done = deduplicate(tmp_path / "again", tmp_path / "lean", against=[crawls / "first"])
    assert done.rewritten > 0
    assert done.after < done.before
    assert told(tmp_path / "lean") == told(tmp_path / "again")
    assert_valid(tmp_path / "lean" / "warcs")
    needs = find_needs(tmp_path / "lean", against=[crawls / "first"])
    assert (needs.crawls, needs.missing_total) == ({str(crawls / "first"): done.rewritten}, 0)
    packed = pack(tmp_path / "lean", tmp_path / "lean.wacz", Wishes(self_contained=True, against=(crawls / "first",)))
    assert packed.originals == done.rewritten
    assert {path: path.read_bytes() for path in (tmp_path / "again").rglob("*") if path.is_file()} == before
    with pytest.raises(Conflict, match="against itself"):
        deduplicate(tmp_path / "again", tmp_path / "other", against=[tmp_path / "again"])


def test_a_derived_result_is_packed_with_all_that_it_is_derived_from(crawls, tmp_path):
    """Neither index nor pages lead to what was removed; the newest result is the one that is meant."""
    pack(crawls / "first", tmp_path / "first.wacz")
    import_archives([tmp_path / "first.wacz"], tmp_path / "crawl")
    removed = next(url for url, page in told(tmp_path / "crawl").items() if page[3] == "html" and page[5] == 1)
    derive(tmp_path / "crawl", Change(remove=Selection(urls=(removed,)), note="not ours"))
    packed = pack(tmp_path / "crawl", tmp_path / "second.wacz")
    assert packed.pages == SITE.pages - 1
    with zipfile.ZipFile(tmp_path / "second.wacz") as found:
        lines = gzip.decompress(found.read("indexes/index.cdx.gz")).splitlines(keepends=True)
    assert {parse_line(line).url for line in lines} == set(told(tmp_path / "crawl")) - {removed}
    pack(tmp_path / "crawl", tmp_path / "bag", Wishes(form=Form.BAGIT))
    inside = {path.name for path in (tmp_path / "bag/data/results").iterdir()}
    assert inside == {"result-1.db", "result-1.sha256", "result-2.db", "result-2.sha256"}
    assert pack(tmp_path / "crawl", tmp_path / "one.wacz", Wishes(result=1)).pages == SITE.pages
    with pytest.raises(Conflict, match="derived"):
        deduplicate(tmp_path / "crawl", tmp_path / "lean")
    with pytest.raises(Missing, match="no result 7"):
        pack(tmp_path / "crawl", tmp_path / "seven.wacz", Wishes(result=7))


def test_rules_of_access_go_along_to_pywb(crawls, tmp_path):
    """In its own form; rules that are too old close the collection, and rules need their key."""
    make_keys(tmp_path / "private.pem", tmp_path / "public.pem")
    key, now = signing_key(tmp_path / "private.pem"), SYSTEM.now()
    closed = Rule(id="t", says=Says.EXCLUDED, where=Where(reach=Reach.HOST, value="secret.example"))
    made = {"fresh": now, "old": now - timedelta(days=400)}
    for name, at in made.items():
        rules = tmp_path / f"{name}.rules"
        write_rules(rules, [closed], key, sequence=1, made=at, default=Default.OPEN)
        wishes = Wishes(form=Form.PYWB, access=rules, access_key=tmp_path / "public.pem", name="barns")
        pack(crawls / "first", tmp_path / name, wishes)
    fresh = (tmp_path / "fresh/collections/barns/acl/access-rules.aclj").read_text()
    assert fresh.startswith("example,secret")
    assert 'default_access: "allow"' in (tmp_path / "fresh/config.yaml").read_text()
    assert 'default_access: "block"' in (tmp_path / "old/config.yaml").read_text()
    with pytest.raises(InvalidInput, match="belong together"):
        pack(crawls / "first", tmp_path / "more", Wishes(form=Form.PYWB, access=tmp_path / "fresh.rules"))


def test_the_command_line_packs_imports_and_tells(crawls, tmp_path, capsys, quiet_logs):
    """Each verb answers with one document; wishes that do not belong to a form are refused."""

    def opilio(*words):
        code = main(["archive", *map(str, words), "--json"])
        told = capsys.readouterr()
        return code, json.loads(told.out if code == 0 else told.err)

    key, first, wacz = tmp_path / "key.pem", crawls / "first", tmp_path / "a.wacz"
    private = ec.generate_private_key(ec.SECP384R1())
    key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    code, packed = opilio("pack", first, "--output", wacz, "--sign", key, "--text")
    assert (code, packed["signed"], packed["pages"]) == (0, True, SITE.pages)
    code, failed = opilio("pack", first, "--output", wacz)
    assert (code, "nothing is replaced" in failed["error"]["remedy"]) == (Conflict.exit_code, True)
    code, failed = opilio("pack", first, "--output", tmp_path / "b", "--format", "bagit", "--text")
    assert (code, failed["error"]["message"]) == (InvalidInput.exit_code, "--text is for wacz only")
    code, failed = opilio("pack", first, "--output", tmp_path / "b", "--format", "bagit", "--info", "nothing")
    assert (code, "no line of bag-info.txt" in failed["error"]["message"]) == (InvalidInput.exit_code, True)
    code, back = opilio("import", wacz, "--into", tmp_path / "back")
    assert (code, back["skipped"], len(back["warcs"])) == (0, 0, 1)
    code, needs = opilio("needs", first)
    assert (code, needs["needed_by"]) == (0, {str(crawls / "second"): len(told(crawls / "second"))})
    code, lean = opilio("dedup", tmp_path / "back", "--into", tmp_path / "lean", "--against", first)
    assert (code, lean["rewritten"] > 0) == (0, True)


URLS = st.sampled_from([f"http://example.org/{name}" for name in ("", "a", "b?x=1")] + ["https://example.net/"])
BODIES = st.sampled_from([b"<title>One</title><a href=/a>", b"<title>Two</title>words", b"\x89PNG\r\n\x1a\n", b""])
EXCHANGES = st.tuples(URLS, BODIES, st.sampled_from(["200 OK", "404 Not Found", "503 Busy"]), st.integers(2000, 2005))


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(exchanges=st.lists(EXCHANGES, min_size=1, max_size=6, unique_by=lambda each: (each[0], each[3])))
def test_packing_and_importing_keep_the_set_of_captures(tmp_path_factory, exchanges):
    """Whatever was captured how often: after a round trip the index is the same, and so are the pages."""
    place = tmp_path_factory.mktemp("round")
    warc = Warc()
    for url, body, status, year in exchanges:
        warc.response(url, body, status=status, at=f"{year}-01-01T00:00:00Z")
    import_archives([warc.save(place / "a.warc.gz")], place / "one")
    pack(place / "one", place / "one.wacz")
    import_archives([place / "one.wacz"], place / "two")
    assert captures(place / "one") == captures(place / "two")
    assert len(captures(place / "one")) == len(exchanges)
    assert told(place / "one") == told(place / "two")


def test_the_index_in_a_package_leads_to_records(crawls, tmp_path):
    """A reader finds the member of a URL, its line, and by it the record in the stored WARC file."""
    pack(crawls / "first", tmp_path / "out.wacz")
    with zipfile.ZipFile(tmp_path / "out.wacz") as found:
        lines = gzip.decompress(found.read("indexes/index.cdx.gz")).splitlines(keepends=True)
        for row in map(parse_line, lines):
            data = found.read(f"archive/{row.file}")[row.offset : row.offset + row.length]
            (record,) = WarcioIterator(io.BytesIO(data))
            assert record.rec_headers.get_header("WARC-Target-URI") == row.url
