"""Sign-in sessions and audit entries for reports: those of agencies on which the asker may report."""

import datetime

from django.db.models import CharField, Count, QuerySet, Sum
from django.db.models.functions import Cast, Substr

from opilio.people.actor import Actor
from opilio.people.models import AuditEntry, SignInSession
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import visible

_DAY = 10  # characters of a time that make its day
_MONTH = 7  # its month
_DAYS_SHOWN = 92  # more days than that are counted by month


def sessions(
    actor: Actor, *, since: datetime.datetime, until: datetime.datetime, agency: int | None = None, user: str = ""
) -> QuerySet[SignInSession]:  # fmt: skip
    """Sessions that began in the time, earliest first."""
    rows = SignInSession.objects.filter(signed_in_at__gte=since, signed_in_at__lt=until)
    rows = visible(rows, actor, Privilege.SYSTEM_REPORT_LEVEL_1, agency_path="user__agency_id")
    rows = rows.filter(user__agency_id=agency) if agency is not None else rows
    rows = rows.filter(username__iexact=user) if user else rows
    return rows.select_related("user__agency").order_by("signed_in_at", "id")


def activity(
    actor: Actor, *, since: datetime.datetime, until: datetime.datetime, agency: int | None = None, user: str = ""
) -> QuerySet[AuditEntry]:  # fmt: skip
    """Audit entries of the time, earliest first."""
    rows = AuditEntry.objects.filter(at__gte=since, at__lt=until)
    rows = visible(rows, actor, Privilege.SYSTEM_REPORT_LEVEL_1, agency_path="agency_id")
    rows = rows.filter(agency_id=agency) if agency is not None else rows
    rows = rows.filter(username=user) if user else rows
    return rows.order_by("at", "id")


def counted(
    rows: "QuerySet[SignInSession] | QuerySet[AuditEntry]", column: str, *, span: datetime.timedelta, total: str = ""
) -> list[tuple[str, int]]:
    """How many rows, or which sum, for each day (for long spans: month) in UTC; days with nothing are left out."""
    length = _DAY if span.days <= _DAYS_SHOWN else _MONTH
    days = rows.order_by().annotate(day=Substr(Cast(column, CharField()), 1, length)).values("day")
    measured = days.annotate(found=Sum(total) if total else Count("id")).order_by("day")
    return [(row["day"], row["found"] or 0) for row in measured]
