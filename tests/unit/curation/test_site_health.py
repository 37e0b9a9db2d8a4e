"""Sites that moved, died, were parked or closed are told from others by the answers to their seeds."""

import pytest

from opilio.curation.parked import parked
from opilio.curation.site_health import Trouble, examined
from opilio.works.seed_facts import SeedFacts, Step

HOME = "http://www.site.example/"
WELL = SeedFacts(url=HOME, outcome="fetched", status=200, title="Owls", text="Owls fly at night. " * 30)


def _troubles(*seeds):
    return [finding.trouble for finding in examined(seeds)]


def _failed(reason, outcome="transient-error", **more):
    return SeedFacts(url=HOME, outcome=outcome, reason=reason, **more)


def _moved(to, *statuses):
    steps = tuple(Step(status=status, to=to) for status in statuses or (301,))
    return SeedFacts(url=HOME, outcome="fetched", status=200, steps=steps, title="Owls", text=WELL.text)


def test_a_well_site_gives_no_finding():
    """Nor does one of which nothing is known."""
    assert _troubles(WELL) == []
    assert _troubles(SeedFacts(url=HOME)) == []
    assert _troubles() == []


def test_a_seed_that_leads_elsewhere_for_good_moved():
    """The evidence names both places."""
    (finding,) = examined([WELL, _moved("https://new.example/owls")])
    assert finding.trouble is Trouble.MOVED
    assert finding.evidence == [f"{HOME} leads to https://new.example/owls for good (status 301)."]


@pytest.mark.parametrize("seed", [
    _moved("https://www.site.example/"), _moved("http://site.example/start"), _moved("https://new.example/", 302),
    _moved("https://new.example/", 301, 302), _moved("http://[broken"), _moved("mailto:someone"),
])  # fmt: skip
def test_what_is_no_move(seed):
    """Another scheme, www., a redirect for now, or no place at all."""
    assert _troubles(seed) == []


@pytest.mark.parametrize("reason", ["no-such-host: x", "dns: no answer", "refused", "status 404", "status 410"])
def test_a_site_of_which_no_seed_answers_is_dead(reason):
    """Only if that holds for all its seeds."""
    outcome = "gone" if reason.startswith("status") else "permanent-error"
    assert _troubles(_failed(reason, outcome)) == [Trouble.DEAD]
    assert _troubles(_failed(reason, outcome), WELL) == []


@pytest.mark.parametrize("reason", ["status 503", "first-byte-timeout", "tls: expired", ""])
def test_trouble_that_passes_is_no_death(reason):
    """The server is there."""
    assert _troubles(_failed(reason)) == []


@pytest.mark.parametrize("seed", [
    _failed("status 401", "permanent-error", status=401), _failed("a wall, status 403", "blocked", status=403),
    _failed("", "auth-lost"), SeedFacts(url=HOME, outcome="fetched", status=200, title="Sign in – Owls"),
    SeedFacts(url=HOME, outcome="fetched", status=200, title="Owls", text="Please log in to read about owls."),
    SeedFacts(url=HOME, outcome="fetched", status=200, steps=(Step(status=302, to=f"{HOME}login?next=/"),), title="x"),
])  # fmt: skip
def test_a_site_behind_a_sign_in_is_closed(seed):
    """Whatever way it says so; not if another seed is open."""
    assert _troubles(seed) == [Trouble.CLOSED]
    assert _troubles(seed, WELL) == []


def test_a_seed_that_is_itself_a_page_to_sign_in_is_no_wall():
    """It was chosen so; nor is an ordinary page that mentions signing in."""
    page = f"{HOME}login/help"
    seed = SeedFacts(url=page, outcome="fetched", status=200, steps=(Step(status=302, to=f"{page}/"),), title="Help")
    assert _troubles(seed) == []
    long = SeedFacts(url=HOME, outcome="fetched", title="Owls", text=WELL.text + "Members: please sign in. " * 9)
    assert _troubles(long) == []


@pytest.mark.parametrize(("title", "text"), [
    ("site.example", "This domain is for sale. Inquire about this domain."),
    ("site.example", "The domain name site.example is available for purchase"),
    ("site.example is parked", "site.example\nThis domain is parked free, courtesy of a registrar."),
    ("", "Diese Domain kaufen"),
    ("site.example", "Ce domaine est à vendre"),
    ("Coming soon", "Future home of something. Hosting and domains. Privacy policy"),
    ("site.example", "Related searches\nDomains\nWeb hosting\nPrivacy Policy"),
])  # fmt: skip
def test_parked_pages_are_recognised(title, text):
    """A seed that shows one, and all others too, makes a parked site."""
    assert parked(url=HOME, title=title, text=text)
    assert _troubles(SeedFacts(url=HOME, outcome="fetched", status=200, title=title, text=text)) == [Trouble.PARKED]


@pytest.mark.parametrize(("title", "text"), [
    ("Owls for sale", "We sell wooden owls. Every owl is for sale. Privacy policy."),
    ("How domains are traded", "This domain is for sale, a page may say. " + "An essay about names. " * 200),
    ("Magnetic domains", "The domain is small. Related links."),
    ("Parking in the town", "Parked cars are towed."),
    ("", ""), ("<b>", "\x00\u202e" * 500),
])  # fmt: skip
def test_ordinary_pages_are_not_taken_for_parked_ones(title, text):
    """Whatever words they share with such pages."""
    assert parked(url=HOME, title=title, text=text) == ""


def test_a_domain_that_leads_to_a_trader_is_parked_not_moved():
    """Also when the trader's page was not fetched."""
    seed = SeedFacts(url=HOME, steps=(Step(status=301, to="https://www.hugedomains.com/domain?d=site.example"),))
    assert _troubles(seed) == [Trouble.PARKED]
