"""The report page of a crawl in a browser: a file, opened without a server."""

import json

import pytest

from opilio.works.crawl_report_page import html_report
from tests.browser.accessibility import faults
from tests.browser.site import ROOT

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page_url(tmp_path_factory):
    document = json.loads((ROOT / "tests" / "data" / "crawl_report.json").read_text("utf-8"))
    document["reasons"].append(
        {"outcome": "gone", "reason": "<script>document.title='hurt'</script>", "count": 1, "example": "x" * 500}
    )
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(html_report(document), "utf-8")
    return path.as_uri()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 320), ("dark", 320)])
def test_it_is_accessible_fits_and_asks_for_nothing(chromium, page_url, scheme, width):
    """In light and dark, wide and narrow: axe finds nothing, nothing hangs over, nothing runs, nothing is loaded."""
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    told = []
    page.on("console", lambda message: told.append(message.text))
    page.on("request", lambda request: told.append(request.url))
    page.goto(page_url)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    found = faults(page)
    wide = page.evaluate("document.documentElement.scrollWidth")
    title = page.title()
    context.close()
    assert found == []
    assert wide <= width
    assert told == [page_url]
    assert title == "Crawl of https://harbour.example/"
