"""How a message to a webhook proves where it comes from: HMAC-SHA256 over its time and its bytes.

The header reads `Opilio-Signature: t=1767225600,v1=<hex>`; the time keeps old messages from being played again.
"""

import hashlib
import hmac
import secrets

SIGNATURE = "Opilio-Signature"
MARK = "whs_"  # by which people, and scanners for leaked secrets, recognise one


def fresh_secret() -> str:
    """A new secret, of 256 bits."""
    return f"{MARK}{secrets.token_urlsafe(32)}"


def signature(secret: str, body: bytes, *, at: int) -> str:
    """The value of the header for a body sent at this second (since 1970)."""
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"
