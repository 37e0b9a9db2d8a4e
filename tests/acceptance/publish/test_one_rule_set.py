"""One set of rules for every door: search, replay, CDX and packages agree on who sees what."""

import datetime
from dataclasses import dataclass

import pytest

from opilio.archive.access_aclj import to_aclj
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.view import ResultView
from opilio.curation.access_writing import write_access_file
from opilio.curation.models import (
    AccessZone,
    Group,
    Harvest,
    HarvestState,
    PermissionExclusion,
    ReadingRoom,
    Takedown,
    Target,
)
from opilio.kernel.access import PUBLIC, Reader
from opilio.kernel.access_file import AccessFile, read_rules
from opilio.kernel.access_keys import checking_key
from opilio.kernel.clock import SYSTEM
from opilio.kernel.surt import surt
from opilio.search.request import Request
from opilio.works.access_home import access_place
from opilio.works.replay_access import RuledAccess
from opilio.works.replay_crawl import opened_holdings
from tests.review_desk import crawled

pytestmark = pytest.mark.only_on("sqlite")  # the same rows on either database; the files are what is tried
ROOM = Reader(address="192.0.2.7")


@dataclass(frozen=True, kw_only=True)
class Case:
    """A state of the catalogue, and who then sees the page about owls."""

    set: object  # function of (shelf, target, harvest)
    public: bool = False
    room: bool = False
    staff: bool = True
    pywb: str = "block"  # what the package says to the public


def _target(**fields):
    return lambda shelf, target, harvest: Target.objects.filter(pk=target.pk).update(**fields)


def _permission(**fields):
    def change(shelf, target, harvest):
        row = target.seeds.get().links.get().permission
        type(row).objects.filter(pk=row.pk).update(**fields)

    return change


def _harvest(**fields):
    return lambda shelf, target, harvest: Harvest.objects.filter(pk=harvest.pk).update(**fields)


def _taken(level):
    def change(shelf, target, harvest):
        Takedown(
            agency=shelf.town.library, level=level, reach="url", value=crawled().url("/owls.html"), authority="A court",
            reason="Ordered", ordered_at=shelf.desk.now, created=shelf.desk.now, updated=shelf.desk.now,
        ).save()  # fmt: skip

    return change


def _excluded(shelf, target, harvest):
    row = target.seeds.get().links.get().permission
    url = f"{crawled().url('/owls')}*"
    PermissionExclusion(permission=row, url=url, created=shelf.desk.now, updated=shelf.desk.now).save()


def _in_group(**fields):
    """In a group when it was harvested; out of it since."""

    def change(shelf, target, harvest):
        group = shelf.desk.group(**fields)
        shelf.frozen(harvest, target, [group])

    return change


