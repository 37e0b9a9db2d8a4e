"""A large catalogue of curation for its benchmark, written in bulk."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection

from benchmarks.pages_data import fill as fill_people
from benchmarks.pages_data import insert, numbers
from opilio.kernel.clock import SYSTEM
from opilio.people.queries.homes import agency_names

Row = dict[str, object]
_STATES = (1, 3, 5, 5, 5, 7)
_MEMBERS = 50  # of a group
_CRONS = ("0 0 21 ? * MON *", "0 30 6 1 * ?", "15 10 * * 2", "0 0 3 * * ?")


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """How much there is of everything."""

    targets: int
    seeds: int
    permissions: int
    audit: int


def fill(sizes: Sizes, *, password: str) -> None:
    """Agencies, an administrator, audit entries, and what the sizes say."""
    fill_people(users=max(20, sizes.targets // 100), audit=sizes.audit, password=password)
    fill_curation(sizes)


def fill_curation(sizes: Sizes) -> None:
    """Only what belongs to curation, for agencies and users that are there."""
    desk = _Desk(sizes)
    for table, rows in desk.tables():
        insert(table, rows)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


class _Desk:
    """Makes rows that refer to each other; identifiers are drawn once."""

    def __init__(self, sizes: Sizes) -> None:
        self.now = SYSTEM.now()
        self.meta: Row = {"deleted": False, "dirty": False, "created": self.now, "updated": self.now, "version": 1}
        self.agencies = [number for number, _ in agency_names()]
        self.users = self._users()
        general = numbers("General")
        self.targets = [next(general) for _ in range(sizes.targets)]
        self.seeds = [next(general) for _ in range(sizes.seeds)]
        self.groups = [next(general) for _ in range(max(1, sizes.targets // _MEMBERS))]
        self.schedules = [next(general) for _ in range(sizes.targets)]
        self.sites, self.agents, self.permissions, self.patterns = (
            [identifier for _, identifier in zip(range(sizes.permissions), numbers(kind), strict=False)]
            for kind in ("Authorisation", "AuthorisingAgent", "Permission", "UrlPattern")
        )

    def tables(self) -> Iterator[tuple[str, Iterator[Row]]]:
        """The tables in the order in which they may be written."""
        yield "abstract_target", self._abstract()
        yield "target", (self._target(identifier) for identifier in self.targets)
        yield "target_group", (self._group(identifier) for identifier in self.groups)
        yield "group_member", self._members()
        yield "seed", self._seeds()
        yield "authorising_agent", self._agents()
        yield "authorisation", self._authorisations()
        yield "url_pattern", self._patterns()
        yield "permission", self._permissions()
        yield "permission_pattern", self._covered("PermissionPattern")
        yield "url_permission_mapping", self._mapped()
        yield "seed_permission", self._links()
        yield "schedule", self._schedules()

    def _users(self) -> dict[int, int]:
        """For each agency, one user in it."""
        with connection.cursor() as cursor:
            cursor.execute('SELECT agency_id, MIN(id) FROM "user" GROUP BY agency_id')
            found = dict(cursor.fetchall())
        self.agencies = [agency for agency in self.agencies if agency in found]
        return found

    def _agency(self, number: int) -> int:
        return self.agencies[number % len(self.agencies)]

    def _abstract(self) -> Iterator[Row]:
        for kind, identifiers in ((1, self.targets), (0, self.groups)):
            for number, identifier in enumerate(identifiers):
                agency, word = self._agency(number), "Target" if kind else "Group"
                yield self.meta | {
                    "id": identifier, "object_type": kind, "name": f"{word} {number:06d} river",
                    "description": "A site about rivers.", "reference": f"R{number}", "owner_id": self.users[agency],
                    "agency_id": agency, "state": _STATES[number % len(_STATES)] if kind else 9,
                    "state_since": self.now, "profile_note": "", "access_zone": number % 3, "display": True,
                    "display_note": "", "display_change_reason": "", "follow_reference": False, "prune_again": True,
                }  # fmt: skip

    def _target(self, identifier: int) -> Row:
        return {
            "abstracttarget_ptr_id": identifier, "run_on_approval": False, "evaluation_note": "", "selection_note": "",
            "selection_type": "regular", "harvest_type": "subject", "rejection_note": "", "request_to_archivists": "",
            "allow_early_start": False, "assigned_note": "",
        }  # fmt: skip

    def _group(self, identifier: int) -> Row:
        return {"abstracttarget_ptr_id": identifier, "harvest_as": 2, "ownership_metadata": "", "group_type": "Subject"}

    def _members(self) -> Iterator[Row]:
        for (number, target), identifier in zip(enumerate(self.targets), numbers("GroupMember"), strict=False):
            parent = self.groups[number // _MEMBERS % len(self.groups)]
            yield {"id": identifier, "parent_id": parent, "child_id": target, "at": self.now}

    def _seeds(self) -> Iterator[Row]:
        for number, identifier in enumerate(self.seeds):
            host = f"www{number % len(self.targets)}.site{number % 5_000}.example"
            yield self.meta | {
                "id": identifier, "target_id": self.targets[number % len(self.targets)], "url": f"http://{host}/{number}",
                "host": host, "primary": number < len(self.targets), "active": True, "root": "", "append": "",
                "position": number // len(self.targets),
            }  # fmt: skip

    def _agents(self) -> Iterator[Row]:
        for number, identifier in enumerate(self.agents):
            yield self.meta | {
                "id": identifier, "agency_id": self._agency(number), "name": f"Publisher {number:06d}",
                "description": "", "contact": "", "address": "", "email": f"rights{number}@site.example", "phone": "",
            }  # fmt: skip

    def _authorisations(self) -> Iterator[Row]:
        for number, identifier in enumerate(self.sites):
            yield self.meta | {
                "id": identifier, "agency_id": self._agency(number), "title": f"Authorisation {number:06d}",
                "description": "", "order_number": f"O{number}", "notes": "", "published": True, "active": True,
            }  # fmt: skip

    def _patterns(self) -> Iterator[Row]:
        for number, identifier in enumerate(self.patterns):
            pattern = f"http://*.site{number % 5_000}.example/*"
            yield self.meta | {"id": identifier, "authorisation_id": self.sites[number], "pattern": pattern}

    def _permissions(self) -> Iterator[Row]:
        start = self.now.date() - datetime.timedelta(days=400)
        for number, identifier in enumerate(self.permissions):
            yield self.meta | {
                "id": identifier, "authorisation_id": self.sites[number], "agent_id": self.agents[number],
                "agency_id": self._agency(number), "status": (2, 2, 2, 1, 0)[number % 5], "start_date": start,
                "end_date": start + datetime.timedelta(days=500 + number % 1_000), "access_status": "",
                "available": True, "approved_flag": False, "copyright_statement": "", "copyright_url": "",
                "special_requirements": "", "response": "", "notes": "", "file_reference": f"F{number}",
                "quick_pick": number % 1_000 == 0, "display_name": "", "reminders": 0,
            }  # fmt: skip

    def _covered(self, kind: str) -> Iterator[Row]:
        pairs = zip(self.permissions, self.patterns, numbers(kind), strict=False)
        for permission, pattern, identifier in pairs:
            yield {"id": identifier, "permission_id": permission, "pattern_id": pattern}

    def _mapped(self) -> Iterator[Row]:
        for number, row in enumerate(self._covered("PatternMapping")):
            yield row | {"domain": f"site{number % 5_000}.example"}

    def _links(self) -> Iterator[Row]:
        """Each seed relies on a granted permission of its target's agency."""
        granted: dict[int, list[int]] = {}
        for number, permission in enumerate(self.permissions):
            if number % 5 < 3:
                granted.setdefault(self._agency(number), []).append(permission)
        for (number, seed), identifier in zip(enumerate(self.seeds), numbers("SeedPermission"), strict=False):
            offered = granted.get(self._agency(number % len(self.targets))) or self.permissions
            permission = offered[number % len(offered)]
            yield {"id": identifier, "seed_id": seed, "permission_id": permission, "linked": "auto", "at": self.now}

    def _schedules(self) -> Iterator[Row]:
        for number, identifier in enumerate(self.schedules):
            yield self.meta | {
                "id": identifier, "abstract_target_id": self.targets[number],
                "owner_id": self.users[self._agency(number)], "pattern": 0, "cron": _CRONS[number % len(_CRONS)],
                "time_zone": ("UTC", "Europe/Paris", "Pacific/Auckland")[number % 3], "start": self.now,
                "paused": False, "next_time": self.now,
            }  # fmt: skip
