"""Credentials of targets: sealed before they are stored, opened only for a crawl, never shown."""

import re

from django.conf import settings

from opilio.catalogue import identifiers
from opilio.crawl.logins.credential import Credential as CrawlCredential
from opilio.crawl.logins.entries import credential_of
from opilio.crawl.logins.errors import BadCredentials
from opilio.curation.credential_columns import WAYS
from opilio.curation.models import Credential, CredentialKind, Overrides
from opilio.kernel.hosts import registrable_domain
from opilio.kernel.secret_box import SecretBox
from opilio.people.acting import Act

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}")


def box() -> SecretBox:
    """The box of this installation."""
    return SecretBox(settings.OPILIO.secrets_folder)


def sealed(identifier: int, secret: str) -> str:
    """A secret as it is stored with the credential of this identifier."""
    return box().seal(secret, place=_place(identifier))


def opened(row: Credential) -> str:
    """The secret of a credential; for a crawl that begins, and for nothing else."""
    return box().open(row.secret, place=_place(row.id))


def fresh_identifier() -> int:
    """An identifier for a credential that is about to be stored: its secret is bound to it."""
    return identifiers.take(Credential.id_kind())


def copy(act: Act, source: Credential, into: Overrides) -> Credential:
    """The same credential for other overrides; the secret is sealed anew, for its new place."""
    made = Credential(id=fresh_identifier(), overrides=into, position=source.position)
    for name in WAYS:
        setattr(made, name, getattr(source, name))
    made.secret = sealed(made.id, opened(source)) if source.secret else ""
    return act.insert(made)


def crawl_name(row: Credential) -> str:
    """How seeds of a plan name it."""
    return f"credential-{row.id}"


def for_crawl(row: Credential, *, https_only: bool) -> CrawlCredential:
    """The credential as the crawl engine takes it, with its secret."""
    return checked(row, opened(row), https_only=https_only)


def checked(row: Credential, secret: str, *, https_only: bool = False) -> CrawlCredential:
    """The credential with this secret; `BadCredentials` names the value that is wrong, and never repeats it."""
    table = {**_table(row, secret), "https_only": https_only}
    return credential_of(crawl_name(row), table, environ={}, where=str(row))


def _place(identifier: int) -> str:
    return f"credential {identifier} secret"


def _table(row: Credential, secret: str) -> dict[str, object]:
    """As the file of credentials of `opilio crawl` has it: a name means all hosts below it, an address itself."""
    domain = row.domain.strip().lower()
    named = registrable_domain(domain.partition(":")[0]) is not None
    table: dict[str, object] = {"kind": row.kind, **({"domain": domain} if named else {"hosts": [domain]})}
    if row.kind == CredentialKind.HEADER:
        return {**table, "headers": {row.header_name: secret}}
    if row.kind == CredentialKind.COOKIE:
        return {**table, "cookies": _cookies(secret)}
    table |= {"user": row.username, "password": secret}
    if row.kind in (CredentialKind.BASIC, CredentialKind.DIGEST):
        return {**table, "realm": row.realm}
    if row.kind == CredentialKind.NEGOTIATE:
        return table
    return {**table, "page": row.login_url, "user_field": row.username_field, "password_field": row.password_field}


def _cookies(secret: str) -> dict[str, str]:
    """Names and values; what is no cookie is not repeated, for it may be a secret."""
    found = {}
    for part in filter(str.strip, secret.split(";")):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if not value or _NAME.fullmatch(name) is None:
            raise BadCredentials("`cookies` are no pairs of a name and a value", remedy="Write sid=1; theme=dark.")
        found[name] = value
    return found
