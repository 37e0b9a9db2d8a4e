"""The search box over much: seeds and harvests are found, and the page asks the database a bounded number of times."""

import datetime
import html

from opilio.people.privileges import Privilege, Scope

_READER = {Privilege.MODIFY_TARGET: Scope.AGENCY, Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY}


def test_harvests_are_found_by_the_name_of_what_they_harvest(enter, desk, town):
    """Every word must be in it; the first ten by time are shown, and only those of one's agencies."""
    curator = enter("curator", privileges=_READER)
    named = desk.target(name="River and harbour")
    for day in range(12):
        desk.harvest(named, scheduled_at=desk.now + datetime.timedelta(days=day))
    for number in range(12):
        desk.target(name=f"River without harvests {number}")
    abroad = desk.harvest(desk.target(name="River abroad", agency=town.museum))
    desk.harvest(desk.target(name="Harbour"))
    text = html.unescape(curator.see("/search", q="harbour river"))
    assert text.count('href="/harvests/') == 10 + text.count('href="/harvests/"')
    assert f'href="/harvests/{abroad.pk}"' not in html.unescape(curator.see("/search", q="river abroad"))


def test_seeds_are_found_with_their_target(enter, desk):
    """The name of the target stands beside the URL."""
    curator = enter("curator", privileges=_READER)
    desk.target(name="Port authority", seeds=["http://www.quay.example/"])
    text = curator.see("/search", q="quay")
    assert "http://www.quay.example/" in text
    assert "Port authority" in text


def test_the_search_asks_little(administrator, desk, django_assert_max_num_queries):
    """With hits of every kind that is made here."""
    desk.harvest(desk.target(name="river", seeds=["http://river.example/"]))
    desk.group(name="river")
    desk.permission("http://river.example/*", display_name="river")
    administrator.see("/search", q="river")
    with django_assert_max_num_queries(15):
        administrator.see("/search", q="river")
    administrator.see("/targets")
    with django_assert_max_num_queries(13):
        administrator.see("/targets")
