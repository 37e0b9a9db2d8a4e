"""What one parse of an HTML page gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.extract import LinkKind, Meta, Options, extract
from opilio.extract.links import MAX_SAMPLES
from opilio.kernel.errors import BadUrl
from opilio.works.sample import expected, pages
from tests.unit.extract.pages import URL, html, urls


def test_head():
    """Title, meta tags, language, canonical URL and headings are read."""
    found = html(
        """<!doctype html><html lang="de-AT"><head><title> Salt
        and  rope </title><meta name="Description" content="Nets"><meta property="og:title" content="S">
        <meta http-equiv="X-Odd" content="1"><meta itemprop="name" content="N"><meta name="empty"><meta charset="utf-8">
        <link rel="canonical" href="/salt"></head><body><h1>Salt</h1><h3>Of <em>ropes</em></h3></body></html>"""
    )
    assert found.title == "Salt and rope"
    assert found.metas == (
        Meta("description", "Nets", "name"),
        Meta("og:title", "S", "property"),
        Meta("x-odd", "1", "http-equiv"),
        Meta("name", "N", "itemprop"),
    )
    assert (found.language, found.language_source) == ("de-AT", "html")
    assert found.canonical == "http://example.org/salt"
    assert [tuple(heading) for heading in found.headings] == [(1, "Salt"), (3, "Of ropes")]


def test_the_title_of_a_drawing_is_not_the_title_of_the_page():
    """A title inside svg is passed over."""
    assert html("<svg><title>Icon</title></svg><title>Page</title>").title == "Page"


@pytest.mark.parametrize(
    ("markup", "kind", "expected"),
    [
        ("<a href=a.html>x</a>", LinkKind.LINK, ["/dir/a.html"]),
        ("<map><area href=/b alt=B></map>", LinkKind.LINK, ["/b"]),
        ("<link rel=next href=2>", LinkKind.LINK, ["/dir/2"]),
        ("<link rel='Shortcut ICON' href=/i.ico>", LinkKind.EMBED, ["/i.ico"]),
        ("<link rel=stylesheet href=/s.css>", LinkKind.EMBED, ["/s.css"]),
        ("<link rel=preload as=image imagesrcset='/1.png 1x, /2.png 2x'>", LinkKind.EMBED, ["/1.png", "/2.png"]),
        ("<link rel=manifest href=/m.json>", LinkKind.MANIFEST, ["/m.json"]),
        ("<link rel=preconnect href=//cdn.example><link rel='dns-prefetch' href=//x.example>", None, []),
        ("<img src=i.png srcset='a.png 1x,b.png 2x' lowsrc=l.png>", LinkKind.EMBED,
         ["/dir/i.png", "/dir/l.png", "/dir/a.png", "/dir/b.png"]),
        ("<img data-src=/late.png>", LinkKind.SPECULATIVE, ["/late.png"]),
        ("<picture><source srcset='/w.webp 100w, /v.webp 200w'><img src=/p.png></picture>", LinkKind.EMBED,
         ["/w.webp", "/v.webp", "/p.png"]),
        ("<video src=/v.mp4 poster=/p.jpg><source src=/w.mp4><track src=/t.vtt></video>", LinkKind.EMBED,
         ["/v.mp4", "/p.jpg", "/w.mp4", "/t.vtt"]),
        ("<audio src=/a.ogg></audio>", LinkKind.EMBED, ["/a.ogg"]),
        ("<iframe src=/f.html>x</iframe>", LinkKind.EMBED, ["/f.html"]),
        ("<frameset><frame src=/l.html><frame src=/r.html></frameset>", LinkKind.EMBED, ["/l.html", "/r.html"]),
        ("<object data=/o.swf></object><embed src=/e.swf>", LinkKind.EMBED, ["/o.swf", "/e.swf"]),
        ("<input type=image src=/go.png><input type=text src=/no.png>", LinkKind.EMBED, ["/go.png"]),
        ("<script src=/s.js></script>", LinkKind.EMBED, ["/s.js"]),
        ("<body background=/b.png><table><tr><td background=/c.png>", LinkKind.EMBED, ["/b.png", "/c.png"]),
        ("<style>@import 'i.css'; a{background:url(/u.png)}</style>", LinkKind.EMBED, ["/dir/i.css", "/u.png"]),
        ("<p style='background:url(&quot;/q.png&quot;)'>", LinkKind.EMBED, ["/q.png"]),
        ("<svg><use href='/s.svg#a'/><image xlink:href=/i.svg /><use href='#own'/></svg>", LinkKind.EMBED,
         ["/s.svg", "/i.svg"]),
        ("<svg><a xlink:href=/in-svg><text>t</text></a></svg>", LinkKind.LINK, ["/in-svg"]),
        ("<meta http-equiv=Refresh content='3; URL=\"next.html\"'>", LinkKind.REDIRECT, ["/dir/next.html"]),
        ("<template><a href=/maybe>x</a></template>", LinkKind.SPECULATIVE, ["/maybe"]),
        ("<template><template><img src=/deep.png></template></template>", LinkKind.SPECULATIVE, ["/deep.png"]),
        ("<div><template shadowrootmode=open><a href=/shown>x</a></template></div>", LinkKind.LINK, ["/shown"]),
        ("<iframe srcdoc='<a href=/inner>x</a>'></iframe>", LinkKind.LINK, ["/inner"]),
        ("<frameset><frame src=/f><noframes><a href=/old>x</a></noframes></frameset>", LinkKind.LINK, ["/old"]),
        ("<noscript><img src=/without.png></noscript>", LinkKind.EMBED, ["/without.png"]),
    ],
)  # fmt: skip
def test_links(markup, kind, expected):
    """Each element that refers to something gives its links, with their kind."""
    assert sorted(urls(html(markup), kind)) == sorted(expected)


def test_json_ld():
    """JSON-LD gives pages and pictures, never the vocabulary."""
    found = html(
        """<script type="application/ld+json">{"@context": "https://schema.org", "@type": "NewsArticle",
        "url": "/news/1", "image": ["/1.png", {"url": "/2.png"}], "mainEntityOfPage": {"@id": "http://example.org/id"},
        "publisher": {"sameAs": "http://elsewhere.example/"}}</script>"""
    )
    assert urls(found, LinkKind.LINK) == ["/news/1", "/2.png"]
    assert urls(found, LinkKind.EMBED) == ["/1.png"]
    assert urls(found, LinkKind.SPECULATIVE) == ["/id"]


def test_base_counts_for_links_before_it():
    """The first usable base element is the base of all references; the anchors inside it lead there."""
    found = html("<a href=x>1</a><base target=_top><base href=/c/><base href=/d/><a href=y>2</a><a href='#z'>3</a>")
    assert urls(found) == ["/c/x", "/c/y", "/c/"]


@pytest.mark.parametrize("written", ["http://[", "data:text/html,x", "javascript:1", "mailto:a@b.example"])
def test_an_unusable_base_counts_for_nothing(written):
    """References stay relative to the page."""
    assert urls(html(f"<base href='{written}'><a href=x>1</a>")) == ["/dir/x"]


def test_anchor_text_and_rel():
    """A link carries its text, or what stands for it, and its rel; the same link twice is one."""
    found = html(
        "<a href=/1 rel='NoFollow UGC'> One\n <b>and</b> half</a><a href=/2><img src=/i.png alt='A boat'></a>"
        "<a href=/3 title=Third></a><a href=/4></a><a href=/4>Four</a><a href=/4>Quatre</a>"
    )
    links = [link for link in found.links if link.kind is LinkKind.LINK]
    assert [(link.rel, link.text) for link in links] == [
        ("nofollow ugc", "One and half"),
        ("", "A boat"),
        ("", "Third"),
        ("", "Four"),
    ]
    assert [link.times for link in links] == [1, 1, 1, 3]


def test_malformed_links_are_counted():
    """What is no URL is counted with samples; other schemes are counted by name; neither stops anything."""
    bad = "".join(f"<a href='http://[{n}'>x</a>" for n in range(MAX_SAMPLES + 5))
    found = html(bad + "<a href='mailto:a@b.example'>m</a><a href='JavaScript:x'>j</a><a href=/fine>f</a>")
    assert found.malformed == MAX_SAMPLES + 5
    assert found.malformed_samples[0] == "http://[0"
    assert len(found.malformed_samples) == MAX_SAMPLES
    assert found.schemes == {"mailto": 1, "javascript": 1}
    assert urls(found) == ["/fine"]


def test_too_many_links_are_noted():
    """Links above the limit are counted in a note."""
    found = html("".join(f"<a href=/{n}>x</a>" for n in range(12)), max_links=10)
    assert len(found.links) == 10
    assert found.notes == ("2 links above the limit of the page were left out.",)


def test_visible_text():
    """Blocks are lines, inline markup joins, scripts and the like are left out."""
    found = html(
        "<title>no</title><p>J<b>ohn</b> and <i>Doe</i></p>tail<div>one<br>two</div><ul><li>a<li>b</ul>"
        "<script>var no = '<p>no</p>'</script><style>no{}</style><textarea>no</textarea><template>no</template>"
        "<table><tr><td>1</td><td>2</td></tr></table><!-- no -->end"
    )
    assert found.text.split("\n") == ["John and Doe", "tail", "one", "two", "a", "b", "1", "2", "end"]


def test_boilerplate_is_marked_not_lost():
    """Navigation, footers and menus are told apart; an article's own header is not."""
    found = html(
        "<header>Site</header><nav><a href=/1>Home</a></nav><article><header><h1>Tides</h1></header><p>They rise.</p>"
        "</article><ul><li><a href=/2>Two</a><li><a href=/3>Three</a><li><a href=/4>Four</a></ul>"
        "<div role=search>Find</div><footer>Imprint</footer>"
    )
    assert found.main_text == "Tides\nThey rise."
    for word in ("Site", "Home", "Three", "Find", "Imprint"):
        assert word in found.text
    assert html("<nav>Home</nav><p>x", mark_boilerplate=False).boilerplate == ()


