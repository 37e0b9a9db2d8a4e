"""What travels beside a page: Link and X-Robots-Tag headers, refreshes, robots' Sitemap lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.extract.link_header import link_header_references
from opilio.extract.links import LinkKind
from opilio.extract.refresh import Refresh, refresh_of
from opilio.extract.robots_tags import directives_for, header_directives
from opilio.extract.sitemap import robots_sitemaps


def test_link_headers():
    """Targets, their rel and its kind are read; commas and semicolons inside are no separators."""
    values = [
        '</a,b;c>; rel="next"; title="x, y; \\"z\\"", <style.css>;REL=stylesheet',
        "<m.json>; rel=manifest, <//cdn.example>; rel=preconnect",
        "nonsense, <x>; rel=prev",
    ]
    assert [(found.ref, found.kind, found.rel) for found in link_header_references(values)] == [
        ("/a,b;c", LinkKind.LINK, "next"),
        ("style.css", LinkKind.EMBED, "stylesheet"),
        ("m.json", LinkKind.MANIFEST, "manifest"),
    ]


@given(st.lists(st.text(alphabet='<>;,="\\ rel\tx', max_size=80), max_size=5))
def test_any_link_header_can_be_read(values):
    """Nothing is raised."""
    list(link_header_references(values))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("5", Refresh(ref="", seconds=5)),
        ("0;url=/x", Refresh(ref="/x", seconds=0)),
        (" 3 , URL = 'a b' tail", Refresh(ref="a b", seconds=3)),
        ("1.9; x.html", Refresh(ref="x.html", seconds=1)),
        ('2; url="open', Refresh(ref="open", seconds=2)),
        (".5;url=x", Refresh(ref="x", seconds=0)),
        ("5x;url=/x", None),
        ("url=/x", None),
        ("", None),
        ("99999999999999999999;url=x", Refresh(ref="x", seconds=999999999)),
    ],
)
def test_refresh(content, expected):
    """A refresh is read as a browser reads it."""
    assert refresh_of(content) == expected


def test_robots_headers():
    """Directives belong to everybody or to the agent they name."""
    given_ = header_directives(
        ["noindex, NOFOLLOW", "googlebot: none", "unavailable_after: 25 Jun 2026", "opilio: noarchive"]
    )
    assert directives_for("Googlebot", given_) == {"noindex", "nofollow", "unavailable_after: 25 jun 2026"}
    assert "noarchive" in directives_for("opilio", given_)
    assert "noarchive" not in directives_for("other", given_)


def test_sitemap_lines():
    """Each Sitemap line of a robots.txt counts once, wherever it stands."""
    lines = [
        "User-agent: *",
        "SITEMAP : http://e.example/1.xml # x",
        " sitemap:/2.xml",
        "Sitemap: /2.xml",
        "Sitemaps: /no",
    ]
    assert list(robots_sitemaps("\n".join(lines))) == ["http://e.example/1.xml", "/2.xml"]
