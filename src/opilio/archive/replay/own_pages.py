"""Replay's own pages: not archived, closed, no way in, and the page that lets in. Escaped by construction, no scripts.

Nothing of an archived page stands in them but its URL.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from opilio.archive.replay.messages import Header, Response
from opilio.archive.replay.policies import own_policy

ASSETS = "/_opilio"
_HTML: Header = ("content-type", "text/html; charset=utf-8")


@dataclass(frozen=True, kw_only=True, slots=True)
class Near:
    """A capture that may be meant."""

    path: str
    url: str
    at: datetime


def text(words: str) -> str:
    """Words that are no markup."""
    return escape(words, quote=True)


def spoken(at: datetime) -> str:
    """A time for people."""
    return f"{at.day} {at:%B %Y, %H:%M:%S} UTC"


def page(
    title: str, *parts: str, status: int = 200, script: str = "", head: str = "", headers: Sequence[Header] = (),
    referrer: str = "no-referrer",
) -> Response:  # fmt: skip
    """A page of ours; parts are markup."""
    scripts = f'<script src="{ASSETS}/{script}" defer></script>' if script else ""
    document = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<title>{text(title)} · Opilio</title><link rel="stylesheet" href="{ASSETS}/page.css">{scripts}{head}</head>'
        f"<body><main><h1>{text(title)}</h1>{''.join(parts)}</main></body></html>\n"
    )
    body = document.encode()
    own = own_policy(scripts=bool(script), referrer=referrer)
    return Response(status=status, headers=(_HTML, *own, *headers), body=body)


def paragraph(words: str) -> str:
    """A paragraph of text."""
    return f"<p>{text(words)}</p>"


def no_way_in(entry: str) -> Response:
    """For whoever comes without a session."""
    return page(
        "This result is not open here",
        paragraph("Archived pages are shown to those who came from the list of results, for some hours."),
        f'<p>Go to <a href="{text(entry)}">the list of results</a> and open it from there. Its address stands where '
        "<code>opilio replay</code> was started.</p>",
        status=403,
    )


def closed(reason: str, *, rule: str) -> Response:
    """For what the reader may not see; RFC 7725 where a rule says so."""
    said = f'<p class="quiet">Rule: {text(rule)}</p>' if rule else ""
    return page("This capture is closed", paragraph(reason), said, status=451 if rule else 403)


def unreadable(what: str, url: str) -> Response:
    """For a capture whose record is damaged or gone."""
    return page(
        "This capture cannot be read",
        _address(url),
        paragraph(f"{what[:1].upper()}{what[1:]}."),
        paragraph("Run “opilio archive verify” on the crawl; it says which record is broken."),
        status=502,
    )


def without_original(url: str, at: datetime | None) -> Response:
    """For a revisit whose body is nowhere."""
    when = f" of {spoken(at)}" if at else ""
    return page(
        "The body of this capture is elsewhere",
        _address(url),
        paragraph(f"The page had the same content as the capture{when}, so its body was not kept a second time."),
        paragraph("That earlier capture is not in this result. Replay the crawl that holds it, or pack both together."),
        status=404,
    )


def not_replayable(method: str) -> Response:
    """For what only a live server can answer."""
    return page(
        "This cannot be replayed",
        paragraph(f"The page sends something to its server ({method}). An archive has no server that could answer it."),
        status=405,
        headers=(("allow", "GET, HEAD"),),
    )


def not_archived(url: str, near: Iterable[Near], *, wish: str, wished: bool) -> Response:
    """For a URL without a capture, with a form that puts it on the patch list."""
    found = list(near)
    items = "".join(
        f'<li><a href="{text(each.path)}">{text(each.url)}</a> <span class="quiet">{spoken(each.at)}</span></li>'
        for each in found
    )
    others = f"<h2>Captured nearby</h2><ul>{items}</ul>" if found else ""
    form = _wish(url, wish, wished=wished)
    return page("Not archived", _address(url), form, others, status=404, referrer="same-origin")


def _wish(url: str, seal: str, *, wished: bool) -> str:
    if wished:
        return '<p role="status">It is on the patch list, to be fetched later.</p>'
    return (
        "<p>This result has no capture of it. It can be put on the patch list, to be fetched later.</p>"
        f'<form method="post" action="{ASSETS}/patch"><input type="hidden" name="url" value="{text(url)}">'
        f'<input type="hidden" name="seal" value="{text(seal)}"><button>Add to the patch list</button></form>'
    )


def _address(url: str) -> str:
    return f'<p class="address"><bdi>{text(url)}</bdi></p>'
