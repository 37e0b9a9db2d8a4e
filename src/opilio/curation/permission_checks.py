"""What a permission must be like: who gives it, what it covers, and fields that belong together."""

from collections.abc import Sequence

from opilio.curation.models import Authorisation, AuthorisationAgent, AuthorisingAgent, Permission, UrlPattern
from opilio.kernel.errors import BadUrl
from opilio.kernel.urls import parse
from opilio.people import constrained
from opilio.people.errors import InvalidFields


def checked_agent(authorisation: Authorisation, agent_id: int) -> AuthorisingAgent:
    """The authorising agent, who must be one of the authorisation."""
    link = AuthorisationAgent.objects.filter(authorisation=authorisation, agent_id=agent_id, agent__deleted=False)
    found = link.select_related("agent").first()
    if found is None:
        raise InvalidFields({"agent": ["Choose one of the authorisation's authorising agents; add it there first."]})
    return found.agent


def checked_patterns(authorisation_id: int, chosen: Sequence[int]) -> list[int]:
    """Patterns of the same authorisation, one at least."""
    wanted = list(dict.fromkeys(chosen))
    known = UrlPattern.objects.filter(authorisation_id=authorisation_id, id__in=wanted).count()
    if not wanted or known != len(wanted):
        raise InvalidFields({"patterns": ["Choose one or more of the authorisation's URL patterns."]})
    return wanted


def check_fields(row: Permission, *, kept: str = "") -> None:
    """What the columns themselves cannot say."""
    constrained.check("access-status", "access_status", row.access_status, kept=kept)
    if row.start_date is None:
        raise InvalidFields({"start_date": ["Give the first day on which it holds."]})
    if row.end_date is not None and row.end_date < row.start_date:
        raise InvalidFields({"end_date": ["The last day is before the first."]})
    if row.quick_pick and not row.display_name:
        raise InvalidFields({"display_name": ["A quick pick needs a name."]})
    if row.copyright_url and not _is_web_address(row.copyright_url):
        raise InvalidFields({"copyright_url": ["Write a web address, as https://example.org/terms."]})


def _is_web_address(text: str) -> bool:
    try:
        return parse(text).fetchable
    except BadUrl:
        return False
