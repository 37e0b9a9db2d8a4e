"""The linear look that keeps hostile pages away from the parser."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from opilio.extract.bounds import too_hostile
from opilio.extract.options import DEFAULTS, Options
from opilio.extract.tags import Tags

_SMALL = Options(max_tag_depth=40, max_tag_attributes=20)


def _depth(markup):
    """How deep the parser's tree is."""
    depths = {}
    for node in LexborHTMLParser(markup).root.traverse():
        parent = node.parent
        depths[node.mem_id] = depths.get(parent.mem_id if parent else 0, 0) + 1
    return max(depths.values())


def _fullest(markup):
    """How many attributes the parser's fullest element has."""
    return max(len(node.attributes) for node in LexborHTMLParser(markup).root.traverse())


@pytest.mark.parametrize(
    "piece",
    [
        b"<div>", b"<span>", b"<b id=%d>", b"<div><!--</div>-->", b"<div title='</div>'>",
        b"<div><script></div></script>",
        b"<div><table><td></div></td></table>", b"<span><div></span>", b"<form><div></form>", b"<li><dd>",
        b"<div><svg><style></div></style></svg>", b"<svg><style><div></style>", b"<div><select></div></select>",
        b"<div><math><mi></div></mi></math>", b"<div></x>", b"<ul><li>", b"<div><object></div></object>",
        b"<div><button></div></button>", b"<select><title></select><div></title>", b"<x-y>",
        b"<div><title></div></title>",
        b"<div><!--></div>-->", b"<div><!---!></div>-->", b"<div><textarea></div></textarea>",
    ],
)  # fmt: skip
def test_deep_nesting_is_noticed_however_it_is_hidden(piece):
    """End tags that do not count do not make a page look flat."""
    markup = b"".join(piece % n if b"%d" in piece else piece for n in range(400))
    assert _depth(markup) <= 2 * 40 or too_hostile(markup, _SMALL) is not None


_TAGS = (
    "div", "span", "p", "b", "a", "li", "ul", "dd", "dt", "table", "tr", "td", "th", "select", "option", "svg", "math",
    "mi", "form", "button", "object", "template", "h1", "title", "style",
)  # fmt: skip
_PIECE = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in _TAGS]),
    st.sampled_from([f"</{tag}>" for tag in _TAGS]),
    st.sampled_from(
        ["<script>", "</script>", "<!--", "-->", "x", "<br>", "<p title='", "'>", '">', '<i a="', "<textarea>"]
    ),
)


@settings(max_examples=100)
@given(st.lists(_PIECE, min_size=1, max_size=8))
@example(["<table>", "<div>", "</table>"])
def test_whatever_is_repeated_is_noticed_when_it_nests(pieces):
    """No short piece that nests when repeated passes as flat."""
    markup = ("".join(pieces) * 150).encode()
    if too_hostile(markup, _SMALL) is None:
        assert _depth(markup) <= 4 * 40


@pytest.mark.parametrize(
    "inside",
    [
        b" ".join(b"a%d" % n for n in range(600)),
        b"".join(b"a%d=''" % n for n in range(600)),
        b"".join(b"/a%d" % n for n in range(600)),
        b"x='>' " + b" ".join(b"a%d" % n for n in range(600)),
        b" ".join(b"a%d='>'" % n for n in range(600)),
        b" ".join(b'a%d="<b>"' % n for n in range(600)),
        b"x = \n'<script>' " + b" ".join(b"a%d" % n for n in range(600)),
        b"x='</a' " + b" ".join(b'a%d=">"' % n for n in range(600)),
    ],
    ids=range(8),
)
@pytest.mark.parametrize("lead", [b"<a ", b"<p>it's<a ", b"<script></script><img "])
def test_full_tags_are_noticed_however_they_are_hidden(inside, lead):
    """A tag with more than 500 attributes is noticed, also when quotes hide its end."""
    markup = lead + inside + b"><p>after"
    assert _fullest(markup) >= 599
    assert too_hostile(markup, DEFAULTS) == "a tag has more than 500 attributes"


