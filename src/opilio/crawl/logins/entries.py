"""One credential from its table: every name, type and value is checked, and none is repeated in a message."""

import re
from collections.abc import Mapping
from typing import Any

import re2

from opilio.crawl.logins.credential import (
    Basic,
    Cookies,
    Credential,
    Digest,
    Form,
    Headers,
    Kind,
    Negotiate,
    Signs,
    Way,
)
from opilio.crawl.logins.errors import BadCredentials
from opilio.crawl.logins.reach import Reach
from opilio.kernel.errors import OpilioError
from opilio.kernel.hosts import registrable_domain
from opilio.kernel.urls import canonical

MOST_TRIES = 5
_SHARED = frozenset(
    {"kind", "hosts", "domain", "path", "https_only", "tries", "expired_url", "expired_text", "logout"}
)  # fmt: skip
_USER = frozenset({"user", "password", "password_variable"})
_OWN: Mapping[Kind, frozenset[str]] = {
    Kind.BASIC: _USER | {"realm"},
    Kind.DIGEST: _USER | {"realm"},
    Kind.NEGOTIATE: _USER,
    Kind.FORM: _USER | {"page", "user_field", "password_field", "fields", "success"},
    Kind.HEADER: frozenset({"headers", "header_variables"}),
    Kind.COOKIE: frozenset({"cookies", "cookie_variables"}),
}
_HOST = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,200}")
#: Headers that decide how a request is read; a credential must not touch them.
_OURS = frozenset({"host", "content-length", "transfer-encoding", "connection", "cookie", "user-agent"})


def credential_of(name: str, table: Mapping[str, Any], *, environ: Mapping[str, str], where: str) -> Credential:
    """The credential; `BadCredentials` names the value that is wrong."""
    entry = Entry(table, environ, where)
    kind = entry.kind()
    entry.refuse_unknown(_SHARED | _OWN[kind])
    credential = Credential(
        name=name,
        reach=_reach(entry),
        way=_way(kind, entry),
        tries=entry.number("tries", 2, MOST_TRIES),
        expired_url=entry.expression("expired_url"),
        expired_text=entry.text("expired_text"),
        logout=entry.expression("logout"),
    )
    way = credential.way
    if isinstance(way, Form) and (refusal := credential.reach.beside().refusal(way.page)):
        raise entry.bad("page", f"lies where the credential may not be sent: {refusal}", "Correct it, or `hosts`.")
    return credential


def _reach(entry: "Entry") -> Reach:
    hosts = tuple(host.lower() for host in entry.texts("hosts"))
    domain = entry.text("domain").lower().strip(".")
    if bool(hosts) == bool(domain):
        raise entry.bad("hosts", "and `domain`: one of them is needed, and not both", "Say where it may be sent.")
    for host in (*hosts, *([domain] if domain else [])):
        if _HOST.fullmatch(host) is None or int(host.rpartition(":")[2] or 0 if _ported(host) else 0) > 65535:
            raise entry.bad("hosts", "holds something that is no host name", "Write `www.example.org`, no URL.")
    bare = domain.partition(":")[0]
    if domain and registrable_domain(bare) is None and bare != "localhost" and not bare.endswith(".localhost"):
        raise entry.bad("domain", "is no domain that somebody registered", "Name the hosts one by one.")
    path = entry.text("path") or "/"
    if not path.startswith("/"):
        raise entry.bad("path", "does not begin with /", "Write `/members/`.")
    return Reach(hosts=hosts, domain=domain, path=path, https_only=entry.flag("https_only", default=True))


def _ported(host: str) -> bool:
    return ":" in host and not host.endswith("]")


def _way(kind: Kind, entry: "Entry") -> Way:
    if kind is Kind.BASIC:
        user = entry.needed("user")
        if ":" in user:
            raise entry.bad("user", "holds a colon, which basic cannot carry", "Use another user.")
        return Basic(user=user, password=entry.password(), realm=entry.text("realm"))
    if kind is Kind.DIGEST:
        return Digest(user=entry.needed("user"), password=entry.password(), realm=entry.text("realm"))
    if kind is Kind.NEGOTIATE:
        user = entry.text("user")
        return Negotiate(user=user, password=entry.password() if user else "")
    if kind is Kind.FORM:
        return _form(entry)
    if kind is Kind.HEADER:
        return Headers(headers=entry.pairs("headers", "header_variables", refused=_OURS))
    return Cookies(cookies=entry.pairs("cookies", "cookie_variables"))


