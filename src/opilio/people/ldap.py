"""Passwords that an LDAP directory keeps: looks the user up, then binds as the entry that was found.

Fulfils `directories.Directory` with the optional library ldap3 (`pip install 'opilio[ldap]'`). Certificates are checked
by OpenSSL under the server's name; ldap3's own check is weaker and is not used.
"""

import math
import ssl
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from opilio.kernel.errors import BadSetting, Unavailable
from opilio.kernel.logs import logger
from opilio.kernel.settings import Settings
from opilio.people.directories import Directory, Verdict

with warnings.catch_warnings():
    # ldap3 2.9.1 uses two old names of pyasn1 when it is imported.
    warnings.filterwarnings("ignore", message="(tagMap|typeMap) is deprecated", category=DeprecationWarning)
    try:
        import ldap3
        from ldap3.core.exceptions import LDAPException
        from ldap3.utils.conv import escape_filter_chars
    except ImportError:
        ldap3 = None

PLACEHOLDER = "{username}"
_PORTS = {"ldap": 389, "ldaps": 636}
_LONGEST = 1_024  # characters of a name or password
_SUCCESS, _SIZE_LIMIT = 0, 4
#: What ldap3 stumbles with over bytes that are no LDAP.
_MALFORMED = (LookupError, TypeError, ValueError, AttributeError)
#: Answers to a bind that say no to this user and password (RFC 4511, appendix A.1); all others are trouble.
_NO = frozenset({
    19,  # constraintViolation: locked after failures
    32,  # noSuchObject: removed since it was found
    34,  # invalidDNSyntax
    48,  # inappropriateAuthentication: the entry has no password
    49,  # invalidCredentials
    50,  # insufficientAccessRights
    53,  # unwillingToPerform: deactivated
})  # fmt: skip

_log = logger(__name__)


@dataclass(kw_only=True)  # not frozen: the protocol's `name` is a plain attribute
class LdapDirectory:
    """A directory as the settings describe it."""

    host: str
    port: int
    implicit_tls: bool  # ldaps
    start_tls: bool
    ca_file: str
    bind_dn: str
    bind_password: str
    user_base: str
    user_filter: str
    timeout: float  # seconds
    name: str = "ldap"

    def check(self, username: str, password: str) -> Verdict:
        """Whether the directory knows exactly one such user, with this password."""
        # An empty password makes a bind "unauthenticated", which servers answer with success (RFC 4513 §5.1.2).
        if not username or not password or len(username) > _LONGEST or len(password) > _LONGEST:
            return Verdict.WRONG
        try:
            secret = password.encode()
            found = self._find(username)
            return Verdict.WRONG if found is None else self._bind_as(found, secret)
        except UnicodeEncodeError:
            return Verdict.WRONG  # half a character cannot be anybody's name or password
        except (LDAPException, OSError, Unavailable, *_MALFORMED) as error:
            _log.warning("ldap_trouble", server=f"{self.host}:{self.port}", error=str(error)[:500])
            return Verdict.UNREACHABLE

    def _find(self, username: str) -> str | None:
        """The name of the one entry that the filter finds for a user."""
        username.encode()
        wanted = self.user_filter.replace(PLACEHOLDER, escape_filter_chars(username))
        with self._connection(self.bind_dn, self.bind_password.encode()) as connection:
            _expect(connection, "bind to look users up", _SUCCESS)
            connection.search(
                self.user_base, wanted, attributes=ldap3.NO_ATTRIBUTES, size_limit=2, time_limit=math.ceil(self.timeout)
            )
            _expect(connection, "search", _SUCCESS, _SIZE_LIMIT)
            names = [str(one["dn"]) for one in connection.response or [] if one["type"] == "searchResEntry"]
        if len(names) > 1:
            _log.warning("ldap_ambiguous", server=f"{self.host}:{self.port}", username=username, entries=names)
        return names[0] if len(names) == 1 and names[0] else None

    def _bind_as(self, name: str, secret: bytes) -> Verdict:
        with self._connection(name, secret) as connection:
            if connection.result["result"] in _NO:
                return Verdict.WRONG
            _expect(connection, "bind as the user", _SUCCESS)
        return Verdict.RIGHT

    @contextmanager
    def _connection(self, name: str, secret: bytes) -> Iterator[Any]:
        """A connection on which a bind was tried: anonymously without a name, else with the secret."""
        server = ldap3.Server(
            self.host, port=self.port, use_ssl=self.implicit_tls, tls=_VerifiedTls(self._context()),
            connect_timeout=self.timeout, get_info=ldap3.NONE,
        )  # fmt: skip
        connection = ldap3.Connection(
            server, user=name or None, password=secret or None, receive_timeout=math.ceil(self.timeout),
            authentication=ldap3.SIMPLE if name else ldap3.ANONYMOUS, auto_bind=ldap3.AUTO_BIND_NONE,
            auto_referrals=False,  # a referral would send the password wherever the directory points
            raise_exceptions=False,
        )  # fmt: skip
        try:
            connection.open(read_server_info=False)
            if self.start_tls and not self.implicit_tls:
                connection.start_tls(read_server_info=False)
            connection.bind(read_server_info=False)
            yield connection
        finally:
            _close(connection)

    def _context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.ca_file or None)


