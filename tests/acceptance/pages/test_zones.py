"""Times are read in one's own zone, and which that is stands on every page."""

import re

from opilio.people.actions.users import update_user


def _zoned(town, browser, zone):
    update_user(town.system, user_id=browser.user.id, version=town.version_of(browser.user), time_zone=zone)
    return browser


def test_the_zone_stands_on_the_page(town, enter):
    """Whoever chose no zone reads times as the agency does."""
    browser = enter("curator")
    assert "Times on this page: UTC." in browser.see("/in-tray")
    _zoned(town, browser, "Asia/Kolkata")
    assert "Times on this page: Asia/Kolkata (UTC+05:30)." in browser.see("/account/sessions")


def test_times_are_those_of_the_zone(town, administrator):
    """The same moment, at another hour; pointing at it tells the UTC."""
    found = re.compile(r'<time datetime="[^T]+T(\d\d):(\d\d)[^"]*" title="[^"]+ UTC">[^<]+, (\d\d):(\d\d)</time>')
    utc, there = found.search(administrator.see("/admin/audit")), None
    assert utc is not None
    assert utc.group(1, 2) == utc.group(3, 4)
    there = found.search(_zoned(town, administrator, "Asia/Kolkata").see("/admin/audit"))
    minutes = [int(hour) * 60 + int(minute) for hour, minute in (there.group(1, 2), there.group(3, 4))]
    assert (minutes[1] - minutes[0]) % (24 * 60) == 330
