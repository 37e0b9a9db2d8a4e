"""Make and change authorisations: their details, their URL patterns, their authorising agents, on and off."""

from collections.abc import Iterable, Sequence
from typing import Any

from opilio.curation.kinds import AUTHORISATION
from opilio.curation.mapping import remap
from opilio.curation.models import Authorisation, AuthorisationAgent, AuthorisingAgent, UrlPattern
from opilio.curation.pattern_reading import BadPattern, parse_pattern
from opilio.people.acting import Act, action
from opilio.people.errors import InUse, InvalidFields
from opilio.people.privileges import Privilege, Subject

FIELDS = ("title", "description", "order_number", "notes", "published")
MOST_PATTERNS = 5_000


@action("authorisation.create", "Make an authorisation.", privilege=Privilege.CREATE_SITE)
def create_authorisation(
    act: Act, /, *, agency_id: int, title: str, patterns: Sequence[str] = (), agents: Sequence[int] = (), **fields: Any
) -> Authorisation:
    """It is active at once; permissions are added to it afterwards."""
    act.require(Privilege.CREATE_SITE, Subject(agency=agency_id), "make authorisations for this agency")
    row = act.insert(Authorisation(agency_id=agency_id, title=title.strip(), **_known(fields)))
    _put_patterns(act, row, patterns)
    _put_agents(act, row, agents)
    return row


@action("authorisation.update", "Change the details of an authorisation.", privilege=Privilege.MODIFY_SITE)
def update_authorisation(act: Act, /, *, authorisation_id: int, version: int, **fields: Any) -> Authorisation:
    """Save what a form or API body says; a save of an older version is refused with both versions."""
    row = _fetched(act, authorisation_id)
    act.update(row, _known(fields), version=version)
    return row


@action("authorisation.set_patterns", "Say which URL patterns an authorisation has.", privilege=Privilege.MODIFY_SITE)
def set_patterns(act: Act, /, *, authorisation_id: int, patterns: Sequence[str]) -> Authorisation:
    """The whole list: new ones are added, those left out are removed unless a permission covers them."""
    row = _fetched(act, authorisation_id)
    _put_patterns(act, row, patterns)
    remap(row.id)
    return row


@action("authorisation.set_agents", "Say who is asked for an authorisation.", privilege=Privilege.MODIFY_SITE)
def set_agents(act: Act, /, *, authorisation_id: int, agents: Sequence[int]) -> Authorisation:
    """The whole list; an authorising agent who gave a permission here stays."""
    row = _fetched(act, authorisation_id)
    _put_agents(act, row, agents)
    return row


@action("authorisation.switch", "Enable or disable an authorisation.", privilege=Privilege.ENABLE_DISABLE_SITE)
def switch_authorisation(act: Act, /, *, authorisation_id: int, active: bool) -> Authorisation:
    """New seeds are not linked with the permissions of a disabled one; links that are there stay."""
    row: Authorisation = act.fetch(AUTHORISATION, authorisation_id)
    what = f"{'enable' if active else 'disable'} the authorisation {row.title}"
    act.require(Privilege.ENABLE_DISABLE_SITE, AUTHORISATION.subject(row), what)
    act.update(row, {"active": active}, message="Enabled." if active else "Disabled.")
    remap(row.id)
    return row


def _fetched(act: Act, authorisation_id: int) -> Authorisation:
    row: Authorisation = act.fetch(AUTHORISATION, authorisation_id)
    act.require(Privilege.MODIFY_SITE, AUTHORISATION.subject(row), f"change the authorisation {row.title}")
    return row


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: _clean(value) for name, value in fields.items() if name in FIELDS}


def _clean(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _put_patterns(act: Act, row: Authorisation, patterns: Sequence[str]) -> None:
    wanted = list(dict.fromkeys(normal_patterns(patterns)))
    have = {each.pattern: each for each in UrlPattern.objects.filter(authorisation=row)}
    for text in have.keys() - set(wanted):
        used = have[text].permission_links.filter(permission__deleted=False).count()
        if used:
            raise InUse(
                f"The pattern {text} cannot be removed: {used} permissions cover it", where=row.title,
                remedy="Take it out of the permissions first.",
            )  # fmt: skip
        act.update(have[text], {"deleted": True}, message=f"Removed from {row}.")
    for text in wanted:
        if text not in have:
            act.insert(UrlPattern(authorisation=row, pattern=text))


def normal_patterns(patterns: Iterable[str], field: str = "patterns") -> list[str]:
    """Patterns in normal form; faults name the line."""
    found, faults = [], []
    for number, text in enumerate(patterns, start=1):
        if number > MOST_PATTERNS:
            raise InvalidFields({field: [f"Write at most {MOST_PATTERNS} of them."]})
        if not str(text).strip():
            continue
        try:
            found.append(str(parse_pattern(text)))
        except BadPattern as error:
            faults.append(f"Line {number}: {error}")
    if faults:
        raise InvalidFields({field: faults[:20]})
    return found


def _put_agents(act: Act, row: Authorisation, agents: Sequence[int]) -> None:
    wanted = dict.fromkeys(agents)
    known = set(AuthorisingAgent.objects.filter(id__in=wanted, agency_id=row.agency_id).values_list("id", flat=True))
    unknown = [each for each in wanted if each not in known]
    if unknown:
        raise InvalidFields({"agents": [f"There is no authorising agent {unknown[0]} in this agency."]})
    links = AuthorisationAgent.objects.filter(authorisation=row)
    have = set(links.values_list("agent_id", flat=True))
    giving = set(row.permissions.filter(deleted=False).values_list("agent_id", flat=True))
    stuck = (have - set(wanted)) & giving
    if stuck:
        name = AuthorisingAgent.everything.get(id=min(stuck)).name
        raise InUse(f"{name} gave a permission here and stays", where=row.title, remedy="Delete that permission first.")
    if have == set(wanted):
        return
    links.exclude(agent_id__in=wanted).delete()
    AuthorisationAgent.objects.bulk_create(
        AuthorisationAgent(authorisation=row, agent_id=each) for each in wanted if each not in have
    )
    act.record(
        row, message="Changed who is asked.",
        before={"agents": sorted(have)}, after={"agents": sorted(wanted)},
    )  # fmt: skip
