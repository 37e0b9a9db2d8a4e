"""Machines for tests: home folders that share nothing but a store, a database and the web."""

import shutil
from dataclasses import replace
from pathlib import Path

from opilio.archive.store.errors import StoreUnavailable
from opilio.works.crawl_folder import StoreAddress
from opilio.works.crawl_to_archive import Crew
from opilio.works.run_harvest import HarvestFolder
from opilio.works.sharing.shared_harvest import SharedHarvest, Terms
from opilio.works.sharing.work_store import WorkStore
from tests.sites.crawling import QUICK

HARVEST = 7
#: Leases that end soon, claims often, and patience enough to be given hosts on a busy machine.
SETTINGS = replace(QUICK, ttl=6.0, quiet=3.0, claim_every=0.3)


class Switched:
    """A store that can be away."""

    def __init__(self, store):
        self._store = store
        self.away = False

    def __getattr__(self, name):
        if self.away and name != "address":
            remedy = "Switch it on."
            raise StoreUnavailable("the server cannot be reached", where=self._store.address, remedy=remedy)
        return getattr(self._store, name)


class Machine:
    """One home folder."""

    def __init__(self, home: Path, store, address: StoreAddress):
        self.home = home
        self.store = Switched(store)
        self.work = WorkStore(store=self.store, home=home, most=1 << 40)
        self.address = replace(address, name=f"harvest-{HARVEST}") if address.url else address

    def leading(self, **terms):
        """The harvest as its leader has it."""
        return self._shared(self.work.copying(HARVEST), terms)

    def helping(self, **terms):
        """The harvest as a helper has it."""
        return self._shared(self.work.helping(HARVEST), terms)

    def lose(self):
        """Its disk is gone."""
        shutil.rmtree(self.home)

    def _shared(self, copying, terms):
        folder = HarvestFolder(path=copying.folder, address=self.address)
        return SharedHarvest(folder=folder, copying=copying, terms=Terms(**{"every": 0.2, **terms}))


def crew(**options):
    """A quick crew of one."""
    return Crew(**{"settings": SETTINGS, **options})


class Falls:
    """Watches a crawl: a checkpoint after some pages, then nothing reaches the store; after some more it is killed."""

    def __init__(self, machine, brake, *, checkpoint, end):
        self._machine, self._brake, self._checkpoint, self._end = machine, brake, checkpoint, end

    def __call__(self, progress):
        if progress.pages >= self._checkpoint and not self._machine.store.away:
            self._machine.leading().checkpoints().take()
            self._machine.store.away = True
        if progress.pages >= self._end and not self._brake.pulls:
            self._brake.pull()
            self._brake.pull()
