"""What a user does with their own account: details, password, API tokens."""

import datetime
import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.hashers import check_password, make_password

from opilio.people import constrained, languages, zones
from opilio.people.acting import Act, action
from opilio.people.actions.sessions import end_sessions
from opilio.people.errors import InvalidFields, NotFound
from opilio.people.kinds import USER
from opilio.people.models import ApiToken, PasswordRecord, User
from opilio.people.models.signin import Ended
from opilio.people.passwords import Policy, faults, refuse, used_before
from opilio.people.privileges import SYSTEM_WIDE, Privilege, Subject
from opilio.people.queries.account import TOKEN_MARK

OWN_FIELDS = (
    "first_name", "last_name", "title", "email", "phone", "address", "tasks_by_email", "notifications_by_email",
    "notify_on_general", "notify_on_warnings", "time_zone", "language",
)  # fmt: skip
_WRONG = "That is not your present password."


@action("account.update", "Change one's own details.", privilege=Privilege.MODIFY_OWN_CREDENTIALS)
def update_account(act: Act, /, *, version: int, **fields: Any) -> User:
    """Details and switches of the asker."""
    act.require(Privilege.MODIFY_OWN_CREDENTIALS, SYSTEM_WIDE, "change their own details")
    user: User = act.fetch(USER, _own_id(act))
    zones.check(str(fields.get("time_zone", "")))
    languages.check(str(fields.get("language", "")))
    constrained.check("user-title", "title", str(fields.get("title", "")), kept=user.title)
    act.update(user, {name: value for name, value in fields.items() if name in OWN_FIELDS}, version=version)
    return user


@action("account.language", "Choose the language of one's pages.")
def choose_language(act: Act, /, *, language: str) -> User:
    """Open to everybody who can sign in: a page that cannot be read helps nobody."""
    user: User = act.fetch(USER, _own_id(act))
    act.require_that(True, "choose the language of their pages", "")
    act.update(user, {"language": languages.check(language)})
    return user


@action("account.password", "Change one's own password.")
def change_own_password(act: Act, /, *, old: str, new: str, policy: Policy, keep_session: str = "") -> User:
    """Ends all other sessions. Open to whoever must change the password, and to holders of the privilege."""
    user: User = act.fetch(USER, _own_id(act))
    act.require_that(
        user.force_password_change or act.actor.may(Privilege.MODIFY_OWN_CREDENTIALS, SYSTEM_WIDE),
        "change their password", "It needs the privilege MODIFY_OWN_CREDENTIALS.",
    )  # fmt: skip
    if user.external_auth:
        raise InvalidFields({"new": ["Your password is kept by your institution's directory; change it there."]})
    if not check_password(old, user.password):
        raise InvalidFields({"old": [_WRONG]}, where=act.name)
    _set_password(act, user, new, policy, force=False)
    end_sessions(user.id, act.clock.now(), Ended.BARRED, but=keep_session)
    return user


@action("user.reset_password", "Give a user a new password.", privilege=Privilege.MANAGE_USERS)
def reset_password(act: Act, /, *, user_id: int, new: str, policy: Policy, force_change: bool = True) -> User:
    """The user must choose another at the next sign-in, unless told otherwise; all sessions and API tokens end."""
    user: User = act.fetch(USER, user_id)
    act.require(Privilege.MANAGE_USERS, USER.subject(user), f"set the password of {user.username}")
    _set_password(act, user, new, policy, force=force_change)
    end_sessions(user.id, act.clock.now(), Ended.BARRED)
    for token in ApiToken.objects.select_for_update(of=("self",)).filter(user=user, revoked_at=None):
        _revoke(act, token)
    return user


@action("token.create", "Make an API token for oneself.", privilege=Privilege.MODIFY_OWN_CREDENTIALS)
def create_token(
    act: Act, /, *, name: str, scopes: Sequence[str], expires: datetime.datetime, longest: datetime.timedelta
) -> tuple[ApiToken, str]:
    """The token and its secret, which is shown this once and never again."""
    act.require(Privilege.MODIFY_OWN_CREDENTIALS, SYSTEM_WIDE, "make API tokens")
    now = act.clock.now()
    _check_token(act, name, scopes, expires, now, longest)
    prefix = secrets.token_hex(5)
    secret = f"{TOKEN_MARK}{prefix}_{secrets.token_urlsafe(32)}"
    token = ApiToken(
        user_id=_own_id(act), name=name.strip(), prefix=prefix, scopes=sorted(set(scopes)),
        created=now, expires=expires,
        digest=hashlib.sha256(secret.encode()).hexdigest(),
    )  # fmt: skip
    token.save()
    act.record(token, message=f"Made the API token {token.name}.", after={"scopes": token.scopes})
    return token, secret


@action("token.revoke", "End an API token of oneself or of a user one manages.", privilege=Privilege.MANAGE_USERS)
def revoke_token(act: Act, /, *, token_id: int) -> ApiToken:
    """It stops working at once and stays in the list."""
    token = ApiToken.objects.select_for_update(of=("self",)).select_related("user").filter(id=token_id).first()
    if token is None:
        raise NotFound(f"There is no API token {token_id}", where=act.name, remedy="It may have been removed.")
    if token.user_id == act.actor.user:
        act.require_that(True, "revoke their own token", "")
    else:
        act.require(Privilege.MANAGE_USERS, Subject(agency=token.user.agency_id), f"revoke tokens of {token.user}")
    if token.revoked_at is None:
        _revoke(act, token)
    return token


def _revoke(act: Act, token: ApiToken) -> None:
    token.revoked_at = act.clock.now()
    token.save(update_fields=["revoked_at"])
    act.record(token, message=f"Revoked the API token {token.name}.")


def _own_id(act: Act) -> int:
    if act.actor.user is None:
        raise NotFound("The system has no account of its own", where=act.name, remedy="Sign in as a user.")
    return act.actor.user


def _set_password(act: Act, user: User, new: str, policy: Policy, *, force: bool) -> None:
    words = [user.username, user.first_name, user.last_name, user.email]
    found = faults(new, policy=policy, account_words=words)
    earlier = list(PasswordRecord.objects.filter(user=user).values_list("password", flat=True)[: policy.history])
    if not found and used_before(new, [user.password, *earlier]):
        found.append(f"it is one of the last {policy.history + 1} that were used")
    refuse(found)
    PasswordRecord.objects.create(user=user, password=user.password, at=act.clock.now())
    act.update(user, {"password": make_password(new), "force_password_change": force}, message="Set a new password.")


def _check_token(
    act: Act, name: str, scopes: Sequence[str], expires: datetime.datetime, now: datetime.datetime,
    longest: datetime.timedelta,
) -> None:  # fmt: skip
    messages: dict[str, list[str]] = {}
    if not name.strip() or len(name.strip()) > 100:
        messages["name"] = ["Say in 1 to 100 characters what the token is for."]
    unknown = [code for code in scopes if code not in Privilege.__members__]
    lacking = [code for code in scopes if code not in unknown and not act.actor.holds(Privilege(code))]
    if unknown or lacking:
        messages["scopes"] = [f"You do not hold {code[:64]}." for code in [*unknown, *lacking]]
    if not now < expires <= now + longest:
        messages["expires"] = [f"Choose a time within the next {longest.days} days."]
    if messages:
        raise InvalidFields(messages, where=act.name)
