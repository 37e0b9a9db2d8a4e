"""The tree of a result: counted folders, filters, what picks mean together."""

import sqlite3

import pytest

from opilio.archive.results.deriving import Change
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.selection import Selection
from opilio.kernel.errors import Conflict, InvalidInput, Missing
from opilio.kernel.locks import locked
from opilio.works.derive_result import derive
from opilio.works.prune_preview import preview
from opilio.works.record_filters import BadFilter
from opilio.works.result_picks import Pick, pick_of, picks_of
from opilio.works.result_tree_file import TreeRow, place_of, write_tree
from opilio.works.result_tree_making import has_tree, make_tree
from opilio.works.result_tree_reading import ResultTree
from tests.review_desk import crawled, sealed_folder


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return ResultsFolder(sealed_folder(tmp_path_factory.mktemp("home"), 1).path)


@pytest.fixture
def own(tmp_path):
    return ResultsFolder(sealed_folder(tmp_path, 1).path)


def opened(results, number=1):
    return ResultTree(make_tree(results, number))


def host():
    return f"127.0.0.1:{crawled().port}"


def row(number, url, **fields):
    given = {"status": 200, "type": "html", "outcome": "fetched", "size": 10, "length": 5, "at": 1.0, **fields}
    return TreeRow(number, url, *given.values())


def written(path, urls, **fields):
    rows = sorted(
        (row(number, url, **fields) for number, url in enumerate(urls)), key=lambda one: place_of(one.url).key
    )
    write_tree(path, rows, digest="d")
    return ResultTree(path)


def test_a_folder_counts_what_is_below_it(results):
    """Hosts below everything, folders and resources below a host, with sizes and failures."""
    with opened(results) as tree:
        (site,) = tree.folders(tree.root())
        (nests,) = tree.folders(site)
        assert (site.host, site.path, nests.path) == (host(), "/", "/nests/")
        assert nests.resources == 2
        assert site.resources == tree.root().resources == site.own + 2
        assert site.bytes > nests.bytes > 0
        assert site.failed >= 2  # gone.html and lost.png
        assert {leaf.url for leaf in tree.leaves(nests)} == {crawled().url(f"/nests/{one}.html") for one in (1, 2)}


def test_folders_are_in_order_and_whole_whatever_signs_paths_have(tmp_path):
    """Files beside a folder of the same name, queries with slashes, both schemes, ports, hosts of one domain."""
    urls = [
        "http://b.example/a", "https://b.example/a/", "http://b.example/a-b/c", "http://b.example/a/b?x=/y/z",
        "http://b.example/a?/q/", "http://www.b.example/a/b/c", "http://b.example:8080/a/", "http://[::1]/a/b",
        "http://b.example/a/b/c/d.html",
    ]  # fmt: skip
    with written(tmp_path / "tree", urls) as tree:
        names = [folder.name for folder in tree.folders(tree.root())]
        assert sorted(names) == ["[::1]", "b.example", "b.example:8080", "www.b.example"]
        a = tree.folder("b.example", "/a/")
        assert a.resources == 3
        assert (a.own, a.folders) == (2, 1)
        assert tree.counted(a.pick).resources == 3
        assert sum(folder.resources for folder in tree.folders(tree.root())) == len(urls) == tree.root().resources


def test_a_path_without_end_is_cut(tmp_path):
    """A trap of a thousand folders in one another stays quick, and loses nothing."""
    with written(tmp_path / "tree", [f"http://a.example/{'x/' * 1_000}{n}" for n in range(3)]) as tree:
        assert tree.root().resources == 3
        assert tree.counted(Pick(text="x/x/2")).resources == 1


@pytest.mark.parametrize(
    ("pick", "paths"),
    [
        (Pick(text="NEST"), {"/nests/1.html", "/nests/2.html"}),
        (Pick(text="*/nests/?.html", way="wildcard"), {"/nests/1.html", "/nests/2.html"}),
        (Pick(text="owl(s)?\\.(html|svg)$", way="regex"), {"/owls.html", "/owl.svg"}),
        (Pick(status="404"), {"/gone.html", "/lost.png"}),
        (Pick(outcome="robots-denied"), {"/private.html"}),
        (Pick(type="style"), {"/style.css"}),
        (Pick(text="css", status="4xx"), set()),
    ],
)
def test_a_filter_finds_resources(results, pick, paths):
    """By text, wildcards, RE2, status, outcome and type; all that is given must hold."""
    with opened(results) as tree:
        found = {leaf.url for leaf in tree.every(pick)}
    assert found == {crawled().url(path) for path in paths}


