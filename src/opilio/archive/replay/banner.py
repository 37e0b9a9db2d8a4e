"""The banner of an archived page: when it was captured, in which result, what stands around it, and whose it is.

It lives in a closed shadow root: neither styles nor scripts of the page reach it, nor its own the page. It folds
without a script, and is ASCII, so that it can stand in a page of any charset.
"""

from dataclasses import dataclass
from datetime import datetime

from opilio.archive.replay.own_pages import ASSETS, spoken, text
from opilio.kernel.access import Statement

_HOST_STYLE = (
    "all:initial!important;display:block!important;position:fixed!important;inset:auto 0 0 0!important;"
    "z-index:2147483647!important;visibility:visible!important;opacity:1!important"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Banner:
    """What the banner says."""

    url: str
    at: datetime
    result: str
    previous: str = ""  # path of the capture before
    next: str = ""  # path of the capture after
    entry: str = ""  # address of the list of results
    scripts: bool = True
    statements: tuple[Statement, ...] = ()


def markup(banner: Banner, *, xml: bool = False) -> bytes:
    """The banner as it stands in a page; XML has no shadow roots in markup."""
    inner = f'<link rel="stylesheet" href="{ASSETS}/banner.css"/>{_bar(banner)}'
    if not xml:
        inner = f'<template shadowrootmode="closed">{inner}</template>'
    namespace = ' xmlns="http://www.w3.org/1999/xhtml"' if xml else ""
    whole = f'<opilio-banner{namespace} style="{_HOST_STYLE}">{inner}</opilio-banner>'
    return whole.encode("ascii", "xmlcharrefreplace")


def _bar(banner: Banner) -> str:
    parts = [
        _link(banner.previous, "Previous capture"),
        _link(banner.next, "Next capture"),
        f'<a href="{text(banner.url)}" target="_blank" rel="noopener noreferrer nofollow">Live site '
        '<span class="opilio-quiet">(opens in a new tab)</span></a>',
        _link(banner.entry, "All results"),
    ]
    scripts = "" if banner.scripts else "<p>Scripts are off: here no service worker would confine them.</p>"
    said = "".join(map(_statement, banner.statements))
    return (
        '<section class="opilio-bar" aria-label="Archived copy"><details open="">'
        f'<summary><strong>Archived copy</strong> <time datetime="{banner.at:%Y-%m-%dT%H:%M:%SZ}">'
        f"{spoken(banner.at)}</time></summary>"
        f'<p class="opilio-line"><span>{text(banner.result)}</span> '
        f'<bdi class="opilio-url">{text(banner.url)}</bdi></p>'
        f'<p class="opilio-line">{" ".join(part for part in parts if part)}</p>{said}{scripts}</details></section>'
    )


def _link(path: str, words: str) -> str:
    return f'<a href="{text(path)}">{words}</a>' if path else ""


def _statement(statement: Statement) -> str:
    link = (
        f' <a href="{text(statement.link)}" target="_blank" rel="noopener noreferrer">Full statement '
        '<span class="opilio-quiet">(opens in a new tab)</span></a>'
        if statement.link
        else ""
    )
    said = f'<p class="opilio-said">{text(statement.text)}{link}</p>' if statement.text or link else ""
    needs = f'<p class="opilio-said">{text(statement.requirements)}</p>' if statement.requirements else ""
    return said + needs
