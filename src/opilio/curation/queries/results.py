"""Results that the asker may see."""

from django.db.models import QuerySet

from opilio.curation.models import Result
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.visible import one


def results(actor: Actor) -> QuerySet[Result]:
    """Results of harvests of the agencies in which the asker works."""
    rows: QuerySet[Result] = Result.objects.select_related(
        "harvest", "harvest__abstract_target", "harvest__agency", "harvest__owner", "made_by"
    )
    return seen(rows, actor, agency_path="harvest__agency_id")


def result(actor: Actor, result_id: int) -> Result:
    """One result by its identifier."""
    found: Result = one(results(actor), "result", result_id)
    return found


def may(actor: Actor, row: Result, privilege: Privilege) -> bool:
    """Whether the asker holds a privilege over the harvest of a result."""
    return actor.may(privilege, Subject(agency=row.harvest.agency_id, owner=row.harvest.owner_id))
