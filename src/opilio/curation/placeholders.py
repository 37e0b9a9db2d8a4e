"""Placeholders in the texts of permission requests: `{name}`. Braces that are meant are written twice."""

import re
from collections.abc import Callable, Mapping

from django.utils.html import escape, format_html, format_html_join, linebreaks
from django.utils.safestring import SafeString, mark_safe

from opilio.kernel.errors import InvalidInput

#: Name → what stands in its place.
PLACEHOLDERS: Mapping[str, str] = {
    "contact_name": "the person to address, or the name of the authorising agent",
    "contact_address": "the postal address of the authorising agent",
    "site_name": "the title of the authorisation",
    "urls_plain": "the URL patterns, one on a line",
    "urls_html": "the URL patterns as a list; in e-mail one on a line",
    "user_name": "the real name of whoever sends it",
    "user_address": "that person's postal address",
    "user_phone": "that person's telephone number",
    "user_email": "that person's e-mail address",
    "agency_name": "the name of the agency",
    "agency_address": "the postal address of the agency",
    "agency_phone": "the telephone number of the agency",
    "agency_fax": "the fax number of the agency",
    "agency_email": "the e-mail address of the agency",
    "agency_url": "the web address of the agency",
    "agency_logo_url": "the logo of the agency; in e-mail its address",
    "start_date": "the first day of the permission",
    "end_date": "the last day of the permission, if it has one",
    "file_reference": "the number of the outside file",
    "answer_url": "the address of a form by which the authorising agent can answer, once",
    "answer_until": "the day until which that form is open",
}
_BRACES = re.compile(r"\{\{|\}\}|\{([^{}\n]{0,64})\}")


class UnknownPlaceholder(InvalidInput):
    """A text holds a placeholder that nothing can be put in place of."""


def used(text: str) -> frozenset[str]:
    """The names of the placeholders in a text."""
    return frozenset(found[1].strip() for found in _BRACES.finditer(text) if found[1] is not None)


def check(*texts: str) -> None:
    """Refuse texts with placeholders that are not known."""
    unknown = sorted(frozenset().union(*map(used, texts)) - set(PLACEHOLDERS))
    if unknown:
        raise UnknownPlaceholder(
            f"There is no placeholder {{{unknown[0]}}}", where="template",
            remedy=f"Known are {', '.join(PLACEHOLDERS)}. Braces that are meant are written twice: {{{{ and }}}}.",
        )  # fmt: skip


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with values in place of the placeholders; one without a value stands for nothing."""
    return _replaced(text, lambda name: values.get(name, ""))


def filled_html(text: str, values: Mapping[str, str], *, logo: str = "") -> SafeString:
    """The same as paragraphs of HTML. The text and the values are plain: whatever they hold is shown, not obeyed."""
    special = {"urls_html": _list(values.get("urls_plain", "")), "agency_logo_url": _image(logo)}

    def put(name: str) -> str:
        return special[name] if name in special else escape(values.get(name, "")).replace("\n", "<br>")

    # The braces survive the escaping, so that only what the placeholders stand for is HTML.
    html = _replaced(linebreaks(escape(text)), put).replace("<p><ul>", "<ul>").replace("</ul></p>", "</ul>")
    return mark_safe(html)  # noqa: S308 - every part was escaped


def _replaced(text: str, put: Callable[[str], str]) -> str:
    def one(found: re.Match[str]) -> str:
        return found[0][0] if found[1] is None else put(found[1].strip())

    return _BRACES.sub(one, text)


def _list(lines: str) -> str:
    return format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", ((line,) for line in lines.splitlines())))


def _image(url: str) -> str:
    return format_html('<img src="{}" alt="" class="letter-logo">', url) if url else ""
