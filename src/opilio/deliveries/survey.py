"""Looks at all sources at once; a source that hangs or fails keeps nobody else waiting, and says why."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from opilio.deliveries.errors import NotAtSource, SourceAway
from opilio.deliveries.profile import DeliveryProfile
from opilio.deliveries.source import Connection, Entry, Source
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import OpilioError

Opener = Callable[[Source], Connection]
_MOST_ENTRIES = 1_000_000  # in one folder


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """What one source has, by action; or why it could not be listed."""

    source: Source
    entries: Mapping[str, Sequence[Entry]] = field(default_factory=dict)
    missing: Sequence[str] = ()  # folders that are not there
    error: OpilioError | None = None
    seconds: float = 0.0


def survey(
    sources: Sequence[Source], profile: DeliveryProfile, opener: Opener, *, limit: float, clock: Clock = SYSTEM
) -> list[Listed]:
    """What each source has; returns when all have answered or `limit` seconds have passed (a barrier)."""
    looks = [_Look(source, profile, opener, clock) for source in sources]
    for look in looks:
        look.start()
    end = clock.monotonic() + limit
    for look in looks:
        look.join(max(end - clock.monotonic(), 0.0))
    return [look.result(limit) for look in looks]


class _Look(threading.Thread):
    """Lists one source."""

    def __init__(self, source: Source, profile: DeliveryProfile, opener: Opener, clock: Clock) -> None:
        super().__init__(name=f"look at {source.name}", daemon=True)
        self._source, self._profile, self._opener, self._clock = source, profile, opener, clock
        self._began = clock.monotonic()
        self._connection: Connection | None = None
        self._found: Listed | None = None

    def run(self) -> None:
        try:
            with self._opener(self._source) as connection:
                self._connection = connection
                self._found = self._listed(connection)
        except OpilioError as error:
            self._found = self._made(error=error)
        except Exception as error:  # noqa: BLE001 - a fault of one source must not look like an empty source
            self._found = self._made(error=SourceAway(f"{type(error).__name__}: {error}", where=self._source.where))

    def result(self, limit: float) -> Listed:
        """What was found; a look that is not over is cut off."""
        if self._found is None:
            if self._connection is not None:
                self._connection.close()
            late = SourceAway(f"The source was not listed within {limit:g} s", where=self._source.where)
            return self._made(error=late)
        return self._found

    def _listed(self, connection: Connection) -> Listed:
        entries: dict[str, list[Entry]] = {}
        missing: list[str] = []
        for action in self._profile.actions:
            try:
                entries[action.name] = self._folder(connection, action.folder)
            except NotAtSource:
                missing.append(action.folder)
        if len(missing) == len(self._profile.actions):
            what = f"None of the folders {', '.join(missing)} is there"
            raise NotAtSource(what, where=self._source.where, remedy="Check the base path of the source.")
        return self._made(entries=entries, missing=missing)

    def _folder(self, connection: Connection, folder: str) -> list[Entry]:
        found = []
        for one in connection.entries(folder):
            found.append(one)
            if len(found) > _MOST_ENTRIES:
                raise SourceAway(f"The folder has more than {_MOST_ENTRIES:,} entries", where=self._source.where)
        return found

    def _made(
        self, *, entries: Mapping[str, Sequence[Entry]] | None = None, missing: Sequence[str] = (),
        error: OpilioError | None = None,
    ) -> Listed:  # fmt: skip
        seconds = self._clock.monotonic() - self._began
        return Listed(source=self._source, entries=entries or {}, missing=missing, error=error, seconds=seconds)
