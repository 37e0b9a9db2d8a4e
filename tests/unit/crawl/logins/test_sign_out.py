"""Which links would end a session."""

from datetime import date

import pytest

from opilio.crawl.errors import BadPlan
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan, Scope, ScopeKind, Seed
from opilio.crawl.scope.chain import ScopeChain
from opilio.crawl.scope.verdict import Candidate
from opilio.kernel.capture import Hop

START = "https://logout.example.org/"


def verdict(url, *, hop=Hop.LINK, embed_hops=0, include=(), **seed):
    plan = CrawlPlan(
        seeds=(Seed(url=START, **{"credential": "a", **seed}),), scope=Scope(kind=ScopeKind.HOST, include=include)
    )
    candidate = Candidate(url=url, seed=0, depth=1, hop=hop, embed_hops=embed_hops)
    return ScopeChain(plan, today=date(2026, 1, 1)).judge(candidate)


@pytest.mark.parametrize(
    "path",
    [
        "logout", "logout.php", "user/logout?x=1", "Logoff/", "sign_out", "account/sign-off", "?action=logout",
        "index.php?do=signout&x=1", "wp-login.php?action=logout", "de/abmelden", "fr/deconnexion",
    ],
)  # fmt: skip
def test_common_names_are_known(path):
    """In the path or the query, whatever their case."""
    found = verdict(START + path)
    assert (found.accepted, found.rule, found.outcome) == (False, "sign-out", Outcome.EXCLUDED)


@pytest.mark.parametrize("path", ["", "logouts", "blogoffice", "catalogue", "article-on-signoutput", "login", "a?b=c"])
def test_words_that_only_look_alike_are_pages(path):
    """And so is everything on a host that is called so."""
    assert verdict(START + path).accepted


def test_neither_embeds_nor_redirects_nor_includes_get_past_it():
    """A page may try to sign its readers out by an image."""
    assert not verdict(f"{START}logout", hop=Hop.EMBED, embed_hops=1).accepted
    assert not verdict(f"{START}logout", hop=Hop.REDIRECT).accepted
    assert not verdict(f"{START}logout", include=("logout",)).accepted


def test_the_seed_may_say_otherwise():
    """By an expression of its own; without a credential nothing is left out."""
    assert verdict(f"{START}logout", logout="^$").accepted
    assert verdict(f"{START}bye", logout="/bye").rule == "sign-out"
    assert verdict(f"{START}logout", credential="").accepted
    with pytest.raises(BadPlan):
        verdict(START, logout="(")
