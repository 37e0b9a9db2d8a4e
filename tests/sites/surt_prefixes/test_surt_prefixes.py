"""Scope by SURT prefixes: further places that are admitted beside the seeds."""


def test_places_under_a_surt_prefix_are_admitted(again):
    """A folder of another host, and nothing else of that host."""
    sites, other = again.sites, f"other-{again.site.name}"
    away = {name: sites.url(f"{other}/{path}") for name, path in (("in", "429/silent?nth=1"), ("out", "page"))}
    again.write(index="".join(f'<a href="{url}">{name}</a>' for name, url in away.items()))
    prefix = f"localhost,{other}:{sites.server.port})/429/"
    admitted = sites.crawl(f"{again.site.name}/", scope={"surts": (prefix,)})
    assert admitted.fetched == {f"{again.site.name}/", f"{other}/429/silent?nth=1"}
    assert admitted.denied == {"scope root": 1}
    assert sites.crawl(f"{again.site.name}/").denied == {"scope root": 2}
    assert [entry.target for entry in sites.asked(other)] == ["/robots.txt", "/429/silent?nth=1"]
