"""What every template may use: icons, times, badges, small decisions about forms."""

import datetime

import lucide
from django import template
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from opilio.web import zones

register = template.Library()


@register.simple_tag
def icon(name: str, size: int = 16) -> SafeString:
    """A drawing beside words; screen readers pass over it."""
    drawn: str = lucide._render_icon(name, size, **{"class": "icon", "aria_hidden": "true", "focusable": "false"})
    return mark_safe(drawn)  # noqa: S308 - the wheel's own drawings


@register.simple_tag(takes_context=True)
def moment(context: Context, at: datetime.datetime | None, never: str = "–") -> str:
    """A time in the reader's zone; pointing at it shows the UTC."""
    if at is None:
        return never
    zone = zones.zone_of(context.get("actor"))
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', zones.machine(at), zones.exact(at), zones.shown(at, zone)
    )


@register.filter
def control(field: BoundField) -> str:
    """How a field is laid out: check, checks or text."""
    widget = field.field.widget
    if isinstance(widget, CheckboxSelectMultiple):
        return "checks"
    return "check" if isinstance(widget, CheckboxInput) else "text"


@register.filter
def initials(name: str) -> str:
    """Up to two letters for the round mark of a user."""
    words = [word for word in name.replace(".", " ").replace("-", " ").split() if word]
    return "".join(word[0] for word in words[:2]).upper() or "?"


@register.filter
def grouped(number: int) -> str:
    """A number with its thousands apart: 12,345."""
    return f"{number:,}"
