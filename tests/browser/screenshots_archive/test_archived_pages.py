"""Pictures of archived pages: everything a page needs comes from the result, and nothing it tries reaches anybody."""

import gzip

import pytest

from opilio.archive.screenshots.archived_pages import archive_camera
from opilio.archive.screenshots.darkroom import difference, side_by_side, thumbnail
from opilio.archive.screenshots.errors import NoPicture, PageFailed
from opilio.archive.screenshots.pictures import Picture, PictureKind, PictureSize
from opilio.works.picture_page import picture_page
from opilio.works.take_screenshots import Pair
from tests.browser.accessibility import faults
from tests.browser.screenshots_archive.small_site import SmallSite, looked, png, png_size
from tests.servers.replayed import Archive, original
from tests.unit.archive.warcs import START

pytestmark = pytest.mark.browser

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 255)
SMALL = PictureSize(width=400, height=300, thumbnail=100, timeout=10)


@pytest.fixture(scope="module")
def camera():
    """One browser for all."""
    with archive_camera() as running:
        yield running


@pytest.fixture
def archive(tmp_path):
    return Archive(folder=tmp_path)


def _page(body, head=""):
    return f"<!doctype html><html><head><title>Owls</title>{head}</head><body>{body}</body></html>".encode()


def _box(name, top, colour="#fff"):
    return f"<div id={name} style='{_at(top)};background:{colour}'></div>"


def _at(top):
    return f"position:absolute;top:{top}px;left:0;width:100px;height:20px;border:0"


def _centres(*tops):
    return [(50, top + 10) for top in tops]


def test_styles_images_scripts_and_fetch_come_from_the_result(camera, archive):
    """A page, its style sheet on another host, a picture, and a script that fetches: all are on the picture."""
    boxes = "".join(_box(name, top) for name, top in (("css", 0), ("script", 40), ("sent", 80)))
    archive.keep(
        "https://owls.test/",
        _page(
            f"{boxes}<img src=/owl.png style='{_at(120)}'><script src=/owl.js></script>",
            "<link rel=stylesheet href=https://other.test/style.css>",
        ),
    )
    archive.keep("https://other.test/style.css", b"#css { background: #f00 !important }", type="text/css")
    archive.keep("https://owls.test/owl.png", png(BLUE), type="image/png")
    script = """
        const paint = (name, colour) => { document.getElementById(name).style.background = colour };
        paint("script", "#008000");
        fetch("/data.json?b=2").then((found) => found.json()).then((data) => paint("sent", data.colour));
    """
    archive.keep("https://owls.test/owl.js", script.encode(), type="text/javascript")
    archive.keep("https://owls.test/data.json?b=2", b'{"colour": "#0000ff"}', type="application/json")
    found = camera.shoot(archive.holding(), "https://owls.test/", SMALL)
    size, colours = looked(camera.camera, found.shot.view, *_centres(0, 40, 80, 120))
    assert size == (400, 300)
    assert colours == [RED, GREEN, BLUE, BLUE]
    assert found.missing == ()
    assert (found.shot.title, found.shot.url, found.shot.notes) == ("Owls", "https://owls.test/", ())


def test_nothing_that_a_page_tries_reaches_anybody(camera, archive):
    """Images, scripts, frames, fetch, beacons, sockets, workers, redirects, forms, windows: none arrives."""
    with SmallSite({"/": ("text/html", b"live")}) as live:
        ws = live.url.replace("http", "ws")
        script = f"""
            fetch('{live.url}/fetch').catch(() => 0); navigator.sendBeacon('{live.url}/beacon', 'x');
            const x = new XMLHttpRequest(); x.open('POST', '{live.url}/xhr'); x.send('x');
            try {{ new WebSocket('{ws}/socket') }} catch (e) {{}}
            try {{ new EventSource('{live.url}/events') }} catch (e) {{}}
            try {{ navigator.serviceWorker.register('/worker.js') }} catch (e) {{}}
            new Worker(URL.createObjectURL(new Blob(["fetch('{live.url}/worker')"])));
            window.open('{live.url}/window');
            const form = document.createElement('form'); form.method = 'POST'; form.action = '{live.url}/form';
            form.target = 'frame'; document.documentElement.append(form); form.submit();
            alert('hello');
        """
        archive.keep(
            "http://owls.test/",
            _page(
                f"{_box('a', 0, '#008000')}<img src='{live.url}/image'>"
                f"<iframe name=frame src='{live.url}/frame'></iframe>"
                f"<iframe src=/moved></iframe><img src=/moved-image><video src='{live.url}/video' autoplay></video>"
                f"<script>{script}</script><script src='{live.url}/script'></script>",
                f"<link rel=stylesheet href='{live.url}/style'><link rel=prefetch href='{live.url}/prefetch'>"
                f"<link rel=preconnect href='{live.url}'><link rel=dns-prefetch href='{live.url}'>"
                f"<style>@import '{live.url}/import'; @font-face {{font-family: x; src: url({live.url}/font)}}"
                "body {font-family: x}</style>",
            ),
        )
        archive.keep("http://owls.test/moved", status=302, headers=[f"Location: {live.url}/redirected"])
        archive.keep("http://owls.test/moved-image", status=301, headers=[f"Location: {live.url}/redirected-image"])
        archive.keep("http://owls.test/worker.js", b"self.addEventListener('fetch', () => 0)", type="text/javascript")
        found = camera.shoot(archive.holding(), "http://owls.test/", SMALL)
        _, colours = looked(camera.camera, found.shot.view, *_centres(0))
        assert colours == [GREEN]
        assert live.seen == []
    for name in ("fetch", "image", "frame", "script", "style", "import", "xhr"):
        assert f"{live.url}/{name}" in found.missing, name
    assert "http://owls.test/moved" in found.missing


