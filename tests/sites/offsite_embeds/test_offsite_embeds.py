"""Embeds from other hosts."""

import pytest


@pytest.fixture
def start(sites, tmp_path):
    """A site with a picture and a link on another host, which has a port of its own in each run."""
    other = sites.url("srcset-and-css/plain.png"), sites.url("all-paths/a/side.html")
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "index.html").write_text(f'<title>S</title><img src="{other[0]}"><a href="{other[1]}">away</a>')
    return folder


def test_pictures_come_along_from_other_hosts_and_links_do_not(sites, start):
    """Off-site embeds are taken, off-site links are not; with the option off, neither."""
    with sites.another(start) as inside:
        with_embeds = inside.crawl("own/")
        without = inside.crawl("own/", scope={"offsite_embeds": False})
    assert len([url for url in with_embeds.fetched if url.endswith("/plain.png")]) == 1
    assert with_embeds.denied == {"scope root": 1}
    assert without.denied == {"scope embed": 1, "scope root": 1}