CASES = {
    "open": Case(set=_target(), public=True, room=True, pywb="allow"),
    "no status": Case(set=_permission(access_status="")),
    "seats": Case(set=_permission(access_status="Limited to 3 concurrent users")),
    "by location": Case(set=_permission(access_status="Restricted by location"), room=True),
    "by person": Case(set=_permission(access_status="Restricted by person")),
    "embargoed": Case(set=_permission(access_status="Embargoed")),
    "open-access date passed": Case(
        set=_permission(access_status="Embargoed", open_access_date=datetime.date(2020, 1, 1)), public=True, room=True,
        pywb="allow",
    ),
    "open-access date to come": Case(
        set=_permission(access_status="Restricted by location", open_access_date=datetime.date(2999, 1, 1)), room=True
    ),
    "zone on site": Case(set=_target(access_zone=AccessZone.ON_SITE), room=True),
    "zone restricted": Case(set=_target(access_zone=AccessZone.RESTRICTED)),
    "days of embargo": Case(set=_target(embargo_days=365_000)),
    "days of embargo that are over": Case(set=_target(embargo_days=0), public=True, room=True, pywb="allow"),
    "target not displayed": Case(set=_target(display=False), pywb="exclude"),
    "harvest not displayed": Case(set=_harvest(display=False), pywb="exclude"),
    "group not displayed": Case(set=_in_group(display=False), pywb="exclude"),
    "group on site": Case(set=_in_group(access_zone=AccessZone.ON_SITE), room=True),
    "group under embargo": Case(set=_in_group(embargo_days=365_000)),
    "group that says nothing": Case(set=_in_group(), public=True, room=True, pywb="allow"),
    "no more endorsed": Case(set=_harvest(state=HarvestState.HARVESTED), pywb="exclude"),
    "rejected": Case(set=_harvest(state=HarvestState.REJECTED), pywb="exclude"),
    "archived": Case(set=_harvest(state=HarvestState.ARCHIVED), public=True, room=True, pywb="allow"),
    "excluded": Case(set=_excluded, pywb="exclude"),
    "hidden": Case(set=_taken("hide"), pywb="exclude"),
    "blocked": Case(set=_taken("block"), staff=False),
    "destroyed": Case(set=_taken("destroy"), staff=False),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_every_door_decides_alike(shelf, name):
    """What the catalogue says counts at search, replay, CDX and in packages, for the public, a room and staff."""
    case = CASES[name]
    target = shelf.target()
    harvest = shelf.endorsed(target)
    ReadingRoom(
        agency=shelf.town.library, name="Hall", networks="192.0.2.0/24", created=shelf.desk.now, updated=shelf.desk.now
    ).save()
    assert shelf.published().failure == ""
    case.set(shelf, target, harvest)
    write_access_file(shelf.settings.OPILIO, SYSTEM.now())
    staff = Reader(staff_of=frozenset({str(shelf.town.library.id)}))
    expected = {"public": case.public, "room": case.room, "staff": case.staff}
    readers = {"public": PUBLIC, "room": ROOM, "staff": staff}
    doors = Doors(shelf, harvest)
    for door in (doors.search, doors.replay, doors.cdx):
        assert {who: door(reader) for who, reader in readers.items()} == expected, door.__name__
    assert doors.package() == case.pywb


def test_rooms_of_one_agency_are_not_those_of_another(shelf):
    """What one agency shows on site is not shown in the rooms of others."""
    target = shelf.target(access_status="Restricted by location")
    harvest = shelf.endorsed(target)
    for agency, network in ((shelf.town.library, "198.51.100.0/24"), (shelf.town.museum, "192.0.2.0/24")):
        ReadingRoom(agency=agency, name="Hall", networks=network, created=shelf.desk.now, updated=shelf.desk.now).save()
    shelf.published()
    doors = Doors(shelf, harvest)
    assert not doors.search(ROOM)
    assert doors.search(Reader(address="198.51.100.1"))
    ReadingRoom.objects.filter(agency=shelf.town.library).update(active=False)
    write_access_file(shelf.settings.OPILIO, SYSTEM.now())
    assert not doors.replay(Reader(address="198.51.100.1"))


def test_what_was_harvested_together_keeps_to_every_member(shelf):
    """A harvest of a group has the rules of all targets that were in it."""
    first, second = shelf.target(), shelf.target()
    group = shelf.desk.group(first, second)
    harvest = shelf.endorsed(Group.objects.get(pk=group.pk))
    shelf.frozen(harvest, group, [], members=[first, second])
    assert shelf.published().failure == ""
    doors = Doors(shelf, harvest)
    assert doors.search(PUBLIC)
    assert doors.replay(PUBLIC)
    Target.objects.filter(pk=second.pk).update(display=False)
    write_access_file(shelf.settings.OPILIO, SYSTEM.now())
    assert not Doors(shelf, harvest).search(PUBLIC)
    assert not Doors(shelf, harvest).replay(PUBLIC)


def test_statements_travel(shelf):
    """Copyright and special requirements stand in the banner of replay and beside the hit."""
    said = {
        "copyright_statement": "© A publisher", "copyright_url": "www.site.example/terms",
        "special_requirements": "Name us.",
    }  # fmt: skip
    harvest = shelf.endorsed(shelf.target(**said))
    shelf.published()
    hit = shelf.search.ask(Request(query="hunt night"), PUBLIC).hits[0]
    assert hit.copyright == "© A publisher www.site.example/terms · Name us."
    decision = Doors(shelf, harvest).decision(PUBLIC)
    assert [(one.text, one.requirements) for one in decision.statements] == [
        ("© A publisher www.site.example/terms", "Name us.")
    ]


class Doors:
    """The page about owls, asked for at each door."""

    def __init__(self, shelf, harvest):
        self.shelf, self.harvest = shelf, harvest
        self.folder = shelf.home / "harvests" / str(harvest.pk)
        self.url = crawled().url("/owls.html")
        place = access_place(shelf.settings.OPILIO)
        self.key, self.file = checking_key(place.public_key), place.rules

    def search(self, reader):
        """Whether it is found, and suggested."""
        self.shelf.fresh()
        hits = self.shelf.search.ask(Request(query="hunt night"), reader).hits
        return self.url in {hit.url for hit in hits}

    def replay(self, reader):
        """Whether replay shows it."""
        return self.decision(reader).allowed

    def cdx(self, reader):
        """Whether it is listed, or told to be closed rather than shown."""
        access = self._access(reader)
        with opened_holdings(self.folder, access=access) as holdings:
            rows = list(holdings[1].source.index.exact(self.url))
            return bool(rows) and all(access(row.url, row.at).allowed for row in rows)

    def decision(self, reader):
        """What replay decides about the capture."""
        with ResultView(ResultsFolder(self.folder), 1) as view:
            captured = next(one for one in view.resources() if one.url == self.url).at
        at = datetime.datetime.fromtimestamp(captured, datetime.UTC)
        return self._access(reader)(self.url, at)

    def package(self):
        """What the rules of a pywb collection say to the public."""
        rules = read_rules(self.file, self.key).rules
        made = to_aclj(rules, now=SYSTEM.now(), **self._whose())
        key = surt(self.url)
        for line in made.lines:
            found, _, said = line.partition(" - ")
            if '"user"' not in said and (found == f"{key}###" or key.startswith(found)):
                return said.split('"')[3]
        return made.default

    def _access(self, reader):
        file = AccessFile(self.file, self.key, clock=SYSTEM)
        return RuledAccess(file, reader=reader, clock=SYSTEM, **self._whose())

    def _whose(self):
        row = self.harvest
        return {"agency": str(row.agency_id), "target": str(row.abstract_target_id), "harvest": str(row.pk)}