def directory_from(settings: Settings) -> Directory | None:
    """The directory that the settings describe; None when they name none. Settings that cannot work are an error."""
    if not settings.ldap_url:
        return None
    if ldap3 is None:
        raise _bad("ldap_url", "is set, but the library ldap3 is not installed", "Run `pip install 'opilio[ldap]'`.")
    scheme, host, port = _address(settings.ldap_url)
    _check(settings)
    return LdapDirectory(
        host=host, port=port, implicit_tls=scheme == "ldaps", start_tls=settings.ldap_start_tls,
        ca_file=settings.ldap_ca_file, bind_dn=settings.ldap_bind_dn, bind_password=settings.ldap_bind_password,
        user_base=settings.ldap_user_base, user_filter=settings.ldap_user_filter, timeout=settings.ldap_timeout,
    )  # fmt: skip


class _VerifiedTls(ldap3.Tls if ldap3 else object):  # type: ignore[misc]  # the library has no types
    """Wraps ldap3's socket with a context of ours, which checks certificate and name."""

    def __init__(self, context: ssl.SSLContext) -> None:
        super().__init__(validate=ssl.CERT_REQUIRED)
        self._context = context

    def wrap_socket(self, connection: Any, do_handshake: bool = False) -> None:
        """Called by ldap3 for ldaps, and after StartTLS."""
        connection.socket = self._context.wrap_socket(connection.socket, server_hostname=connection.server.host)


def _expect(connection: Any, what: str, *codes: int) -> None:
    result = connection.result
    if result["result"] not in codes:
        raise Unavailable(
            f"The directory answered {result['description']} {result['message']}".strip(), where=what,
            remedy="Look at the settings ldap_*.",
        )  # fmt: skip


def _close(connection: Any) -> None:
    """Without a goodbye, for which a silent server would keep us waiting."""
    if connection.socket is not None:
        connection.strategy.close()
    if connection.socket is not None:
        connection.socket.close()


def _address(url: str) -> tuple[str, str, int]:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/") or parts.query or parts.username:
        raise _bad("ldap_url", "is no address of an LDAP server", "Write ldap://host:port or ldaps://host:port.")
    return parts.scheme, parts.hostname, port or _PORTS[parts.scheme]


def _check(settings: Settings) -> None:
    if not settings.ldap_user_base:
        raise _bad("ldap_user_base", "must be set with ldap_url", "Write where users are, as ou=people,dc=example.")
    wanted = settings.ldap_user_filter
    if PLACEHOLDER not in wanted or not wanted.startswith("(") or not wanted.endswith(")"):
        raise _bad("ldap_user_filter", f"must be in brackets and hold {PLACEHOLDER}", "Write (uid={username}).")
    if settings.ldap_bind_dn and not settings.ldap_bind_password:
        raise _bad("ldap_bind_password", "must be set with ldap_bind_dn", "Leave both empty to look up anonymously.")
    if settings.ldap_ca_file and not Path(settings.ldap_ca_file).is_file():
        raise _bad("ldap_ca_file", f"names no file: {settings.ldap_ca_file}", "Name a PEM file, or leave it empty.")


def _bad(name: str, what: str, remedy: str) -> BadSetting:
    return BadSetting(f"Setting {name} {what}", where=name, remedy=remedy)
