"""Every kind of query finds exactly the pages that a search without an index finds, over 2,000 pages.

OPILIO_TEST_PROOF_SCALE multiplies the number of queries; OPILIO_TEST_SEED chooses them.
"""

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from opilio.search.access_filter import OPEN
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.index.build import IndexBuild
from opilio.search.search_index import SearchIndex
from tests.proofs.search_oracle import QUERIES, WORDS, Oracle, documents, written

pytestmark = pytest.mark.proof
PAGES = 2_000
EACH = 40  # queries of each kind; multiplied by the scale


@pytest.fixture(scope="module")
def oracle():
    return Oracle(documents(PAGES))


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("oracle") / "index"
    analyzer = Analyzer()
    with IndexBuild(folder, analyzer, threads=2, memory=60_000_000) as build:
        for number, document in enumerate(documents(PAGES)):
            build.add(number, document)
            if number == PAGES // 2:
                build.commit()  # so that there is more than one segment
    return SearchIndex(folder, analyzer)


def found(index, text):
    """Every page id that a query finds."""
    pages = index.pages(text, OPEN)
    assert len(pages) == len(set(pages)) == index.count(text, OPEN)
    return set(pages)


@pytest.mark.parametrize("kind", QUERIES)
def test_queries_find_what_a_plain_search_finds(kind, index, oracle, proof_scale, random_number, record_property):
    """The pages and their number are exactly those that looking at every page gives."""
    record_property("queries", EACH * proof_scale)

    @seed(random_number)
    @settings(max_examples=EACH * proof_scale, database=None, suppress_health_check=list(HealthCheck))
    @given(QUERIES[kind])
    def agrees(query):
        assert found(index, written(query)) == oracle.pages_of(query), written(query)

    agrees()


def test_longer_moving_phrases_stay_within_bounds(index, oracle, proof_scale, random_number):
    """Three words that may move find at least the exact phrase, and never pages that lack one of the words."""

    @seed(random_number)
    @settings(max_examples=EACH * proof_scale, database=None)
    @given(st.lists(st.sampled_from(WORDS[:32]), min_size=3, max_size=4), st.integers(1, 6))
    def bounded(words, slop):
        pages = found(index, f'"{" ".join(words)}"~{slop}')
        assert oracle.pages_of(("phrase", tuple(words), 0)) <= pages
        assert pages <= oracle.pages_of(("both", *(("word", word) for word in words)))

    bounded()
