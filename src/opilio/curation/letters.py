"""Permission requests: a template filled with what is known of the permission, the agency and the sender."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.utils.safestring import SafeString

from opilio.curation.days import day_in
from opilio.curation.models import Permission, PermissionTemplate, TemplateKind
from opilio.curation.pattern_reading import BadPattern, parse_pattern
from opilio.curation.placeholders import filled, filled_html
from opilio.people.mail import Envelope

_NOBODY: Mapping[str, str] = {"user_name": "", "user_address": "", "user_phone": "", "user_email": ""}


@dataclass(frozen=True, kw_only=True)
class Letter:
    """A request, ready to be printed or sent."""

    printed: bool
    to: str  # e-mail address, or for letters the name and postal address
    subject: str
    text: str
    html: SafeString
    logo: str  # address of the picture in it, if any


def compose(
    template: PermissionTemplate, permission: Permission, *, user: int | None, answer_url: str = "",
    answer_until: datetime | None = None,
) -> Letter:  # fmt: skip
    """The request as the authorising agent will read it."""
    values = values_for(permission, user=user, answer_url=answer_url, answer_until=answer_until)
    logo = permission.agency.logo_url if permission.agency.logo_url.startswith(("http://", "https://")) else ""
    printed = template.kind == TemplateKind.PRINT
    agent = permission.agent
    return Letter(
        printed=printed,
        to=f"{agent.name}\n{agent.address}".strip() if printed else agent.email,
        subject=" ".join(filled(template.subject or template.name, values).split()),
        text=filled(template.text, values),
        html=filled_html(template.text, values, logo=logo),
        logo=logo if "agency_logo_url" in template.text else "",
    )


def envelope(template: PermissionTemplate, permission: Permission, *, secret: str = "") -> Envelope:
    """In whose name an e-mail goes out, and who else receives it."""
    return Envelope(
        sender=template.sender if template.override_from else "",
        reply_to=template.reply_to or permission.agency.email,
        cc=addresses(template.cc),
        bcc=addresses(template.bcc),
        secret=secret,
    )


def addresses(text: str) -> tuple[str, ...]:
    """The addresses of a list with commas."""
    return tuple(each.strip() for each in text.split(",") if each.strip())


def values_for(
    permission: Permission, *, user: int | None, answer_url: str = "", answer_until: datetime | None = None
) -> dict[str, str]:
    """What each placeholder stands for."""
    agency, agent = permission.agency, permission.agent
    urls = "\n".join(_readable(each.pattern) for each in permission.patterns.all() if not each.deleted)
    return {
        "contact_name": agent.contact or agent.name,
        "contact_address": agent.address,
        "site_name": permission.authorisation.title,
        "urls_plain": urls,
        "urls_html": urls,
        **_sender(user),
        **{f"agency_{name}": getattr(agency, name) for name in
           ("name", "address", "phone", "fax", "email", "url", "logo_url")},
        "start_date": permission.start_date.isoformat(),
        "end_date": permission.end_date.isoformat() if permission.end_date else "",
        "file_reference": permission.file_reference,
        "answer_url": answer_url,
        "answer_until": day_in(answer_until, agency.time_zone).isoformat() if answer_until else "",
    }  # fmt: skip


def _readable(pattern: str) -> str:
    try:
        return parse_pattern(pattern).readable
    except BadPattern:
        return pattern


def _sender(user: int | None) -> Mapping[str, str]:
    row: Any = get_user_model()._default_manager.filter(pk=user).first() if user is not None else None
    if row is None:
        return _NOBODY
    return {
        "user_name": row.real_name, "user_address": row.address, "user_phone": row.phone, "user_email": row.email
    }  # fmt: skip
