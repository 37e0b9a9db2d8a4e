"""The views against a count by hand: whole builds, builds from earlier ones, ids that stay."""

import dataclasses
import sqlite3

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opilio.kernel.errors import NoSpace
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.settings import AnalysisSettings, StopRule
from opilio.search.views import build as build_module
from opilio.search.views import database, identities, packing, patching, relation, spill
from opilio.search.views.build import ViewsBuild
from opilio.search.views.errors import BadPage, DamagedViews
from opilio.search.views.packing import Page, PagePacker
from opilio.search.views.reader import Views
from opilio.search.views.states import PageState
from tests.unit.search.views import brute

_URLS = [f"https://a.example/{name}" for name in "abcdefgh"]
_WORDS = st.sampled_from(["the", "of", "and", "cat", "cats", "dog", "bird", "fish", "opilio", "harvest"])
_TEXT = st.lists(_WORDS, max_size=30).map(" ".join)
_PAGES = st.dictionaries(st.sampled_from(_URLS), _TEXT, max_size=6)
_LINKS = st.dictionaries(
    st.sampled_from(_URLS), st.dictionaries(st.sampled_from(_URLS), st.integers(1, 300), max_size=5), max_size=6
)
_RELAXED = settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def _inverted(counted):
    found = {}
    for url, words in counted.items():
        for word, positions in words.items():
            found.setdefault(word, {})[url] = positions
    return found


def _check(path, pages, links):
    counted = {url: words for url, words in brute.counted(pages).items() if words}
    assert brute.forward(path) == counted
    assert brute.inverse(path) == _inverted(counted)
    expected = {parent: children for parent, children in links.items() if children}
    assert brute.links(path) == (expected, expected)


@_RELAXED
@given(pages=_PAGES, links=_LINKS)
def test_views_are_what_a_count_by_hand_gives(tmp_path_factory, pages, links):
    """Words with positions and links with occurrences, in both directions; stop words fill the gaps."""
    path = tmp_path_factory.mktemp("views") / "views.db"
    brute.build(path, pages, links)
    _check(path, pages, links)


@_RELAXED
@given(steps=st.lists(st.tuples(_PAGES, _LINKS), min_size=2, max_size=4), few=st.sampled_from([0, 2_000_000]))
def test_growing_equals_building_anew(tmp_path_factory, monkeypatch, steps, few):
    """After any changes the views are those of the last state, whether chunks are patched or all is read again."""
    monkeypatch.setattr(relation, "_FEW", few)
    monkeypatch.setattr(relation, "CHUNK", 2)
    monkeypatch.setattr(patching, "CHUNK", 2)
    folder = tmp_path_factory.mktemp("views")
    earlier, known = None, ({}, {})
    for number, (pages, links) in enumerate(steps):
        path = folder / f"{number}.db"
        whole = {url: links.get(url, {}) for url in {*pages, *links, *(steps[number - 1][1] if number else ())}}
        brute.build(path, pages, whole, earlier=earlier)
        _check(path, pages, links)
        given_now = brute.ids(path)
        for before, now in zip(known, given_now, strict=True):
            assert before.items() <= now.items()
            assert len(set(now.values())) == len(now)
        assert sorted(given_now[0].values()) == list(range(len(given_now[0])))
        assert sorted(given_now[1].values()) == list(range(1, len(given_now[1]) + 1))
        earlier, known = path, given_now


def test_many_pages_of_a_word_are_kept_in_chunks(tmp_path, monkeypatch):
    """Rows beyond a chunk, runs beyond memory and names beyond memory come out whole, also after a patch."""
    monkeypatch.setattr(relation, "CHUNK", 7)
    monkeypatch.setattr(patching, "CHUNK", 7)
    monkeypatch.setattr(patching, "_AT_ONCE", 3)
    monkeypatch.setattr(build_module, "_BATCH", 50)
    monkeypatch.setattr(spill, "_AT_ONCE", 40)
    monkeypatch.setattr(identities, "_MOST_KNOWN", 10)
    pages = {f"https://b.example/{number}": f"cat the w{'x' * (number % 9)} cat" for number in range(100)}
    links = {url: {"https://b.example/0": 2} for url in pages}
    first, second = tmp_path / "1.db", tmp_path / "2.db"
    brute.build(first, pages, links)
    _check(first, pages, links)
    changed = {**pages, "https://b.example/50": "dog", "https://b.example/3": "cat", "https://b.example/new": "cat"}
    del changed["https://b.example/70"]
    brute.build(second, changed, {}, earlier=first)
    del links["https://b.example/70"]
    _check(second, changed, links)


