"""Credentials: one name, one reach, one way to log in. Secrets are never part of what `repr` shows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from opilio.crawl.logins.reach import Reach


class Kind(StrEnum):
    """The ways to log in."""

    BASIC = "basic"  # RFC 7617
    DIGEST = "digest"  # RFC 7616
    NEGOTIATE = "negotiate"  # RFC 4559
    FORM = "form"
    HEADER = "header"
    COOKIE = "cookie"


@dataclass(frozen=True, kw_only=True, slots=True)
class Basic:
    """User and password with each request."""

    user: str = field(repr=False)
    password: str = field(repr=False)
    realm: str = ""  # the only realm that is answered; empty: any


@dataclass(frozen=True, kw_only=True, slots=True)
class Digest:
    """Proof of the password with each request."""

    user: str = field(repr=False)
    password: str = field(repr=False)
    realm: str = ""  # the only realm that is answered; empty: any


@dataclass(frozen=True, kw_only=True, slots=True)
class Negotiate:
    """Tokens of Kerberos or NTLM; without a user, the ticket that the process has."""

    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Signs:
    """What tells that a login succeeded; all that are given must hold. Without any: the form is gone."""

    text: str = ""  # stands on the page
    url: str = ""  # RE2; found in the URL where the login ended
    cookie: str = ""  # a cookie of this name was set


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """A login form, filled in and posted."""

    page: str  # URL of the form
    user: str = field(repr=False)
    password: str = field(repr=False)
    user_field: str = ""  # empty: the field before the password
    password_field: str = ""  # empty: the first of its type
    fields: Mapping[str, str] = field(default_factory=dict, repr=False)  # further values
    success: Signs = Signs()


@dataclass(frozen=True, kw_only=True, slots=True)
class Headers:
    """Headers with each request, such as an API key."""

    headers: tuple[tuple[str, str], ...] = field(repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Cookies:
    """Cookies of a session that was begun elsewhere."""

    cookies: tuple[tuple[str, str], ...] = field(repr=False)


Way = Basic | Digest | Negotiate | Form | Headers | Cookies


@dataclass(frozen=True, kw_only=True, slots=True)
class Credential:
    """How a seed's pages are asked for."""

    name: str
    reach: Reach
    way: Way
    tries: int = 2  # failed logins in a row after which nothing more is tried, lest the account be locked
    expired_url: str = ""  # RE2; a redirect to such a URL means that the session is over; empty: common login paths
    expired_text: str = ""  # a page with this text means the same
    logout: str = ""  # RE2; URLs that would end the session; empty: common ones

    @property
    def kind(self) -> Kind:
        """How it logs in."""
        return _KINDS[type(self.way)]


_KINDS: Mapping[type[Way], Kind] = {
    Basic: Kind.BASIC,
    Digest: Kind.DIGEST,
    Negotiate: Kind.NEGOTIATE,
    Form: Kind.FORM,
    Headers: Kind.HEADER,
    Cookies: Kind.COOKIE,
}
