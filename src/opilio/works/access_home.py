"""Where an installation keeps the rules of access that it compiles itself, and how its own doors read them.

Until the first rules are compiled there is nothing to keep from readers, and everything is open. From then on a lost,
old or broken file closes everything: the public key beside it tells that there were rules.
"""

import threading
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from opilio.kernel.access import OPEN_TO_ALL, Rules
from opilio.kernel.access_file import AccessFile
from opilio.kernel.access_keys import checking_key
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import OpilioError
from opilio.kernel.settings import Settings

CHECK_EVERY = 2.0  # seconds from one look at the file to the next


@dataclass(frozen=True, kw_only=True, slots=True)
class AccessPlace:
    """The files of compiled rules."""

    rules: Path
    public_key: Path
    private_key: Path


def access_place(settings: Settings) -> AccessPlace:
    """The place of the rules that this installation compiles."""
    folder = settings.home / "access"
    return AccessPlace(
        rules=folder / "rules.jsonl", public_key=folder / "rules.pem",
        private_key=settings.secrets_folder / "access_rules.pem",
    )  # fmt: skip


class HomeRules:
    """The rules of this installation as they stand at any time; safe to use from several threads."""

    def __init__(self, place: AccessPlace, *, clock: Clock = SYSTEM, check_every: float = CHECK_EVERY) -> None:
        self._place = place
        self._clock = clock
        self._check_every = check_every
        self._lock = threading.Lock()
        self._file: AccessFile | None = None

    def __call__(self, now: datetime) -> Rules:
        """What holds at a time."""
        with self._lock:
            if self._file is None:
                if not self._place.public_key.exists():
                    return OPEN_TO_ALL
                try:
                    key = checking_key(self._place.public_key)
                except OpilioError as error:
                    return Rules.closed(f"The rules of access cannot be used: {error.what}.")
                self._file = AccessFile(self._place.rules, key, clock=self._clock, check_every=self._check_every)
            file = self._file
        return file.rules(now)
