"""Replay of one result from the curators' pages: who is let in, what is shown, and what is noted as missing."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from opilio.archive.replay.application import Replay
from opilio.archive.replay.messages import Request, Response
from opilio.curation import replay_doors, replay_people, replaying
from opilio.curation.models import MissingUrl, Result, ResultState, Takedown, TakedownLevel, TakedownState
from opilio.people.privileges import Privilege, Scope
from opilio.works.held_results import HeldResults
from tests.acceptance.pages.conftest import Visitor, enter, ready_roles, town, visitor
from tests.review_desk import ReviewDesk, at_home, crawled

__all__ = ["Visitor", "enter", "ready_roles", "town", "visitor"]
REVIEW = {Privilege.ENDORSE_HARVEST: Scope.AGENCY}
LOOK = {Privilege.MODIFY_TARGET: Scope.AGENCY}
SCRIPT = {"sec-fetch-dest": "document"}


@pytest.fixture
def desk(town):
    return ReviewDesk(town)


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


@pytest.fixture
def curator(enter):
    return enter("curator", privileges=REVIEW)


@pytest.fixture
def results(desk, home):
    """A harvest with result 1, and result 2 without the herons."""
    return list(Result.objects.filter(harvest=desk.sealed(home, results=2)).order_by("number"))


class Browser:
    """Somebody at the replay's own host names, with the cookies that these set."""

    def __init__(self):
        held = HeldResults(lambda number: replaying.held(number, replaying.taken_down))
        self.replay = Replay(
            holdings=held, key=replay_doors.key(), names=replay_doors.names(), admits=replay_people.admits,
            pages=lambda request, result: f"http://pages/results/{result}/replay",
        )  # fmt: skip
        self.jar = {}

    def get(self, address, **headers):
        parts = urlsplit(address)
        cookies = "; ".join(f"{name}={value}" for name, value in self.jar.get(parts.netloc, {}).items())
        request = Request(
            method="GET", scheme=parts.scheme, host=parts.netloc, path=parts.path or "/", query=parts.query,
            headers={**SCRIPT, "cookie": cookies, **headers},
        )  # fmt: skip
        return self._kept(parts.netloc, self.replay.answer(request))

    def post(self, address, body, **headers):
        parts = urlsplit(address)
        cookies = "; ".join(f"{name}={value}" for name, value in self.jar.get(parts.netloc, {}).items())
        request = Request(
            method="POST", scheme=parts.scheme, host=parts.netloc, path=parts.path, body=body.encode(),
            headers={"cookie": cookies, "origin": f"{parts.scheme}://{parts.netloc}", **headers},
        )  # fmt: skip
        return self._kept(parts.netloc, self.replay.answer(request))

    def _kept(self, host, response):
        for name, value in response.headers:
            if name == "set-cookie":
                key, _, rest = value.partition("=")
                self.jar.setdefault(host, {})[key] = rest.partition(";")[0]
        body = response.body if isinstance(response.body, bytes) else b"".join(response.body)
        response.close()
        return Response(status=response.status, headers=response.headers, body=body)


@pytest.fixture
def browser():
    """Lets go of what it looked at."""
    made = Browser()
    yield made
    made.replay.holdings.close()


def told(response):
    return response.body.decode()


def opened(curator, browser, result, path="/"):
    """Go from the page of a result into its replay; the origin there."""
    response = curator.get(f"/results/{result.pk}/replay/open", {"url": crawled().url(path)})
    assert response.status_code == 302
    address = response["Location"]
    assert browser.get(address).status == 200
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def seen(browser, origin, path, **headers):
    return browser.get(f"{origin}/99991231235959/{crawled().url(path)}", **{"sec-fetch-dest": "iframe", **headers})


def test_the_tab_names_seeds_and_pages(curator, results):
    """Each start has its archived copy and the live site beside it, in tabs that tell nobody where one came from."""
    page = curator.see(f"/results/{results[0].pk}/replay")
    assert f"/results/{results[0].pk}/replay/open?url=" in page
    assert f'href="{crawled().url("/")}" target="_blank" rel="noopener noreferrer nofollow"' in page
    assert "Nest 1" in page


def test_an_address_is_found_or_refused(curator, results):
    """What is no address is told beside the field, escaped."""
    path = f"/results/{results[0].pk}/replay"
    assert crawled().url("/owls.html") in curator.see(path, url=crawled().url("/owls.html"))
    bad = curator.get(path, {"url": 'http://"><script>alert(1)</script>'})
    assert bad.status_code == 422
    assert "<script>alert" not in bad.content.decode()


def test_each_result_has_its_own_name_and_pages(curator, browser, results):
    """What was pruned is there in the parent and missing in the derived result; a session opens no other result."""
    first, second = (opened(curator, browser, one) for one in results)
    assert first != second
    assert urlsplit(first).hostname == f"r{results[0].pk}.replay.localhost"
    assert "Herons stand" in told(seen(browser, first, "/herons.html"))
    assert seen(browser, second, "/herons.html").status == 404
    stolen = browser.jar[urlsplit(first).netloc]
    browser.jar[urlsplit(second).netloc] = stolen
    assert seen(browser, second, "/owls.html").status == 403


