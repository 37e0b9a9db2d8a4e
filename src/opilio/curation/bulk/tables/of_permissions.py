"""The table of permissions, with the patterns that they cover and who gives them."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Prefetch, QuerySet

from opilio.curation.actions.authorisations import create_authorisation, normal_patterns, set_agents, set_patterns
from opilio.curation.actions.authorising_agents import create_agent
from opilio.curation.actions.permissions import (
    approve_permission,
    create_permission,
    reject_permission,
    set_exclusions,
    update_permission,
)
from opilio.curation.bulk.tables import columns as read
from opilio.curation.bulk.tables.columns import TableColumn
from opilio.curation.bulk.tables.lookups import Names
from opilio.curation.bulk.tables.table import Table, uses
from opilio.curation.models import (
    Authorisation,
    AuthorisingAgent,
    Permission,
    PermissionExclusion,
    PermissionPattern,
    PermissionStatus,
    UrlPattern,
)
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege

_STATUSES = {status.label: status for status in PermissionStatus}
_DAYS = ("start_date", "end_date", "open_access_date")
_SWITCHES = ("available", "quick_pick")
_TEXTS = {
    "access_status": 255, "copyright_statement": 2_048, "copyright_url": 2_048, "special_requirements": 2_048,
    "response": 32_000, "notes": 4_000, "file_reference": 255, "display_name": 32,
}  # fmt: skip
_PLAIN = (*_DAYS, *_SWITCHES, *_TEXTS)


def _day(value: str) -> datetime.date | None:
    return datetime.date.fromisoformat(value) if value else None


def _pattern(text: str) -> str:
    return normal_patterns([text])[0]


def _exclusion(text: str) -> str:
    url, _, reason = text.partition(" ")
    return f"{_pattern(url)} {reason.strip()}".strip()


COLUMNS = (
    TableColumn(name="id", read=read.identifier),
    TableColumn(name="agency", read=read.text(), required=True),
    TableColumn(name="authorisation", read=read.text(), required=True),
    TableColumn(name="agent", read=read.text(), required=True),
    TableColumn(name="status", read=read.choice(_STATUSES), use=_STATUSES.__getitem__),
    *(TableColumn(name=name, read=read.day, use=_day, required=name == "start_date") for name in _DAYS),
    *(TableColumn(name=name, read=read.flag) for name in _SWITCHES),
    *(TableColumn(name=name, read=read.text(longest)) for name, longest in _TEXTS.items()),
    TableColumn(name="patterns", read=read.lines(read.checked(_pattern))),
    TableColumn(name="exclusions", read=read.lines(read.checked(_exclusion, 2_049))),
)


def rows(actor: Actor) -> QuerySet[Permission]:
    """Permissions that the asker may see, with patterns and exclusions."""
    patterns = PermissionPattern.objects.select_related("pattern").order_by("pattern__pattern", "id")
    found = Permission.objects.select_related("agency", "authorisation", "agent").prefetch_related(
        Prefetch("pattern_links", queryset=patterns),
        Prefetch("exclusions", queryset=PermissionExclusion.objects.order_by("position", "id")),
    )
    return seen(found, actor).order_by("agency__name", "authorisation__title", "id")


def written(row: Permission) -> dict[str, Any]:
    """A permission as a row of the table."""
    return {
        "id": str(row.id), "agency": row.agency.name, "authorisation": row.authorisation.title,
        "agent": row.agent.name, "status": PermissionStatus(row.status).label,
        **{name: day.isoformat() if (day := getattr(row, name)) else "" for name in _DAYS},
        **{name: getattr(row, name) for name in (*_SWITCHES, *_TEXTS)},
        "patterns": [link.pattern.pattern for link in row.pattern_links.all()],
        "exclusions": [f"{one.url} {one.reason}".strip() for one in row.exclusions.all()],
    }  # fmt: skip


class PermissionImporter:
    """Makes and changes permissions as a table says; an authorisation or agent that is not there is made."""

    def __init__(self, actor: Actor) -> None:
        self._actor, self._names = actor, Names()

    def check(self, values: Mapping[str, Any]) -> None:
        """The agency is known, and a permission covers something."""
        self._names.agency(values["agency"])

    def find(self, values: Mapping[str, Any]) -> Permission | None:
        """The permission of this number; without a number, a new one is meant."""
        if not values.get("id"):
            return None
        row = rows(self._actor).filter(id=int(values["id"])).first()
        if row is None:
            raise InvalidFields({"id": [f"There is no permission {values['id']} that you may see; leave the cell empty "
                                        "to make one."]})  # fmt: skip
        if row.agency_id != self._names.agency(values["agency"]) or row.authorisation.title != values["authorisation"]:
            raise InvalidFields({"id": [f"Permission {row.id} belongs to {row.authorisation.title}; it cannot move."]})
        return row

    def make(self, values: Mapping[str, Any]) -> object:
        """A permission, with its authorisation and authorising agent if they are not there yet."""
        agency = self._names.agency(values["agency"])
        agent = self._agent(agency, values["agent"])
        authorisation = self._authorisation(agency, values["authorisation"], agent)
        permission = create_permission(
            self._actor, authorisation_id=authorisation.id, agent_id=agent,
            patterns=self._patterns(authorisation, values.get("patterns") or ()),
            exclusions=_exclusions(values.get("exclusions") or ()), **uses(COLUMNS, values, *_PLAIN),
        )  # fmt: skip
        self._decide(permission.id, PermissionStatus.PENDING, values)
        return permission

    def change(self, row: Permission, values: Mapping[str, Any], columns: Sequence[str]) -> object:
        """The columns that differ; patterns and exclusions as the table has them."""
        fields = uses(COLUMNS, values, *(name for name in _PLAIN if name in columns))
        if "agent" in columns:
            fields["agent_id"] = self._agent(row.agency_id, values["agent"])
            self._authorisation(row.agency_id, values["authorisation"], fields["agent_id"])
        if "patterns" in columns:
            fields["patterns"] = self._patterns(row.authorisation, values["patterns"])
        if fields:
            update_permission(self._actor, permission_id=row.id, version=row.version, **fields)
        if "exclusions" in columns:
            set_exclusions(self._actor, permission_id=row.id, exclusions=_exclusions(values["exclusions"]))
        if "status" in columns:
            self._decide(row.id, PermissionStatus(row.status), values)
        return row

    def _agent(self, agency: int, name: str) -> int:
        found: list[int] = list(
            AuthorisingAgent.objects.filter(agency_id=agency, name=name).values_list("id", flat=True)[:2]
        )
        if len(found) > 1:
            raise InvalidFields({"agent": [f"Several authorising agents are called {name[:60]!r}."]})
        return found[0] if found else create_agent(self._actor, agency_id=agency, name=name).id

    def _authorisation(self, agency: int, title: str, agent: int) -> Authorisation:
        found: list[Authorisation] = list(Authorisation.objects.filter(agency_id=agency, title=title)[:2])
        if len(found) > 1:
            raise InvalidFields({"authorisation": [f"Several authorisations are called {title[:60]!r}."]})
        if not found:
            return create_authorisation(self._actor, agency_id=agency, title=title, agents=[agent])
        agents = list(found[0].agent_links.values_list("agent_id", flat=True))
        if agent not in agents:
            set_agents(self._actor, authorisation_id=found[0].id, agents=[*agents, agent])
        return found[0]

    def _patterns(self, authorisation: Authorisation, wanted: Sequence[str]) -> list[int]:
        have = dict(UrlPattern.objects.filter(authorisation=authorisation).values_list("pattern", "id"))
        if set(wanted) - have.keys():
            set_patterns(self._actor, authorisation_id=authorisation.id, patterns=[*have, *wanted])
            have = dict(UrlPattern.objects.filter(authorisation=authorisation).values_list("pattern", "id"))
        return [have[pattern] for pattern in wanted]

    def _decide(self, permission_id: int, now: PermissionStatus, values: Mapping[str, Any]) -> None:
        wanted = _STATUSES.get(values.get("status") or "", now)
        decide = {PermissionStatus.APPROVED: approve_permission, PermissionStatus.REJECTED: reject_permission}
        if wanted == now:
            return
        if wanted not in decide:
            raise InvalidFields({"status": [f"An import cannot make a permission that is {now.label} {wanted.label}."]})
        decide[wanted](self._actor, permission_id=permission_id)


def _exclusions(lines: Sequence[str]) -> list[dict[str, str]]:
    return [{"url": url, "reason": reason} for url, _, reason in (line.partition(" ") for line in lines)]


TABLE = Table(
    noun="permission", columns=COLUMNS, key=("authorisation", "agent"), rows=rows, written=written,
    importer=PermissionImporter, privileges=(Privilege.MODIFY_PERMISSION,),
)  # fmt: skip