def test_a_jump_to_the_content_is_no_content():
    """A link to a place of the page that stands before any heading is navigation; one behind it is not."""
    found = html("<a href=#main>Skip to the content</a><main id=main><h1>Owls</h1><p>See <a href=#x>below</a>.</main>")
    assert found.main_text == "Owls\nSee below."
    assert "Skip to the content" in found.text


def test_a_list_of_prose_is_no_menu():
    """Lists that hold links among words stay in the main text."""
    items = "".join(f"<li>A long sentence about item {n}, with <a href=/{n}>a link</a> in it." for n in range(5))
    assert "item 3" in html(f"<ul>{items}</ul>").main_text


def test_text_above_the_limit_is_cut():
    """The cut is noted."""
    found = html("<p>abcdef</p><nav>x</nav>", max_text=4)
    assert (found.text, found.boilerplate) == ("abcd", ())
    assert found.notes == ("The text was longer than the limit and is cut.",)


def test_robots_directives():
    """Directives are kept by agent; `none` means both."""
    found = html(
        "<meta name=ROBOTS content='NoIndex, follow'><meta name=googlebot content=none>"
        "<meta name=robots content=noarchive><meta name=viewport content=noindex>"
    )
    assert found.robots == {
        "robots": frozenset({"noindex", "follow", "noarchive"}),
        "googlebot": frozenset({"noindex", "nofollow"}),
    }