def test_ordinary_pages_pass():
    """Long, flat pages with unclosed items, scripts and long attributes are read in place."""
    rows = b"<tr><td>1<td>2<td><a href='/x?a=1&b=2'>it's</a>" * 1_500
    script = b"<script>if (a<b && c>d) { x=\"<div>\"; for(;;) y='</p>' }</script>" * 50
    picture = b"<svg><path d='" + b"M1 2 3 " * 500 + b"'/></svg>"
    items = b"<ul>" + b"<li>a<p>b<li>c" * 1_500 + b"</ul>"
    page = b"<!DOCTYPE html><title>t</title>" + script + picture + b"<table>" + rows + b"</table>" + items
    assert too_hostile(page, DEFAULTS) is None


def test_large_pages_are_for_the_helper():
    """The limit of size is exact."""
    assert too_hostile(b"x" * 100, Options(max_html_bytes=100)) is None
    assert too_hostile(b"x" * 101, Options(max_html_bytes=100)) == "the page is larger than 100 bytes"


@given(st.binary(max_size=400))
def test_any_bytes_get_a_verdict(body):
    """Nothing makes the look itself fail."""
    too_hostile(body, Options(max_tag_depth=1, max_tag_attributes=1))


@pytest.mark.parametrize(
    "opened",
    [
        b"".join(b"<b id=%d>" % n for n in range(500)),
        b"".join(b"<FONT color=%d>" % n for n in range(500)),
        b"".join(b"<b title='>%d'>" % n for n in range(500)),
    ],
)
def test_formatting_left_open_over_many_blocks_is_noticed(opened):
    """A parser opens formatting again in every block; a page that multiplies both is kept away from it."""
    assert too_hostile(b"<p>" + opened + b"</p>" + b"<p>x</p>" * 4_000, DEFAULTS) is not None
    assert too_hostile(b"<p>" + opened + b"<li>x</li>" * 4_000 + b"</b></i></u></font>" * 500, DEFAULTS) is not None


def test_closed_formatting_is_harmless():
    """Thousands of code words of many classes are what documentation looks like."""
    word = b"<p><code class='c%d'><span class=pre>x</span></code></p>"
    assert too_hostile(b"".join(word % (n % 200) for n in range(5_000)), DEFAULTS) is None


def test_a_long_flat_page_is_harmless():
    """Many elements side by side are not deep."""
    row = b"<tr><td><a href=x><b>1</b></a></td><td title='a > b'>2</td></tr>"
    assert too_hostile(b"<table>" + row * 4_000 + b"</table>", DEFAULTS) is None


@pytest.mark.parametrize("piece", [b"<d<b>x</b>></dx>", b"<div a=<b>x</b>>", b"<b><!-- <b> --></b>", b"<d\x00iv></d>"])
def test_elements_inside_tags_hide_nothing(piece):
    """What looks like a closed element inside a tag, a comment or a name is none."""
    markup = piece * 400
    assert _depth(markup) <= 2 * 40 or too_hostile(markup, _SMALL) is not None


@pytest.mark.parametrize(
    "piece",
    [
        b"<div title='>'></div>", b"<title><!--</title><div title='></div>'>", b"<div><plaintext></plaintext></div>",
        b"<div/></div>", b"<svg><g/></svg>", b"<div></DIV>", b"<section></sectionx>", b"<b><p></b>", b"<div></div <b>",
        b"<blockquote></blockquote><i>", b"<title><script></title><div title='></div>'></script>",
    ],
)  # fmt: skip
def test_pages_of_many_tags_are_never_deeper_than_they_look(piece):
    """Taking out closed elements hides no open ones, whatever stands in values, comments and raw text."""
    markup = piece * 2_000
    if too_hostile(markup, Options(max_tag_depth=40)) is None:
        assert _depth(markup) <= 4 * 40


def test_tags_are_taken_out_in_pairs():
    """What is closed at once goes, from the inside out; comments, odd tags and unlike names stay."""
    tags = Tags(b"<ul><li class=a><b>x</b></li ><LI>y</li></ul><br><i>z<!-- </i> --></i><code>")
    assert (tags.starts, tags.formatting()) == (7, 3)
    assert tags.peel(inline=True)
    assert (tags.starts, tags.formatting()) == (6, 2)
    assert not tags.peel(inline=True)
    assert not tags.peel()


def test_a_page_whose_values_hold_markup_and_that_has_many_tags_is_read():
    """A few odd values in the text of a long page do not make it hostile."""
    page = b"<p>write x=\"<b>\" or y='>'</p>" + b"<table>" + b"<tr><td><em>1</em></td></tr>" * 3_000 + b"</table>"
    assert too_hostile(page, DEFAULTS) is None