def test_redirects_end_where_they_ended(camera, archive):
    """Of the page, of a frame, and of a style sheet whose addresses are relative to where it was found."""
    archive.keep("http://owls.test/", status=301, headers=["Location: /home/"])
    frame = f"<iframe src=/frame style='{_at(40)}'></iframe>"
    archive.keep("http://owls.test/home/", _page(_box("a", 0) + frame, "<link rel=stylesheet href=/style>"))
    archive.keep("http://owls.test/style", status=302, headers=["Location: /deep/down/style.css"])
    archive.keep("http://owls.test/deep/down/style.css", b"#a { background: url(owl.png) !important }", type="text/css")
    archive.keep("http://owls.test/deep/down/owl.png", png(RED), type="image/png")
    archive.keep("http://owls.test/frame", status=302, headers=["Location: /inner/"])
    archive.keep("http://owls.test/inner/", _page(f"<img src=blue.png style='{_at(0)}'>"))
    archive.keep("http://owls.test/inner/blue.png", png(BLUE), type="image/png")
    found = camera.shoot(archive.holding(), "http://owls.test/", SMALL)
    _, colours = looked(camera.camera, found.shot.view, *_centres(0, 40))
    assert colours == [RED, BLUE]
    assert found.shot.url == "http://owls.test/home/"


def test_a_body_in_an_earlier_capture_and_the_time_of_the_page(camera, archive):
    """The page is a revisit; its picture was captured twice, and the one nearest to the page is shown."""
    body = _page(f"<img src=/owl.png style='{_at(0)}'>")
    archive.keep("http://owls.test/", body)
    archive.keep_revisit("http://owls.test/", original=original("http://owls.test/", body=body), at=100, body=body)
    archive.keep("http://owls.test/owl.png", png(RED), type="image/png", at=1)
    archive.keep("http://owls.test/owl.png", png(GREEN), type="image/png", at=99)
    found = camera.shoot(archive.holding(), "http://owls.test/", SMALL)
    assert looked(camera.camera, found.shot.view, (50, 10))[1] == [GREEN]


def test_codings_are_undone(camera, archive):
    """A page that was stored with gzip and chunks is shown."""
    packed = gzip.compress(_page(_box("a", 0, "#f00")))
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(packed), packed)
    headers = ["Content-Encoding: gzip", "Transfer-Encoding: chunked"]
    archive.keep("http://owls.test/", chunked, headers=headers)
    found = camera.shoot(archive.holding(), "http://owls.test/", SMALL)
    assert looked(camera.camera, found.shot.view, *_centres(0))[1] == [RED]


def test_a_huge_page_is_clipped(camera, archive):
    """All of a page means: down to the limit."""
    archive.keep("http://owls.test/", _page("<div style='height:900000px;background:#00f'></div>"))
    size = PictureSize(width=200, height=100, full=True, tallest=1_000, thumbnail=50, timeout=10)
    found = camera.shoot(archive.holding(), "http://owls.test/", size)
    assert png_size(found.shot.view) == (200, 100)
    assert png_size(found.shot.full) == (200, 1_000)


def test_a_short_page_is_taken_as_it_is(camera, archive):
    """All of a page that is a little higher than the window."""
    archive.keep("http://owls.test/", _page("<style>body {margin: 0}</style><div style='height:150px'></div>"))
    size = PictureSize(width=200, height=100, full=True, thumbnail=50, timeout=10)
    assert png_size(camera.shoot(archive.holding(), "http://owls.test/", size).shot.full) == (200, 150)


