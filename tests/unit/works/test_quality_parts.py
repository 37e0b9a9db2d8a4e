"""The parts of measuring: shapes of URLs, likeness of texts, groups of near-duplicates, clusters and samples."""

import pytest

from opilio.archive.results.values import Resource
from opilio.extract.simhash import simhash
from opilio.kernel.capture import Hop, Position
from opilio.kernel.page_links import PageLink
from opilio.works.quality.clustering import MOST_SAMPLED, Clusters, sample_size
from opilio.works.quality.completeness import Embeds
from opilio.works.quality.counting import Counts, oddities
from opilio.works.quality.duplicates import Groups
from opilio.works.quality.likeness import alike
from opilio.works.quality.linked import MostLinked
from opilio.works.quality.risks import risk_of
from opilio.works.quality.shapes import cluster_of, shape_of
from opilio.works.quality.values import PageCompleteness, RiskyPage

PLACE = Position(file="a.warc.gz", offset=0, length=10)


def resource(url="http://owls.example/", number=1, **fields):
    """A captured page."""
    usual = {"outcome": "fetched", "status": 200, "type": "html", "extension": "html", "size": 10, "place": PLACE,
             "depth": 1}  # fmt: skip
    return Resource(id=number, key=(1, number), url=url, seed=0, **(usual | fields))


def page(url, risk=0.0):
    """A page with a risk."""
    return RiskyPage(url=url, title="", cluster="", risk=risk, why="")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/news/2024/05/17-owls.html?page=3", "http://a.example/news/2023/11/02-herons.html?page=9"),
        ("http://a.example/items/1", "http://a.example/items/99812"),
        ("http://www.a.example/x/abc", "http://a.example/x/def"),
    ],
)
def test_same_shape(one, other):
    """Pages of the same part of a site have one shape."""
    assert shape_of(one) == shape_of(other)
    assert cluster_of(one) == cluster_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/owls.html", "http://a.example/herons.html"),
        ("http://a.example/items/1", "http://b.example/items/1"),
        ("http://a.example/list", "http://a.example/list?page=2"),
    ],
)
def test_other_shape(one, other):
    """Main pages, other hosts and other parameters are told apart."""
    assert shape_of(one) != shape_of(other)


@pytest.mark.parametrize(
    "url", ["", "http://[", "//", "http://a.example/" + "x" * 9_000, "http://a/\u202e<b>?<script>"]
)
def test_hostile_shape(url):
    """Whatever the URL, there is a short shape."""
    assert len(shape_of(url)) <= 200


def test_alike():
    """The same words are alike, others are not, and no words are like no words."""
    assert alike("owls sleep by day", "Owls sleep, by day!") == 1
    assert alike("owls sleep by day", "herons stand in the reed") == 0
    assert alike("", "") == 1
    assert alike("", "owls") == 0


def test_near_duplicates():
    """Ten pages that say nearly the same are a group; fewer are none."""
    groups = Groups()
    words = " ".join(f"word{number}" for number in range(200))
    for number in range(12):
        groups.take(f"http://a.example/{number}", simhash(words))
    for number in range(5):
        groups.take(f"http://a.example/other/{number}", simhash(f"{number} quite different " * (number + 3)))
    found = groups.found()
    assert (found.looked_at, found.alike, found.largest.total) == (17, 12, 12)
    assert groups.take("http://a.example/empty", 0) is None


def test_embeds():
    """What is embedded counts as there, missing or withheld; links do not count."""
    known = {
        "http://a/ok.css": resource("http://a/ok.css"),
        "http://a/gone.png": resource("http://a/gone.png", outcome="gone", status=404),
        "http://a/denied.js": resource("http://a/denied.js", outcome="robots-denied", status=None, place=None),
        "http://a/limit.js": resource("http://a/limit.js", outcome="over-limit", status=None, place=None),
    }
    embeds = Embeds(known.get)
    links = [PageLink(Hop.EMBED, "img", url) for url in (*known, "http://cdn/x.js", "http://a/ok.css")]
    found = embeds.take(resource(), [*links, PageLink(Hop.LINK, "a", "http://a/elsewhere")])
    assert (found.wanted, found.captured) == (4, 1)
    whole = embeds.found()
    assert (whole.withheld, whole.incomplete, whole.missing_total) == (1, 1, 3)
    assert {one.url: one.why for one in whole.missing}["http://cdn/x.js"] == "never asked for"


