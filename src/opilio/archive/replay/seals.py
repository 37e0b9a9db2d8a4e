"""Signed, short-lived texts: tokens that open one result, sessions, and proofs that a form is ours.

A text says what it is for, which result it opens and until when; the signature covers these and the name of the host,
so that none can be used elsewhere or for something else.
"""

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass

from opilio.kernel.clock import SYSTEM, Clock

_FORM = re.compile(r"([a-z]{1,20})\.(\d{1,18})\.(\d{1,12})\.([A-Za-z0-9_-]{0,200})\.([A-Za-z0-9_-]{43})")
_LONGEST = 400  # characters


@dataclass(frozen=True, kw_only=True, slots=True)
class Seals:
    """Makes and checks such texts."""

    key: bytes  # 32 bytes at least
    host: str  # the name below which results are replayed
    clock: Clock = SYSTEM

    def make(self, purpose: str, result: int, *, seconds: int, note: str = "") -> str:
        """A text for one purpose and one result."""
        until = int(self.clock.now().timestamp()) + seconds
        said = f"{purpose}.{result}.{until}.{note}"
        return f"{said}.{self._signature(said)}"

    def note(self, text: str, purpose: str, result: int) -> str | None:
        """The note of a text that holds now; None when it is forged, too old, or for something else."""
        found = _FORM.fullmatch(text) if len(text) <= _LONGEST else None
        if found is None or (found[1], int(found[2])) != (purpose, result):
            return None
        said = text.rpartition(".")[0]
        if not hmac.compare_digest(self._signature(said), found[5]):
            return None
        return found[4] if int(found[3]) > self.clock.now().timestamp() else None

    def digest(self, text: str) -> str:
        """A keyed digest that can stand in a note."""
        return _text(hmac.new(self.key, f"digest\0{text}".encode("utf-8", "replace"), hashlib.sha256).digest())

    def _signature(self, said: str) -> str:
        return _text(hmac.new(self.key, f"{self.host}\0{said}".encode(), hashlib.sha256).digest())


def _text(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest).decode("ascii").rstrip("=")
