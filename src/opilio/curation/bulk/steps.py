"""Steps of bulk work that look something up for each row, and the arguments that they take."""

from collections.abc import Callable, Mapping
from typing import Any

from opilio.curation.actions.group_members import add_members, move_members, remove_members
from opilio.curation.actions.groups import update_group
from opilio.curation.actions.ownership import give_ownership, take_ownership
from opilio.curation.actions.target_moves import reject_target
from opilio.curation.actions.targets import update_target
from opilio.curation.bulk.arguments import Argument, Control, flag, number
from opilio.curation.bulk.verbs import Begin, Changed, Step, Subject
from opilio.curation.group_notices import Change, tell_together
from opilio.curation.models import AbstractTarget, AccessZone, Group, GroupMember, Profile, RejectionReason
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege
from opilio.people.queries.names import user_id, usernames

_MOST_OFFERED = 500
_MOST_DAYS = 183_000  # of an embargo
_ZONES = {zone.name.lower().replace("_", "-"): zone for zone in AccessZone}


def _names(model: Any, actor: Actor) -> list[tuple[str, str]]:
    rows = seen(model.objects.all(), actor).order_by("name").values_list("name", flat=True).distinct()
    return [(name, name) for name in rows[:_MOST_OFFERED]]


def _groups(actor: Actor) -> list[tuple[str, str]]:
    rows = seen(Group.objects.select_related("agency"), actor).order_by("name", "id")[:_MOST_OFFERED]
    return [(str(row.pk), f"{row.name} ({row.agency})") for row in rows]


def _user(text: str) -> int:
    found = user_id(text)
    if found is None:
        raise ValueError(f"There is no user {text[:60]!r}.")
    return found


def _zone(text: str) -> int:
    if text not in _ZONES:
        raise ValueError(f"Choose one of {', '.join(_ZONES)}.")
    return int(_ZONES[text])


