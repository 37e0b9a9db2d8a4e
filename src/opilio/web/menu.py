"""The navigation as it is drawn: twice on each page, for small screens too, and mostly the same for one reader."""

import functools

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString

from opilio.people.actor import Actor
from opilio.people.queries.intray import waiting
from opilio.web.sections import BY_NAME, Section, navigation


def drawn(actor: Actor, here: str) -> SafeString:
    """The entries that the actor sees, the present one marked, with how much waits in the in-tray."""
    seen = tuple(section.name for _, sections in navigation(actor) for section in sections)
    return _drawn(seen, here, waiting(actor), translation.get_language())


@functools.lru_cache(maxsize=512)  # a few sets of privileges, each in a few dozen places; 20 kB each
def _drawn(seen: tuple[str, ...], here: str, waits: int, language: str) -> SafeString:
    """The language is the one in force; it is an argument because the words depend on it."""
    groups: dict[str, list[Section]] = {}
    for name in seen:
        groups.setdefault(BY_NAME[name].group, []).append(BY_NAME[name])
    return render_to_string("web/_navigation.html", {"groups": groups.items(), "here": here, "waiting": waits})
