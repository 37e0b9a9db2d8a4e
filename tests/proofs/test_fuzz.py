"""Every reader of what others wrote, fed with what nobody would write: it answers, or refuses in our own words.

OPILIO_TEST_PROOF_SCALE multiplies the counts; OPILIO_TEST_SEED chooses the inputs.
"""

import random

import pytest

from opilio.archive.warc.reader import iterate
from opilio.crawl import robots
from opilio.crawl.fetch import decode, head
from opilio.crawl.logins.challenge import challenges
from opilio.crawl.plan import CrawlPlan, Seed
from opilio.crawl.plan_json import from_json, to_json
from opilio.extract.css import css_references
from opilio.extract.feed import read_feed
from opilio.extract.reading import Resource, helper_needed, read_here
from opilio.extract.sitemap import read_sitemap
from opilio.kernel.errors import OpilioError
from opilio.kernel.surt import surt
from opilio.kernel.urls import Base, canonical

INPUTS = 150  # of each reader; multiplied by the scale
URL = "http://news.localhost/dir/page.html?a=1"
_PLAN = to_json(CrawlPlan(seeds=(Seed(url="http://news.localhost/"),))).encode()
_PAGE = (
    b"<!doctype html><html lang=en><head><meta charset=utf-8><title>T</title><base href='/b/'><style>a{background:"
    b'url(x.png)}</style><script type=\'application/ld+json\'>{"url":"/j"}</script></head><body><p><b>x<a href=../y?q='
    b"1#f rel='nofollow'>z</a><table><tr><td>1<img srcset='a 1x, b 2x'><form action=/s><select name=n><option>o"
    b"</select></form><svg><use href='/s.svg#a'/></svg><template><a href=/t></template>"
    b"<iframe srcdoc='<a href=/i>'></iframe>"
)
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nSet-Cookie: a=b; Path=/\r\n\r\n"
_ROBOTS = b"User-agent: opilio\nDisallow: /a*b$\nAllow: /\nCrawl-delay: 3\nSitemap: http://news.localhost/s.xml\n"
_SITEMAP = b"<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>/a</loc></url></urlset>"
_FEED = b"<rss version='2.0'><channel><title>t</title><item><link>/a</link><enclosure url='/e'/></item></channel></rss>"
_CHALLENGE = b'Digest realm="a b", nonce="x", qop="auth,auth-int", stale=true, Basic realm=y, Negotiate YII/+w=='
_CHUNKS = b"5;x=y\r\nhello\r\n0\r\nA: b\r\n\r\n"
_WARC = (
    b"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\n"
    b"WARC-Date: 2026-11-16T00:00:00Z\r\nWARC-Target-URI: http://news.localhost/\r\nContent-Type: text/plain\r\n"
    b"Content-Length: 2\r\n\r\nok\r\n\r\n"
)


def _text(data):
    return data.decode("utf-8", "surrogateescape")


def _read_page(data, folder):
    resource = Resource(body=data, url=URL, content_type="text/html")
    if not helper_needed(resource):
        read_here(resource)


def _read_warc(data, folder):
    path = folder / "fuzz.warc"
    path.write_bytes(data)
    for _ in iterate(path):
        pass


#: Reader → (what it is made for, how it is called).
READERS = {
    "page": (_PAGE, _read_page),
    "style sheet": (
        b"@import 'a.css'; a{background:url(\"b\\29.png\")}",
        lambda data, _: list(css_references(_text(data))),
    ),
    "sitemap": (_SITEMAP, lambda data, _: read_sitemap(data)),
    "feed": (_FEED, lambda data, _: read_feed(data)),
    "robots.txt": (_ROBOTS, lambda data, _: robots.parse(data)),
    "head": (_HEAD, lambda data, _: head.parse(data)),
    "chunks": (_CHUNKS, lambda data, _: decode.dechunked(data)),
    "codings": (_CHUNKS, lambda data, _: [decode.decoded(data, [name]) for name in ("gzip", "deflate", "br", "zstd")]),
    "challenge": (_CHALLENGE, lambda data, _: challenges([data.decode("latin-1")])),
    "plan": (_PLAN, lambda data, _: from_json(data.decode("utf-8", "replace"))),
    "URL": (URL.encode(), lambda data, _: canonical(data.decode("utf-8", "replace"))),
    "reference": (b"../a/./b?c=%41#d", lambda data, _: Base(URL).link(data.decode("utf-8", "replace"))),
    "SURT": (URL.encode(), lambda data, _: surt(data.decode("utf-8", "replace"))),
    "WARC": (_WARC, _read_warc),
}

pytestmark = [pytest.mark.proof, pytest.mark.only_on("sqlite"), pytest.mark.timeout(7_200)]


def mangled(made_for, chance):
    """What a reader is made for, with pieces changed, doubled, moved and cut out."""
    data = bytearray(made_for)
    for _ in range(chance.randint(1, 8)):
        at, size = chance.randint(0, len(data)), chance.randint(0, 20)
        piece = bytes(data[at : at + size])
        match chance.randrange(5):
            case 0:
                data[at : at + size] = b""
            case 1:
                data[at:at] = chance.randbytes(size)
            case 2:
                data[at:at] = piece * chance.randint(1, 200)
            case 3:
                data[at : at + size] = bytes(reversed(piece))
            case _:
                data[at:at] = chance.choice(
                    [b"\0", b"\xff\xfe", b"\r", b"\n\n", b"%", b"<", b">", b'"', b"'", b"\xf0\x9f"]
                )
    return bytes(data)


@pytest.mark.parametrize("name", READERS)
def test_no_input_brings_a_reader_down(name, proof_scale, random_number, tmp_path, record_property):
    """It reads what it can; what it refuses, it refuses with an error that says so."""
    made_for, read = READERS[name]
    chance, refused = random.Random(f"{random_number} {name}"), 0
    for _ in range(INPUTS * proof_scale):
        data = mangled(made_for, chance)
        try:
            read(data, tmp_path)
        except OpilioError:
            refused += 1
        except Exception as error:  # noqa: BLE001 - whatever it is, the input must be known
            pytest.fail(f"{name} raised {error!r} for {data!r}")
    record_property("inputs", INPUTS * proof_scale)
    record_property("refused", refused)
