"""Brings what a crawl committed into the work store, again and again while it runs, and back onto another machine.

A checkpoint is: parts of open WARC files up to their committed length, then finished files with logs and pictures, then
the crawl store's own copy where it is a file. What the store has of a WARC file is then noted in the crawl store.
"""

import contextlib
import secrets
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from opilio.archive.warc.names import OPEN, find
from opilio.crawl.errors import NoCrawlStore
from opilio.crawl.frontier.rows import WarcFile
from opilio.crawl.frontier.sql_store import SqlStore
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.digests import Algorithm, digest_of
from opilio.kernel.errors import OpilioError, Unavailable
from opilio.kernel.files import ensure_folder, write_atomically
from opilio.kernel.logs import logger
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.run_harvest import HarvestFolder
from opilio.works.sharing.copying import Allowed, Copying, anybody
from opilio.works.sharing.parts import WarcParts
from opilio.works.sharing.state import CHECKPOINT

_CRAWL_STORE, _LIFE = f"{CHECKPOINT}crawl.db", f"{CHECKPOINT}life"
_SHARE = 5.0  # a checkpoint may take a fifth of the time at most
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0  # seconds between tries while the store is away

_log = logger(__name__)


@dataclass(kw_only=True)
class Checkpoints:
    """Of one crawl in one folder."""

    copying: Copying
    folder: HarvestFolder
    every: float  # seconds
    allowed: Allowed = anybody  # raises when this process may not write any more
    captures_only: bool = False  # of an agent that helps: the log and the report are the leader's
    clock: Clock = SYSTEM
    _parts: WarcParts = field(init=False)

    def __post_init__(self) -> None:
        self._parts = WarcParts(self.copying.shelf)

    @property
    def _place(self) -> CrawlFolder:
        return self.folder.crawl

    def take(self) -> None:
        """Make one checkpoint now; nothing before the crawl was begun, or after it was sealed."""
        if not self.folder.begun():
            return
        try:
            opened = self._place.open(self.folder.address)
        except NoCrawlStore:  # it is being made
            return
        with contextlib.closing(opened) as store:
            if not store.sealed:
                self._take(store)

    def _take(self, store: SqlStore) -> None:
        finished, left_out = [], {f"warcs/{path.name}" for path in self._warcs()}
        for file in store.warcs():
            path = find(self._place.warcs, file.file)
            if path is None or not file.committed:
                continue
            if path.name.endswith(OPEN) or path.stat().st_size != file.committed:
                self._put(store, file, path)
            else:
                left_out.discard(f"warcs/{path.name}")
                finished.append(file)
        self._crawl_store()
        self.copying.send(left_out=left_out | self._leaders(), allowed=self.allowed)
        for file in finished:
            if file.uploaded < file.committed:
                self._parts.drop(file.file)
                store.uploaded(file.file, file.committed)

    @contextlib.contextmanager
    def beside(self) -> Iterator[None]:
        """Make checkpoints beside the block. While the store is away the crawl goes on as long as the disk has room."""
        over = threading.Event()
        thread = threading.Thread(target=self._rhythm, args=(over,), name="checkpoints", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def once(self) -> None:
        """The checkpoint of an agent that leaves: made if the store is there, for it is in a hurry."""
        try:
            self.take()
        except Unavailable as away:
            self._tell(away)

    def last(self, wait: Callable[[float], None]) -> None:
        """The checkpoint at the end, tried until the store takes it; `wait` raises when it is time to leave."""
        pause = _FIRST_WAIT
        while True:
            try:
                self.take()
            except Unavailable as away:
                self._tell(away)
                wait(pause)
                pause = min(2 * pause, _LONGEST_WAIT)
            else:
                return

    def _rhythm(self, over: threading.Event) -> None:
        pause = self.every
        failing = _FIRST_WAIT
        while not over.wait(pause):
            begun = self.clock.monotonic()
            try:
                self.take()
                failing, pause = _FIRST_WAIT, max(self.every, _SHARE * (self.clock.monotonic() - begun))
            except Unavailable as away:
                self._tell(away)
                failing = pause = min(2 * failing, _LONGEST_WAIT)
            except OpilioError as error:  # the next attempt, and the last checkpoint, meet it again and tell it
                _log.warning("checkpoint_failed", folder=str(self._place.path), error=str(error))
                pause = self.every

    def _tell(self, away: OpilioError) -> None:
        _log.warning("checkpoint_put_off", folder=str(self._place.path), error=str(away))

    def _put(self, store: SqlStore, file: WarcFile, path: Path) -> None:
        if file.uploaded < file.committed:
            self._parts.put(file.file, path, file.uploaded, file.committed)
            store.uploaded(file.file, file.committed)

    def _crawl_store(self) -> None:
        """A copy of the crawl store, where it is a file: it says what of the WARC files counts."""
        if self.captures_only or not self._place.store.is_file():
            return
        aside, shelf = self._place.path / ".checkpoint.db", self.copying.shelf
        try:
            _copied(self._place.store, aside)
            made = {_CRAWL_STORE: shelf.put(_CRAWL_STORE, aside), _LIFE: shelf.put(_LIFE, life_file(self.copying))}
            shelf.change(made, allowed=self.allowed)
        finally:
            aside.unlink(missing_ok=True)

    def _warcs(self) -> list[Path]:
        return list(self._place.warcs.iterdir()) if self._place.warcs.is_dir() else []

    def _leaders(self) -> set[str]:
        """What a helping agent leaves to the one that leads."""
        if not self.captures_only:
            return set()
        return {path.relative_to(self._place.path).as_posix() for path in self._place.path.rglob("*")
                if path.is_file() and path.parent != self._place.warcs}  # fmt: skip


def life_file(copying: Copying) -> Path:
    """Names the machine's part in a crawl whose store is a file: whose copy lies in the work store counts."""
    path = copying.note.with_suffix(".life")
    if not path.is_file():
        ensure_folder(path.parent)
        write_atomically(path, secrets.token_hex(16).encode())
    return path


def restore(copying: Copying, place: CrawlFolder) -> bool:
    """Bring the crawl store of another machine here, where it is a file and that machine went on last; whether so."""
    state = copying.shelf.state()
    if state is None or _CRAWL_STORE not in state.files:
        return False
    ours = life_file(copying)
    if (
        place.store.is_file()
        and state.files[_LIFE].sha256 == digest_of(ours.read_bytes(), Algorithm.SHA256).value.hex()
    ):
        return False
    ours.unlink()
    shutil.rmtree(place.path, ignore_errors=True)
    copying.forget()
    copying.fetch(heavy=True)
    copying.shelf.fetch(_CRAWL_STORE, state.files[_CRAWL_STORE], place.store)
    for folder in (place.warcs, place.log.parent):
        ensure_folder(folder)
    return True


def bring_captures(copying: Copying, place: CrawlFolder, store: SqlStore) -> int:
    """Have all WARC files of a crawl here, as far as they can be had; how many pages were lost and wait again.

    Call it when nobody else can be at work: what is neither here nor in the work store is gone with its machine.
    """
    copying.fetch(heavy=True)
    parts, lost = WarcParts(copying.shelf), 0
    for file in store.warcs():
        if not file.committed or find(place.warcs, file.file) is not None:
            continue
        there = min(parts.extent(file.file), file.committed)
        if there < file.committed:
            lost += store.rewind(file.file, there)
            parts.drop(file.file, beyond=there)
            _log.warning("captures_lost", file=file.file, bytes=file.committed - there)
        if there:
            parts.assemble(file.file, place.warcs / file.file, there)
    return lost


def settle(copying: Copying, allowed: Allowed = anybody) -> None:
    """After sealing: everything is in files of the folder, and goes up as such; checkpoints are needed no more."""
    copying.send(allowed=allowed)
    parts = WarcParts(copying.shelf)
    for file in parts.files():
        parts.drop(file)
    copying.shelf.change({}, frozenset({_CRAWL_STORE, _LIFE}), allowed)


def _copied(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    with (
        contextlib.closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as old,
        contextlib.closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new)
