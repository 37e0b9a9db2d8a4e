"""Finding lines: the same as a look at every line, in plain and in compressed indexes, forwards and backwards."""

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.archive.cdx.index import nearest
from opilio.archive.cdx.keys import Match, Span, key_of, spans
from opilio.archive.cdx.many import Many
from opilio.archive.cdx.plain import CdxFile
from opilio.archive.cdx.searching import closest
from opilio.archive.cdx.summary import Style
from opilio.archive.cdx.zipnum import ZipnumIndex
from opilio.archive.cdx.zipping import write_zipnum
from opilio.archive.cdxj import cdxj
from opilio.kernel.errors import BadUrl
from opilio.kernel.surt import surt, surt_by_rules
from tests.unit.archive.cdx.lines import AT, EVERYTHING, HOSTS, row, some_rows, sorted_file, texts


def indexes(folder, rows, block=7):
    """The same lines in every kind of index."""
    lines = sorted_file(folder / "x.cdxj", rows)
    write_zipnum(folder / "p.idx", lines, block=block, shard=3_000)
    write_zipnum(folder / "w.idx", lines, block=block, style=Style.WACZ)
    parts = []
    for number in range(3):
        sorted_file(folder / f"{number}.cdxj", [each for index, each in enumerate(rows) if index % 3 == number])
        parts.append(CdxFile(folder / f"{number}.cdxj"))
    zipped = [ZipnumIndex(folder / "p.idx"), ZipnumIndex(folder / "w.idx")]
    return lines, [CdxFile(folder / "x.cdxj"), *zipped, Many(parts)]


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """A few hundred lines in each kind."""
    return indexes(tmp_path_factory.mktemp("find"), list(some_rows(700)))


@settings(max_examples=20)
@given(st.sampled_from(HOSTS), st.sampled_from(["", "a", "a/", "news/a", "zzz", "?q=1"]), st.sampled_from(Match))
def test_every_index_finds_what_a_scan_finds(everything, host, path, match):
    """Exact, prefix, host, domain and range, both ways."""
    lines, found = everything
    for span in spans(f"http://{host}/{path}", match, until="http://example.test/"):
        expected = [line for line in lines if span.start <= line < span.end]
        for index in found:
            assert texts(index.lines(span)) == expected
            assert texts(index.lines(span, backward=True)) == expected[::-1]


@pytest.mark.parametrize(
    ("match", "matching"),
    [
        (Match.EXACT, {"http://example.org/a"}),
        (Match.PREFIX, {"http://example.org/a", "http://example.org/a/b", "http://example.org/ab"}),
        (Match.HOST, {"http://example.org/a", "http://example.org/a/b", "http://example.org/ab", "http://example.org/"}),
        (
            Match.DOMAIN,
            {
                "http://example.org/a", "http://example.org/a/b", "http://example.org/ab", "http://example.org/",
                "http://sub.example.org/", "http://example.org:8080/", "http://sub.example.org:8080/x",
            },
        ),
    ],
)  # fmt: skip
def test_what_belongs_to_a_url(tmp_path, match, matching):
    """A domain has hosts below it and other ports, but no host that is only called alike."""
    others = {"http://example.com/a", "http://example2.org/a", "http://example-x.org/", "http://notexample.org/a"}
    more = {
        "http://sub.example.org/",
        "http://example.org:8080/",
        "http://sub.example.org:8080/x",
        "http://example.org/",
    }
    given_urls = {"http://example.org/a", "http://example.org/a/b", "http://example.org/ab", *others, *more}
    sorted_file(tmp_path / "x.cdxj", [row(url) for url in given_urls])
    found = CdxFile(tmp_path / "x.cdxj").find("example.org/a", match)
    assert {each.url for each in found} == matching


def test_a_prefix_that_ends_in_a_slash_is_a_folder(tmp_path):
    """What a key drops from its end is kept in a prefix."""
    urls = ["http://example.org/a", "http://example.org/ab", "http://example.org/a/b", "http://example.org/a?x=1"]
    sorted_file(tmp_path / "x.cdxj", map(row, urls))
    index = CdxFile(tmp_path / "x.cdxj")
    assert [each.url for each in index.find("http://example.org/a/", Match.PREFIX)] == ["http://example.org/a/b"]
    assert [each.url for each in index.find("http://example.org/a?", Match.PREFIX)] == ["http://example.org/a?x=1"]


