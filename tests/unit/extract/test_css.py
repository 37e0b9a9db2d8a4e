"""References of style sheets and of srcset attributes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.extract import extract
from opilio.extract.css import css_references
from opilio.extract.srcset import srcset_urls
from tests.unit.extract.pages import urls


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a{background:url(a.png)}", ["a.png"]),
        ("a{background:URL( 'b c.png' )}", ["b c.png"]),
        ('@import "x.css" screen; @import url(y.css);', ["x.css", "y.css"]),
        ("@IMPORT URL('z.css')", ["z.css"]),
        ("/* url(no.png) */ a{b:url(yes.png)}", ["yes.png"]),
        ("/* never closed url(no.png)", []),
        ("a{content:'url(no.png)'; b:url(yes.png)}", ["yes.png"]),
        ("@namespace svg url(http://www.w3.org/2000/svg); a{b:url(yes.png)}", ["yes.png"]),
        (r"a{b:url(a\20 b\).png)}", ["a b).png"]),
        ("a{b:url()} c{d:url( )} e{f:url(#frag)}", []),
        ("a{b:image-set('1.png' 1x, url(2.png) 2x); content:'no'}", ["1.png", "2.png"]),
        ("a{b:url(open", ["open"]),
        ("a{b:url('open", ["open"]),
        ("@font-face{src:url(f.woff2) format('woff2'),url(f.woff)}", ["f.woff2", "f.woff"]),
    ],
)
def test_style_sheets(text, expected):
    """What a browser would load is found, comments and strings are passed over."""
    assert [found.ref for found in css_references(text)] == expected


def test_a_style_sheet_is_relative_to_itself():
    """References of a CSS file belong to its own URL."""
    found = extract(
        b'@charset "iso-8859-1"; a{b:url(../i/\xe9.png)}', url="http://example.org/css/a.css", content_type="text/css"
    )
    assert urls(found) == ["/i/%C3%A9.png"]
    assert found.charset == "windows-1252"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a.png", ["a.png"]),
        ("a.png 1x, b.png 2x", ["a.png", "b.png"]),
        ("a.png,b.png 2x", ["a.png,b.png"]),
        ("a.png, b.png", ["a.png", "b.png"]),
        (" , a.png 100w (x,y) , b.png", ["a.png", "b.png"]),
        ("data:image/png;base64,AA== 1x, b.png 2x", ["data:image/png;base64,AA==", "b.png"]),
        ("a.png 1x,, ,b.png", ["a.png", "b.png"]),
        ("", []),
        (",,,", []),
    ],
)
def test_srcset(value, expected):
    """Candidates are told apart as the HTML standard does."""
    assert list(srcset_urls(value)) == expected


@given(st.text(alphabet="url(@import'\"\\/*)); \n{}x-set", max_size=200))
def test_any_style_sheet_can_be_read(text):
    """No text makes the tokenizer fail, and what it finds is in the text or was escaped there."""
    for found in css_references(text):
        assert found.ref


@given(st.text(alphabet="ab ,(1x)\t", max_size=100))
def test_any_srcset_can_be_read(value):
    """Every candidate is free of blanks."""
    assert all(url and not url.isspace() for url in srcset_urls(value))


@pytest.mark.parametrize(
    "text", ["/*" * 200_000, "url(" * 100_000, "@import " * 100_000, '"\\' * 200_000, "url( " * 100_000]
)
def test_hostile_style_sheets_are_linear(text):
    """Half a megabyte of beginnings is read in one pass."""
    assert len(list(css_references(text))) <= len(text)