def test_same_embed_missing_once():
    """A file that many pages lack is one missing URL."""
    embeds = Embeds({}.get)
    for number in range(3):
        embeds.take(resource(f"http://a/{number}", number), [PageLink(Hop.EMBED, "img", "http://a/x.png")])
    assert embeds.found().missing_total == 1
    assert embeds.found().incomplete == 3


def test_worst_pages_first():
    """The pages that lack most come first, and only so many are kept."""
    embeds = Embeds({}.get)
    for number in range(150):
        links = [PageLink(Hop.EMBED, "img", f"http://a/{number}/{one}") for one in range(number + 1)]
        embeds.take(resource(f"http://a/{number}", number), links)
    worst = embeds.found().worst
    assert len(worst) == 100
    assert worst[0].url == "http://a/149"


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"status": 404, "outcome": "gone"}, "errors"),
        ({"status": None, "outcome": "transient-error", "place": None}, "errors"),
        ({"url": f"http://a/{'x' * 200}"}, "long_urls"),
        ({"extension": "bin"}, "unknown_types"),
        ({"outcome": "robots-denied", "status": None, "place": None}, "robots_denied"),
        ({"url": "http://a/nest/nest/nest"}, "repeating"),
        ({"outcome": "blocked", "reason": "the title says “Just a moment”"}, "blocked"),
        ({"outcome": "blocked", "reason": "a page that asks for a password says “members only”"}, "sign_in"),
        ({"outcome": "auth-lost", "place": None}, "sign_in"),
        ({"outcome": "soft-404"}, "soft_404"),
    ],
)
def test_oddities(fields, name):
    """Each oddity has a name."""
    assert name in oddities(resource(**fields))


def test_ordinary_page_is_not_odd():
    """A page that came as it should is not odd."""
    assert oddities(resource()) == []


def test_counts_keep_few_examples():
    """However many there are, few are kept."""
    counts = Counts()
    for number in range(500):
        counts.take(resource(f"http://a/{number}", number, outcome="gone", status=404))
    found = counts.evidence()["errors"]
    assert (found.total, len(found.listed)) == (500, 50)
    assert counts.hosts()[0].urls == 500


def test_sample_takes_each_cluster_by_risk():
    """The sample has a page of each cluster, the riskiest first, however large the largest is."""
    clusters = Clusters()
    for number in range(1_000):
        clusters.take(page(f"http://a/items/{number}"))
    clusters.take(page("http://a/bad.html", risk=5))
    clusters.take(page("http://a/odd.html", risk=3))
    sample = clusters.sample(0)
    assert [one.url for one in sample[:2]] == ["http://a/bad.html", "http://a/odd.html"]
    assert len(sample) == 3
    assert clusters.clusters()[0].pages == 1_000


def test_same_text_is_a_cluster_of_its_own():
    """Pages that all say the same are no longer taken for the other pages of their shape."""
    clusters = Clusters()
    clusters.take(page("http://a/items/1"))
    clusters.take(page("http://a/items/2"), same_text=7, group=12)
    assert len(clusters) == 2


def test_sample_size():
    """A share of the pages, some at least, never too many."""
    assert sample_size(0, 5, clusters=0) == 0
    assert sample_size(1_000, 5, clusters=3) == 50
    assert sample_size(10, 5, clusters=9) == 5
    assert sample_size(10**6, 5, clusters=9) == MOST_SAMPLED


def test_risk():
    """What a page lacks outweighs that it is a seed; a sound page has no risk."""
    lacking = PageCompleteness(url="", wanted=4, captured=1)
    long = "owls sleep by day and hunt at night. " * 10
    assert risk_of(resource(), None, long) == (0, "")
    risk, why = risk_of(resource(depth=0), lacking, "")
    assert risk > 5
    assert why.startswith("it lacks 3 of 4 embedded files")


def test_most_linked():
    """The page that most pages link to comes first."""
    linked = MostLinked()
    for number in range(30_000):
        linked.take([PageLink(Hop.LINK, "a", f"http://a/{number}"), PageLink(Hop.LINK, "a", "http://a/home")])
    assert linked.most(1) == ["http://a/home"]
