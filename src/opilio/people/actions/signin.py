"""Sign in and out. A refused attempt is an outcome, not an exception: it is counted and audited, and that must stay."""

import datetime
from dataclasses import dataclass

from django.contrib.auth.hashers import check_password, make_password

from opilio.people import audit, throttle
from opilio.people.acting import Act, action
from opilio.people.actions.sessions import close
from opilio.people.actor import Actor
from opilio.people.directories import Directory, Verdict
from opilio.people.grants import grants_of
from opilio.people.models import SignInSession, User
from opilio.people.models.signin import Ended
from opilio.people.privileges import Privilege

_WRONG = "User name or password is wrong"


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """What somebody typed, and from where."""

    username: str
    password: str
    address: str


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Whether the attempt succeeded; if not, words for the page and the seconds to wait."""

    user: int | None = None
    method: str = ""
    refusal: str = ""
    wait: float = 0.0  # seconds
    must_change: bool = False


def attempt_sign_in(
    actor: Actor, *, attempt: Attempt, rules: throttle.Rules, directory: Directory | None = None
) -> Outcome:
    """Whether the attempt succeeds. A directory is asked before the transaction begins: it may take its time."""
    if throttle.wait_left(_keys(attempt), actor.clock.now()) > 0:
        return settle_attempt(actor, attempt=attempt, rules=rules)
    user = _named(attempt.username)
    external = user is not None and user.external_auth
    verdict = _asked(directory, user.username, attempt) if user is not None and external else None
    method = directory.name if external and directory is not None else "password"
    return settle_attempt(actor, attempt=attempt, rules=rules, verdict=verdict, method=method)


@action("signin.attempt", "Check a user name and password.")
def settle_attempt(
    act: Act, /, *, attempt: Attempt, rules: throttle.Rules, verdict: Verdict | None = None, method: str = "password"
) -> Outcome:
    """Failures are counted by name and by address, and the next must wait. `verdict` is a directory's word."""
    act.require_that(True, "try to sign in", "")
    keys = _keys(attempt)
    left = throttle.wait_left(keys, act.clock.now())
    if left > 0:
        return Outcome(refusal=f"Too many failures; try again in {_spoken(left)}", wait=left)
    user = _named(attempt.username)
    verdict = verdict or _own_verdict(user, attempt)
    if verdict is Verdict.UNREACHABLE:
        return Outcome(refusal="Your institution's directory does not answer; try again later")
    if user is None or verdict is Verdict.WRONG:
        return _refused(act, user, attempt, keys, rules)
    barred = _barred(user)
    if barred:
        _audit(act, "signin.refuse", user, attempt, barred)
        return Outcome(refusal=barred)
    throttle.forgive("user", attempt.username)
    return Outcome(user=user.id, method=method, must_change=user.force_password_change and method == "password")


@action("signin.external", "Let in a user whom single sign-on vouches for.")
def admit_external(act: Act, /, *, username: str, address: str) -> Outcome:
    """Only users that exist here and are marked for external authentication; nobody is made on the fly."""
    act.require_that(True, "sign in by single sign-on", "")
    user = User.objects.select_related("agency").filter(username__iexact=username, external_auth=True).first()
    attempt = Attempt(username=username, password="", address=address)
    if user is None:
        _audit(act, "signin.refuse", None, attempt, "No such user with external authentication")
        return Outcome(refusal=f"There is no account here for {username[:150]}; ask an administrator")
    barred = _barred(user)
    if barred:
        _audit(act, "signin.refuse", user, attempt, barred)
        return Outcome(refusal=barred)
    return Outcome(user=user.id, method="oidc")


@action("signin.open", "Begin a sign-in session after a successful attempt.")
def open_session(
    act: Act, /, *, user_id: int, session_key: str, method: str, address: str, user_agent: str
) -> SignInSession:
    """Its duration is recorded when it ends."""
    act.require_that(True, "begin a session", "")
    user: User = User.objects.select_related("agency").get(id=user_id)
    now = act.clock.now()
    User.objects.filter(id=user_id).update(last_login=now)
    row = SignInSession(
        session_key=session_key, user=user, username=user.username, real_name=user.real_name, signed_in_at=now,
        last_seen_at=now, method=method, address=address[:64], user_agent=user_agent[:255],
    )  # fmt: skip
    row.save()
    _audit(act, "signin.success", user, Attempt(username=user.username, password="", address=address), f"By {method}.")
    return row


@action("signin.close", "Sign out.")
def close_session(act: Act, /, *, session_key: str) -> None:
    """Ends one's own session."""
    row = SignInSession.objects.select_for_update().filter(session_key=session_key, ended="").first()
    act.require_that(row is None or row.user_id == act.actor.user, "end this session", "It is somebody else's.")
    if row is not None:
        close(row, act.clock.now(), Ended.SIGNED_OUT)
        act.record(row, message="Signed out.")


@action("signin.see", "Note that a session is in use, and end it when it is over.")
def see_session(act: Act, /, *, session_key: str, idle: datetime.timedelta, longest: datetime.timedelta) -> bool:
    """Whether the session still holds; the last request is noted at most once a minute."""
    act.require_that(True, "use a session", "")
    now = act.clock.now()
    row = SignInSession.objects.filter(session_key=session_key, ended="").first()
    if row is None:
        return False
    if now - row.last_seen_at > idle or now - row.signed_in_at > longest:
        close(row, row.last_seen_at, Ended.EXPIRED)
        return False
    if now - row.last_seen_at > datetime.timedelta(minutes=1):
        SignInSession.objects.filter(id=row.id).update(last_seen_at=now)
    return True


def _keys(attempt: Attempt) -> dict[str, str]:
    return {"user": attempt.username, "address": attempt.address}


def _named(username: str) -> User | None:
    found: User | None = User.objects.select_related("agency").filter(username__iexact=username).first()
    return found


def _asked(directory: Directory | None, username: str, attempt: Attempt) -> Verdict:
    return Verdict.WRONG if directory is None else directory.check(username, attempt.password)


def _own_verdict(user: User | None, attempt: Attempt) -> Verdict:
    if user is None:
        make_password(attempt.password[:1024])  # an unknown name takes as long as a known one
        return Verdict.WRONG
    right = not user.external_auth and len(attempt.password) <= 1024 and check_password(attempt.password, user.password)
    return Verdict.RIGHT if right else Verdict.WRONG


def _barred(user: User) -> str:
    if not user.is_active:
        return "This account is deactivated; ask an administrator"
    if user.agency.deleted or not grants_of(user).holds(Privilege.LOGIN):
        return "This account has no role that lets it sign in; ask an administrator"
    return ""


def _refused(act: Act, user: User | None, attempt: Attempt, keys: dict[str, str], rules: throttle.Rules) -> Outcome:
    wait = throttle.count_failure(keys, act.clock.now(), rules)
    _audit(act, "signin.failure" if user else "signin.failure_no_user", user, attempt, f"{_WRONG}.")
    words = f"{_WRONG}; try again in {_spoken(wait)}" if wait else _WRONG
    return Outcome(refusal=words, wait=wait)


def _audit(act: Act, action_name: str, user: User | None, attempt: Attempt, message: str) -> None:
    audit.write(
        act.actor, action=action_name, subject_type="user", subject_id=user.id if user else None,
        subject_name=user.username if user else attempt.username, agency_id=user.agency_id if user else None,
        agency_name=user.agency.name if user else "", message=message,
    )  # fmt: skip


def _spoken(seconds: float) -> str:
    whole = max(1, round(seconds))
    return f"{whole} seconds" if whole < 120 else f"{round(whole / 60)} minutes"
