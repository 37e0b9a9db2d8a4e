"""Tells from an answer whether the crawl is let in: the page itself, or a wall in its place. Pure."""

from dataclasses import dataclass
from enum import Enum
from urllib.parse import urlsplit

import re2

from opilio.crawl.fetch.head import Head
from opilio.crawl.logins.credential import Credential, Form, Kind
from opilio.crawl.logins.login_form import asked_to_log_in, holds
from opilio.extract.kind import essence
from opilio.kernel.urls import Base

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HTML = frozenset({"text/html", "application/xhtml+xml"})
#: The last part of a path at which sites ask who you are.
_LOGIN_PATH = re2.compile(
    r"(?i)/(log[-_]?[io]n|sign[-_]?[io]n|sso|cas|auth|authenticate|wp-login)(\.[a-z0-9]{1,5})?/?$"
)
#: Kinds whose sessions end in a page to sign in; the others end in status 401.
_BY_PAGE = frozenset({Kind.FORM, Kind.HEADER, Kind.COOKIE})


class Standing(Enum):
    """How the server sees us."""

    INSIDE = "this is an answer to what was asked"
    CHALLENGED = "status 401"
    OUTSIDE = "a page to sign in, or the way to one"
    FORBIDDEN = "status 403, which may mean either"


@dataclass(frozen=True, kw_only=True, slots=True)
class Sign:
    """A standing with what tells it."""

    standing: Standing
    reason: str = ""


INSIDE = Sign(standing=Standing.INSIDE)


def standing(credential: Credential, url: str, head: Head, content: bytes) -> Sign:
    """How an answer to a request with this credential is to be taken."""
    if _is_login(credential, url):
        return INSIDE  # the login page shows its form to everyone
    if head.status == 401:
        return Sign(standing=Standing.CHALLENGED, reason="status 401")
    if head.status in _REDIRECTS:
        return _redirected(credential, url, head.get("location") or "")
    return _page(credential, url, head, content)


def _redirected(credential: Credential, url: str, location: str) -> Sign:
    target = Base(url).link(location) if location else None
    if target is None or not _leads_out(credential, url, target):
        return INSIDE
    return Sign(standing=Standing.OUTSIDE, reason=f"redirected to sign in at {target.partition('?')[0][:200]}")


def _leads_out(credential: Credential, url: str, target: str) -> bool:
    if _is_login(credential, target):
        return True
    if credential.expired_url:
        return re2.search(credential.expired_url, target) is not None
    if credential.kind not in (Kind.HEADER, Kind.COOKIE):
        return False
    return _LOGIN_PATH.search(urlsplit(target).path) is not None and _LOGIN_PATH.search(urlsplit(url).path) is None


def _page(credential: Credential, url: str, head: Head, content: bytes) -> Sign:
    content_type = head.get("content-type") or ""
    if credential.expired_text and holds(content, content_type, credential.expired_text):
        return Sign(standing=Standing.OUTSIDE, reason="the page has the text that tells of an ended session")
    if credential.kind in _BY_PAGE and essence(content_type) in _HTML:
        asked = asked_to_log_in(content, content_type, url)
        if asked is not None and (asked.short or _is_login(credential, asked.action)):
            return Sign(standing=Standing.OUTSIDE, reason="a page to sign in came instead")
    if head.status == 403:
        return Sign(standing=Standing.FORBIDDEN, reason="status 403")
    return INSIDE


def _is_login(credential: Credential, url: str) -> bool:
    """Whether a URL is that of the form, whatever its query; hosts of one credential have it at the same path."""
    if not isinstance(credential.way, Form) or not credential.reach.names(url):
        return False
    return urlsplit(url).path == urlsplit(credential.way.page).path
