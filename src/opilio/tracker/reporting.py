"""Tells partners and people what a session came to: in-tray, e-mail, webhooks, report files on their sources."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from opilio.deliveries.source import Source as EngineSource
from opilio.deliveries.states import Status
from opilio.deliveries.survey import Opener
from opilio.kernel.errors import OpilioError
from opilio.kernel.logs import logger
from opilio.people.intray import Category, Resource, audience, notify
from opilio.people.mail import post
from opilio.people.privileges import Privilege
from opilio.people.webhooks import News, announce
from opilio.tracker import centre_report
from opilio.tracker.models import Centre, Delivery, DeliverySession, Source, StandingChange
from opilio.tracker.queries.centre_report import CentreReport
from opilio.tracker.queries.centre_report import made as made_for
from opilio.tracker.queries.curtain import Curtain
from opilio.tracker.report_reading import veiled
from opilio.tracker.source_values import engine_source, name_of

REPORT = "opilio-report"  # name of the files put on sources, before their ending
_SENDER = "deliveries"
_MOST_NAMED = 20

_log = logger(__name__)


@dataclass(frozen=True, kw_only=True)
class ToPut:
    """A report that is to be put on a source."""

    name: str
    source: EngineSource
    report: CentreReport


def tell(session: DeliverySession, now: datetime) -> Sequence[ToPut]:
    """Write down all that people and partners are told; what is to be put on sources is left to the caller.

    The caller is in a transaction, so that what is told and what became is committed together.
    """
    announce("session.ended", agency=None, now=now, news=lambda: _news_of_session(session))
    changed = _changed(session)
    put: list[ToPut] = []
    for centre in Centre.objects.filter(pk__in={row.zip.centre_id for row in changed if row.zip.centre_id}):
        put += _tell_centre(centre, [row for row in changed if row.zip.centre_id == centre.pk], now)
    return put


def put_back(wanted: Sequence[ToPut], opener: Opener, stopped: Callable[[], bool]) -> dict[str, str]:
    """Put report files on sources; what a source refuses is told and harms nobody else."""
    refused: dict[str, str] = {}
    for one in wanted:
        if stopped():
            break
        try:
            with opener(one.source) as connection:
                for form in ("json", "html"):
                    connection.put(f"{REPORT}.{form}", centre_report.written(one.report, form).encode())
        except OpilioError as error:
            _log.warning("delivery_report_refused", source=one.name, error=str(error))
            refused[one.name] = str(error)
    return refused


def _changed(session: DeliverySession) -> list[Delivery]:
    """Deliveries that stand elsewhere than before the session, and are over or all the way."""
    moved = StandingChange.objects.filter(what="delivery", at__gte=session.start_time).values_list("row", flat=True)
    rows = Delivery.objects.filter(pk__in=moved.distinct(), profile=session.profile)
    return list(rows.select_related("zip", "todo", "phase", "status").order_by("id"))


def _tell_centre(centre: Centre, changed: Sequence[Delivery], now: datetime) -> list[ToPut]:
    curtain = Curtain([centre.agency_id])
    failed = [row for row in changed if row.status_id == Status.FAILED]
    for row in changed:
        if row.status_id in (Status.FAILED, Status.DONE):
            event = "delivery.failed" if row.status_id == Status.FAILED else "delivery.taken"
            announce(event, agency=centre.agency_id, now=now, news=partial(_news, centre, row, curtain))
    if failed:
        _notify(centre, failed, curtain, now)
    report = veiled(made_for(centre, now, only=[row.pk for row in changed]), curtain)
    if centre.report_mail and centre.email:
        subject = f"Your deliveries: {len(changed)} taken up, {len(failed)} failed"
        post(to=centre.email, subject=subject, body=centre_report.as_text(report), now=now)
    if not centre.report_back:
        return []
    whole = veiled(made_for(centre, now), curtain)
    rows = Source.objects.filter(centre=centre, state__short_name="available").select_related(
        "centre", "protocol", "state"
    )
    return [ToPut(name=name_of(row), source=engine_source(row), report=whole) for row in rows.order_by("id")]


def _notify(centre: Centre, failed: Sequence[Delivery], curtain: Curtain, now: datetime) -> None:
    users = {user.pk for privilege in (Privilege.MANAGE_DELIVERIES, Privilege.VIEW_DELIVERIES)
             for user in audience(privilege, centre.agency_id)}  # fmt: skip
    lines = [f"{row.zip.file_name}: {curtain.over(row.why) or row.phase.short_name}" for row in failed[:_MOST_NAMED]]
    if len(failed) > _MOST_NAMED:
        lines.append(f"… and {len(failed) - _MOST_NAMED} more.")
    notify(
        users, kind="deliveries-failed", category=Category.GENERAL, sender=_SENDER, now=now,
        subject=f"{len(failed)} deliveries of {centre.short_name} failed", message="\n".join(lines),
        resource=Resource(kind="centre", id=centre.pk),
    )  # fmt: skip


def _news(centre: Centre, row: Delivery, curtain: Curtain) -> News:
    data = {
        "centre": centre.short_name, "action": row.todo.short_name, "phase": row.phase.short_name,
        "status": row.status.short_name, "why": curtain.over(row.why)[:1_000],
    }  # fmt: skip
    return News(kind="delivery", id=row.pk, name=row.zip.file_name, data=data)


def _news_of_session(session: DeliverySession) -> News:
    data = {"profile": session.profile, "status": str(session.status), "by": session.by}
    return News(kind="session", id=session.pk, name=str(session), data=data)
