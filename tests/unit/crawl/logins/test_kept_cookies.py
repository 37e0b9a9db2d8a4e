"""Cookies of logins in the crawl store: apart from each other and from those of other pages."""

import json

import pytest

from opilio.crawl.engine.host_state import HostState, jar_from
from opilio.crawl.fetch.cookies import CookieJar
from opilio.crawl.frontier.values import Host
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import Damaged

URL = "https://a.org/"


def state():
    return HostState(host=Host(id=1, name="a.org"), jar=CookieJar())


def test_cookies_of_a_login_come_back_as_such():
    """And those of an earlier life are kept while nobody asks for them."""
    first = state()
    first.jar.receive(URL, ["plain=1"])
    first.session_jars["granary"] = CookieJar()
    first.session_jars["granary"].receive(URL, ["sid=2"])
    kept = first.cookies()
    assert first.cookies() is None
    second = state()
    second.take_cookies(kept, SYSTEM)
    assert second.jar.header(URL) == "plain=1"
    assert second.session_jars["granary"].header(URL) == "sid=2"
    assert list(jar_from(kept, SYSTEM)) == list(second.jar)
    second.jar.receive(URL, ["plain=3"])
    assert json.loads(second.cookies())["sessions"]["granary"][0]["value"] == "2"


def test_without_logins_the_form_is_the_plain_one():
    """As stores of earlier versions have it."""
    first = state()
    first.jar.receive(URL, ["plain=1"])
    assert isinstance(json.loads(first.cookies()), list)


@pytest.mark.parametrize("kept", [b"{", b"7", b'{"own": 1}', b'{"own": [], "sessions": []}', b'{"sessions": {"a": 1}}'])
def test_damage_is_told(kept):
    """With the place and the remedy."""
    with pytest.raises(Damaged):
        state().take_cookies(kept, SYSTEM)
