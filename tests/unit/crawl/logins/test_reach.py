"""Where a credential may be sent."""

import pytest

from opilio.crawl.logins.reach import Reach


@pytest.mark.parametrize(
    ("reach", "url", "told"),
    [
        (Reach(hosts=("a.org",)), "https://a.org/", ""),
        (Reach(hosts=("a.org",)), "https://A.org/", ""),
        (Reach(hosts=("a.org",)), "https://b.a.org/", "it is not for b.a.org"),
        (Reach(hosts=("a.org",)), "https://a.org:8443/", "it is not for a.org:8443"),
        (Reach(hosts=("a.org:8443",)), "https://a.org:8443/", ""),
        (Reach(hosts=("[::1]:80",), https_only=False), "http://[::1]/", ""),
        (Reach(hosts=("a.org",)), "http://a.org/", "it is for https only"),
        (Reach(hosts=("a.org",), https_only=False), "http://a.org/", ""),
        (Reach(domain="a.org"), "https://x.y.a.org/", ""),
        (Reach(domain="a.org"), "https://a.org/", ""),
        (Reach(domain="a.org"), "https://nota.org/", "it is not for nota.org"),
        (Reach(domain="a.org"), "https://a.org.evil.example/", "it is not for a.org.evil.example"),
        (Reach(hosts=("a.org",)), "https://a.org@evil.example/", "it is not for evil.example"),
        (Reach(hosts=("a.org",), path="/m/"), "https://a.org/m/1", ""),
        (Reach(hosts=("a.org",), path="/m/"), "https://a.org/x", "it is only for what lies below /m/"),
    ],
)
def test_host_port_scheme_and_path_must_fit(reach, url, told):
    """Each refusal says why."""
    assert reach.refusal(url) == told
    assert reach.admits(url) == (not told)
