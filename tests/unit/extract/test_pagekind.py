"""Walls and soft 404s are recognised, ordinary pages are not."""

import pytest

from opilio.extract.pagekind import SHORT, Answered, Verdict, judge
from opilio.works.sample import expected, pages
from tests.unit.extract.pages import html

_PROSE = "<p>" + "The tide turned and the boats came home with salt on their sails. " * 40


def _judge(markup, *, status=200, requested="http://example.org/a", url=None, **headers):
    found = html(markup)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return judge(Answered(page=found, status=status, headers=named, requested=requested, url=url or requested))


@pytest.mark.parametrize(
    ("markup", "more", "evidence"),
    [
        ("<title>Anything</title>" + _PROSE, {"cf_mitigated": "challenge"}, "the header cf-mitigated says “challenge”"),
        ("<title>x</title>", {"x_amzn_waf_action": "captcha", "status": 405},
         "the header x-amzn-waf-action says “captcha”"),
        ("<title>Just a moment...</title><p>Enable JavaScript and cookies to continue", {"status": 403},
         "the title says “Just a moment...”"),
        ("<title>Attention Required! | Shield</title>", {"status": 403}, "the title says “Attention Required”"),
        ("<title>Quay</title><p>Please verify you are human.<script src='https://hcaptcha.com/1/api.js'></script>", {},
         "a short page loads a challenge (hcaptcha.com/1/api.js)"),
        ("<title>Quay</title><script src=/cdn-cgi/challenge-platform/h/b.js></script>", {"status": 503},
         "a short page loads a challenge (/cdn-cgi/challenge-platform/)"),
        ("<title>Sorry</title><p>We saw unusual traffic from your network.", {},
         "a page with little else says “unusual traffic from your network”"),
        ("<h1>Access denied</h1><title>Access Denied</title>", {"status": 403}, "the title says “Access Denied”"),
        ("<h1>Sign in</h1><form><input type=password></form>", {"url": "http://example.org/account/login"},
         "the request was redirected to a page that asks for a password (/account/login)"),
        ("<h1>Sign in</h1><p>Please sign in to read on.<input type=password>", {},
         "a page that asks for a password says “Please sign in”"),
    ],
)  # fmt: skip
def test_walls(markup, more, evidence):
    """Each kind of wall is named with its evidence."""
    finding = _judge(markup, **more)
    assert finding is not None
    assert (finding.verdict, finding.evidence.replace("!", "")) == (Verdict.BLOCKED, evidence)


@pytest.mark.parametrize(
    ("markup", "more"),
    [
        ("<title>How CAPTCHAs work</title><p>Sites ask you to verify you are human. " + _PROSE, {}),
        ("<title>Contact</title><form>Write to us.<script src=/recaptcha/api.js></script></form>", {}),
        ("<title>Access denied</title><h1>A history of locked archives</h1>" + _PROSE, {}),
        ("<title>Log in</title><form><input type=password></form>", {"requested": "http://example.org/login"}),
        ("<title>Shop</title><p>Nets and ropes.<form><input type=password> Sign in</form>", {}),
        ("<title>Members</title>" + _PROSE + "<input type=password>", {"url": "http://example.org/login"}),
        ("<title>404 ways to tie a knot</title><p>Short.", {}),
        ("<title>Not found in the archive: lost ships</title>" + _PROSE, {}),
        ("<title>Page not found</title><p>x", {"status": 404}),
        ("<title>Tides</title><h1>Tides</h1><p>High at noon.", {}),
        ("<title>Route 404</title><p>A road to the coast.", {}),
    ],
)  # fmt: skip
def test_ordinary_pages(markup, more):
    """Articles about walls, protected forms, login pages asked for, and honest 404s are left alone."""
    assert _judge(markup, **more) is None


@pytest.mark.parametrize(
    ("markup", "more", "evidence"),
    [
        ("<title>Page not found | Harbour</title><p>Sorry.", {}, "the title says “Page not found” with status 200"),
        ("<title>404</title>", {}, "the title says “404” with status 200"),
        ("<title>Harbour</title><h1>Seite nicht gefunden</h1>", {},
         "a heading says “Seite nicht gefunden” with status 200"),
        ("<title>Harbour – Page introuvable</title>", {}, "the title says “Page introuvable” with status 200"),
        ("<title>Oops</title>" + _PROSE, {"url": "http://example.org/404.html"},
         "the request was redirected to /404.html"),
        ("<title>The page you asked for could not be found</title>", {},
         "the title says “The page you asked for could not be found” with status 200"),
    ],
)  # fmt: skip
def test_soft_404(markup, more, evidence):
    """Pages that say "not found" with status 200 are told by title, heading or address."""
    finding = _judge(markup, **more)
    assert finding is not None
    assert (finding.verdict, finding.evidence) == (Verdict.SOFT_404, evidence)


def test_the_sample_site():
    """Of all pages of the sample site, one is a soft 404 and none is a wall."""
    site = pages()
    found = {
        path: _judge(site[path].body, requested=f"http://example.org{path}") for path in expected.PAGES if path in site
    }
    assert {path: finding.verdict for path, finding in found.items() if finding} == {
        expected.SOFT_404: Verdict.SOFT_404
    }


def test_long_pages_are_no_soft_404():
    """A page with much to say is not missing."""
    assert _judge(f"<title>Not found</title><p>{'word ' * SHORT}") is None
