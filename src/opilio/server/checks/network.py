"""Whether the servers that the settings name can be reached; short of patience."""

import functools
import json
import smtplib
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlsplit

from opilio.kernel.settings import Settings
from opilio.server.checks.finding import Check, Finding, ok, problem

_PATIENCE = 5.0  # seconds
_LARGEST = 1_000_000  # bytes of an answer
_PORTS = {"ldap": 389, "ldaps": 636}


def checks(settings: Settings) -> Iterator[tuple[str, Check]]:
    """The checks of what is configured."""
    if settings.mail_host:
        yield "mail", functools.partial(mail, settings)
    if settings.ldap_url:
        yield "LDAP", functools.partial(ldap, settings)
    if settings.oidc_issuer:
        yield "single sign-on", functools.partial(oidc, settings)


def mail(settings: Settings) -> Finding:
    """Whether the SMTP server greets us."""
    where = f"{settings.mail_host}:{settings.mail_port}"
    patience = min(_PATIENCE, settings.mail_timeout)
    try:
        if settings.mail_security == "tls":
            context = ssl.create_default_context()
            with smtplib.SMTP_SSL(settings.mail_host, settings.mail_port, timeout=patience, context=context) as server:
                server.noop()
        else:
            with smtplib.SMTP(settings.mail_host, settings.mail_port, timeout=patience) as server:
                server.noop()
    except (OSError, smtplib.SMTPException) as error:
        remedy = "Check mail_host, mail_port and mail_security; messages wait in the outbox meanwhile."
        return problem("mail", f"the SMTP server at {where} does not answer: {error}", remedy)
    return ok("mail", f"the SMTP server at {where} answers")


def ldap(settings: Settings) -> Finding:
    """Whether the LDAP server accepts connections."""
    parts = urlsplit(settings.ldap_url)
    try:
        port = parts.port or _PORTS.get(parts.scheme, 389)
        socket.create_connection((parts.hostname or "", port), timeout=min(_PATIENCE, settings.ldap_timeout)).close()
    except (OSError, ValueError) as error:
        words = f"the LDAP server {parts.scheme}://{parts.hostname} does not answer: {error}"
        return problem("LDAP", words, "Check ldap_url; users with external authentication cannot sign in meanwhile.")
    return ok("LDAP", f"{parts.scheme}://{parts.hostname} accepts connections")


def oidc(settings: Settings) -> Finding:
    """Whether the provider describes itself."""
    address = f"{settings.oidc_issuer.rstrip('/')}/.well-known/openid-configuration"
    remedy = "Check oidc_issuer; single sign-on does not work meanwhile."
    if not address.startswith(("https://", "http://")):
        return problem("single sign-on", f"oidc_issuer is no web address: {settings.oidc_issuer!r}", remedy)
    try:
        with urllib.request.urlopen(address, timeout=_PATIENCE) as answer:  # noqa: S310 - http or https, see above
            found = json.loads(answer.read(_LARGEST))
    except (OSError, ValueError, urllib.error.URLError) as error:
        return problem("single sign-on", f"the provider does not answer at {address}: {error}", remedy)
    if not isinstance(found, dict) or str(found.get("issuer", "")).rstrip("/") != settings.oidc_issuer.rstrip("/"):
        return problem("single sign-on", f"{address} speaks for another issuer", remedy)
    return ok("single sign-on", f"{settings.oidc_issuer} answers")