def _form(entry: "Entry") -> Form:
    signs = entry.table("success")
    signs.refuse_unknown(frozenset({"text", "url", "cookie"}))
    page = entry.needed("page")
    try:
        page = canonical(page)
    except OpilioError:
        raise entry.bad("page", "is no URL of a web page", "Write it in full.") from None
    return Form(
        page=page,
        user=entry.needed("user"),
        password=entry.password(),
        user_field=entry.text("user_field"),
        password_field=entry.text("password_field"),
        fields={name: entry.table("fields").text(name) for name in entry.table("fields").names},
        success=Signs(text=signs.text("text"), url=signs.expression("url"), cookie=signs.text("cookie")),
    )


class Entry:
    """A table of the file, read value by value."""

    def __init__(self, table: Mapping[str, Any], environ: Mapping[str, str], where: str) -> None:
        self._table = table
        self._environ = environ
        self._where = where

    @property
    def names(self) -> list[str]:
        """What it holds."""
        return list(self._table)

    def bad(self, name: str, what: str, remedy: str) -> BadCredentials:
        """The error of a value."""
        return BadCredentials(f"`{name[:80]}` {what}", where=self._where, remedy=remedy)

    def kind(self) -> Kind:
        """The way to log in."""
        try:
            return Kind(self.needed("kind"))
        except ValueError:
            known = ", ".join(Kind)
            raise self.bad("kind", f"is {self.text('kind')[:40]!r}", f"Known kinds: {known}.") from None

    def refuse_unknown(self, known: frozenset[str]) -> None:
        """Nothing is guessed."""
        unknown = sorted(set(self._table) - known)
        if unknown:
            raise self.bad(unknown[0], "is not known here", f"Known: {', '.join(sorted(known))}.")

    def text(self, name: str) -> str:
        """A text on one line, or an empty one."""
        value = self._table.get(name, "")
        if not isinstance(value, str):
            raise self.bad(name, "is no text", "Put it in quotes.")
        if any(ord(sign) < 32 or ord(sign) == 127 for sign in value):
            raise self.bad(name, "holds a line break or another control character", "Write it on one line.")
        return value

    def needed(self, name: str) -> str:
        """A text that must be there."""
        found = self.text(name)
        if not found:
            raise self.bad(name, "is missing", "Add it.")
        return found

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        value = self._table.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.bad(name, "is no list of texts", 'Write ["www.example.org"].')
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        """Yes or no."""
        value = self._table.get(name, default)
        if not isinstance(value, bool):
            raise self.bad(name, "is neither true nor false", "Write true or false.")
        return value

    def number(self, name: str, default: int, most: int) -> int:
        """A number from 1 on."""
        value = self._table.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
            raise self.bad(name, f"is no number from 1 to {most}", "Correct it.")
        return value

    def expression(self, name: str) -> str:
        """An expression in RE2's syntax."""
        found = self.text(name)
        try:
            re2.compile(found)
        except re2.error:
            raise self.bad(name, "is no expression", "Write it in RE2's syntax.") from None
        return found

    def table(self, name: str) -> "Entry":
        """A table inside."""
        value = self._table.get(name, {})
        if not isinstance(value, dict):
            raise self.bad(name, "is no table", f"Write {name} = {{ … }}.")
        return Entry(value, self._environ, f"{self._where} {name}")

    def password(self) -> str:
        """The password, or what the variable of the environment holds that is named instead."""
        given, variable = self.text("password"), self.text("password_variable")
        if bool(given) == bool(variable):
            raise self.bad("password", "and `password_variable`: one of them is needed, and not both", "Give one.")
        return given or self._from_environ(variable)

    def pairs(self, name: str, variables: str, refused: frozenset[str] = frozenset()) -> tuple[tuple[str, str], ...]:
        """Names with values, some of them from the environment."""
        plain, named = self.table(name), self.table(variables)
        found = [(key, plain.needed(key)) for key in plain.names]
        found += [(key, self._from_environ(named.needed(key))) for key in named.names]
        if not found:
            raise self.bad(name, "is missing", "Add at least one.")
        for key, value in found:
            if _TOKEN.fullmatch(key) is None or key.lower() in refused:
                raise self.bad(name, "holds a name that cannot be used", "Correct it.")
            if name == "cookies" and any(sign in value for sign in ';," \\'):
                raise self.bad(name, "holds a value with a sign that cookies cannot have", "Correct it.")
            if not value.isascii():
                raise self.bad(name, "holds a value with other signs than ASCII", "Encode it as the site wants it.")
        return tuple(found)

    def _from_environ(self, variable: str) -> str:
        value = self._environ.get(variable, "")
        if not value:
            raise BadCredentials(
                f"the variable {variable[:80]} is not set", where=self._where, remedy="Set it for this command."
            )
        if any(ord(sign) < 32 for sign in value):
            raise BadCredentials(
                f"the variable {variable[:80]} holds a control character", where=self._where, remedy="Correct it."
            )
        return value
