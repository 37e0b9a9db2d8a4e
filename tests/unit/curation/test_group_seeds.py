"""The seeds of a combined harvest, and who is left out."""

import datetime

import pytest

from opilio.curation.group_harvest import combined_harvest, preview
from opilio.curation.group_seeds import GroupFacts, SeedFacts, TargetFacts, combined
from opilio.curation.models import HarvestAs, PermissionStatus, State
from opilio.people.privileges import Privilege, Scope
from tests.curation import Desk
from tests.people import Town

HOME, AWAY = 1, 2


def target(number, *urls, **fields):
    seeds = tuple(SeedFacts(id=number * 10 + place, url=url) for place, url in enumerate(urls))
    known = {"agency": HOME, "agency_name": "Library", "approved": True, "state": "Approved", "seeds": seeds}
    return TargetFacts(id=number, name=f"Target {number}", **{**known, **fields})


def group(number, *members, **fields):
    return GroupFacts(
        id=number, name=f"Group {number}", members=members, agency=HOME, **{"group_type": "Collection", **fields}
    )


def urls(found):
    return [seed.url for seed in found.seeds]


def test_all_members_give_their_seeds_however_deep():
    """Each URL once, by whoever comes first."""
    inner = group(20, target(2, "http://b.example/", "http://a.example/"))
    found = combined(group(10, target(1, "http://a.example/"), inner), agency=HOME)
    assert urls(found) == ["http://a.example/", "http://b.example/"]
    assert [seed.target for seed in found.seeds] == [1, 2]
    assert found.left_out == ()
    assert found.runs


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        (target(1, "http://a.example/", agency=AWAY, agency_name="Museum"), "Museum"),
        (target(1, "http://a.example/", approved=False, state="Nominated"), "nominated"),
        (target(1, "http://a.example/", problems=("No permission is in force.",)), "in force"),
        (target(1), "no active seed"),
        (group(2, target(1, "http://a.example/"), group_type="Sub-Group"), "sub-group"),
        (group(2, target(1, "http://a.example/"), counts=False), "days"),
    ],
)
def test_members_are_left_out_for_a_reason(member, reason):
    """And the harvest has nothing to collect without them."""
    found = combined(group(10, member), agency=HOME)
    assert urls(found) == []
    assert not found.runs
    assert [reason in one.reason for one in found.left_out] == [True]


def test_a_member_reached_twice_counts_once():
    """By two groups, or in a circle that an import brought in."""
    shared = target(1, "http://a.example/")
    found = combined(group(10, group(20, shared), group(30, shared), group(10, shared)), agency=HOME)
    assert urls(found) == ["http://a.example/"]


@pytest.fixture
def desk(db):
    return Desk(Town())


def test_rows_are_read_as_they_are_at_the_time(desk):
    """Rights, seeds, days and sub-groups of the tables."""
    ready = desk.approvable(name="Ready", state=State.APPROVED)
    desk.seed(ready, "http://www.site.example/off", active=False)
    refused = desk.target(name="Refused", state=State.APPROVED)
    permission = desk.permission("http://r.example/*", status=PermissionStatus.REJECTED)
    desk.link(desk.seed(refused, "http://r.example/"), permission)
    over = desk.group(desk.approvable(state=State.APPROVED), name="Over", end_date=datetime.date(2025, 1, 1))
    part = desk.group(desk.approvable(state=State.APPROVED), name="Part", group_type="Sub-Group")
    top = desk.group(ready, refused, over, part, harvest_as=HarvestAs.COMBINED)
    found = combined_harvest(top, agency_id=desk.town.library.id, at=desk.now)
    assert [seed.url for seed in found.seeds] == ["http://www.site.example/"]
    assert {one.name for one in found.left_out} == {"Refused", "Over", "Part"}


def test_what_is_asked_for_hides_what_one_may_not_see(desk):
    """It is counted."""
    foreign = desk.approvable(agency=desk.town.museum, state=State.APPROVED)
    top = desk.group(foreign, desk.approvable(state=State.APPROVED))
    reader = desk.town.actor(privileges={Privilege.MANAGE_GROUP: Scope.AGENCY})
    shown = preview(reader, top)
    assert (len(shown.found.seeds), shown.found.left_out, shown.hidden) == (1, (), 1)
    assert len(preview(desk.town.system, top).found.left_out) == 1
