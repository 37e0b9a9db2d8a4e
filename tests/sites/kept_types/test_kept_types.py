"""Scope by type and size of what came."""

import pytest

PICTURE, LONG, EXACT, FILM = (
    f"type?type={kind}&size={size}"
    for kind, size in (("image/png", 10), ("text/plain", 5000), ("text/plain", 200), ("video/mp4", 10))
)
EVERYTHING = {"", PICTURE, LONG, EXACT, FILM}


@pytest.mark.parametrize(
    ("scope", "denied", "word"),
    [
        ({}, set(), ""),
        ({"types": ("text/*",)}, {PICTURE, FILM}, "not among those to keep"),
        ({"types": ("text/html", "image/png")}, {LONG, EXACT, FILM}, "not among those to keep"),
        ({"excluded_types": ("video/mp4", "image/*")}, {PICTURE, FILM}, "is excluded"),
        ({"types": ("text/*",), "excluded_types": ("text/plain",)}, {PICTURE, LONG, EXACT, FILM}, "type"),
        ({"max_size": 400}, {LONG}, "the limit is 400"),
        ({"max_size": 0}, set(), ""),
    ],
)
def test_what_is_of_another_type_or_too_large_is_recorded_and_not_kept(sites, scope, denied, word):
    """With the rule that decided; a size that is just at the limit is kept."""
    crawled = sites.crawl("kept-types/", scope=scope)
    assert crawled.fetched == {f"kept-types/{path}" for path in EVERYTHING - denied}
    assert {url.partition("/")[2] for url in crawled.captured} == EVERYTHING - denied
    for path in denied:
        row = crawled.page(f"kept-types/{path}")
        assert row.outcome == "scope-denied"
        assert word in row.reason


def test_a_size_limit_is_met_by_what_is_just_as_large(sites):
    """A byte less is too little."""
    crawled = sites.crawl(f"kept-types/{EXACT}", scope={"max_size": 200})
    assert crawled.fetched == {f"kept-types/{EXACT}"}
    assert sites.crawl(f"kept-types/{EXACT}", scope={"max_size": 199}).fetched == set()
