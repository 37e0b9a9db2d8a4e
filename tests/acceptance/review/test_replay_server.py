"""Replay on the real server: the same port as the pages, other host names, and in Chromium nothing in common."""

import json
import re
from urllib.parse import urlsplit

import pytest

from tests.browser.site import running_browser
from tests.installations import Installations
from tests.viewers import serving

_FILL = """
import json
from django.conf import settings
from opilio.curation.models import Result
from opilio.people.privileges import Privilege, Scope
from tests.patch_desk import PatchDesk
from tests.people import Town
from tests.review_desk import crawled

desk = PatchDesk(Town())
desk.town.user("curator", privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY})
row = desk.patchable(settings.OPILIO.home, results=2)
second = Result.objects.get(harvest=row.harvest_id, number=2)
print(json.dumps([row.pk, second.pk, crawled().url("/")]))
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A server with two results, and the curator signed in there."""
    folder = tmp_path_factory.mktemp("replay")
    installation = Installations(engine="sqlite", shared=folder).make(folder / "home")
    done = installation.python(_FILL)
    assert done.returncode == 0, done.stderr[-3000:]
    with serving(installation) as running:
        yield running, json.loads(done.stdout.strip().splitlines()[-1])


def test_host_names_part_pages_from_replay(pages):
    """Replay answers under its own names only, to nobody without a session; the pages answer under theirs only."""
    running, (first, _, _) = pages
    ask = running._asked
    assert ask("GET", "/in-tray", headers={"Cookie": running.cookie}).status == 200
    there = {"Host": f"r{first}.replay.localhost:{running.port}", "Cookie": running.cookie}
    assert ask("GET", "/in-tray", headers=there).status == 403
    base = ask("GET", "/", headers={"Host": f"replay.localhost:{running.port}"})
    assert (base.status, base.getheader("Location")) == (302, f"http://127.0.0.1:{running.port}/review")
    assert ask("GET", "/", headers={"Host": "r1.evil.example"}).status == 400
    assert ask("POST", "/sign-in", headers={"Host": "r1.evil.example", "Referer": "http://[r1"}).status == 400


def test_a_curator_walks_from_the_page_into_the_archive(pages):
    """The archived page opens with its links rewritten, knows no cookie of ours, and what it lacks is on the list."""
    running, (first, _, site) = pages
    value = running.cookie.partition(";")[0].partition("=")[2]
    with running_browser() as browser:
        context = browser.new_context()
        base = f"http://127.0.0.1:{running.port}"
        cookies = [each.partition("=") for each in running.cookie.split("; ")]
        context.add_cookies([{"name": one[0], "value": one[2], "url": base} for one in cookies])
        page = context.new_page()
        page.goto(f"{base}/results/{first}/replay")
        with context.expect_page() as opened:
            page.get_by_role("link", name=re.compile("Archived")).first.click()
        shown = opened.value
        shown.wait_for_url(f"http://r{first}.replay.localhost:{running.port}/**/{site}")
        assert shown.get_by_role("heading", name="Birds of the marsh").is_visible()
        assert value not in shown.evaluate("document.cookie")
        shown.get_by_role("link", name="owls").click()
        shown.wait_for_url("**/owls.html")
        assert urlsplit(shown.url).hostname == f"r{first}.replay.localhost"
        shown.wait_for_load_state("networkidle")
        page.goto(f"{base}/results/{first}/missing")
        assert page.get_by_text("lost.png").first.is_visible()
        context.close()
