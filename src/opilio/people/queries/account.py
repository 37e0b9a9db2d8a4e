"""What belongs to one's own account, and who somebody is when they ask."""

import datetime
import hashlib
import hmac

from django.db.models import Q, QuerySet

from opilio.kernel.clock import SYSTEM, Clock
from opilio.people.actor import Actor, Via
from opilio.people.errors import TokenRefused
from opilio.people.grants import grants_of
from opilio.people.models import ApiToken, SavedView, SignInSession, User
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import visible


def actor_for(
    user_id: int, *, via: Via, address: str = "", correlation: str = "", clock: Clock = SYSTEM
) -> Actor | None:
    """The user as an actor; None when deleted, deactivated or without the privilege to sign in."""
    user = User.objects.select_related("agency").filter(id=user_id).first()
    if user is None:
        return None
    return actor_of(user, via=via, address=address, correlation=correlation, clock=clock)


def actor_of(user: User, *, via: Via, address: str = "", correlation: str = "", clock: Clock = SYSTEM) -> Actor | None:
    """The same for a row that was read with its agency."""
    if user.deleted or not user.is_active or user.agency.deleted:
        return None
    grants = grants_of(user)
    if not grants.holds(Privilege.LOGIN):
        return None
    return Actor(
        user=user.id,
        username=user.username,
        first_name=user.first_name,
        last_name=user.last_name,
        agency=user.agency_id,
        agency_name=user.agency.name,
        grants=grants,
        time_zone=user.time_zone or user.agency.time_zone,
        language=user.language,
        via=via,
        address=address,
        correlation=correlation,
        clock=clock,
    )


def actor_for_token(secret: str, *, address: str = "", correlation: str = "", clock: Clock = SYSTEM) -> Actor:
    """Whom an API token speaks for, cut down to the token's scopes; else `TokenRefused`."""
    token = _token(secret, clock.now())
    actor = actor_for(token.user_id, via=Via.API, address=address, correlation=correlation, clock=clock)
    if actor is None:
        raise _refused("The user of this token may not sign in")
    scopes = frozenset(Privilege(code) for code in token.scopes if code in Privilege.__members__)
    return Actor(**{**actor.__dict__, "grants": actor.grants.only(scopes)})


def _token(secret: str, now: datetime.datetime) -> ApiToken:
    prefix, _, rest = secret.removeprefix(TOKEN_MARK).partition("_")
    readable = bool(rest) and secret.isascii() and prefix.isalnum()
    token = ApiToken.objects.filter(prefix=prefix[:16]).first() if readable else None
    digest = hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
    if token is None or not hmac.compare_digest(token.digest, digest):
        raise _refused("The API token is unknown")
    if token.revoked_at is not None:
        raise _refused(f"The API token {token.name} was revoked")
    if token.expires <= now:
        raise _refused(f"The API token {token.name} expired on {token.expires:%Y-%m-%d %H:%M} UTC")
    ApiToken.objects.filter(id=token.id, last_used_at__lt=now - datetime.timedelta(minutes=1)).update(last_used_at=now)
    ApiToken.objects.filter(id=token.id, last_used_at=None).update(last_used_at=now)
    return token


def _refused(what: str) -> TokenRefused:
    return TokenRefused(what, where="Authorization header", remedy="Make a new token on your account page.")


TOKEN_MARK = "opilio_"  # noqa: S105 - begins every token, so that scanners for leaked secrets find them


def own_user(actor: Actor) -> User:
    """The row of the asker."""
    user: User = User.objects.select_related("agency").get(id=actor.user)
    return user


def own_tokens(actor: Actor) -> QuerySet[ApiToken]:
    """The asker's API tokens, newest first."""
    return ApiToken.objects.filter(user_id=actor.own)


def sign_ins(actor: Actor) -> QuerySet[SignInSession]:
    """Sign-in sessions of those whom the asker manages, and the asker's own."""
    rows = SignInSession.objects.select_related("user__agency")
    managed = visible(rows, actor, Privilege.MANAGE_USERS, agency_path="user__agency_id")
    return managed | rows.filter(user_id=actor.user) if actor.user is not None else managed


def own_sign_ins(actor: Actor) -> QuerySet[SignInSession]:
    """The asker's own sign-in sessions."""
    return SignInSession.objects.filter(user_id=actor.own)


def saved_views(actor: Actor, page: str) -> QuerySet[SavedView]:
    """Views of a list page: the asker's own, and those shared in the asker's agency."""
    mine = Q(owner_id=actor.user) | Q(shared=True, owner__agency_id=actor.agency)
    rows: QuerySet[SavedView] = SavedView.objects.select_related("owner").filter(mine, page=page)
    return rows


def never_signed_in(user_id: int) -> bool:
    """Whether a user has not been here yet."""
    return User.objects.filter(id=user_id, last_login=None).exists()
