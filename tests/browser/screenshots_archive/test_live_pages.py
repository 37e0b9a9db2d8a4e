"""Pictures of live pages: with the plan's user agent and proxies, and never from addresses that are not allowed."""

import pytest

from opilio.archive.screenshots.browser import running_camera
from opilio.archive.screenshots.pictures import PictureKind, PictureSize
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.crawl.plan import CrawlPlan, Fetch, Manners, Preset, Seed
from opilio.works.screenshot_crawl import take_live
from tests.browser.screenshots_archive.small_site import SmallSite, looked, png_size
from tests.servers.proxies import HttpProxy, SocksProxy
from tests.unit.archive.warcs import assert_valid

pytestmark = pytest.mark.browser

SMALL = PictureSize(width=400, height=300, thumbnail=100, timeout=10)
PAGE = b"<!doctype html><title>Live owls</title><body style='background:#f00'>Owls"


@pytest.fixture(scope="module")
def camera():
    """One browser for all."""
    with running_camera() as running:
        yield running


def _plan(*urls, allow=("127.0.0.1",), **fetch):
    return CrawlPlan(
        seeds=tuple(Seed(url=url) for url in urls),
        manners=Manners(preset=Preset.OWN_SITE, user_agent="owl-finder/7"),
        fetch=Fetch(allow_private=allow, **fetch),
    )


def test_a_live_page_is_taken_as_the_crawl_would_see_it(tmp_path, camera):
    """The server is asked by the user agent of the plan; view, whole page and thumbnail are kept as WARC records."""
    with SmallSite({"/": ("text/html", PAGE)}) as site:
        plan = _plan(f"{site.url}/")
        size = PictureSize(width=400, height=300, thumbnail=100, timeout=10, full=True)
        (taken,) = take_live(tmp_path, plan, size=size, camera=camera)
        assert {headers["User-Agent"] for _, headers in site.seen} == {"owl-finder/7"}
        assert (taken.title, taken.pictures, taken.problem) == ("Live owls", 3, "")
        shelf = PictureShelf(tmp_path)
        assert png_size(shelf.newest(f"{site.url}/").data) == (400, 300)
        assert shelf.newest(f"{site.url}/", PictureKind.THUMBNAIL).data.startswith(b"\xff\xd8")
        assert looked(camera, shelf.newest(f"{site.url}/").data, (200, 200))[1] == [(255, 0, 0)]
    assert_valid(tmp_path / "screenshots")


def test_private_addresses_are_not_reached(tmp_path, camera):
    """Neither by a seed, nor by what a page embeds, nor after a redirect; the notes say what was refused."""
    with SmallSite({"/secret": ("text/plain", b"secret")}, host="127.0.0.2") as secret:
        pages = {
            "/": ("text/html", PAGE + f"<img src='{secret.url}/secret'><img src=/away>".encode()),
            "/away": f"{secret.url}/secret",
            "/gone": f"{secret.url}/secret",
        }
        with SmallSite(pages) as site:
            plan = _plan(f"{site.url}/", f"{site.url}/gone", f"{secret.url}/secret", "http://[::ffff:127.0.0.2]/")
            taken = take_live(tmp_path, plan, size=SMALL, camera=camera)
    assert secret.seen == []
    assert taken[0].problem == ""
    assert any("127.0.0.2 is loopback" in note for note in taken[0].notes)
    assert all("not allowed" in each.problem for each in taken[2:])
    assert next(shown.url for shown in PictureShelf(tmp_path).all(PictureKind.VIEW)) == f"{site.url}/"


@pytest.mark.parametrize("kind", [HttpProxy, SocksProxy])
def test_the_proxy_of_the_plan_is_used(tmp_path, camera, kind):
    """The address is looked up and checked here, and the proxy is asked to connect to it, with its password."""
    with SmallSite({"/": ("text/html", PAGE)}) as site, kind(user="owl", password="barn") as proxy:
        url = proxy.url.replace("://", "://owl:${OWL_SECRET}@")
        plan = _plan(f"{site.url}/", proxies={"*": url})
        (taken,) = take_live(tmp_path, plan, size=SMALL, environ={"OWL_SECRET": "barn"}, camera=camera)
    assert taken.problem == ""
    assert set(proxy.targets) == {site.url.removeprefix("http://")}
    assert {each.user for each in proxy.asked} <= {"owl", ""}


@pytest.mark.parametrize("url", ["file:///etc/passwd", "chrome://version", "javascript:alert(1)", "data:text/html,x"])
def test_only_the_web_is_photographed(tmp_path, camera, url):
    """Files of this machine and pages of the browser are refused."""
    (taken,) = take_live(tmp_path, _plan("http://127.0.0.1:9/"), [url], size=SMALL, camera=camera)
    assert taken.problem
    assert list(PictureShelf(tmp_path).all()) == []


def test_a_site_that_is_gone_is_told(tmp_path, camera):
    """The other pages are taken all the same."""
    with SmallSite({"/": ("text/html", PAGE)}) as site:
        taken = take_live(tmp_path, _plan("http://127.0.0.1:9/", f"{site.url}/"), size=SMALL, camera=camera)
    assert [bool(each.problem) for each in taken] == [True, False]
