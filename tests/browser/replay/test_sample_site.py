"""The sample site replayed in Chromium: it looks and works as it did, and nothing is asked of the live site."""

from urllib.parse import urlencode, urlsplit

import pytest

from opilio.archive.replay import banner
from opilio.archive.replay.banner import Banner
from opilio.kernel.access import Statement
from opilio.works.sample import expected
from tests.browser.accessibility import faults
from tests.browser.replay.sample import Trap, crawled_sample, replaying
from tests.servers.replayed import NOON

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample") / "harbour"
    site = crawled_sample(folder)
    with replaying(folder, site) as (running, _):
        yield running


@pytest.fixture(scope="module")
def trap(sample):
    listening = Trap(urlsplit(sample.site).port)
    yield listening
    listening.close()


@pytest.fixture(scope="module")
def pages(browser, sample, trap):
    """Opens pages of the sample by their paths, as readers with and without scripts."""
    contexts = {}

    def page(path, *, scripts=True, **options):
        if scripts not in contexts:
            context = browser.new_context(reduced_motion="reduce", java_script_enabled=scripts, **options)
            context.asked, context.refused = [], []
            context.on("request", lambda request: context.asked.append(request.url))
            context.on("response", lambda answer: context.refused.append(answer.url) if answer.status >= 400 else None)
            context.new_page().goto(sample.entry)
            contexts[scripts] = context
        found = contexts[scripts].new_page()
        query = urlencode({"result": 1, "url": f"{sample.site}{path}"})
        found.goto(f"http://replay.localhost:{sample.port}/open?{query}")
        found.wait_for_url(lambda address: "open?" not in address)
        found.wait_for_load_state("networkidle")
        return found

    page.contexts = contexts
    yield page
    for context in contexts.values():
        context.close()


def outside(context, sample):
    hosts = ("r1.replay.localhost", "replay.localhost")
    own = tuple(f"http://{host}:{sample.port}/" for host in hosts)
    return [url for url in context.asked if not url.startswith((*own, "data:", "blob:"))]


def test_front_page_works(pages, sample, trap):
    """Styles, pictures, the script and what it fetches are there, and the browser asked nobody else."""
    page = pages("/")
    assert page.locator("#harbour-board").inner_text().startswith("South-west, fresh.")
    assert page.evaluate("getComputedStyle(document.querySelector('header.top')).backgroundColor") != "rgba(0, 0, 0, 0)"
    broken = "[...document.images].filter((image) => !image.complete || !image.naturalWidth).map((image) => image.src)"
    assert page.evaluate(broken) == []
    assert page.evaluate("document.styleSheets[0].cssRules.length") > 5
    assert outside(page.context, sample) == []
    assert trap.visits == []


def test_every_page_is_replayed(pages, sample, trap):
    """All pages of the site are shown, and nothing that the crawl had is missing."""
    context = pages("/").context
    context.refused.clear()
    page = context.new_page()
    base = f"http://r1.replay.localhost:{sample.port}/2026/{sample.site}"
    titles = set()
    for path in sorted(expected.PAGES):
        page.goto(base + path, wait_until="load")
        assert page.title(), path
        assert "Opilio" not in page.title(), path
        titles.add(page.title())
    assert len(titles) > 50
    known = {f"{sample.site}{path}" for path in expected.BROKEN_LINKS}
    assert {url.split("/", 4)[4] for url in context.refused} - known == set()
    assert outside(context, sample) == []
    assert trap.visits == []


def test_links_frames_and_refreshes_stay_in_the_archive(pages, sample, trap):
    """A reader walks through the site: by links, into a frame, over a meta refresh and a redirect."""
    page = pages("/")
    page.get_by_role("link", name="Visit", exact=True).first.click()
    page.wait_for_url(f"**/{sample.site}/visit/")
    for path, end in (("/visit", "/visit/"), ("/cat", "/collections/")):
        page.goto(f"http://r1.replay.localhost:{sample.port}/2026/{sample.site}{path}")
        assert page.url.endswith(sample.site + end)
    assert outside(page.context, sample) == []
    assert trap.visits == []


def test_works_without_scripts(pages, sample, trap):
    """With scripts off pages have styles and pictures, and the banner."""
    page = pages("/", scripts=False)
    assert page.url.startswith(f"http://r1.replay.localhost:{sample.port}/2026")
    assert page.locator("opilio-banner").count() == 1
    assert page.locator("#harbour-board").inner_text().startswith("The harbour board is chalked")
    assert any("/css/site.css" in url for url in page.context.asked)
    assert outside(page.context, sample) == []
    assert trap.visits == []


def test_missing_page_can_be_wished_for(pages, sample):
    """One press of the button puts a URL on the list, which the list of results shows."""
    page = pages("/")
    page.goto(f"http://r1.replay.localhost:{sample.port}/2026/{sample.site}/never.html")
    assert faults(page) == []
    page.get_by_role("button", name="Add to the patch list").click()
    page.get_by_text("It is on the patch list").wait_for()
    page.goto(sample.entry)
    assert page.get_by_text(f"{sample.site}/never.html").is_visible()
    assert faults(page) == []
    assert "never.html" in (sample.folder / "patch.jsonl").read_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_banner_is_accessible(browser, pages, scheme):
    """The banner has names, contrast and a keyboard, in light and dark."""
    server = pages("/").url.split("/20", 1)[0]
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{server}/_opilio/banner.css")  # an address of the same origin, so that its style is found
    said = Statement(text="© The museum", link="https://rights.test/", requirements="Quote the source.")
    made = banner.markup(
        Banner(
            url="http://a.test/",
            at=NOON,
            result="Result 1",
            previous="/1/x",
            next="/2/x",
            entry="/",
            statements=(said,),
        )
    ).replace(b'shadowrootmode="closed"', b'shadowrootmode="open"')
    page.route("**/banner-test", lambda route: route.fulfill(body=_document(made), content_type="text/html"))
    page.goto(f"{server}/banner-test")
    page.wait_for_load_state("networkidle")
    assert faults(page) == []
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.querySelector('opilio-banner').shadowRoot.querySelector('details').open") is False
    context.close()


def _document(body):
    return b"<!doctype html><html lang=en><title>t</title><main><h1>x</h1></main>" + body