@settings(max_examples=12)
@given(st.lists(st.integers(0, 50), max_size=12), st.integers(-5, 55_000))
def test_the_nearest_capture_is_nearest(tmp_path_factory, times, asked):
    """The same as a look at all captures; all of them come by their distance."""
    folder = tmp_path_factory.mktemp("near")
    rows = [row("http://example.org/", seconds, number) for number, seconds in enumerate(times)]
    _, found = indexes(folder, [*rows, row("http://example.org/0", 3), row("http://example.nu/", 3)], block=2)
    at = AT + timedelta(milliseconds=asked)
    expected = sorted((abs(each.at - at), each.at < at) for each in rows)
    for index in found:
        assert _time(index.nearest("http://example.org/", at)) == _time(nearest(rows, at))
        lines = [each.text for each in closest(index, key_of("http://example.org/"), at)]
        by_line = {cdxj(each).rstrip(): each for each in rows}
        assert [(abs(by_line[each].at - at), by_line[each].at < at) for each in lines] == expected


def _time(found):
    return found.at if found else None


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_cuts_give_every_line_once(everything, size):
    """Pieces of an index between its cuts are the index."""
    lines, found = everything
    for index in found:
        count = index.blocks(EVERYTHING)
        cuts = [index.cut(EVERYTHING, number) for number in range(0, count, size)] + [EVERYTHING.end]
        walked = [texts(index.lines(Span(low, high))) for low, high in pairwise(cuts) if low < high]
        assert [line for part in walked for line in part] == lines
        assert index.cut(EVERYTHING, count + 1) == EVERYTHING.end


def test_a_large_file_has_many_pieces(tmp_path):
    """Plain files are cut where so many bytes end."""
    lines = sorted_file(tmp_path / "x.cdxj", [row(f"http://example.org/{number:06d}") for number in range(2_000)])
    index = CdxFile(tmp_path / "x.cdxj")
    count = index.blocks(EVERYTHING)
    assert count == -(-sum(map(len, lines)) // 65_536)
    cuts = [index.cut(EVERYTHING, number) for number in range(count + 1)]
    assert cuts == sorted(set(cuts))
    assert sum(len(texts(index.lines(Span(*pair)))) for pair in pairwise(cuts)) == 2_000


def test_other_line_ends_marks_and_empty_lines(tmp_path):
    """Files from other systems are read as they are."""
    lines = sorted_file(tmp_path / "x.cdxj", some_rows(300))
    odd = tmp_path / "odd.cdxj"
    odd.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(line.rstrip() for line in lines) + b"\r\n\r\n\n\r\n")
    index = CdxFile(odd)
    assert texts(index.lines(EVERYTHING)) == lines
    assert texts(index.lines(EVERYTHING, backward=True)) == lines[::-1]
    for line in lines[::37]:
        key = line.split(b" ")[0] + b" "
        assert len(list(index.prefix(key.decode()))) == len([each for each in lines if each.startswith(key)])


def test_addresses_that_are_not_of_the_web(tmp_path):
    """Screenshots, DNS answers and nonsense have keys too, and are found by them."""
    urls = ["urn:screenshot:http://example.org/ a", "dns:example.org", "ftp://example.org/x", "http://[broken", "Über"]
    sorted_file(tmp_path / "x.cdxj", map(row, urls))
    index = CdxFile(tmp_path / "x.cdxj")
    for url in urls:
        assert [each.url for each in index.exact(url)] == [url]
    assert key_of("ftp://example.org/x") == "org,example)/x"


_LABEL = st.sampled_from(["www", "www2", "a", "example", "org", "xn--bcher-kva", "1", "x-1", "A", "-", "awww", ""])
_NAME = st.sampled_from(["a", "b.html", ".", "..", ".x", "~u", "%41", "A", "", "x.", "-", "a b", "a;b", "_"])


@settings(max_examples=100)
@given(
    st.sampled_from(["http", "https"]),
    st.lists(_LABEL, min_size=1, max_size=4),
    st.sampled_from(["", "", ":80", ":443", ":8080", ":080", ":0", ":59999", ":60000", ":99999"]),
    st.lists(_NAME, max_size=4),
)
def test_simple_urls_have_the_key_of_all(scheme, labels, port, names):
    """The quick way to a key leads to the same key."""
    url = f"{scheme}://{'.'.join(labels)}{port}/{'/'.join(names)}"
    try:
        expected = surt_by_rules(url)
    except BadUrl:
        return
    assert surt(url) == expected
    assert key_of(url) == expected


@settings(max_examples=25)
@given(st.text(max_size=30))
def test_any_text_can_be_asked_for(tmp_path_factory, text):
    """Nothing that is asked breaks the search."""
    path = tmp_path_factory.getbasetemp() / "any.cdxj"
    if not path.exists():
        sorted_file(path, some_rows(50))
    for match in Match:
        if text:
            list(CdxFile(path).find(text, match))