def test_a_list_goes_on_where_it_ended(results):
    """Page by page, each resource once."""
    with opened(results) as tree:
        after, seen = -1, []
        while leaves := tree.found(Pick(), after=after, most=2):
            seen += [leaf.resource for leaf in leaves]
            after = leaves[-1].place
        assert len(seen) == len(set(seen)) == tree.root().resources


def test_a_derived_result_has_the_tree_of_its_parent_without_what_went(own):
    """It is made from the parent's tree, and equals what is there."""
    derive(own.crawl, Change(remove=Selection(prefixes=(crawled().url("/nests/"),)), note="n", by="curator"))
    with opened(own, 2) as tree, opened(own) as parent:
        assert tree.root().resources == parent.root().resources - 2
        assert not tree.folders(tree.folder(host()))
        with pytest.raises(Missing, match="no such folder"):
            tree.folder(host(), "/nests/")


def test_a_tree_that_is_damaged_or_of_another_result_is_made_anew(own):
    """It is never believed."""
    path = make_tree(own)
    path.chmod(0o644)
    path.write_bytes(b"no tree")
    assert not has_tree(own, 1)
    with opened(own) as tree:
        assert tree.root().resources > 5
    own.digest(1)
    write_tree(path, [], digest="another")
    assert not has_tree(own, 1)


def test_two_do_not_make_a_tree_at_once(own):
    """The second is told who is at it."""
    with locked(own.path / ".trees.lock", purpose="making the tree of a result"), pytest.raises(Conflict):
        make_tree(own)


def test_a_preview_tells_what_goes_and_what_would_break(own):
    """Counts, bytes, and the pages that embed or link it; nothing is changed."""
    before = sorted(own.path.iterdir())
    told = preview(own.crawl, 1, [Pick(url=crawled().url("/owl.svg")), Pick(url=crawled().url("/nests/2.html"))])
    assert told.chosen.resources == 2
    assert told.left.resources == told.chosen.resources + told.left.resources - 2
    assert {page.url for page in told.pages} == {crawled().url("/"), crawled().url("/nests/1.html")}
    (first, second) = told.pages
    assert (first.url, first.embeds, first.example) == (crawled().url("/"), 1, crawled().url("/owl.svg"))
    assert (second.embeds, second.links) == (0, 1)
    assert sorted(own.path.iterdir()) != before  # the tree alone came
    assert own.numbers() == [1]


def test_pages_that_go_too_do_not_count_as_broken(own):
    """Whoever prunes a folder is not warned of its own links."""
    told = preview(own.crawl, 1, [Pick(host=host(), path="/nests/")])
    assert [page.url for page in told.pages] == [crawled().url("/")]


def test_a_preview_names_what_means_nothing_and_what_leaves_nothing(own):
    """So that nobody prunes by mistake."""
    told = preview(own.crawl, 1, [Pick(host="nowhere.example"), Pick(url="http://nowhere.example/x")])
    assert told.nothing
    assert len(told.vain) == 2
    assert preview(own.crawl, 1, [Pick(host=host())]).everything


def test_later_harvests_that_stand_on_it_are_named(own, tmp_path):
    """A capture without a body of its own is lost with the one it refers to."""
    other = sealed_folder(tmp_path / "other", 2)
    file = ResultsFolder(other.path).file(1)
    _refer(file, crawled().url("/owls.html"))
    told = preview(own.crawl, 1, [Pick(url=crawled().url("/owls.html"))], [(2, other.path)])
    assert [(each.harvest, each.captures) for each in told.needed] == [(2, 1)]
    assert not preview(own.crawl, 1, [Pick(url=crawled().url("/owl.svg"))], [(2, other.path)]).needed


def _refer(file, url):
    file.chmod(0o644)
    connection = sqlite3.connect(file)
    connection.execute("UPDATE resource SET original_url = ?, original_at = 1 WHERE url = ?", (url, url))
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "document",
    [
        {"status": "abc"}, {"outcome": "eaten"}, {"text": "(", "way": "regex"}, {"way": "magic"}, {"path": "/x/"},
        {"number": "1"}, {"host": 7}, {"text": "x" * 5_000}, {"url": "x" * 40_000},
    ],
)  # fmt: skip
def test_what_means_nothing_is_refused(document):
    """With what may be given."""
    with pytest.raises(BadFilter):
        pick_of(document)


def test_too_many_picks_are_refused():
    """A filter means many at once."""
    with pytest.raises(InvalidInput, match="20,000"):
        picks_of([{"url": f"http://a.example/{number}"} for number in range(20_001)])


def test_a_pick_survives_json():
    """As the row of a result keeps it."""
    given = Pick(host="a.example", path="/<b>/", text="é‮🦉", way="wildcard", status="4xx")
    assert pick_of(given.document()) == given