def test_forms_only_when_asked():
    """GET forms with few choices become links by option; others never do."""
    markup = (
        "<form action=/s><select name=y><option>1</option><option value=2>two</option></select>"
        "<input type=hidden name=h value='a b'><input type=checkbox name=c><input type=submit name=go></form>"
        "<form action=/typed><input name=q></form><form action=/p method=post><input type=hidden name=a></form>"
        "<form action=/many><select name=a>" + "<option>x" * 99 + "</select></form>"
    )
    assert urls(html(markup)) == []
    found = urls(html(markup, forms=True), LinkKind.FORM)
    assert found == ["/s?y=1&h=a+b", "/s?y=1&h=a+b&c=on", "/s?y=2&h=a+b", "/s?y=2&h=a+b&c=on"]


def test_script_strings_only_when_asked():
    """Strings that look like URLs are speculative links, by option."""
    markup = (
        "<script>go('/api/list?x=1'); s = \"https:\\/\\/cdn.example/a.js\"; t = 'words only', u = 'img/x.png'</script>"
    )
    assert urls(html(markup)) == []
    found = html(markup, script_strings=True)
    assert urls(found, LinkKind.SPECULATIVE) == ["/api/list?x=1", "https://cdn.example/a.js", "/dir/img/x.png"]


def test_a_password_field_is_noticed():
    """Pages that ask for a password say so."""
    assert html("<form><input type=PassWord></form>").asks_password
    assert not html("<form><input type=text></form>").asks_password


