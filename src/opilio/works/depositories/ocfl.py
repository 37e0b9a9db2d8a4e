"""An archive in the Oxford Common File Layout: the harvest is an object of it, result n its version n."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.packing.parcel import Enclosed
from opilio.archive.store.keys import joined
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.store.ocfl.checking import check_object
from opilio.archive.store.ocfl.inventory import Inventory
from opilio.archive.store.ocfl.layout import object_root
from opilio.archive.store.store import Store
from opilio.kernel.clock import SYSTEM, Clock
from opilio.works.archive_results import archive_results
from opilio.works.depositories.errors import Untrue
from opilio.works.depositories.values import Checked, Package, Part, Receipt, Told, digest_of_list


@dataclass(frozen=True, kw_only=True)
class Sealed:
    """The result that becomes a version: nothing is packed aside for it."""

    folder: Path  # of the harvest
    result: int
    identifier: str  # of the object
    enclosed: Callable[[], Enclosed]
    user: str
    without_originals: bool = True


@dataclass(frozen=True, kw_only=True)
class OcflDepository:
    """One archive."""

    store: Store
    sealed: Sealed | None = None  # None: only to be tried
    clock: Clock = SYSTEM

    def find(self, package: Package) -> Receipt | None:
        """Nothing: an archive compares what it has itself, so that handing over again adds what is missing only."""
        return None

    def deposit(self, package: Package, answers: Mapping[str, str], told: Told) -> Receipt:
        """Add what the archive has not: results before this one, then this one with its description."""
        given = self._sealed
        archive_results(
            given.folder, self.store, identifier=given.identifier, result=given.result, user=given.user,
            without_originals=given.without_originals, enclosed=given.enclosed(), clock=self.clock, told=told,
        )  # fmt: skip
        return self._receipt(Archive.open(self.store).inventory(given.identifier))

    def check(self, package: Package, receipt: Receipt, told: Told) -> Checked:
        """Read every content of the object again, and compare all digests."""
        done = 0

        def count(size: int) -> None:
            nonlocal done
            done += size
            told("reading again", done, receipt.size)

        archive = Archive.open(self.store)
        fault = next(check_object(archive, object_root(self._sealed.identifier), told=count), None)
        if fault is not None:
            remedy = "Restore it from a copy; `opilio archive store check` names every fault."
            raise Untrue(fault.what, where=f"{self.store.address} {fault.where}", remedy=remedy)
        parts = self._parts(archive.inventory(self._sealed.identifier))
        return Checked(files=len(parts), bytes=done, how="Every content of the object was read again.")

    def probe(self) -> str:
        """Whether it is an archive, or a place where one can be begun."""
        Archive.begin(self.store)
        return f"{self.store.address} is an archive that can be written to."

    @property
    def _sealed(self) -> Sealed:
        if self.sealed is None:
            raise AssertionError("a depository that is only tried takes nothing")
        return self.sealed

    def _receipt(self, found: Inventory) -> Receipt:
        given, parts = self._sealed, self._parts(found)
        told = {"object": given.identifier, "version": given.result, "files": len(parts)}
        return Receipt(
            archive_id=f"{given.identifier} v{given.result}", size=sum(part.size for part in parts),
            sha512=digest_of_list(parts), where=self.store.address, told=told,
        )  # fmt: skip

    def _parts(self, found: Inventory) -> list[Part]:
        root, number = object_root(self._sealed.identifier), self._sealed.result
        parts = []
        for path, digest in found.version(number).state.items():
            stored = self.store.head(joined(root, found.content_path(path, number)))
            parts.append(Part(path=path, size=stored.size if stored else 0, sha512=digest))
        return parts
