"""Identifiers of agencies and users by their names, as tables and commands write them."""

from opilio.people.models import Agency, User


def agency_ids() -> dict[str, int]:
    """All agencies: name in small letters → identifier."""
    return {name.casefold(): number for number, name in Agency.objects.values_list("id", "name")}


def agency_names() -> dict[int, str]:
    """All agencies that there are or were: identifier → name."""
    return dict(Agency.everything.values_list("id", "name"))


def user_id(username: str) -> int | None:
    """The user of this name; None when there is none."""
    found: int | None = User.objects.filter(username__iexact=username).values_list("id", flat=True).first()
    return found


def usernames(limit: int = 500) -> list[str]:
    """Names of active users, to choose from."""
    return list(User.objects.filter(is_active=True).order_by("username").values_list("username", flat=True)[:limit])