def _days(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 6 or int(text) > _MOST_DAYS:
        raise ValueError(f"Write a whole number of days up to {_MOST_DAYS:,}.")
    return int(text)


def group(name: str, label: str) -> Argument:
    """A group, by its number."""
    return Argument(name=name, label=label, control=Control.CHOICE, options=_groups, read=number)


REASON = Argument(
    name="reason", label="Reason", control=Control.NAME, options=lambda actor: _names(RejectionReason, actor),
    help="By its name; each target takes the reason of its own agency.",
)  # fmt: skip
PROFILE = Argument(
    name="profile", label="Profile", control=Control.NAME, options=lambda actor: _names(Profile, actor),
    help="By its name; each row takes the profile of its own agency.",
)  # fmt: skip
OWNER = Argument(
    name="user", label="New owner", control=Control.NAME, read=_user, help="User name.",
    options=lambda actor: [(name, name) for name in usernames()],
)  # fmt: skip
USER = Argument(
    name="user", label="User", control=Control.NAME, read=_user, help="User name.",
    options=lambda actor: [(name, name) for name in usernames()],
)  # fmt: skip
ZONE = Argument(
    name="access_zone", label="Access zone", control=Control.CHOICE, required=False, read=_zone,
    options=lambda actor: [(word, zone.label) for word, zone in _ZONES.items()],
)  # fmt: skip
DISPLAY = Argument(
    name="display", label="Show to readers", control=Control.CHOICE, required=False, read=flag,
    options=lambda actor: (("yes", "Yes"), ("no", "No")),
)  # fmt: skip
EMBARGO = Argument(
    name="embargo_days", label="Days of embargo", required=False, read=_days,
    help="From a capture, during which nobody may read it; 0: none.",
)  # fmt: skip
DISPLAY_REASON = Argument(
    name="display_change_reason", label="Why", control=Control.PARAGRAPH, required=False,
    help="Kept with each target.",
)  # fmt: skip


class Named:
    """Rows of an agency by their name, looked up once each."""

    def __init__(self, model: Any, label: str, **conditions: Any) -> None:
        self._rows, self._label, self._found = model.objects.filter(**conditions), label, dict[tuple[int, str], int]()

    def __call__(self, agency_id: int, name: str) -> int:
        """The identifier; `InvalidFields` when the agency has none of that name."""
        key = (agency_id, name.casefold())
        if key not in self._found:
            row = self._rows.filter(agency_id=agency_id, name__iexact=name).values_list("id", flat=True).first()
            if row is None:
                raise InvalidFields(
                    {self._label: [f"The agency has no {self._label.replace('_', ' ')} {name[:60]!r}."]}
                )
            self._found[key] = row
        return self._found[key]


def reject(actor: Actor, given: Mapping[str, Any]) -> Step:
    """Reject with the reason of each target's agency."""
    reasons = Named(RejectionReason, "reason")

    def step(subject: Subject) -> object:
        reason = reasons(_agency(subject), given["reason"])
        return reject_target(actor, target_id=_id(subject), reason_id=reason, note=given["note"] or "")

    return step


def target_profile(actor: Actor, given: Mapping[str, Any]) -> Step:
    """Choose the profile of each target's agency."""
    profiles = Named(Profile, "profile", original=None)
    return lambda subject: update_target(
        actor, target_id=_id(subject), version=None, profile_id=profiles(_agency(subject), given["profile"])
    )


def group_profile(actor: Actor, given: Mapping[str, Any]) -> Step:
    """Choose the profile of each group's agency."""
    profiles = Named(Profile, "profile", original=None)

    def step(subject: Subject) -> object:
        row = AbstractTarget.objects.get(id=_id(subject))
        chosen = profiles(row.agency_id, given["profile"])
        return update_group(actor, group_id=row.id, version=row.version, profile_id=chosen)

    return step


def target_access(actor: Actor, given: Mapping[str, Any]) -> Step:
    """Change zone and display, whichever was given."""
    changes = {name: value for name, value in given.items() if value is not None}
    if not changes.keys() & {"access_zone", "display", "embargo_days"}:
        raise InvalidFields(
            {"access_zone": ["Choose a zone, days of embargo, or whether they are shown."]}, where="arguments"
        )
    return lambda subject: update_target(actor, target_id=_id(subject), version=None, **changes)


def give(kind_name: str) -> Begin:
    """Give rows to a user; oneself may take them, if one may not give."""

    def begin(actor: Actor, given: Mapping[str, Any]) -> Step:
        takes = given["user"] == actor.user and not actor.holds(Privilege.GIVE_OWNERSHIP)
        if takes:
            return lambda subject: take_ownership(actor, kind_name=kind_name, row_id=_id(subject))
        return lambda subject: give_ownership(actor, kind_name=kind_name, row_id=_id(subject), user_id=given["user"])

    return begin


def with_user(action: Callable[..., object], key: str) -> Begin:
    """An action that names its user `user_id`."""

    def begin(actor: Actor, given: Mapping[str, Any]) -> Step:
        others = {name: value for name, value in given.items() if name != "user" and value is not None}
        return lambda subject: action(actor, **{key: subject.row_id}, user_id=given["user"], **others)

    return begin


def join(actor: Actor, given: Mapping[str, Any]) -> Step:
    """Put each row into the group."""
    return lambda subject: add_members(actor, group_id=given["group"], member_ids=[_id(subject)])


def leave(actor: Actor, given: Mapping[str, Any]) -> Step:
    """Take each row out of the group."""
    return lambda subject: remove_members(actor, group_id=given["group"], member_ids=[_id(subject)])


def move(actor: Actor, given: Mapping[str, Any]) -> Step:
    """Move each row from one group to the other."""
    return lambda subject: move_members(
        actor, source_id=given["source"], into_id=given["into"], member_ids=[_id(subject)]
    )


def tell_joined(actor: Actor, changed: Changed) -> int:
    """Tell of all rows that came into the group."""
    return _told(actor, changed, joined=changed.arguments["group"])


def tell_left(actor: Actor, changed: Changed) -> int:
    """Tell of all rows that left the group."""
    return _told(actor, changed, left=changed.arguments["group"])


def tell_moved(actor: Actor, changed: Changed) -> int:
    """Tell of all rows that left the one group, and of those that came into the other."""
    return _told(actor, changed, joined=changed.arguments["into"], left=changed.arguments["source"])


def _told(actor: Actor, changed: Changed, *, joined: int = 0, left: int = 0) -> int:
    """One notice for each group; whoever was in a group before did not come into it."""
    rows = tuple(AbstractTarget.objects.filter(pk__in=changed.rows).order_by("name", "pk"))
    groups = Group.objects.in_bulk([joined, left])
    new = GroupMember.objects.filter(parent_id=joined, child__in=rows, at__gte=changed.since)
    came = set(new.values_list("child_id", flat=True))
    changes = []
    if joined in groups:
        changes.append(Change(group=groups[joined], added=tuple(row for row in rows if row.pk in came)))
    if left in groups:
        changes.append(Change(group=groups[left], removed=rows))
    return tell_together(actor, changed.now, *changes)


def _id(subject: Subject) -> int:
    return subject.row_id or 0


def _agency(subject: Subject) -> int:
    found: int | None = AbstractTarget.objects.filter(id=_id(subject)).values_list("agency_id", flat=True).first()
    return found or 0
