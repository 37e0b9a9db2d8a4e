"""Rewriting for replay: bytes in, bytes out. References become paths of the archive, everything else stays."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.archive.replay.css_rewriting import rewrite_css
from opilio.archive.replay.html_rewriting import HtmlRewriting, rewritten, transcoded
from opilio.archive.replay.html_tokens import Tokens
from opilio.archive.replay.references import References
from opilio.archive.replay.refresh_rewriting import rewrite_refresh
from opilio.archive.replay.srcset_rewriting import rewrite_srcset

STAMP = "20260101120000"
A = f"/{STAMP}/http://a.test".encode()
P = f"/{STAMP}/".encode()


def references(url="http://a.test/dir/page.html?q=1", **parts):
    return References(stamp=STAMP, url=url, **parts)


def html(data, **parts):
    return HtmlRewriting(references(), **parts).finish(data)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        (b"/x?y#z", A + b"/x?y#z"),
        (b"http://b.test/x", P + b"http://b.test/x"),
        (b"HTTPS://b.test/x", P + b"HTTPS://b.test/x"),
        (b"//b.test/x", P + b"http://b.test/x"),
        (b"  /x", A + b"/x"),
        (b"x.png", b"x.png"),
        (b"?page=2", b"?page=2"),
        (b"#there", b"#there"),
        (b"", b""),
        (b"../x", A + b"/x"),
        (b"../../../x", A + b"/x"),
        (b"%2e%2e/x", A + b"/x"),
        (b"a/../b", A + b"/dir/b"),
        (b"\\\\b.test\\x", P + b"http://b.test/x"),
        (b"ht\ntp://b.test/", P + b"http://b.test/"),
        (b"http:x", A + b"/dir/x"),
        (b"https:/x", P + b"https://x/"),
        (b"///b.test/x", P + b"http://b.test/x"),
        (b"javascript:alert(1)", b"javascript:alert(1)"),
        (b"data:text/css,a{}", b"data:text/css,a{}"),
        (b"mailto:a@b.test", b"mailto:a@b.test"),
        (b"http://[bad/..", b"http://[bad/.."),
        (b"/caf\xc3\xa9", A + b"/caf\xc3\xa9"),
    ],
)
def test_references_become_paths(given, path):
    """Absolute and root-relative references get a prefix, relative ones stay, odd ones are written anew."""
    assert references().plain(given) == path


@pytest.mark.parametrize(
    ("given", "served"),
    [
        (b"<a href='/x'>", b"<a href='" + A + b"/x'>"),
        (b"<A HREF=/x>", b'<A HREF="' + A + b'/x">'),
        (b'<a class=b href="x">', b'<a class=b href="x">'),
        (b'<a href="/x?a=1&amp;b=2">', b'<a href="' + A + b'/x?a=1&amp;b=2">'),
        (b'<a href="&#47;x">', b'<a href="' + A + b'/x">'),
        (b'<a href="https&colon;//b.test/">', b'<a href="' + P + b'https://b.test/">'),
        (b"<img alt='>' src='/x'>", b"<img alt='>' src='" + A + b"/x'>"),
        (b'<img srcset="/a 1x,//b.test/c 2x">', b'<img srcset="' + A + b"/a 1x," + P + b'http://b.test/c 2x">'),
        (b'<link rel=preload imagesrcset="/a 1x">', b'<link rel=preload imagesrcset="' + A + b'/a 1x">'),
        (b'<form action="/s"><input formaction=/t>', b'<form action="' + A + b'/s"><input formaction="' + A + b'/t">'),
        (b'<video poster="/p" src=v.mp4>', b'<video poster="' + A + b'/p" src=v.mp4>'),
        (b'<object data="/o"><param data="/o">', b'<object data="' + A + b'/o"><param data="/o">'),
        (b"<applet archive=/a codebase=/c>", b'<applet archive="' + A + b'/a" codebase="' + A + b'/c">'),
        (b"<q cite=/c><img longdesc=/l>", b'<q cite="' + A + b'/c"><img longdesc="' + A + b'/l">'),
        (b"<html manifest=/m><body background=/b>", b'<html manifest="' + A + b'/m"><body background="' + A + b'/b">'),
        (b'<use xlink:href="/s.svg#a"/>', b'<use xlink:href="' + A + b'/s.svg#a"/>'),
        (b'<p style="background:url(/x)">', b'<p style="background:url(' + A + b'/x)">'),
        (
            b'<p style="background:url(&quot;/x&quot;)">',
            b'<p style="background:url(&quot;' + A + b'/x&quot;)">',
        ),
        (b"<style>a{b:url('/x')}</style>", b"<style>a{b:url('" + A + b"/x')}</style>"),
        (b'<a ping="/p" href="#x">', b'<a  href="#x">'),
        (b'<script integrity="sha256-x" crossorigin src=/x>', b'<script   src="' + A + b'/x">'),
        (b'<link rel="preconnect dns-prefetch" href=//b.test>', b'<link rel="preconnect dns-prefetch" >'),
        (b'<link rel="prefetch stylesheet" href=/x>', b'<link rel="prefetch stylesheet" href="' + A + b'/x">'),
        (b"<meta http-equiv=refresh content='0;url=/n'>", b"<meta http-equiv=refresh content='0;url=" + A + b"/n'>"),
        (b"<meta name=description content='0;url=/n'>", b"<meta name=description content='0;url=/n'>"),
        (
            b'<meta http-equiv="Content-Security-Policy" content="x">',
            b'<meta http-equiv="x-archived-Content-Security-Policy" content="x">',
        ),
        (b'<meta name="referrer" content=no-referrer>', b'<meta name="x-archived-referrer" content=no-referrer>'),
        (b'<iframe srcdoc="<a href=/x>">', b'<iframe srcdoc="&lt;a href=&quot;' + A + b'/x&quot;&gt;">'),
        (b'<iframe sandbox="allow-scripts">', b'<iframe sandbox="allow-scripts allow-same-origin">'),
        (b'<script type="speculationrules">{}</script>', b'<script type="x-archived">{}</script>'),
        (b"<base href=/z/><a href=/x>", b'<base href="' + A + b'/z/"><a href="' + A + b'/x">'),
        (
            b"<base href=//b.test/z/><a href=/x><base href=/y/>",
            b'<base href="' + P + b'http://b.test/z/"><a href="' + P + b'http://b.test/x"><base >',
        ),
        (b"<!-- <a href=/x> -->", b"<!-- <a href=/x> -->"),
        (b"<script>'<a href=/x>'</script>", b"<script>'<a href=/x>'</script>"),
        (b"<textarea><a href=/x></textarea>", b"<textarea><a href=/x></textarea>"),
        (b"<svg><title><a href=/x></title></svg>", b'<svg><title><a href="' + A + b'/x"></title></svg>'),
        (b"<svg><style/><a href=/x></svg>", b'<svg><style/><a href="' + A + b'/x"></svg>'),
        (b"<plaintext><a href=/x>", b"<plaintext><a href=/x>"),
        (b"<a href=/x", b"<a href=/x"),
        (b"1 < 2 </ > <3", b"1 < 2 </ > <3"),
        (b"<p>\xe9\xff\x00<a href=/\xe9>", b'<p>\xe9\xff\x00<a href="' + A + b'/\xe9">'),
    ],
)  # fmt: skip
def test_tags_are_rewritten(given, served):
    """Each kind of reference is found where it stands, and what would reach out of the archive is made harmless."""
    assert html(given) == served


def test_targets_stay_in_the_window():
    """A page that fills the window has nothing above it; a page in a frame may have."""
    assert html(b'<a target=_top href="x">', top=True) == b'<a target="_self" href="x">'
    assert html(b'<a target=_parent href="x">', top=True) == b'<a target="_self" href="x">'
    assert html(b'<a target=_top href="x">') == b'<a target=_top href="x">'


def test_xml_is_read_as_xml():
    """In XHTML and SVG, CDATA is text, empty elements are closed, and style sheets are named by instructions."""
    given = b"<?xml-stylesheet href='/s.xsl'?><svg><script href='/j'/><![CDATA[<a href='/x'>]]><image href='/i'/></svg>"
    served = html(given, xml=True)
    assert served == (
        b"<?xml-stylesheet href='" + A + b"/s.xsl'?><svg><script href='" + A + b"/j'/><![CDATA[<a href='/x'>]]>"
        b"<image href='" + A + b"/i'/></svg>"
    )


@pytest.mark.parametrize(
    ("given", "served"),
    [
        (b"<!doctype html><html><head><script>", b"<!doctype html><html><head>[F]<script></script>[L]"),
        (b"<html><script></script></html>", b"<html>[F]<script></script>[L]</html>"),
        (b"<title>x</title>hi</body></html>", b"[F]<title>x</title>hi[L]</body></html>"),
        (b"no tags", b"no tags[F][L]"),
        (b"<p>open <!-- comment", b"<p>open <!-- comment-->[F][L]"),
        (b"<p>open <textarea>", b"<p>open [F]<textarea></textarea>[L]"),
        (b"<p>cut <a href='/x", b"<p>cut [F][L]"),
    ],
)
def test_script_comes_first_and_banner_last(given, served):
    """Our script stands before every script of the page, our banner behind its content, whatever was left open."""
    assert html(given, first=b"[F]", last=b"[L]") == served


@pytest.mark.parametrize(
    ("given", "served"),
    [
        (b"a{b:url( '/x' )}", b"a{b:url( '" + A + b"/x' )}"),
        (b"a{b:URL(/x)}", b"a{b:URL(" + A + b"/x)}"),
        (b"@import '/x' print;", b"@import '" + A + b"/x' print;"),
        (b"@import url(//b.test/x);", b"@import url(" + P + b"http://b.test/x);"),
        (b"/* url(/x) */ a{content:'url(/x)'}", b"/* url(/x) */ a{content:'url(/x)'}"),
        (b"@namespace url(http://www.w3.org/2000/svg);", b"@namespace url(http://www.w3.org/2000/svg);"),
        (b"a{b:image-set('/x' 1x)} c{content:'/y'}", b"a{b:image-set('" + A + b"/x' 1x)} c{content:'/y'}"),
        (b"a{b:url(\\2f x)}", b"a{b:url(" + A + b"/x)}"),
        (b"a{b:url('/it\\'s')}", b"a{b:url('" + A + b"/it\\27 s')}"),
        (b"a{b:url(x.png)}", b"a{b:url(x.png)}"),
        (b"a{b:url(#x)} c{", b"a{b:url(#x)} c{"),
    ],
)
def test_style_sheets_are_rewritten(given, served):
    """url(), @import and image-set() lead to the archive; strings and comments stay."""
    assert rewrite_css(given, references().plain) == served


def test_srcset_and_refresh_keep_their_shape():
    """Descriptors, commas and times stay where they were."""
    plain = references().plain
    assert rewrite_srcset(b" /a 1x , b.png 480w,data:x,y 2x", plain) == b" " + A + b"/a 1x , b.png 480w,data:x,y 2x"
    assert rewrite_refresh(b"5; URL='/n'", plain) == b"5; URL=" + A + b"/n"
    assert rewrite_refresh(b"5", plain) == b"5"
    assert rewrite_refresh(b"never;url=/n", plain) == b"never;url=/n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "iso2022_jp"])
def test_other_charsets_go_there_and_back(encoding):
    """A page whose charset is no superset of ASCII is rewritten and stays in its charset."""
    page = "<p>日本<a href='/x'>語</a>"
    served = transcoded(page.encode(encoding), encoding, html)
    assert served.decode(encoding) == page.replace("/x", f"/{STAMP}/http://a.test/x")


@settings(max_examples=50)
@given(st.binary(max_size=400))
def test_any_bytes_pass(data):
    """Nothing raises, and all pieces together are the document."""
    html(data, first=b"F", last=b"L")
    rewrite_css(data, references().plain)
    rewrite_srcset(data, references().plain)
    for xml in (True, False):
        assert b"".join(token.data for token in Tokens(xml=xml).feed(data, final=True)) == data


_SOUP = st.lists(
    st.sampled_from(
        [b"<a href=/x>", b"<p>", b"</p>", b"<!--", b"-->", b"<script>", b"</script>", b"<style>", b"</style>", b"'",
         b'"', b"<", b">", b"=", b"x", b" ", b"<svg>", b"<![CDATA[", b"]]>", b"<title>", b"</title>", b"url(/y)",
         b"<img src='"],
    ),
    max_size=40,
)  # fmt: skip


@settings(max_examples=50)
@given(_SOUP, st.integers(1, 30))
def test_parts_make_no_difference(pieces, size):
    """A document that comes in parts is served like one that comes whole."""
    whole = b"".join(pieces)
    parts = [whole[at : at + size] for at in range(0, len(whole), size)]
    rewriting = HtmlRewriting(references(), first=b"[F]", last=b"[L]")
    served = b"".join(rewriting.feed(part) for part in parts) + rewriting.finish()
    assert served == html(whole, first=b"[F]", last=b"[L]")


@settings(max_examples=50)
@given(st.text(alphabet="abc <>&;\n\"'", max_size=200))
def test_what_has_no_reference_stays(text):
    """A document without references is served byte for byte."""
    assert html(text.encode()) == text.encode()


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "unit",
    [b"<a ", b"<", b"<!--", b"<a x='", b"<svg>", b"<script>", b"</script", b"&#47;", b"url(", b"<a href=/..>",
     b"<![CDATA["],
)  # fmt: skip
def test_hostile_markup_is_read_once(unit):
    """A hundred kilobytes of what makes parsers go back are served at once; nothing is read again and again."""
    page = b"<style>" * (unit == b"url(") + unit * (100_000 // len(unit)) + b'=">"'
    served = b"".join(rewritten(iter((page,)), HtmlRewriting(references(), last=b"[L]")))
    assert served.endswith(b"[L]")
