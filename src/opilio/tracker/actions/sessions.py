"""Start delivery sessions: an agent runs them."""

from opilio.jobs.models import Job
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege
from opilio.tracker import profiles
from opilio.tracker.clerk import SessionRuns
from opilio.tracker.session_jobs import RunDeliverySession, ordered, run_soon

_MOST = 64


@action("session.start", "Start a delivery session.", privilege=Privilege.RUN_SESSION)
def start_session(
    act: Act, /, *, profile: str = "impc", downloaders: int | None = None, validators: int | None = None,
    dry_run: bool = False,
) -> int:  # fmt: skip
    """Visit all sources of the profile as soon as an agent is free; the identifier of the job. One at a time."""
    act.require_that(
        act.actor.holds(Privilege.RUN_SESSION), "start a delivery session",
        f"It needs the privilege {Privilege.RUN_SESSION}; ask an administrator.",
    )  # fmt: skip
    profiles.named(profile)  # refused when there is none of this name
    usual = ordered(profile, act.actor.username)
    wanted = RunDeliverySession(
        profile=profile, by=act.actor.username, dry_run=dry_run,
        downloaders=_number(act, "downloaders", downloaders, usual.downloaders),
        validators=_number(act, "validators", validators, usual.validators),
    )  # fmt: skip
    made = run_soon(wanted, act.clock.now())
    if not made.fresh:
        raise SessionRuns(
            "A delivery session waits or is under way already", where=f"job {made.id}",
            remedy="Wait until it has ended; then start another if it is still needed.",
        )  # fmt: skip
    act.record(Job.objects.get(pk=made.id), message=f"A delivery session by the profile {profile}.")
    return made.id


def _number(act: Act, name: str, given: int | None, usual: int) -> int:
    if given is not None and not 1 <= given <= _MOST:
        raise InvalidFields({name: [f"Give a number from 1 to {_MOST}."]}, where=act.name)
    return usual if given is None else given
