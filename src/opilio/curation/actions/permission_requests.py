"""Ask authorising agents by letter or e-mail, remind them, close answer forms, and say that nobody answers."""

from dataclasses import dataclass, replace

from opilio.curation import deciding
from opilio.curation.announcing import announce
from opilio.curation.invitations import Invited, invite, revoke_open
from opilio.curation.kinds import PERMISSION, PERMISSION_TEMPLATE
from opilio.curation.letters import Letter, compose, envelope
from opilio.curation.models import Channel, Communication, Permission, PermissionStatus, PermissionTemplate
from opilio.curation.placeholders import used
from opilio.curation.reminding import reminder
from opilio.curation.workflow import PERMISSIONS
from opilio.kernel.errors import Conflict, InvalidInput
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.mail import Envelope, post
from opilio.people.privileges import Privilege

_ASK = Privilege.GENERATE_TEMPLATE
_HIDDEN = "(the address of the answer form)"


class NoPublicAddress(InvalidInput):
    """A letter should lead to the answer form, but nobody knows where the pages are."""


@dataclass(frozen=True, kw_only=True)
class Sent:
    """A request that went out, or is to be printed."""

    letter: Letter
    communication: Communication


@action("permission.request", "Ask for a permission by letter or e-mail.", privilege=_ASK)
def request_permission(act: Act, /, *, permission_id: int, template_id: int, base_url: str = "") -> Sent:
    """The letter as it is printed or sent; a pending permission is Requested from now on."""
    row, template = _fetched(act, permission_id), _template(act, template_id)
    if template.agency_id != row.agency_id:
        raise InvalidFields({"template": ["Choose a template of the permission's agency."]})
    _require_open(act, row)
    invited = _invited(act, row, base_url) if "answer_url" in used(template.text) else None
    url = f"{base_url.rstrip('/')}{invited.path}" if invited else ""
    letter = compose(
        template, row, user=act.actor.user, answer_url=url, answer_until=invited.row.expires_at if invited else None
    )
    if not letter.printed:
        _post(act, row, letter, envelope(template, row, secret=invited.token if invited else ""))
    channel = Channel.LETTER if letter.printed else Channel.EMAIL
    told = _logged(act, row, letter, channel, url)
    now = act.clock.now()
    if row.status == PermissionStatus.PENDING:
        move = PERMISSIONS.move("request", PermissionStatus.PENDING)
        act.update(row, {"status": move.target, "requested_at": now}, message=f"Asked by {template.name}.")
    else:
        act.update(row, {"requested_at": now, "reminders": 0}, message=f"Asked again by {template.name}.")
    return Sent(letter=letter, communication=told)


@action("permission.remind", "Remind an authorising agent of a request.", privilege=_ASK)
def remind_permission(act: Act, /, *, permission_id: int, base_url: str = "") -> Sent:
    """By e-mail, with a new address of the answer form; the old one closes."""
    row = _fetched(act, permission_id)
    if row.status != PermissionStatus.REQUESTED:
        raise Conflict(
            f"The permission {row} is {PermissionStatus(row.status).label}, not Requested", where=act.name,
            remedy="Only a request that was sent can be reminded of.",
        )  # fmt: skip
    invited = _invited(act, row, base_url) if base_url else None
    url = f"{base_url.rstrip('/')}{invited.path}" if invited else ""
    letter = reminder(row, answer_url=url, answer_until=invited.row.expires_at if invited else None)
    _post(act, row, letter, Envelope(reply_to=row.agency.email, secret=invited.token if invited else ""))
    told = _logged(act, row, letter, Channel.REMINDER, url)
    act.update(row, {"reminded_at": act.clock.now(), "reminders": row.reminders + 1}, message="Reminded.")
    return Sent(letter=letter, communication=told)


@action("permission.revoke_form", "Close the answer forms of a permission.", privilege=_ASK)
def revoke_forms(act: Act, /, *, permission_id: int) -> int:
    """Addresses that were given out lead nowhere any more. How many there were."""
    row = _fetched(act, permission_id)
    closed = revoke_open(row, act.clock.now())
    if closed:
        act.record(row, message="Closed the answer form.")
    return closed


@action("permission.announce", "Tell that a permission expires or is not answered.", privilege=_ASK)
def announce_permission(act: Act, /, *, permission_id: int) -> int:
    """Tells owners of linked targets and those who confirm permissions. How many heard it."""
    return announce(act, _fetched(act, permission_id))


def _fetched(act: Act, permission_id: int) -> Permission:
    row: Permission = act.fetch(PERMISSION, permission_id)
    act.require(_ASK, PERMISSION.subject(row), f"ask for the permission {row}")
    return row


def _template(act: Act, template_id: int) -> PermissionTemplate:
    row: PermissionTemplate = act.fetch(PERMISSION_TEMPLATE, template_id)
    return row


def _require_open(act: Act, row: Permission) -> None:
    if row.status not in (PermissionStatus.PENDING, PermissionStatus.REQUESTED):
        raise Conflict(
            f"The permission {row} is {PermissionStatus(row.status).label} already", where=act.name,
            remedy="Make a new permission to ask again.",
        )  # fmt: skip


def _invited(act: Act, row: Permission, base_url: str) -> Invited:
    if not base_url:
        raise NoPublicAddress(
            "The letter leads to the answer form, but the address of the pages is not known", where=act.name,
            remedy="Set server_public_url, or take {answer_url} out of the template.",
        )  # fmt: skip
    return invite(act, row, email=row.agent.email)


def _post(act: Act, row: Permission, letter: Letter, wrapped: Envelope) -> None:
    if not row.agent.email:
        raise InvalidFields({"template": [f"{row.agent} has no e-mail address; add one, or print a letter."]})
    post(to=row.agent.email, subject=letter.subject, body=letter.text, now=act.clock.now(), envelope=wrapped)


def _logged(act: Act, row: Permission, letter: Letter, channel: Channel, url: str) -> Communication:
    """The log keeps the text, but not the address that would let anybody answer."""
    safe = replace(letter, text=letter.text.replace(url, _HIDDEN)) if url else letter
    return deciding.log(
        act, row, channel=channel, outgoing=True, subject=safe.subject, text=safe.text, address=letter.to
    )