def test_every_discovered_url_is_there(tmp_path):
    """URLs that are only linked to or named have an id, no words, and were never modified."""
    path = tmp_path / "views.db"
    report = brute.build(path, {"https://a.example/": "cat"}, {"https://a.example/": {"https://b.example/": 3}},
                         discovered=["https://c.example/"])  # fmt: skip
    assert (report.pages, report.fetched, report.links, report.words) == (3, 1, 1, 1)
    with Views(path) as views:
        rows = {row.url: row for row in views.pages()}
    assert [row.state for row in rows.values()].count(PageState.FOUND) == 2
    assert rows["https://b.example/"].last_modified == 0
    assert rows["https://a.example/"].last_modified == 1_003
    assert sorted(row.id for row in rows.values()) == [0, 1, 2]


def test_removed_pages_keep_their_id(tmp_path):
    """A page that is gone is no page any more; when it comes back it has the id that it had."""
    paths = [tmp_path / f"{number}.db" for number in range(3)]
    brute.build(paths[0], {"https://a.example/": "cat", "https://b.example/": "dog"})
    report = brute.build(paths[1], {"https://b.example/": "dog"}, earlier=paths[0])
    assert (report.pages, report.removed, report.unchanged) == (1, 1, 1)
    with Views(paths[1]) as views:
        assert [row.url for row in views.pages()] == ["https://b.example/"]
        assert views.page(0).state is PageState.GONE
    brute.build(paths[2], {"https://c.example/": "x", "https://a.example/": "cat"}, earlier=paths[1], complete=False)
    assert brute.ids(paths[2])[0] == {"https://a.example/": 0, "https://b.example/": 1, "https://c.example/": 2}


def test_a_page_named_twice_has_its_last_words(tmp_path):
    """The later words replace the earlier ones in both directions, also across batches."""
    path = tmp_path / "views.db"
    packer = PagePacker(Analyzer())
    with ViewsBuild(path, Analyzer()) as building:
        building.add(packer(Page(url="https://a.example/", text="cat", language="en")))
        assert building.remove("https://b.example/") is False
        building.add(packer(Page(url="https://b.example/", text="bird", language="en")))
        assert building.remove("https://b.example/")
        building.add(packer(Page(url="https://a.example/", text="dog the", language="en")))
        building.finish()
    _check(path, {"https://a.example/": "dog the"}, {})


def test_another_analyzer_reads_all_pages_again(tmp_path):
    """The words of an earlier analyzer are forgotten; ids stay."""
    first, second = tmp_path / "1.db", tmp_path / "2.db"
    pages = {"https://a.example/": "cat dog"}
    brute.build(first, pages)
    other = Analyzer(AnalysisSettings(stop_rules=(StopRule("", "cat", True),)))
    report = brute.build(second, pages, earlier=first, analyzer=other)
    assert report.changed == 1
    assert brute.forward(second) == {"https://a.example/": {"": [0], "dog": [1]}}
    assert brute.ids(second) == brute.ids(first)
    with Views(second) as views:
        assert views.analysis == other.fingerprint


def test_title_comes_before_the_text(tmp_path):
    """Positions go on from the title into the text."""
    packed = PagePacker(Analyzer())(Page(url="https://a.example/", title="Cat dog", text="the cat", language="en"))
    assert packed.length == 4
    with ViewsBuild(tmp_path / "views.db", Analyzer()) as building:
        building.add(packed)
        building.finish()
    assert brute.forward(tmp_path / "views.db") == {"https://a.example/": {"cat": [0, 3], "dog": [1], "": [2]}}


