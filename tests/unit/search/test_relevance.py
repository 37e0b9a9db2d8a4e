"""How good the order of hits is, by a judged sample: a change of the ranking that makes it worse fails here."""

import math

import pytest

from opilio.search.access_filter import OPEN
from opilio.search.query.profile import FULL, PLAIN
from opilio.search.request import Request
from tests.unit.search.judged import PAGES, QUERIES
from tests.unit.search.made_index import document, made_index


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    pages = [
        document(f"{text}\n{aside}", title=title, description=about, boilerplate_from=len(text) + 1,
                 url=f"https://library.example.org/{number}")
        for number, (title, about, text, aside) in enumerate(PAGES)
    ]  # fmt: skip
    return made_index(tmp_path_factory.mktemp("judged") / "index", pages)


def precision(found, judged):
    """Average precision: the mean share of good pages at the places of the good pages."""
    hits = [place for place, page in enumerate(found, 1) if page in judged]
    return sum(number / place for number, place in enumerate(hits, 1)) / len(judged)


def gain(found, judged):
    """Normalised discounted gain of the first ten: better pages earlier are better."""
    best = sorted(judged.values(), reverse=True)[:10]

    def discounted(grades):
        return sum((2**grade - 1) / math.log2(place + 1) for place, grade in enumerate(grades, 1))

    return discounted(judged.get(page, 0) for page in found[:10]) / discounted(best)


def measured(index, profile):
    """Mean average precision and mean gain of all queries."""
    scores = []
    for query, judged in QUERIES.items():
        answer = index.search(Request(query=query, limit=40, profile=profile, facets=False, suggest=False), OPEN)
        found = [hit.page for hit in answer.hits]
        scores.append((precision(found, judged), gain(found, judged)))
    return tuple(sum(each) / len(scores) for each in zip(*scores, strict=True))


def test_the_judged_sample_is_ranked_well(index, record_property):
    """Good pages stand in front, for people's profile more so than by text alone."""
    full, plain = measured(index, FULL), measured(index, PLAIN)
    record_property("map and ndcg", f"{full} {plain}")
    assert full[0] >= 0.92
    assert full[1] >= 0.96
    assert full[0] > plain[0]


def test_the_best_answer_comes_first(index):
    """For nearly every query the first hit is a page that answers it."""
    firsts = [
        judged.get(index.search(Request(query=query, facets=False), OPEN).hits[0].page)
        for query, judged in QUERIES.items()
    ]
    assert firsts.count(2) >= len(QUERIES) - 1
