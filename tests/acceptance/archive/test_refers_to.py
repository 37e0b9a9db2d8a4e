"""Every revisit names the record that has its body, by id as well as by URL and time."""

import pytest

from opilio.archive.warc.reader import iterate
from opilio.archive.warc.referring import original_record
from opilio.kernel.capture import Position
from opilio.works.crawl_to_archive import Crew, crawl
from opilio.works.import_archive import import_archives
from opilio.works.seal_at_end import Sealing
from tests.acceptance.crawl.crawls import plan_for
from tests.servers.http_server import HttpServer
from tests.sites.crawling import QUICK
from tests.unit.archive.verify.archives import archive, good

BODY = "<title>Owls</title>" + "<p>Twice the same.</p>" * 200
PAGES = {"index.html": "<a href=a.html>a</a><a href=b.html>b</a>", "a.html": BODY, "b.html": BODY}


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    """One with a duplicate, one since it, one since that, one since a crawl not sealed, one since an import."""
    place = tmp_path_factory.mktemp("refers")
    (place / "site").mkdir()
    for name, text in PAGES.items():
        (place / "site" / name).write_text(text)
    with HttpServer(site=place / "site") as server:

        def run(name, since="", **sealing):
            crew = Crew(settings=QUICK, sealing=Sealing(**sealing))
            crawl(plan_for(server.url("/"), since=str(place / since) if since else ""), place / name, crew)

        run("first")
        run("second", "first")
        run("third", "second")
        run("open", keep_open=True)
        run("since-open", "open")
        import_archives(sorted((place / "first" / "warcs").iterdir()), place / "import")
        run("since-import", "import")
    return place


def records(*folders):
    return [record for folder in folders for path in (folder / "warcs").iterdir() for record in iterate(path)]


@pytest.mark.parametrize(
    ("name", "originals", "least"),
    [
        ("first", "first", 1),
        ("second", "first", 3),
        ("third", "first", 3),
        ("since-open", "open", 3),
        ("since-import", "import", 3),
    ],
)
def test_revisits_name_the_record_of_their_original(crawls, name, originals, least):
    """Of a page of the same crawl, of an earlier one, and of one before that; the body is in a response of that id."""
    revisits = [record for record in records(crawls / name) if record.kind == "revisit"]
    responses = {record.id: record for record in records(crawls / originals) if record.kind == "response"}
    assert len(revisits) >= least
    for revisit in revisits:
        original = responses[(revisit.field("WARC-Refers-To") or "").strip("<>")]
        assert original.url == revisit.field("WARC-Refers-To-Target-URI")
        assert original.field("WARC-Date") == revisit.field("WARC-Refers-To-Date")


@pytest.mark.parametrize(
    ("place", "found"),
    [
        (Position(file="none.warc.gz", offset=0, length=1), None),
        (Position(file="../owls.warc.gz", offset=0, length=1), None),
        (Position(file="owls.warc.gz", offset=1, length=1), None),
        (Position(file="owls.warc.gz", offset=1 << 40, length=1), None),
        (Position(file="torn.warc.gz", offset=0, length=1), None),
        (Position(file="owls.warc.gz", offset=0, length=1), None),  # a warcinfo record
    ],
)
def test_where_no_id_can_be_read_there_is_none(tmp_path, place, found):
    """A file that is gone, damage, and records that are no captures."""
    path = archive(good()).write(tmp_path)
    (tmp_path / "torn.warc.gz").write_bytes(path.read_bytes()[:20])
    assert original_record(tmp_path, place) is found