def test_any_process_packs_a_page_alike(tmp_path):
    """What a packer read before does not change ids or words of the views."""
    fresh, used = PagePacker(Analyzer()), PagePacker(Analyzer())
    used(Page(url="https://z.example/", text="zebra fish dog bird cat", language="en"))
    pages = [
        Page(url=f"https://a.example/{number}", text="bird cat the dog fish cat", language="en") for number in range(2)
    ]
    found = []
    for name, packer in (("1.db", fresh), ("2.db", used)):
        with ViewsBuild(tmp_path / name, Analyzer()) as building:
            for page in pages:
                building.add(packer(page))
            building.finish()
        found.append((brute.ids(tmp_path / name), brute.forward(tmp_path / name), brute.inverse(tmp_path / name)))
    assert found[0] == found[1]
    assert found[0][0][1] == {"bird": 1, "cat": 2, "dog": 3, "fish": 4}


def test_damaged_earlier_views_are_refused(tmp_path):
    """Their damage is named, and nothing stays behind."""
    earlier = tmp_path / "views.db"
    brute.build(earlier, {"https://a.example/": "cat"})
    connection = sqlite3.connect(earlier, isolation_level=None)
    connection.execute("UPDATE page_words SET data = x'07'")
    connection.close()
    with pytest.raises(DamagedViews):
        brute.build(tmp_path / "new.db", {"https://a.example/": "dog"}, earlier=earlier)
    assert list(tmp_path.iterdir()) == [earlier]


def test_endless_texts_are_cut_and_told(tmp_path, monkeypatch):
    """The report says how many pages lost their end."""
    monkeypatch.setattr(packing, "MOST_WORDS", 3)
    report = brute.build(tmp_path / "views.db", {"https://a.example/": "cat dog bird fish"})
    assert report.cut == 1
    assert set(brute.forward(tmp_path / "views.db")["https://a.example/"]) == {"cat", "dog", "bird"}


def test_a_page_of_50_mb():
    """Its words are counted a portion at a time, so far as they are kept; what follows is not even split."""
    text = "harbour museum tide\n" * 2_500_000
    asked = []

    def portions():
        for portion in Analyzer().portions(text):
            asked.append(len(portion))
            yield portion

    packed = PagePacker(Analyzer())(Page(url="https://a.example/", text=text, language="en"), portions())
    assert packed.cut
    assert (packed.length, packed.words) == (packing.MOST_WORDS, ("harbour", "museum", "tide"))
    assert max(asked) < packing.MOST_WORDS / 10
    assert sum(asked) < 1.1 * packing.MOST_WORDS


@pytest.mark.parametrize("url", ["", "https://a.example/\tx", "a\nb", "x" * 70_000, "https://\ud800/", None, 7])
def test_what_is_no_url_is_refused(tmp_path, url):
    """As a page and as the end of a link; nothing appears."""
    packed = PagePacker(Analyzer())(Page(url="https://a.example/", text="cat"))
    with ViewsBuild(tmp_path / "views.db", Analyzer()) as building:
        with pytest.raises(BadPage):
            building.add(dataclasses.replace(packed, url=url))
        with pytest.raises(BadPage):
            building.link("https://a.example/", [(url, 1)])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), "soon"])
def test_what_is_no_time_is_refused(tmp_path, seconds):
    """The error names the page."""
    packed = PagePacker(Analyzer())(Page(url="https://a.example/", text="cat", last_modified=seconds))
    with ViewsBuild(tmp_path / "views.db", Analyzer()) as building, pytest.raises(BadPage) as caught:
        building.add(packed)
    assert caught.value.where == "https://a.example/"


@pytest.mark.parametrize("occurrences", [0, -1, 1.5, "2"])
def test_links_occur_at_least_once(tmp_path, occurrences):
    """Anything else is refused."""
    with ViewsBuild(tmp_path / "views.db", Analyzer()) as building, pytest.raises(BadPage):
        building.link("https://a.example/", [("https://b.example/", occurrences)])


def test_a_full_disk_leaves_the_earlier_views(tmp_path, monkeypatch):
    """The error says so, the file is as it was, and nothing else stays behind."""
    path = tmp_path / "views.db"
    brute.build(path, {"https://a.example/": "cat"})
    before = path.read_bytes()
    real = database.made

    def small(place):
        connection = real(place)
        connection.execute("PRAGMA max_page_count = 20")
        return connection

    monkeypatch.setattr(database, "made", small)
    with pytest.raises(NoSpace) as caught:
        brute.build(path, {f"https://a.example/{number}": "x" * 100 + str(number) for number in range(2_000)})
    assert caught.value.where == str(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
