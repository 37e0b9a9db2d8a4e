"""Which links of a page are worth a request."""

from datetime import date

import pytest

from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.seen_cache import SeenCache
from opilio.crawl.frontier.values import EMBED
from opilio.crawl.linking import Linking, after, outlinks_of
from opilio.crawl.plan import CrawlPlan, Scope, ScopeKind, Seed
from opilio.crawl.scope.chain import ScopeChain
from opilio.extract.links import Link, LinkKind
from opilio.kernel.capture import Hop
from opilio.kernel.page_links import PageLink

A = "http://a.test"
START = Label(0, 0, 0)


def linking(plan=None, **options):
    plan = plan or CrawlPlan(seeds=(Seed(url=f"{A}/", depth=2),), scope=Scope(kind=ScopeKind.HOST))
    chain = ScopeChain(plan, today=date(2026, 1, 1))
    return Linking(chain, **{"obey_nofollow": True, "max_redirects": 3, **options})


def judged(links, labels=(START,), path="", seen=None, **options):
    return linking(**options).judge(links, labels, path, SeenCache((0,)), seen or [SeenCache((0,))])


def a(path, hop=Hop.LINK, kind="a"):
    return PageLink(hop, kind, f"{A}{path}")


def test_a_link_is_one_deeper_and_an_embed_one_hop_further():
    """A redirect stays where it is; a guess in a template is a link if its element is one."""
    at = Label(3, 1, 1)
    assert after(at, Hop.LINK, "a") == Label(4, 1, 0)
    assert after(at, Hop.EMBED, "img") == Label(3, 1, 2)
    assert after(at, Hop.REDIRECT, "location") == at
    assert after(at, Hop.SPECULATIVE, "img") == Label(3, 1, 2)
    assert after(at, Hop.SPECULATIVE, "a.nofollow") == Label(4, 1, 0)


def test_embeds_come_before_pages():
    """By priority, so that they come along."""
    found = judged([a("/p"), a("/i", Hop.EMBED, "img")]).found
    assert [(each.url, each.label, each.path, each.priority) for each in found] == [
        (f"{A}/p", Label(1, 0, 0), "L", 0),
        (f"{A}/i", Label(0, 0, 1), "E", EMBED),
    ]


def test_a_link_is_found_once():
    """Repeated links, and those that any of the memories knows, are left out."""
    known, open_ = SeenCache((0,)), SeenCache((0,))
    first = linking().judge([a("/p"), a("/p"), a("/q")], [START], "", known, [open_])
    assert [each.url for each in first.found] == [f"{A}/p", f"{A}/q"]
    assert linking().judge([a("/p")], [START], "", known, [open_]).found == []


def test_a_shorter_way_is_worth_telling():
    """What is known at a larger depth is found again."""
    seen = [SeenCache((0,))]
    deep = linking().judge([a("/p")], [Label(1, 0, 0)], "L", SeenCache((0,)), seen)
    assert [each.label.depth for each in deep.found] == [2]
    assert [each.label.depth for each in linking().judge([a("/p")], [START], "", SeenCache((0,)), seen).found] == [1]


def test_links_are_judged_under_each_way_to_the_page():
    """A seed with another reach may admit what the nearer one does not."""
    plan = CrawlPlan(seeds=(Seed(url=f"{A}/", depth=1), Seed(url=f"{A}/x", depth=9)), scope=Scope(kind=ScopeKind.HOST))
    found = judged([a("/p")], [Label(1, 0, 0), Label(4, 1, 0)], "L", [SeenCache((0, 1))], plan=plan)
    assert [each.label for each in found.found] == [Label(5, 1, 0)]
    assert found.denials == {"scope depth": (f"{A}/p", 1)}


def test_denied_links_are_counted_with_an_example():
    """By the rule that said no."""
    links = [PageLink(Hop.LINK, "a", f"http://b.test/{number}") for number in range(3)]
    (denial,) = judged(links).denied(f"{A}/")
    assert (denial.rule, denial.url, denial.parent, denial.count) == ("scope root", "http://b.test/0", f"{A}/", 3)


def test_redirects_in_a_row_end():
    """By the letters of the path to the page."""
    assert judged([a("/p", Hop.REDIRECT, "location")], path="LRR").found
    assert judged([a("/p", Hop.REDIRECT, "location")], path="LRRR").denials == {"scope redirects": (f"{A}/p", 1)}
    assert judged([a("/p", Hop.REDIRECT, "location")], path="RRRL").found


@pytest.mark.parametrize(
    ("rel", "everything", "kind"), [("nofollow", False, "a.nofollow"), ("", True, "a.nofollow"), ("", False, "a")]
)
def test_links_not_to_be_followed_are_kept_with_a_mark(rel, everything, kind):
    """They are part of the page; whether they are followed is the plan's choice."""
    (outlink,) = outlinks_of([Link(f"{A}/p", LinkKind.LINK, "a", "href", rel)], all_nofollow=everything)
    assert outlink.kind == kind
    assert bool(judged([outlink]).found) is (kind == "a")
    assert judged([outlink], obey_nofollow=False).found


def test_other_rules_hold_from_now_on():
    """What was remembered by the old ones is forgotten."""
    links = linking()
    assert links.judge([a("/p")], [START], "", SeenCache((0,)), [SeenCache((0,))]).found
    plan = CrawlPlan(seeds=(Seed(url=f"{A}/"),), scope=Scope(kind=ScopeKind.HOST, exclude=("/p",)))
    links.change(ScopeChain(plan, today=date(2026, 1, 1)))
    assert links.judge([a("/p")], [START], "", SeenCache((0,)), [SeenCache((0,))]).denials == {
        "excluded exclude": (f"{A}/p", 1)
    }


def test_what_is_recorded_once_is_never_told_again():
    """By the same judge, for every further page that links to it."""
    links, known = linking(), SeenCache((0,))
    (found,) = links.judge([a("/p")], [START], "", known, [SeenCache((0,))]).found
    known.learn(found)
    for _ in range(2):
        assert links.judge([a("/p")], [START], "", known, [SeenCache((0,))]).found == []


def test_a_full_memory_begins_afresh(monkeypatch):
    """Nothing is found twice for it, and what is denied stays denied."""
    monkeypatch.setattr("opilio.crawl.linking._REMEMBERED", 3)
    links, known, open_ = linking(), SeenCache((0,)), SeenCache((0,))
    page = [a(f"/{number}") for number in range(10)] + [PageLink(Hop.LINK, "a", "http://b.test/")]
    first = links.judge(page, [START], "", known, [open_])
    assert [each.url for each in first.found] == [f"{A}/{number}" for number in range(10)]
    for found in first.found:
        known.learn(found)
    again = links.judge(page, [START], "", known, [SeenCache((0,))])
    assert again.found == []
    assert again.denials == first.denials == {"scope root": ("http://b.test/", 1)}


def test_sorts_of_links_are_told_apart_however_they_alternate():
    """The same address as a link, as a picture, and as a link that is not to be followed."""
    page = [a("/p"), a("/p", Hop.EMBED, "img"), a("/p", kind="a.nofollow"), a("/q"), a("/q", Hop.EMBED, "img")]
    judged_ = linking().judge(page, [START], "", SeenCache((0,)), [SeenCache((0,))])
    assert [(each.url[-2:], each.label) for each in judged_.found] == [
        ("/p", Label(1, 0, 0)),
        ("/p", Label(0, 0, 1)),
        ("/q", Label(1, 0, 0)),
        ("/q", Label(0, 0, 1)),
    ]
    assert judged_.denials == {"scope nofollow": (f"{A}/p", 1)}
