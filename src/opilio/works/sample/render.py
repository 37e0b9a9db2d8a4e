"""Puts the chrome of the sample site (head, navigation, footer) around a page source. Pure: text in, bytes out."""

from dataclasses import replace
from html import escape
from string import Template

from opilio.works.sample.source import PageSource

SITE_NAME = "The Harbour Museum of Tidewick"

#: The entries of the navigation: path and label.
NAVIGATION = (
    ("/visit/", "Visit"),
    ("/exhibitions/", "Exhibitions"),
    ("/collections/", "Collections"),
    ("/events/", "Events"),
    ("/tides/", "Tides"),
    ("/news/", "News"),
    ("/research/", "Research"),
    ("/education/", "Education"),
    ("/about/", "About"),
)


def render(page: PageSource, *, chrome: str) -> bytes:
    """The HTML document of a page, in the page's own charset; `chrome` is a `string.Template`."""
    text = Template(chrome).substitute(
        lang=escape(page.lang),
        charset=escape(page.charset),
        title=escape(page.title),
        site_name=escape(SITE_NAME),
        head=_head(page),
        navigation=_navigation(page),
        print_link=_print_link(page),
        body=page.body,
        date=page.date.isoformat(),
        date_in_words=f"{page.date.day} {page.date:%B %Y}",
    )
    return text.encode(page.charset, "xmlcharrefreplace")


def print_version(page: PageSource) -> PageSource:
    """The same page for the printer: its own address, with the page itself as canonical."""
    return replace(page, path=f"{page.path}?view=print", canonical=page.path, layout="print", has_print_version=False)


def _head(page: PageSource) -> str:
    lines = [f'<base href="{escape(page.base)}">'] if page.base else []
    lines += [
        f'<meta name="{name}" content="{escape(value)}">'
        for name, value in (("description", page.description), ("keywords", page.keywords), ("robots", page.robots))
        if value
    ]
    if page.refresh:
        lines.append(f'<meta http-equiv="refresh" content="{escape(page.refresh)}">')
    lines.append(f'<link rel="canonical" href="{escape(page.canonical or page.path)}">')
    return "\n".join(lines)


def _navigation(page: PageSource) -> str:
    return "\n".join(
        f'<li><a href="{path}"{" aria-current=true" if path == page.section else ""}>{escape(label)}</a></li>'
        for path, label in NAVIGATION
    )


def _print_link(page: PageSource) -> str:
    if not page.has_print_version:
        return ""
    return f'<a class="print-link" href="{escape(page.path)}?view=print">Print version</a>'
