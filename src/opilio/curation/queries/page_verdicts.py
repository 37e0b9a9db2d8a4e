"""What reviewers said about pages, as far as the asker may see it."""

from collections.abc import Mapping

from django.db.models import Count, QuerySet

from opilio.curation.models import PageVerdict, Result, Verdict
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.queries.visible import one


def page_verdicts(actor: Actor) -> QuerySet[PageVerdict]:
    """Verdicts about results of the agencies in which the asker works."""
    rows: QuerySet[PageVerdict] = PageVerdict.objects.select_related("by", "harvest")
    return seen(rows, actor, agency_path="harvest__agency_id")


def page_verdict(actor: Actor, verdict_id: int) -> PageVerdict:
    """One verdict by its identifier."""
    found: PageVerdict = one(page_verdicts(actor), "verdict", verdict_id)
    return found


def of_result(actor: Actor, row: Result) -> QuerySet[PageVerdict]:
    """The verdicts about one result."""
    return page_verdicts(actor).filter(harvest=row.harvest_id, result=row.number)


def counts(actor: Actor, row: Result) -> Mapping[str, int]:
    """How many pages have each verdict, in the order of the list; a page that two judged alike counts once."""
    rows = of_result(actor, row).exclude(verdict="").order_by("verdict").values("verdict")
    found = {each["verdict"]: each["pages"] for each in rows.annotate(pages=Count("key", distinct=True))}
    return {verdict.value: found.get(verdict.value, 0) for verdict in Verdict}


def pages_judged(actor: Actor, row: Result) -> int:
    """How many pages somebody said something about."""
    return of_result(actor, row).values("key").distinct().count()
