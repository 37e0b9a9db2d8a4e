"""What agents do about webhooks that do not answer: tell people once, and switch off those that never answer."""

from opilio.people.acting import Act, action
from opilio.people.actions.webhooks import STOPPED_TASK, resource
from opilio.people.intray import Category, audience, close_tasks, notify, send_task
from opilio.people.models import Agency, User, Webhook
from opilio.people.privileges import Privilege


@action("webhook.give_up", "Tell people that messages to a webhook are given up.")
def tell_given_up(act: Act, /, *, webhook_id: int, event: str, why: str) -> bool:
    """Once, until the webhook takes a message again; whether they were told."""
    row = _locked(act, webhook_id)
    if row is None or row.troubled_at is not None:
        return False
    now = act.clock.now()
    people = [user.id for user in audience(Privilege.MANAGE_WEBHOOKS, _home(row))]
    notify(
        people, kind="webhook-given-up", category=Category.WARNING, now=now, sender=act.actor.username,
        subject=f"The webhook {row.name} does not take messages", resource=resource(row.id),
        message=f"A message ({event}) was given up: {why} It can be sent again from the page of the webhook.",
    )  # fmt: skip
    Webhook.everything.filter(id=row.id).update(troubled_at=now)
    return True


@action("webhook.stop", "Switch off a webhook that failed too often.")
def stop_webhook(act: Act, /, *, webhook_id: int, why: str) -> bool:
    """Those who manage webhooks find a task; whether it was on."""
    row = _locked(act, webhook_id)
    if row is None or not row.enabled:
        return False
    home = _home(row)  # before the installation itself becomes who changed it last
    reason = f"Switched off after {row.failures} tries in a row failed; the last: {why}"
    act.update(row, {"enabled": False, "stopped": reason}, message=reason)
    close_tasks(kind=STOPPED_TASK, resource=resource(row.id))
    send_task(
        act.actor, kind=STOPPED_TASK, subject=f"Mend the webhook {row.name}", privilege=Privilege.MANAGE_WEBHOOKS,
        message=f"{reason} Mend the other side or the address, then switch it on again.",
        agency=home, resource=resource(row.id),
    )  # fmt: skip
    return True


def _locked(act: Act, webhook_id: int) -> Webhook | None:
    act.require_that(act.actor.is_system, "look after webhooks", "Only agents do.")
    found: Webhook | None = Webhook.objects.select_for_update(of=("self",)).filter(id=webhook_id).first()
    return found


def _home(row: Webhook) -> int:
    """The agency whose people look after it; for a webhook of all agencies, that of whoever changed it last."""
    changed = User.everything.filter(id=row.updated_by_id or 0).first()
    home = row.agency or (changed.agency if changed is not None else Agency.objects.order_by("id")[0])
    return int(home.id)
