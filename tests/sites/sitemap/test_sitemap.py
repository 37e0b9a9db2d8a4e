"""Sitemaps named by robots.txt."""

from opilio.crawl.plan import Extract, Seed
from tests.servers.robots import Rule

PAGES = ["sitemap/", "sitemap/further.html", "sitemap/lonely.html"]


def crawled(sites, tmp_path, **parts):
    listing = sites.url("sitemap/lonely.html")
    folder = tmp_path / "pages"
    folder.mkdir(exist_ok=True)
    (folder / "map.xml").write_text(
        f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{listing}</loc></url></urlset>'
    )
    with sites.another(folder) as other:
        place = other.url("maps/map.xml")
        sites.server.set_robots("sitemap.localhost", Rule(body=f"User-agent: *\nSitemap: {place}\n"))
        return sites.crawl(Seed(url=sites.url("sitemap/"), **parts.pop("seed", {})), **parts)


def test_pages_that_only_a_sitemap_names_are_found(sites, tmp_path):
    """The sitemap that robots.txt names is read; its pages are one link from the seed."""
    found = crawled(sites, tmp_path)
    assert [url for url in found.captured if "map.xml" not in url] == PAGES
    assert found.page("sitemap/lonely.html").depth == 1


def test_a_sitemap_does_not_widen_depth(sites, tmp_path):
    """At depth 0 its pages stay out; the plan may leave sitemaps alone altogether."""
    found = crawled(sites, tmp_path, seed={"depth": 0})
    assert "sitemap/lonely.html" not in found.captured
    without = crawled(sites, tmp_path, extract=Extract(sitemaps=False))
    assert without.captured == ["sitemap/"]
