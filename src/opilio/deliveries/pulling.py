"""Pulls what partners offer into a folder: lists all sources, then fetches each delivery from the best that has it.

Nothing is fetched before every source was listed or given up. A delivery that fails at one source is asked for at the
next; what arrived whole and cannot be unpacked is the partner's to mend, and is not asked for again until it changes.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from opilio.deliveries.choice import Candidate, Copy, again_at, disagreeing, ranked
from opilio.deliveries.connections import Connections
from opilio.deliveries.errors import BadArchive
from opilio.deliveries.journal import Attempt, Journal, Kept
from opilio.deliveries.offers import LookedAt, Offer, offers, settled
from opilio.deliveries.profile import DeliveryProfile
from opilio.deliveries.pull import Pull, Pulled, Wanted
from opilio.deliveries.source import Source
from opilio.deliveries.survey import Listed, Opener, survey
from opilio.deliveries.unpack import unpack
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import NoSpace, NotWritable, OpilioError

Told = Callable[[str, int, int], None]  # what, done, total


class Became(StrEnum):
    """What became of a delivery that was offered."""

    PULLED = "pulled"
    HERE = "here"  # it came before, and has not changed
    WAITING = "waiting"  # not settled, or tried again later
    REFUSED = "refused"  # its name does not conform
    FAILED = "failed"
    DAMAGED = "damaged"  # it came whole and cannot be unpacked
    WANTED = "wanted"  # it would be fetched; said by a look that fetches nothing


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One delivery in the account of a pull."""

    action: str
    name: str
    became: Became
    source: str = ""
    why: str = ""
    size: int = 0
    documents: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Account:
    """What a pull did."""

    lines: Sequence[Line]
    away: Mapping[str, str]  # sources that could not be listed, and why
    disagree: Sequence[str]  # deliveries of which sources have different versions

    @property
    def good(self) -> bool:
        """Whether all that could come came."""
        bad = (Became.FAILED, Became.DAMAGED, Became.REFUSED)
        return not self.away and not self.disagree and not any(line.became in bad for line in self.lines)


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where one revision of a delivery lies."""

    folder: Path

    @property
    def archive(self) -> Path:
        """The delivery as it came."""
        return self.folder / "delivery.zip"

    @property
    def documents(self) -> Path:
        """What was in it."""
        return self.folder / "documents"


Found = dict[str, Offer]  # by the name of the source
Fetching = Callable[[str, str, Found, int], "Line"]  # action, name, settled offers, revision
Opened = Callable[[Place], tuple[int, str]]  # what is done with what came: number of documents, and what is wrong


class Puller:
    """Pulls from some sources by one profile."""

    def __init__(
        self, profile: DeliveryProfile, sources: Sequence[Source], journal: Journal, into: Path, *,
        centres: frozenset[str], opener: Opener, clock: Clock = SYSTEM, told: Told | None = None,
        opened: Opened | None = None, stopped: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        self._profile, self._journal, self._into, self._centres = profile, journal, into, centres
        self._sources = {source.name: source for source in sources}
        self._opener, self._clock = opener, clock
        self._connections = Connections(sources, opener)
        self._told = told or (lambda *_: None)
        self._unpacked = opened or self._unpack
        self._stopped = stopped

    def pull(self, *, downloaders: int = 2, limit: float = 600.0) -> Account:
        """Look at every source, then fetch with a pool of downloaders."""
        return self.fetch(self.look(limit=limit), downloaders=downloaders)

    def look(self, *, limit: float = 600.0) -> Sequence[Listed]:
        """What every source has that may be used now, or why it could not be listed."""
        now = self._clock.now()
        wanted = [source for source in self._sources.values() if source.open_at(now)]
        listed = survey(wanted, self._profile, self._opener, limit=limit, clock=self._clock)
        offered = self._offered(listed)
        self._journal.offered(offered)
        self._journal.disagreed({key: sorted(offered[key]) for key in self._disagreeing(offered)})
        return listed

    def foresee(self, listed: Sequence[Listed]) -> Account:
        """What would be fetched of what was found, and what not; nothing is."""
        offered = self._offered(listed)
        lines = [self._settle(key, found, fetched=_foreseen) for key, found in sorted(offered.items())]
        return self._account(listed, offered, lines)

    def fetch(self, listed: Sequence[Listed], *, downloaders: int = 2) -> Account:
        """Fetch what was found, with a pool of downloaders."""
        offered = self._offered(listed)
        try:
            with ThreadPoolExecutor(downloaders, thread_name_prefix="downloader") as pool:
                lines = list(pool.map(lambda item: self._settle(*item), sorted(offered.items())))
        finally:
            self._connections.close()
        return self._account(listed, offered, lines)

    def _account(
        self, listed: Sequence[Listed], offered: Mapping[tuple[str, str], Found], lines: Sequence[Line]
    ) -> Account:
        away = {one.source.name: str(one.error) for one in listed if one.error}
        return Account(lines=lines, away=away, disagree=[f"{key[0]}/{key[1]}" for key in self._disagreeing(offered)])

    def _offered(self, listed: Sequence[Listed]) -> dict[tuple[str, str], Found]:
        found: dict[tuple[str, str], Found] = defaultdict(dict)
        for one in listed:
            for offer in offers(one.entries, self._profile, self._centres):
                found[offer.action, offer.name][one.source.name] = offer
        return dict(found)

    def _disagreeing(self, offered: Mapping[tuple[str, str], Found]) -> list[tuple[str, str]]:
        return [
            key
            for key, found in sorted(offered.items())
            if disagreeing([Copy(source=number, size=offer.entry.size) for number, offer in enumerate(found.values())])
        ]

    def _settle(self, key: tuple[str, str], found: Found, fetched: Fetching | None = None) -> Line:
        """What becomes of one delivery."""
        action, name = key
        fetched = fetched or self._fetched
        if self._stopped():
            return Line(action=action, name=name, became=Became.WAITING, why="The session was ended.")
        faults = next(iter(found.values())).faults
        found = {source: offer for source, offer in found.items() if not offer.faults}
        if not found:
            return Line(action=action, name=name, became=Became.REFUSED, why=" ".join(faults))
        if self._journal.given_up(action, name):
            return Line(action=action, name=name, became=Became.WAITING, why="Somebody gave it up.")
        kept = self._journal.kept(action, name)
        if kept is not None and any(kept.mark == offer.entry.mark for offer in found.values()):
            became = Became.DAMAGED if kept.fault else Became.HERE
            return Line(action=action, name=name, became=became, source=kept.source, why=kept.fault, size=kept.size)
        ready, why = self._ready(found)
        if not ready:
            return Line(action=action, name=name, became=Became.WAITING, why=why)
        return fetched(action, name, ready, self._journal.next_revision(action, name))

    def _ready(self, found: Found) -> tuple[Found, str]:
        """The offers that are settled and may be tried now; or why there is none."""
        now, ready, why = self._clock.now(), {}, ""
        for source, offer in found.items():
            verdict = settled(offer, self._journal.looked_at(source, offer.path), self._profile.settling, now)
            look = LookedAt(mark=offer.entry.mark, times=verdict.times, last=now)
            self._journal.looks(source, {offer.path: look})
            if verdict.settled:
                ready[source] = offer
            else:
                why = verdict.why
        action, name = next((offer.action, offer.name) for offer in found.values())
        last = self._journal.last_failure(action, name)
        failures = sum(self._journal.attempts(action, name).values())
        early = last is not None and now < again_at(failures, last)
        if ready and last is not None and early and not self._journal.wanted(action, name):
            return {}, f"It failed {failures} times; it is tried again at {again_at(failures, last):%H:%M}."
        return ready, why

    def _fetched(self, action: str, name: str, ready: Found, revision: int) -> Line:
        now = self._clock.now()
        candidates = [
            self._candidate(source, offer) for source, offer in ready.items() if self._sources[source].open_at(now)
        ]
        names = list(self._sources)
        error = "Every source that has it is left alone for a while."
        for candidate in ranked(candidates, now):
            source = names[candidate.source]
            place = Place(folder=self._into / action / name / str(revision))
            place.folder.mkdir(parents=True, exist_ok=True)
            try:
                pulled = self._attempt(ready[source], self._sources[source], place, revision)
            except (NoSpace, NotWritable):
                raise  # ours to mend, not the source's
            except OpilioError as failure:
                error = str(failure)
                continue
            return self._opened(ready[source], source, place, pulled, revision)
        return Line(action=action, name=name, became=Became.FAILED, why=error)

    def _candidate(self, source: str, offer: Offer) -> Candidate:
        tried = self._journal.attempts(offer.action, offer.name).get(source, 0)
        return Candidate(
            source=list(self._sources).index(source), preference=self._sources[source].preference, tried=tried,
            record=self._journal.record(source), own=_own(self._sources[source], offer),
        )  # fmt: skip

    def _attempt(self, offer: Offer, source: Source, place: Place, revision: int) -> Pulled:
        began, at = self._clock.monotonic(), self._clock.now()
        self._journal.begun(source.name, offer, revision, at)
        size, error = 0, ""
        wanted = Wanted(source=source.name, path=offer.path, largest=self._profile.largest, checksum=offer.checksum)
        total = offer.entry.size or 0
        try:
            with self._connections.borrowed(source) as connection:
                told = Pull(
                    connection, throttle=self._connections.throttles[source.name],
                    told=lambda done: self._progress(source.name, offer, done, total),
                )  # fmt: skip
                pulled = told.pull(wanted, place.archive)
            size = pulled.size
            return pulled
        except OpilioError as failure:
            error = str(failure)
            raise
        finally:
            seconds = self._clock.monotonic() - began
            self._journal.tried(
                Attempt(source=source.name, action=offer.action, name=offer.name, at=at, seconds=seconds, size=size,
                        error=error)
            )  # fmt: skip

    def _progress(self, source: str, offer: Offer, done: int, total: int) -> None:
        self._journal.progressed(source, offer, done)
        self._told(offer.name, done, total)

    def _unpack(self, place: Place) -> tuple[int, str]:
        try:
            return len(unpack(place.archive, place.documents, self._profile.archive).documents), ""
        except BadArchive as broken:
            return 0, str(broken)

    def _opened(self, offer: Offer, source: str, place: Place, pulled: Pulled, revision: int) -> Line:
        documents, fault = self._unpacked(place)
        self._journal.keep(
            Kept(action=offer.action, name=offer.name, revision=revision, source=source, mark=offer.entry.mark,
                 size=pulled.size, sha256=pulled.sha256, md5=pulled.md5, at=self._clock.now(), fault=fault)
        )  # fmt: skip
        became = Became.DAMAGED if fault else Became.PULLED
        return Line(
            action=offer.action, name=offer.name, became=became, source=source, why=fault, size=pulled.size,
            documents=documents,
        )  # fmt: skip


def _foreseen(action: str, name: str, ready: Found, revision: int) -> Line:
    source, offer = next(iter(ready.items()))
    why = "" if revision == 1 else "It changed since it came."
    return Line(action=action, name=name, became=Became.WANTED, source=source, why=why, size=offer.entry.size or 0)


def _own(source: Source, offer: Offer) -> bool:
    """Whether the partner that made a delivery runs the source."""
    return offer.parsed is not None and bool(source.centre) and source.centre == offer.parsed.centre
