"""The drawings beside words. Each is made once for a process: making one takes longer than a row of a list."""

import functools

import lucide
from django.utils.safestring import SafeString, mark_safe


@functools.lru_cache(maxsize=1_000)  # pages use some two hundred
def icon(name: str, size: int = 16) -> SafeString:
    """A drawing beside words; screen readers pass over it."""
    drawn: str = lucide._render_icon(name, size, **{"class": "icon", "aria_hidden": "true", "focusable": "false"})
    return mark_safe(drawn)  # noqa: S308 - the wheel's own drawings
