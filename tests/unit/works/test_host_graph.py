"""Hosts that link hosts: counted from the links of a result, and drawn."""

import pytest

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.manifest import sha256_of, write_manifest
from opilio.archive.results.packing import pack_links
from opilio.archive.results.values import Head, Resource, ResultHost
from opilio.archive.results.writer import ResultWriter
from opilio.kernel.capture import Hop
from opilio.kernel.page_links import PageLink
from opilio.kernel.urls import url_hash64
from opilio.works.host_graph import drawn, host_graph, is_counted

URLS = ("http://a.example/", "http://a.example/x", "http://b.example/")


@pytest.fixture
def results(tmp_path):
    found = ResultsFolder(tmp_path)
    with ResultWriter(found.file(1)) as writer:
        writer.hosts([ResultHost(id=0, name="a.example"), ResultHost(id=1, name="b.example")])
        writer.resources(
            Resource(id=n, key=(n // 2, url_hash64(url)), url=url, seed=0, outcome="fetched", type="html")
            for n, url in enumerate(URLS)
        )
        targets = {0: (URLS[1], URLS[2], "http://out.example/<b>"), 1: (URLS[2],), 2: ("mailto:x@b.example",)}
        writer.links((n, pack_links(PageLink(Hop.LINK, "a", url) for url in urls)) for n, urls in targets.items())
        writer.arrange()
        writer.finish(Head(number=1, sealed="2026-01-01T00:00:00+00:00", software="Opilio", plan="{}"))
    write_manifest(found.manifest(1), {"results/result-1.db": sha256_of(found.file(1))})
    return found


def test_links_between_hosts_are_counted(results):
    """Those within a host are not; what is outside of the result is told apart."""
    graph = host_graph(results, 1)
    assert [(one.source, one.target, one.links) for one in graph.links] == [
        ("a.example", "b.example", 2), ("a.example", "out.example", 1),
    ]  # fmt: skip
    assert (graph.inside, graph.hosts, graph.whole) == (frozenset({"a.example", "b.example"}), 2, True)
    assert is_counted(results, 1)


def test_a_kept_graph_that_cannot_be_read_is_counted_again(results):
    """It is never believed."""
    host_graph(results, 1)
    (results.path / "result-1.hosts.tree.db").write_bytes(b"rubbish")
    assert not is_counted(results, 1)
    assert len(host_graph(results, 1).links) == 2


def test_the_picture_names_every_host(results):
    """Also for those who cannot see it."""
    picture = drawn(host_graph(results, 1))
    assert picture.count("<circle") == 3
    assert "a.example to b.example: 2" in picture
