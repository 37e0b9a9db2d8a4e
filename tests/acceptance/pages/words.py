"""Reads values out of a page as a browser would."""

import html
import re


def value_of(text, name):
    """The value of the input with this name."""
    found = re.search(rf'<input[^>]*name="{name}"[^>]*>', text)
    value = re.search(r'value="([^"]*)"', found.group(0)) if found else None
    return html.unescape(value.group(1)) if value else None


def checked(text, name):
    """The value of the checked radio button with this name."""
    buttons = re.findall(rf'<input[^>]*name="{name}"[^>]*>', text)
    return next(re.search(r'value="([^"]*)"', one).group(1) for one in buttons if " checked" in one)
