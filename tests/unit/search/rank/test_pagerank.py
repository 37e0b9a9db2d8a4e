"""Link rank against a dense matrix, and the links that do not count."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.search.rank.errors import BadLinks
from opilio.search.rank.links import LinkGraph, gathered, numbered, template_links
from opilio.search.rank.pagerank import RankOptions, link_rank
from opilio.search.views.reader import Views
from tests.unit.search.views import brute

_PLAIN = RankOptions(keep_template_links=True, tolerance=1e-12, most_rounds=500)


def _graph(pages, links, sites=None):
    sources, targets = np.array(links, dtype=np.int32).reshape(-1, 2).T
    return LinkGraph(pages=pages, sources=sources, targets=targets,
                     sites=np.array(sites or [0] * pages, dtype=np.int32))  # fmt: skip


def _by_hand(pages, links, damping=0.85):
    """The same by powers of the full matrix."""
    matrix = np.zeros((pages, pages))
    for source, target in links:
        if source != target:
            matrix[target, source] = 1
    for page in range(pages):
        total = matrix[:, page].sum()
        matrix[:, page] = matrix[:, page] / total if total else 1 / pages
    matrix = damping * matrix + (1 - damping) / pages
    return np.linalg.matrix_power(matrix, 300) @ np.full(pages, 1 / pages)


_LINKS = st.integers(1, 9).flatmap(
    lambda pages: st.tuples(
        st.just(pages), st.sets(st.tuples(st.integers(0, pages - 1), st.integers(0, pages - 1)), max_size=30)
    )
)


@given(_LINKS)
def test_ranks_are_those_of_the_full_matrix(made):
    """Pages without links and links to oneself included; all ranks together are one."""
    pages, links = made
    found = link_rank(_graph(pages, sorted(links)), _PLAIN)
    assert found.shares == pytest.approx(_by_hand(pages, links), abs=1e-9)
    assert found.shares.sum() == pytest.approx(1)
    assert ((found.scale >= 0) & (found.scale <= 1)).all()


def test_ranks_per_site_are_those_of_the_site_alone():
    """Each site has its own ranks, which links from elsewhere do not touch."""
    first = [(0, 1), (1, 2), (2, 0), (0, 2)]
    links = [*first, (3, 4), (4, 3), (3, 0), (4, 0)]
    found = link_rank(_graph(5, links, [0, 0, 0, 1, 1]), RankOptions(per_site=True, tolerance=1e-12))
    assert found.shares[:3] == pytest.approx(_by_hand(3, first), abs=1e-9)
    assert found.shares[3:] == pytest.approx([0.5, 0.5])
    assert found.scale[3:].tolist() == [0, 0]
    assert found.scale[:3].max() == 1


def test_menus_do_not_count():
    """A target that nearly all pages of a site link to is of its template; one that a third link to is not."""
    pages = 30
    menu = [(page, 0) for page in range(pages)]
    some = [(page, 1) for page in range(0, pages, 3)]
    other = [(30, 0), (31, 0), (32, 0)]
    graph = _graph(33, menu + some + other, [0] * 30 + [1] * 3)
    assert template_links(graph).tolist() == [True] * 30 + [False] * 13
    found = link_rank(graph)
    assert found.template_links == 30
    assert found.shares[1] > found.shares[0]
    assert link_rank(graph, _PLAIN).shares[0] > link_rank(graph, _PLAIN).shares[1]


@pytest.mark.parametrize(
    ("pages", "linking", "template"),
    [(3, 3, False), (4, 4, True), (5, 4, False), (100, 59, False), (100, 60, True), (3_000, 1_553, False),
     (3_000, 1_554, True)],
)  # fmt: skip
def test_how_many_pages_prove_a_template(pages, linking, template):
    """Few pages must agree all; of many, a clear majority is enough."""
    target = pages
    links = [(page, target if page < linking else pages + 1 + page) for page in range(pages)]
    graph = _graph(2 * pages + 2, links, [0] * pages + [1] * (pages + 2))
    assert template_links(graph)[:linking].all() == template
    assert not template_links(graph)[linking:].any()


def test_links_of_the_views_are_ranked(tmp_path):
    """The page that others link to is the highest, those that nobody links to the lowest."""
    urls = [f"https://{site}.example/" for site in "abcd"]
    brute.build(tmp_path / "views.db", dict.fromkeys(urls, "cat"), {url: {urls[0]: 2} for url in urls[1:]})
    with Views(tmp_path / "views.db") as views:
        sources, targets = gathered(views.all_children())
        sites = numbered(page.url for page in views.pages())
        graph = LinkGraph(pages=views.page_count(), sources=sources, targets=targets, sites=sites)
    assert link_rank(graph).scale.tolist() == [1, 0, 0, 0]


def test_nothing_to_rank():
    """No pages have no ranks; pages without links are all equal."""
    assert link_rank(_graph(0, [])).shares.tolist() == []
    assert link_rank(_graph(4, [])).shares.tolist() == [0.25] * 4


@pytest.mark.parametrize(
    ("pages", "links", "sites"), [(2, [(0, 2)], None), (2, [(-1, 0)], None), (2, [], [0]), (1, [], [-1])]
)
def test_links_to_nowhere_are_refused(pages, links, sites):
    """Arrays that do not fit together are an error, not a crash."""
    with pytest.raises(BadLinks):
        _graph(pages, links, sites)
