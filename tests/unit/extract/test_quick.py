"""Pages that are read without a parser: as the parser would have read them, and only those."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.extract import LinkKind, Options, links, quick
from opilio.extract.html import read_html
from opilio.extract.reading import Resource, helper_needed, read_here
from opilio.kernel.urls import Base
from opilio.works.sample import pages
from tests.unit.extract.pages import DATA, URL
from tests.unit.extract.soup import SOUP

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.program("cc")

CLEAR = [
    "<p>one<p>two <a href=x>three</a>",
    "<ul><li><a href=1>a</a><li><a href=2>b</a><li><a href=3>c</a></ul><p>text",
    "<table><tr><td>a<td><a href=q>b</a><tr><td><ul><li>c</table>d",
    "<nav>n</nav><header>h</header><article><header>in it</header>x</article><div role=search>s</div>",
    "<a href=#main>jump</a><h1><a href=#x>one</a></h1><a href=#later>no jump</a>",
    "<a href=q title='t'><img alt=i></a><a href=r><img alt='an image'></a><a href=s><svg><path d=''/></svg></a>",
    "<b>bold<p>still</b> not</p><i><div>x</i>y</div>",
    "<a name=x><h2>Title</a></h2><a href=z>z</a>",
    "<script>if (a<b) {'</p>'}</script><style>a{}</style>x<select><option>1<option selected>2</select>",
    "a&nbsp;b&copy c&#8212;d&lt;e <!-- no --> f<br>g\N{IDEOGRAPHIC SPACE}h",
    "<base href='/b/'><a href=#x>x</a><img src=i srcset='j 1x, k 2x'><link rel=stylesheet href=s.css>",
    '<script type=\'application/ld+json\'>{"url": "/from-json"}</script><iframe src=f></iframe>',
    "<dl><dt>a<dd>b<dt>c</dl><form><input type=password><p>q</form>r",
    "<html lang=de>early<body class=late>x",
    "<svg><g><text x=1>drawn &amp; said</text></g></svg><p style='color: red'>x",
]
DOUBTFUL = [
    "<p><a href=x>one<p>two</a>",
    "<a href=x><div><a href=y>z</a></div></a>",
    "<table><tr>stray<td>x</table>",
    "<template><a href=x>y</a></template>",
    "<svg><title>Icon</title></svg>",
    "<math><mi>x</mi></math>",
    "<a href='x<p>'>y</a>",
    "<p>\0",
    "<a href=x>y<script>z</script></a>",
    "<head><noscript><link rel=stylesheet href=s></noscript></head>",
    "<p title='",
    "<div>" * 300,
    "&#0;",
    "<td background=x.png>",
    "<p style='background: url(x.png)'>",
]


def _resource(markup, **options):
    body = markup if isinstance(markup, bytes) else markup.encode()
    return Resource(body=body, url=URL, content_type="text/html; charset=utf-8", options=Options(**options))


def _parsed(resource):
    return read_html(resource.html, resource.kind, url=resource.url, options=resource.options)


@pytest.mark.parametrize("markup", CLEAR)
@pytest.mark.parametrize(
    "choices", [{}, {"anchors": False, "mark_boilerplate": False}, {"max_text": 5, "max_links": 1}]
)
def test_clear_pages_need_no_parser(markup, choices):
    """They are read at once, and give what the parser gives."""
    resource = _resource(markup, **choices)
    assert resource.quick is not None
    assert read_here(resource) == _parsed(resource)


@pytest.mark.parametrize("markup", DOUBTFUL)
def test_doubtful_pages_are_left_to_the_parser(markup):
    """What needs the rules of a whole parser is not guessed."""
    resource = _resource(markup)
    assert resource.quick is None
    if not helper_needed(resource):
        assert read_here(resource) == _parsed(resource)


@settings(max_examples=300)
@given(markup=SOUP)
def test_both_ways_give_the_same(markup):
    """Whatever the markup: a page that is read quickly gives what the parser makes of it."""
    resource = _resource(markup)
    if resource.quick is not None:
        assert read_here(resource) == _parsed(resource)


_REFERENCES = st.tuples(
    st.sampled_from(
        ["a", "a#x", "b?c", "#x", "?q", "", " a", "a #x", "mailto:x", "http://[", "/d/", "../e#f", "x" * 20_000]
    ),
    st.sampled_from([LinkKind.LINK, LinkKind.EMBED]),
    st.sampled_from(["a", "img"]),
    st.sampled_from(["href", "src"]),
    st.sampled_from(["", "nofollow"]),
    st.sampled_from(["", "one", "two"]),
)


@given(references=st.lists(_REFERENCES, max_size=30), most=st.sampled_from([2, 100]))
def test_links_are_resolved_alike(references, most):
    """Equal ones once, counted, with the first text; what is none is told: by the extension as by Python."""
    options = Options(max_links=most)
    found = links.resolve(iter(references), Base(URL), options)
    assert found == links._resolved(references, Base(URL), options)
    assert all(isinstance(link, links.Link) for link in found.links)


def test_real_pages():
    """The sample sites are read quickly for the most part, old and broken pages as well as they can be."""
    bodies = [page.body for path, page in pages().items() if path.endswith(("/", ".html"))]
    bodies += [path.read_bytes() for path in sorted(DATA.glob("*.html"))]
    resources = [_resource(body) for body in bodies]
    assert sum(one.quick is not None for one in resources) > len(resources) / 2
    assert all(read_here(one) == _parsed(one) for one in resources)


@pytest.mark.parametrize(
    "choices", [{"forms": True}, {"max_tag_depth": 10}, {"max_tag_attributes": 10}, {"max_html_bytes": 3}]
)
def test_options_that_need_the_parser(choices):
    """Forms are read by the parser, and tight limits are its own."""
    assert _resource("<p>text", **choices).quick is None


def test_without_the_extension(monkeypatch):
    """Where it was not built, the parser reads everything."""
    monkeypatch.setattr(quick, "_READ", None)
    resource = _resource("<p>one <a href=x>two</a>")
    assert resource.quick is None
    assert not quick.available()
    assert read_here(resource).text == "one two"


def test_a_machine_without_a_compiler_is_told(tmp_path):
    """Nothing is built, nothing fails, and the remedy is named."""
    tool = tmp_path / "tools" / "native.py"
    tool.parent.mkdir()
    tool.write_bytes((ROOT / "tools" / "native.py").read_bytes())
    run = subprocess.run(
        [sys.executable, tool], env={"CC": "no-such-compiler"}, capture_output=True, text=True, check=True
    )
    assert "without the C extension" in run.stderr
    assert "apt-get install gcc" in run.stderr