@pytest.mark.parametrize(
    "body",
    ["<script>for (;;) {}</script>", "<script>for (;;) alert(1)</script>"],
)
def test_a_page_that_never_ends_is_given_up(camera, archive, body):
    """In bounded time there is a picture with a note, or an error; the next page is none the worse."""
    archive.keep("http://owls.test/", _page(body))
    archive.keep("http://owls.test/good", _page(_box("a", 0, "#f00")))
    holding = archive.holding()
    impatient = PictureSize(width=200, height=100, thumbnail=50, timeout=1)
    with pytest.raises(PageFailed) as caught:
        camera.shoot(holding, "http://owls.test/", impatient)
    assert "Timeout" in caught.value.what
    found = camera.shoot(holding, "http://owls.test/good", SMALL)
    assert looked(camera.camera, found.shot.view, *_centres(0))[1] == [RED]


def test_what_is_no_page_is_told(camera, archive):
    """A file that browsers download, a page that was not captured, and addresses that are none."""
    archive.keep("http://owls.test/file.zip", b"PK", type="application/zip")
    holding = archive.holding()
    with pytest.raises(PageFailed):
        camera.shoot(holding, "http://owls.test/file.zip", SMALL)
    for url in ("http://owls.test/none", "file:///etc/passwd", "javascript:alert(1)", "chrome://version", ""):
        with pytest.raises(NoPicture):
            camera.shoot(holding, url, SMALL)


def test_a_failed_capture_is_not_taken_for_the_page(camera, archive):
    """The last capture that is no error is shown."""
    archive.keep("http://owls.test/", _page(_box("a", 0, "#f00")))
    archive.keep("http://owls.test/", b"gone", status=503, at=50)
    found = camera.shoot(archive.holding(), "http://owls.test/", SMALL)
    assert looked(camera.camera, found.shot.view, *_centres(0))[1] == [RED]


def test_a_thumbnail_is_small(camera):
    """Its width is given, its height follows, it is JPEG."""
    small = thumbnail(camera.camera, png(BLUE, 400, 300), 100)
    assert small.startswith(b"\xff\xd8")
    size, ((red, green, blue),) = looked(camera.camera, small, (50, 40), kind="image/jpeg")
    assert size == (100, 75)
    assert blue > 240
    assert max(red, green) < 20


def test_differences_are_measured(camera):
    """The share of pixels that differ; a picture that is longer differs where the other has ended."""
    same = difference(camera.camera, png(RED, 20, 10), png(RED, 20, 10))
    assert same.share == 0
    assert difference(camera.camera, png(RED, 20, 10), png(BLUE, 20, 10)).share == 1
    longer = difference(camera.camera, png(RED, 20, 10), png(RED, 20, 40))
    assert longer.share == 0.75
    assert (longer.width, longer.height) == (20, 40)
    _, colours = looked(camera.camera, longer.picture, (5, 5), (5, 30))
    assert colours[0][0] == colours[0][1] == colours[0][2]
    assert colours[1] == (200, 30, 60)
    assert difference(camera.camera, png((100, 100, 100), 9, 9), png((105, 95, 100), 9, 9)).share == 0


def test_the_page_of_a_comparison(camera):
    """Three pictures with their words, accessible in light and dark; a hostile address is text."""
    url = "http://owls.test/<script>document.title='hurt'</script>"
    pictures = [Picture(url=url, kind=PictureKind.VIEW, at=START, data=png(colour, 60, 40)) for colour in (RED, BLUE)]
    found = difference(camera.camera, *(picture.data for picture in pictures))
    text = picture_page(Pair(url=url, before=pictures[0], after=pictures[1], difference=found))
    for scheme in ("light", "dark"):
        with camera.camera.blank() as page:
            page.emulate_media(color_scheme=scheme)
            page.set_content(text)
            assert faults(page) == []
            assert page.locator("img").count() == 3
            assert page.title() == f"Screenshots of {url}"
            assert "100.00 % of the pixels differ." in page.inner_text("main")


def test_pictures_stand_side_by_side(camera):
    """One picture with all of them in their order."""
    made = side_by_side(camera.camera, [png(RED, 50, 50), png(BLUE, 50, 50)], ["a", "b"])
    size, colours = looked(camera.camera, made, (40, 60), (110, 60))
    assert size == (148, 106)
    assert colours == [RED, BLUE]
