"""How the plan wants its WARC files: size, digests, packing, links."""

import gzip

from opilio.archive.warc.fast import ArchiveIterator
from opilio.kernel.digests import Algorithm
from tests.sites.again import LONG

SITE = {
    "index": '<a href="one.html">one</a> <a href="two.html">two</a> <img src="gone.png">' + LONG,
    "one": "<p>One" + LONG,
    "two": "<p>Two" + LONG,
}
PATHS = {"", "one.html", "two.html", "gone.png", "robots.txt"}


def files(crawled):
    return sorted((crawled.path / "warcs").iterdir())


def kinds(file):
    with file.open("rb") as stream:
        return [record.headers["WARC-Type"] for record in ArchiveIterator(stream, parse_http=False)]


def test_a_new_file_is_begun_at_the_size(again):
    """Each begins with a warcinfo record, none is left open, and together they hold every capture once."""
    again.write(**SITE)
    crawled = again.crawl("out", warc={"size": 800, "gzip_level": 1})
    found = [kinds(file) for file in files(crawled)]
    assert len(found) > 2
    assert all(file.name.endswith(".warc.gz") for file in files(crawled))
    assert all(each[0] == "warcinfo" and each.count("warcinfo") == 1 and len(each) > 1 for each in found)
    assert sum(each.count("response") for each in found) == len(PATHS)
    assert set(crawled.records("response")) == PATHS
    assert {entry["filename"] for entry in crawled.index.values()} <= {file.name for file in files(crawled)}


def test_digests_are_made_as_the_plan_says(again):
    """Of blocks and payloads, and in the index and the rows too; SHA-1 without a word."""
    again.write(**SITE)
    short, long = again.crawl("a"), again.crawl("b", warc={"digest": Algorithm.SHA256})
    for crawled, begin in ((short, "sha1:"), (long, "sha256:")):
        records = [crawled.records(kind)[path] for kind in ("request", "response") for path in PATHS]
        assert {record["WARC-Block-Digest"].partition(":")[0] + ":" for record in records} == {begin}
        payloads = {crawled.records("response")[path]["WARC-Payload-Digest"] for path in PATHS}
        assert {digest.partition(":")[0] + ":" for digest in payloads} == {begin}
        assert crawled.index["one.html"]["digest"] in payloads
        assert crawled.pages["one.html"].digest.startswith(begin)


def test_the_level_of_packing_decides_the_size(again):
    """The same records, smaller at a higher level."""
    again.write(**SITE)
    loose, tight = again.crawl("a", warc={"gzip_level": 0}), again.crawl("b", warc={"gzip_level": 3})
    sizes = [sum(file.stat().st_size for file in files(crawled)) for crawled in (loose, tight)]
    assert sizes[0] > sizes[1]
    assert [len(gzip.decompress(file.read_bytes())) > sizes[1] for file in files(tight)] == [True]
    assert loose.records("response").keys() == tight.records("response").keys() == PATHS


def test_the_links_of_a_page_are_kept_where_the_plan_wants_them(again):
    """In a metadata record about its response, each with its way and its element; without the option there is none."""
    again.write(**SITE)
    told = again.crawl("a", warc={"outlinks": True})
    with_links = [record for record in all_records(told, "metadata") if b"outlink: " in record["block"]]
    assert [record["WARC-Target-URI"].split("/", 3)[3] for record in with_links] == [""]
    (about,) = with_links
    assert about["WARC-Concurrent-To"] == told.records("response")[""]["WARC-Record-ID"]
    lines = {line.split("/", 3)[3] for line in about["block"].decode().splitlines() if line.startswith("outlink: ")}
    assert lines == {"one.html L a", "two.html L a", "gone.png E img"}
    assert all_records(again.crawl("b"), "metadata") == []


def all_records(crawled, kind):
    """All records of a kind; several may be about one URL."""
    found = []
    for file in files(crawled):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, verify_digests=True, parse_http=False):
                if record.headers["WARC-Type"] == kind:
                    found.append({**dict(record.headers), "block": record.reader.read()})
    return found
