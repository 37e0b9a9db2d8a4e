"""The archive about owls, and a server that replays it."""

import gzip

import pytest

from opilio.kernel.capture import RevisitProfile
from tests.contracts.replay.owls import AGAIN, PAGE, SOUND, access
from tests.servers.replayed import Archive, ReplayServer, original
from tests.unit.archive.warcs import chunked


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    made = Archive(folder=tmp_path_factory.mktemp("archive"))
    made.keep("http://a.test/", PAGE).keep("http://a.test/", AGAIN, at=3600).keep("http://a.test/", PAGE, at=7200)
    made.keep("http://a.test/style.css", b"@import '/x.css'; a{b:url(y.png)}", type="text/css")
    made.keep("http://a.test/app.js", b"fetch('/data')", type="text/javascript", at=5)
    made.keep("http://a.test/sound.wav", SOUND, type="audio/wav")
    made.keep("http://a.test/chunked.wav", chunked(SOUND), type="audio/wav", headers=("Transfer-Encoding: chunked",))
    packed = chunked(gzip.compress(PAGE))
    made.keep("http://a.test/packed", packed, headers=("Transfer-Encoding: chunked", "Content-Encoding: gzip"))
    made.keep("http://a.test/lying", PAGE, headers=("Transfer-Encoding: chunked", "Content-Encoding: gzip"))
    made.keep("http://a.test/gone", b"<p>gone", status=404)
    made.keep("http://a.test/moved", b"", status=301, headers=("Location: ../b?x=1",))
    made.keep("http://a.test/none", b"", status=204)
    made.keep("http://a.test/latin", "<meta charset=iso-8859-1><p>é".encode("latin-1"), type="text/html")
    made.keep("http://a.test/wide", "\ufeff<p>é<a href='/b'>".encode("utf-16-le"), type="text/html")
    made.keep("http://a.test/data", b'{"html": "<a href=\\"/x\\">"}', type="text/html")
    made.keep("http://a.test/acts", PAGE, headers=(
        "Set-Cookie: a=b", "Strict-Transport-Security: max-age=9", "Content-Security-Policy: default-src *",
        "WWW-Authenticate: Basic realm=x", "X-Frame-Options: DENY", "Clear-Site-Data: *", "Content-Language: de",
    ))  # fmt: skip
    for name in ("closed", "hidden", "rooms", "owned"):
        made.keep(f"http://a.test/{name}", PAGE)
    made.keep("https://a.test/both", b"<p>secure").keep("http://a.test/both", b"", status=301, headers=(
        "Location: https://a.test/both",))  # fmt: skip
    made.keep_revisit("http://a.test/same", original=original("http://a.test/", 0, PAGE), at=60, body=PAGE)
    made.keep_revisit(
        "http://a.test/unchanged", original=original("http://a.test/", 0, PAGE), at=60, status=304,
        profile=RevisitProfile.NOT_MODIFIED,
    )  # fmt: skip
    made.keep_revisit("http://a.test/lost", original=original("http://b.test/", 0, b"?"), at=60, body=b"?")
    return made


@pytest.fixture(scope="module")
def server(archive):
    with ReplayServer(archive.holding(access=access, seeds=("http://a.test/",))) as running:
        yield running