def test_a_token_lasts_a_minute_and_opens_one_result(curator, browser, results, town):
    """An old token, or one of another result, opens nothing."""
    address = curator.get(f"/results/{results[0].pk}/replay/open", {"url": crawled().url("/")})["Location"]
    other = address.replace(f"//r{results[0].pk}.", f"//r{results[1].pk}.")
    assert browser.get(other).status == 403

    class Later:
        def now(self):
            return town.clock.now() + timedelta(days=400)

    late = Replay(
        holdings=browser.replay.holdings, key=replay_doors.key(), names=replay_doors.names(), clock=Later()
    )  # fmt: skip
    browser.replay = late
    assert browser.get(address).status == 403
    assert "token" in parse_qs(urlsplit(address).query)


def test_whoever_loses_the_right_sees_nothing_more(curator, browser, results):
    """A session ends with the account."""
    origin = opened(curator, browser, results[0])
    assert seen(browser, origin, "/owls.html").status == 200
    curator.user.is_active = False
    curator.user.save(update_fields=["is_active"])
    assert seen(browser, origin, "/owls.html").status == 403


def test_other_agencies_are_not_let_in(enter, town, results):
    """Whoever may not see the result gets no token for it."""
    other = enter("stranger", privileges=REVIEW, agency=town.museum)
    assert other.get(f"/results/{results[0].pk}/replay/open", {"url": crawled().url("/")}).status_code == 404
    assert other.get(f"/results/{results[0].pk}/replay").status_code == 404


def test_what_is_blocked_stays_closed_for_reviewers_too(curator, browser, results, desk):
    """A takedown counts for those who are in already."""
    origin = opened(curator, browser, results[0])
    harvest = results[0].harvest
    Takedown(
        agency_id=harvest.agency_id, level=TakedownLevel.BLOCK, state=TakedownState.IN_FORCE, reach="url",
        value=crawled().url("/owls.html"), authority="Court", reason="Order", ordered_by_id=curator.user.pk,
        **desk._moments("ordered_at"),
    ).save()  # fmt: skip
    assert seen(browser, origin, "/owls.html").status in (403, 404, 451)
    assert seen(browser, origin, "/herons.html").status == 200


def test_what_is_not_found_is_noted_once(curator, browser, results):
    """With the page that asked for it; a password in an address is never written down."""
    origin = opened(curator, browser, results[0])
    page = f"{origin}/99991231235959/{crawled().url('/owls.html')}"
    for _ in range(2):
        assert seen(browser, origin, "/lost.webp", referer=page, **{"sec-fetch-dest": "image"}).status == 404
    (row,) = MissingUrl.objects.all()
    assert (row.url, row.page, row.noticed) == (crawled().url("/lost.webp"), crawled().url("/owls.html"), "replay")
    assert (row.harvest_id, row.result, row.state) == (results[0].harvest_id, 1, "waiting")


def test_an_archived_error_is_noted_too(curator, browser, results):
    """The server's "not found" was captured, which is not what the page needs."""
    origin = opened(curator, browser, results[0])
    page = f"{origin}/99991231235959/{crawled().url('/owls.html')}"
    seen(browser, origin, "/lost.png", referer=page, **{"sec-fetch-dest": "image"})
    seen(browser, origin, "/owl.svg", referer=page, **{"sec-fetch-dest": "image"})
    assert [row.url for row in MissingUrl.objects.all()] == [crawled().url("/lost.png")]


def test_a_reviewer_puts_an_address_on_the_list(curator, browser, results):
    """The button of the page "Not archived" works with the rights of whoever presses it."""
    origin = opened(curator, browser, results[0])
    url = crawled().url("/wanted.html")
    page = told(browser.get(f"{origin}/99991231235959/{url}"))
    assert "It is on the patch list" in told(browser.get(f"{origin}/99991231235959/{url}"))
    assert MissingUrl.objects.get(url=url).noticed == "replay"
    assert "Not archived" in page


def test_a_result_whose_files_are_elsewhere_says_so(curator, desk, home):
    """The tab names the remedy, and nobody is sent to a page that cannot open."""
    harvest = desk.harvested(results=1)
    row = Result.objects.get(harvest=harvest)
    page = curator.see(f"/results/{row.pk}/replay")
    assert "not on this machine" in page
    assert curator.get(f"/results/{row.pk}/replay/open", {"url": crawled().url("/")}).status_code == 404


def test_a_result_in_the_making_is_not_replayed(curator, desk, results):
    """Only whole results have pages to look at."""
    row = results[1]
    row.state = ResultState.MODIFYING
    row.save(update_fields=["state"])
    assert "are not there" in curator.see(f"/results/{row.pk}/replay")


def test_the_base_name_leads_to_the_pages(browser):
    """There is no list of results beside the curators' own."""
    response = browser.get("http://replay.localhost:8000/")
    assert (response.status, dict(response.headers)["location"]) == (302, "http://pages/results/0/replay")
