"""The text of a reminder; short, and the same for every agency."""

from datetime import datetime

from django.utils.html import escape

from opilio.curation.days import day_in
from opilio.curation.letters import Letter, values_for
from opilio.curation.models import Permission


def reminder(row: Permission, *, answer_url: str, answer_until: datetime | None) -> Letter:
    """Reminds the authorising agent of a request that was not answered."""
    values = values_for(row, user=None)
    zone = row.agency.time_zone
    asked = f" on {day_in(row.requested_at, zone)}" if row.requested_at else ""
    until = f" until {day_in(answer_until, zone)}" if answer_until else ""
    form = f"You can answer by this form{until}, once:\n{answer_url}\n\n" if answer_url else ""
    text = (
        f"{values['contact_name']},\n\n{values['agency_name']} asked you{asked} for permission to collect and keep"
        f" copies of {values['site_name']}:\n\n{values['urls_plain']}\n\nWe have not heard from you yet.\n\n{form}"
        f"{values['agency_name']}\n{values['agency_email']}\n{values['agency_phone']}\n"
    )
    subject = f"Reminder: permission to collect {values['site_name']}"
    return Letter(printed=False, to=row.agent.email, subject=subject, text=text, html=escape(text), logo="")
