"""The compiled rules of access where machines share no disk: whoever compiles them sends them, all others fetch them.

A machine that cannot tell whether there are rules is closed. One that has rules goes by them until they are too old.
"""

import json
import threading
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from opilio.archive.store.errors import ChangedMeanwhile, KeyTaken, NoSuchKey
from opilio.archive.store.store import Store
from opilio.kernel.access import Rules
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.digests import Algorithm, Hasher, digest_of_stream
from opilio.kernel.errors import Damaged, OpilioError
from opilio.kernel.files import ensure_folder, reading, write_atomically, writing
from opilio.kernel.logs import logger
from opilio.works.access_home import CHECK_EVERY, AccessPlace, HomeRules
from opilio.works.sharing.turns import turn_at

_CURRENT = "access/current.json"
_PIECE = 1 << 20  # bytes

_log = logger(__name__)


class _Current(NamedTuple):
    """Which file of rules holds, and by which key it is known as genuine."""

    sha256: str
    public_key: str

    @property
    def key(self) -> str:
        """Under which the file lies in the store."""
        return f"access/{self.sha256}/rules.jsonl"


@dataclass(frozen=True, kw_only=True)
class SharedRules:
    """The rules in the work store, and their copy on this machine."""

    store: Store
    place: AccessPlace

    def send(self) -> None:
        """Let others have what was just written here."""
        with reading(self.place.rules), self.place.rules.open("rb") as stream:
            digest = digest_of_stream(stream, Algorithm.SHA256)
        after = _Current(digest.value.hex(), self.place.public_key.read_text("ascii"))
        self.store.put(after.key, self.place.rules, expected=digest)
        before = self._current()
        if before is not None and before[1] == after:
            return
        text = json.dumps(after._asdict()).encode()
        try:
            if before is None:
                self.store.put(_CURRENT, text)
            else:
                self.store.replace(_CURRENT, text, instead_of=before[0])
                self.store.delete(before[1].key)
        except (ChangedMeanwhile, KeyTaken):
            return  # another machine compiles now, and was quicker
        self._note(after)

    def bring(self) -> bool:
        """Have the newest rules here; False when there never were any."""
        ensure_folder(self.place.rules.parent)
        with turn_at(self._noted.with_suffix(".turn")):
            for _ in range(3):
                found = self._current()
                if found is None:
                    return False
                if self._noted.is_file() and self._noted.read_text() == found[1].sha256:
                    return True
                try:
                    self._fetch(found[1])
                except NoSuchKey:
                    continue  # newer ones took their place meanwhile
                return True
        remedy = "Try again; if it happens again, let an agent compile the rules: one does at its start."
        raise Damaged("the store names rules that it does not have", where=self.store.address, remedy=remedy)

    @property
    def _noted(self) -> Path:
        return self.place.rules.with_name("rules.sha256")

    def _note(self, current: _Current) -> None:
        write_atomically(self._noted, current.sha256.encode())

    def _fetch(self, current: _Current) -> None:
        hasher = Hasher(Algorithm.SHA256)
        with self.store.open(current.key) as stream, writing(self.place.rules) as out:
            while piece := stream.read(_PIECE):
                hasher.update(piece)
                out.write(piece)
            if hasher.digest().value.hex() != current.sha256:
                remedy = "Let an agent compile the rules anew: one does at its start."
                raise Damaged("the store gives other rules than were kept", where=self.store.address, remedy=remedy)
        write_atomically(self.place.public_key, current.public_key.encode("ascii"))
        self._note(current)

    def _current(self) -> tuple[bytes, _Current] | None:
        try:
            with self.store.open(_CURRENT) as stream:
                data = stream.read()
        except NoSuchKey:
            return None
        try:
            found = json.loads(data)
            return data, _Current(str(found["sha256"]), str(found["public_key"]))
        except (ValueError, KeyError, TypeError):
            where, remedy = f"{self.store.address}/{_CURRENT}", "Delete it; an agent writes it anew at its start."
            raise Damaged("the name of the rules cannot be read", where=where, remedy=remedy) from None


class SharedHomeRules:
    """The rules as they stand at any time, looked for in the store beside those who ask; safe for several threads."""

    def __init__(self, shared: SharedRules, *, clock: Clock = SYSTEM, check_every: float = CHECK_EVERY) -> None:
        self._shared, self._clock, self._check_every = shared, clock, check_every
        self._lock = threading.Lock()
        self._home: HomeRules | None = None
        self._key = ""
        self._looked: float | None = None
        self._looking: threading.Thread | None = None

    def __call__(self, now: datetime) -> Rules:
        """What holds at a time. The first look is waited for; later ones are made beside."""
        with self._lock:
            if self._home is None:
                self._look()
            elif self._late():
                self._looking = threading.Thread(target=self._look, name="rules of access", daemon=True)
                self._looking.start()
            home = self._home
        if home is None:
            return Rules.closed("The rules of access could not be fetched.")
        return home(now)

    def _late(self) -> bool:
        idle = self._looking is None or not self._looking.is_alive()
        return idle and (self._looked is None or self._clock.monotonic() - self._looked >= self._check_every)

    def _look(self) -> None:
        try:
            there = self._shared.bring()
        except OpilioError as error:
            _log.warning("access_rules_not_fetched", error=str(error))
            there = self._shared.place.public_key.exists()
            if not there:
                return
        finally:
            self._looked = self._clock.monotonic()
        key = self._shared.place.public_key.read_text("ascii") if there else ""
        if self._home is None or key != self._key:
            self._key = key
            self._home = HomeRules(self._shared.place, clock=self._clock, check_every=self._check_every)
