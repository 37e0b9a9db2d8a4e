"""A store in a bucket of an S3-compatible server.

Small objects go up in one conditional request. Larger ones go up in parts beside their key, are read back, and are then
copied to it by the server on the condition that nothing is there. Every upload is read back before it counts.
"""

import contextlib
import secrets
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from obstore.exceptions import AlreadyExistsError

from opilio.archive.store.errors import BehindTheEnd, ChangedMeanwhile, DamagedObject, NoSuchKey
from opilio.archive.store.keys import UPLOADS, checked_folder, checked_key
from opilio.archive.store.s3_bucket import S3Bucket
from opilio.archive.store.s3_options import S3Options
from opilio.archive.store.sources import algorithm_of, checked_range, opened, pieces, require, taken
from opilio.archive.store.store import Source, Stored
from opilio.kernel.digests import Digest, Hasher, digest_of
from opilio.kernel.errors import OpilioError
from opilio.kernel.files import reading

_MOST_PARTS = 9_000  # S3 allows 10,000


class S3Store:
    """Objects of a bucket, below a prefix; see `Store` for the promises."""

    def __init__(self, bucket: str, prefix: str = "", options: S3Options | None = None) -> None:
        self._options = options or S3Options()
        self._bucket = S3Bucket(bucket, prefix, self._options)

    @property
    def address(self) -> str:
        return self._bucket.address

    def put(self, key: str, source: Source, *, expected: Digest | None = None) -> bool:
        checked_key(key)
        if expected is not None and self._bucket.head(key) is not None:
            return self._same(key, expected)
        with opened(source) as stream:
            length = _length(source)
            size = max(self._options.part, -(-length // _MOST_PARTS))
            first = stream.read(size)
            if len(first) < size:
                return self._put_small(key, first, expected)
            if length > self._options.largest_copy:
                return self._put_huge(key, first, stream, expected)
            return self._put_large(key, first, stream, expected)

    def replace(self, key: str, data: bytes, *, instead_of: bytes) -> None:
        if not self._bucket.swap(checked_key(key), data, instead_of=instead_of):
            remedy = "Read it again, and decide anew."
            where = self._bucket.where(key)
            raise ChangedMeanwhile("somebody else changed the object", where=where, remedy=remedy)

    def open(self, key: str) -> BinaryIO:
        return self._bucket.open(checked_key(key))

    def read(self, key: str, start: int, length: int) -> bytes:
        checked_range(start, length)
        try:
            return self._bucket.range(checked_key(key), start, start + max(1, length))[:length]
        except BehindTheEnd:
            return b""

    def head(self, key: str) -> Stored | None:
        return self._bucket.head(checked_key(key))

    def list(self, folder: str = "") -> Iterator[Stored]:
        for found in self._bucket.list(checked_folder(folder)):
            if not found.key.startswith(f"{UPLOADS}/"):
                yield found

    def delete(self, key: str) -> None:
        self._bucket.delete(checked_key(key))

    def clean(self, before: datetime) -> int:
        old = [found.key for found in self._bucket.list(UPLOADS) if found.modified < before]
        for key in old:
            self._bucket.delete(key)
        return len(old)

    def _put_small(self, key: str, data: bytes, expected: Digest | None) -> bool:
        found = digest_of(data, algorithm_of(expected))
        require(found, expected, where=key)
        try:
            self._bucket.create(key, data)
        except AlreadyExistsError:
            return self._same(key, found)  # or it is our own, whose answer was lost
        self._prove(key, found)
        return True

    def _put_large(self, key: str, first: bytes, rest: BinaryIO, expected: Digest | None) -> bool:
        aside = f"{UPLOADS}/{secrets.token_hex(16)}"
        try:
            found = self._upload(aside, key, first, rest, expected)
            self._bucket.copy(aside, key)
        except AlreadyExistsError:
            return self._same(key, found)
        finally:
            with contextlib.suppress(OpilioError):  # `clean` removes it later
                self._bucket.delete(aside)
        return True

    def _put_huge(self, key: str, first: bytes, rest: BinaryIO, expected: Digest | None) -> bool:
        """Larger than S3 copies: two writers at the same moment are told apart by their digests only."""
        if self._bucket.head(key) is None:
            self._upload(key, key, first, rest, expected)
            return True
        hasher = Hasher(algorithm_of(expected))
        hasher.update(first)
        for _ in pieces(rest, hasher):
            pass
        return self._same(key, hasher.digest())

    def _upload(self, to: str, key: str, first: bytes, rest: BinaryIO, expected: Digest | None) -> Digest:
        """Send all parts, and prove that they arrived."""
        hasher = Hasher(algorithm_of(expected))
        hasher.update(first)

        broken: list[OSError] = []

        def parts() -> Iterator[bytes]:
            yield first
            try:
                yield from pieces(rest, hasher, size=len(first))
            except OSError as error:
                broken.append(error)
                raise
            require(hasher.digest(), expected, where=key)  # before the upload is completed

        try:
            self._bucket.upload(to, parts(), len(first))
        except OpilioError:
            if broken:  # the fault of the source, not of the server
                raise broken[0] from None
            raise
        found = hasher.digest()
        self._prove(to, found)
        return found

    def _prove(self, key: str, wanted: Digest) -> None:
        """Read back what was just written; remove it if it is something else."""
        try:
            good = self._bucket.digest(key, wanted.algorithm).matches(wanted)
        except NoSuchKey:
            good = False
        if good:
            return
        self._bucket.delete(key)
        where, remedy = self._bucket.where(key), "Run it again; if it happens again, do not trust this server."
        raise DamagedObject("the server does not give back what it was given", where=where, remedy=remedy)

    def _same(self, key: str, wanted: Digest) -> bool:
        """False, for nothing was written; `KeyTaken` when the object is another one."""
        if not self._bucket.digest(key, wanted.algorithm).matches(wanted):
            raise taken(key, self.address)
        return False


def _length(source: Source) -> int:
    """How long a source is, where that is known."""
    if not isinstance(source, Path):
        return 0
    with reading(source):
        return source.stat().st_size
