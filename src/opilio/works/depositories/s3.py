"""A bucket that takes packages: every file an object below the package's name, a receipt last of all."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from opilio.archive.store.errors import NoSuchKey
from opilio.archive.store.store import Store
from opilio.kernel.digests import Algorithm, Digest
from opilio.works.depositories.errors import Untrue
from opilio.works.depositories.reading import Reader, pieces_of
from opilio.works.depositories.values import Checked, Package, Part, Receipt, Told

_LONGEST = 1 << 20  # bytes of a receipt
_RECEIPT = "opilio-receipt.json"


@dataclass(frozen=True, kw_only=True)
class StoreDepository:
    """A bucket, or whatever else keeps objects by key."""

    store: Store

    def find(self, package: Package) -> Receipt | None:
        """The receipt is written when everything else is there; without it a package is handed over anew."""
        if self.store.head(self._key(package, _RECEIPT)) is None:
            return None
        told = json.loads(self.store.read(self._key(package, _RECEIPT), 0, _LONGEST))
        return self._receipt(package, size=int(told["size"]), sha512=str(told["sha512"]))

    def deposit(self, package: Package, answers: Mapping[str, str], told: Told) -> Receipt:
        """Objects that an earlier try left are not sent again."""
        done = 0
        for part in package.parts:
            told("handing over", done, package.size)
            expected = Digest(Algorithm.SHA512, bytes.fromhex(part.sha512))
            self.store.put(self._key(package, part.path), package.file(part), expected=expected)
            done += part.size
        document = {"key": package.key, "size": package.size, "sha512": package.sha512, "files": len(package.parts)}
        self.store.put(self._key(package, _RECEIPT), json.dumps(document, sort_keys=True).encode())
        return self._receipt(package, size=package.size, sha512=package.sha512)

    def check(self, package: Package, receipt: Receipt, told: Told) -> Checked:
        """Read every object again."""
        reader = Reader(package.size, told)
        for part in package.parts:
            self._compare(package, part, reader)
        return Checked(files=reader.files, bytes=reader.bytes, how="Every object was read again.")

    def probe(self) -> str:
        """Whether the bucket answers."""
        next(iter(self.store.list()), None)
        return f"{self.store.address} answers."

    def _compare(self, package: Package, part: Part, reader: Reader) -> None:
        key = self._key(package, part.path)
        try:
            with self.store.open(key) as stream:
                reader.compare(part, pieces_of(stream), f"{self.store.address} {key}")
        except NoSuchKey as error:
            raise Untrue(f"{part.path} is not there", where=self.store.address, remedy="Archive again.") from error

    def _key(self, package: Package, name: str) -> str:
        return f"{package.key}/{name}"

    def _receipt(self, package: Package, *, size: int, sha512: str) -> Receipt:
        where = f"{self.store.address.rstrip('/')}/{package.key}"
        return Receipt(archive_id=package.key, size=size, sha512=sha512, where=where)
