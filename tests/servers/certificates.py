"""Certificates for the HTTPS server, issued on demand for whatever name the client asks for (SNI).

A name that begins with `expired.`, `other-name.` or `untrusted.` gets a certificate with that fault. Wildcards would
not do: OpenSSL accepts none directly below a top-level name such as `localhost`.
"""

import ssl
from datetime import UTC, datetime
from pathlib import Path

import trustme

_PAST = (datetime(2001, 1, 1, tzinfo=UTC), datetime(2001, 12, 31, tzinfo=UTC))


class Certificates:
    """A certificate authority with a server context per name; the folder keeps `ca.pem` for clients to trust."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.ca_file = folder / "ca.pem"
        self._trusted = trustme.CA()
        self._untrusted = trustme.CA()
        self._trusted.cert_pem.write_to_path(str(self.ca_file))
        self._contexts: dict[str, ssl.SSLContext] = {}

    def context(self) -> ssl.SSLContext:
        """The context to listen with: good for loopback addresses, switching to the name that a client asks for."""
        context = _context(self._trusted.issue_cert("localhost", "127.0.0.1", "::1"))
        context.sni_callback = self._switch
        return context

    def _switch(self, connection: ssl.SSLObject, name: str | None, _: ssl.SSLContext) -> None:
        if not name:
            return
        if name not in self._contexts:
            self._contexts[name] = _context(self._issue(name))
        connection.context = self._contexts[name]

    def _issue(self, name: str) -> trustme.LeafCert:
        fault = name.partition(".")[0]
        if fault == "expired":
            return self._trusted.issue_cert(name, not_before=_PAST[0], not_after=_PAST[1])
        authority = self._untrusted if fault == "untrusted" else self._trusted
        return authority.issue_cert("elsewhere.example" if fault == "other-name" else name)


def _context(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["http/1.1"])
    certificate.configure_cert(context)
    return context
