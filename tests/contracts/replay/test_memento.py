"""Memento and CDX: captures by time."""

import json
import re
from datetime import timedelta

from tests.servers.replayed import NOON


def test_timegate_leads_to_the_nearest_capture(server):
    """Without a time to the last one, with one to the nearest, with nonsense to an error."""
    assert server.ask("/timegate/http://a.test/").headers["Location"] == "/20260101140000/http://a.test/"
    asked = server.ask("/timegate/http://a.test/", Accept_Datetime="Thu, 01 Jan 2026 12:50:00 GMT")
    assert (asked.status, asked.headers["Location"]) == (302, "/20260101130000/http://a.test/")
    assert asked.headers["Vary"] == "accept-datetime"
    assert 'rel="original"' in asked.headers["Link"]
    assert server.ask("/timegate/http://a.test/", Accept_Datetime="soon").status == 400
    assert server.ask("/timegate/http://a.test/unknown").status == 404


def test_timemaps_list_the_captures(server):
    """As links and as JSON, oldest first."""
    links = server.ask("/timemap/link/http://a.test/")
    assert links.headers["Content-Type"] == "application/link-format"
    assert re.findall(r'rel="([a-z ]*memento)"', links.text) == ["first memento", "memento", "last memento"]
    listed = json.loads(server.ask("/timemap/json/http://a.test/").body)
    assert [each["datetime"] for each in listed["mementos"]["list"]] == [
        (NOON + timedelta(hours=hours)).isoformat() for hours in range(3)
    ]
    assert server.ask("/timemap/xml/http://a.test/").status == 400


def test_captures_name_their_neighbours(server):
    """Each answer links to its URL, its lists, and the captures around it."""
    link = server.ask("/20260101130000/http://a.test/").headers["Link"]
    base = f"http://{server.host()}"
    assert f'<{base}/20260101120000/http://a.test/>; rel="first prev memento"' in link
    assert f'<{base}/20260101130000/http://a.test/>; rel="memento"' in link
    assert f'<{base}/20260101140000/http://a.test/>; rel="next last memento"' in link
    assert '<http://a.test/>; rel="original"' in link


def test_cdx_server_is_mounted(server):
    """Programs ask for captures in pywb's way, within the same access."""
    lines = server.ask("/cdx?url=http://a.test/").text.splitlines()
    assert [line.split()[1] for line in lines] == ["20260101120000", "20260101130000", "20260101140000"]
    assert server.ask("/cdx?url=http://a.test/hidden").body == b""
