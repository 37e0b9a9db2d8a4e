"""Scope by the depth of paths."""

import pytest

PATHS = {0: [""], 1: ["page.html", "a/"], 2: ["a/b/"], 3: ["a/b/c.html"]}


@pytest.mark.parametrize(("most", "denied"), [(1, 2), (2, 1), (3, 0), (0, 0), (None, 0)])
def test_paths_with_more_segments_are_left(sites, most, denied):
    """The segments of the path count, not the links to it; 0 means no limit."""
    crawled = sites.crawl("path-depth/", scope={"max_path_depth": most})
    wanted = [path for depth, paths in PATHS.items() if not most or depth <= most for path in paths]
    assert crawled.fetched == {f"path-depth/{path}" for path in wanted}
    assert crawled.denied == ({"scope path-depth": denied} if denied else {})
