"""What every template may use: icons, times, badges, small decisions about forms."""

import datetime

from django import template
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple, Select
from django.template import Context
from django.utils import formats
from django.utils.html import format_html
from django.utils.safestring import SafeString

from opilio.web import icons, languages, sentences, zones

register = template.Library()


register.simple_tag(icons.icon, name="icon")


@register.simple_tag(takes_context=True)
def moment(context: Context, at: datetime.datetime | None, never: str = "–") -> str:
    """A time in the reader's zone; pointing at it shows the UTC. Whoever is not signed in reads UTC, and that it is."""
    if at is None:
        return languages.translated(never)
    actor = context.get("actor")
    return zones.drawn(at, zones.zone_of(actor), mark="" if actor else " UTC")


@register.simple_tag(takes_context=True)
def moment_text(context: Context, at: datetime.datetime) -> str:
    """The same where only text can stand."""
    actor = context.get("actor")
    told = zones.shown(at, zones.zone_of(actor))
    return told if actor else f"{told} UTC"


@register.simple_tag
def day(on: datetime.date | None, never: str = "–") -> str:
    """A day of the calendar, as a person writes it."""
    if on is None:
        return languages.translated(never)
    return zones.drawn_date(on)


@register.filter
def tr(text: object) -> str:
    """Words of the code in the reader's language."""
    return languages.translated(text)


@register.filter
def told(text: object) -> str:
    """A sentence of the code in the reader's language, with the names and numbers that are in it."""
    return sentences.told(text)


@register.simple_tag
def said(words: str, *values: object) -> str:
    """A sentence of a template with values in it: `{0}` is the first."""
    return format_html(languages.translated(words), *values)


@register.filter
def state(text: object) -> str:
    """A state in the reader's language."""
    return languages.translated_state(text)


@register.filter
def offered(label: object, value: object) -> str:
    """What a list offers, in the reader's language."""
    return languages.offered(value, label)


@register.filter
def drawn(field: BoundField) -> SafeString:
    """The control of a field, with what it began with where that is asked; its list speaks the reader's language."""
    widget = field.field.widget
    if isinstance(widget, Select):
        widget.choices = [_offer(*choice) for choice in widget.choices]
    hidden = field.as_hidden(only_initial=True) if field.field.show_hidden_initial else SafeString()
    return field.as_widget() + hidden


def _offer(value: object, label: object) -> tuple[object, object]:
    if isinstance(label, list | tuple):  # a group of choices
        return languages.translated(value), [_offer(*choice) for choice in label]
    return value, languages.offered(value, label)


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
    """A number with its thousands apart, as the reader writes it: 12,345."""
    return formats.number_format(number, force_grouping=True)