def test_svg_is_a_picture_with_links():
    """An SVG file keeps its type and gives its links."""
    found = extract(
        b"<svg xmlns='x'><a href='/in'><image href='i.png'/></a></svg>", url=URL, content_type="image/svg+xml"
    )
    assert found.page_type.word == "image"
    assert urls(found) == ["/in", "/dir/i.png"]


@pytest.mark.parametrize(
    "body", [b"", b" ", b"\x00" * 50, b"<", b"</", b"<a", b"<a href", b"<!--", b"\xff\xfe", b"<frameset>"]
)
def test_fragments(body):
    """Cut and empty pages give an extraction."""
    assert extract(body, url=URL, content_type="text/html").page_type.word in ("html", "text")


def test_a_bad_url_of_the_page_is_an_error():
    """The page's own URL must be one; that is the caller's mistake."""
    with pytest.raises(BadUrl):
        extract(b"<a href=x>", url="nowhere", content_type="text/html")


_PIECES = st.sampled_from(
    [
        "<a href=", "<base href=", "<img srcset='", "<style>", "</style>", "<template>", "</template>", "<svg>",
        "<title>", "<script type=application/ld+json>{", "</script>", "<meta http-equiv=refresh content=",
        "<form action=/x>", "<select name=a><option>", "<table><td>", "<iframe srcdoc='", "'", '"', ">", "<", "&#0;",
        "\x00", "http://[", "x" * 50, "<nav>", "<ul><li>", "style='a:url(", ")", "<plaintext>", "<frameset>", "<!--",
        "-->", "<h1>", "💡", "\r\n", "<math><mi>", "<select>", "</p>", "</br>",
    ]
)  # fmt: skip


@given(st.lists(st.one_of(_PIECES, st.text(max_size=20)), max_size=30))
def test_any_markup_gives_an_extraction(pieces):
    """Whatever the markup, nothing is raised, spans lie in the text, and links are canonical and fetchable."""
    found = html("".join(pieces).encode("utf-8", "replace"), forms=True, script_strings=True)
    assert all(link.url.startswith(("http://", "https://")) for link in found.links)
    assert all(0 <= start < end <= len(found.text) for start, end in found.boilerplate)
    assert found.unparsable == ""


@given(
    st.binary(max_size=300), st.sampled_from(["text/html", "text/html; charset=utf-16", "text/html;charset=gbk", ""])
)
def test_any_bytes_give_an_extraction(body, content_type):
    """Bytes that are no page at all are read without an error."""
    assert extract(body, url=URL, content_type=content_type).extension


def test_the_sample_site():
    """Following what is extracted from the sample site's pages finds all its pages and files."""
    site = pages()
    reached, waiting = set(), ["/"]
    while waiting:
        path = waiting.pop()
        if path in reached or path not in site:
            continue
        reached.add(path)
        answer = site[path]
        headers = {name.lower(): value for name, value in dict(answer.headers).items()}
        found = extract(answer.body, url=f"http://example.org{path}", content_type=headers.get("content-type", ""))
        waiting += urls(found)
        waiting += [headers["location"].removeprefix("http://example.org")] if "location" in headers else []
    assert reached >= expected.PAGES
    assert reached >= expected.FILES
    assert not reached & expected.ONLY_IN_SITEMAP


def test_options_are_values():
    """An option of the wrong kind cannot slip in by name."""
    with pytest.raises(TypeError):
        Options(no_such=True)
