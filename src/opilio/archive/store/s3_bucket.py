"""Requests to a bucket through obstore, with its errors in our words. Keys are taken as they are."""

import io
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import obstore
from obstore.exceptions import BaseError, PreconditionError
from obstore.store import S3Store as Bucket

from opilio.archive.store.errors import BadStoreAddress, ChangedMeanwhile, NoSuchKey, StoreUnavailable
from opilio.archive.store.keys import UPLOADS, joined
from opilio.archive.store.ranged_file import RangedFile
from opilio.archive.store.s3_errors import told
from opilio.archive.store.s3_options import S3Options
from opilio.archive.store.store import Stored
from opilio.kernel.digests import Algorithm, Digest, digest_of_stream
from opilio.kernel.files import reading

if TYPE_CHECKING:
    from obstore import GetOptions, ObjectMeta
    from obstore.store import ClientConfig, S3Config


class S3Bucket:
    """A bucket below a prefix. Every request ends in bounded time."""

    def __init__(self, name: str, prefix: str, options: S3Options) -> None:
        self.address = joined(f"s3://{name}", prefix)
        self._options = options
        self._bucket = _bucket(name, prefix, options)

    def where(self, key: str) -> str:
        """A key with its bucket, for messages."""
        return joined(self.address, key)

    def create(self, key: str, data: bytes) -> None:
        """One conditional request; the library's AlreadyExistsError when the key is taken."""
        with told(self.where(key)):
            obstore.put(self._bucket, key, data, mode="create", use_multipart=False)

    def swap(self, key: str, data: bytes, *, instead_of: bytes) -> bool:
        """Replace a content by another; False when it was not there any more."""
        try:
            with told(self.where(key)):
                found = obstore.get(self._bucket, key)
                if bytes(found.bytes()) != instead_of:
                    return False
                obstore.put(self._bucket, key, data, mode={"e_tag": found.meta["e_tag"]}, use_multipart=False)
        except PreconditionError:  # changed by others; or by us, and the answer was lost on the way
            with told(self.where(key)):
                return bytes(obstore.get(self._bucket, key).bytes()) == data
        return True

    def upload(self, key: str, parts: Iterator[bytes], size: int) -> None:
        """Send an object in parts of a size; it appears when all have arrived."""
        with told(self.where(key)):
            obstore.put(
                self._bucket, key, parts, use_multipart=True, chunk_size=size, max_concurrency=self._options.parallel
            )

    def copy(self, key: str, to: str) -> None:
        """A copy made by the server; the library's AlreadyExistsError when the key is taken."""
        with told(self.where(to)):
            obstore.copy(self._bucket, key, to, overwrite=False)

    def head(self, key: str) -> Stored | None:
        """What is known of an object."""
        try:
            found = self._meta(key)
        except NoSuchKey:
            return None
        return Stored(key=key, size=found["size"], modified=found["last_modified"])

    def open(self, key: str) -> BinaryIO:
        """An object as a stream."""
        meta = self._meta(key)
        tag = meta["e_tag"]
        raw = RangedFile(meta["size"], lambda start, end: self.range(key, start, end, tag))
        return io.BufferedReader(raw, buffer_size=self._options.part)

    def digest(self, key: str, algorithm: Algorithm) -> Digest:
        """The digest of an object, read from the server."""
        with self.open(key) as stream:
            return digest_of_stream(stream, algorithm)

    def range(self, key: str, start: int, end: int, tag: str | None = None) -> bytes:
        """Bytes of an object; with a tag exactly these, or `ChangedMeanwhile` when it is not the one that has it."""
        options: GetOptions = {"range": (start, end)}
        if tag is not None:
            options["if_match"] = tag
        try:
            with told(self.where(key)):
                found = obstore.get(self._bucket, key, options=options)
                data = bytes(found.bytes())
        except PreconditionError:
            remedy = "Read it again from the beginning."
            raise ChangedMeanwhile("the object changed", where=self.where(key), remedy=remedy) from None
        if found.range[0] != start or len(data) != found.range[1] - start or (tag and found.range[1] != end):
            remedy = "Run it again; if it happens again, check the server."
            raise StoreUnavailable("the server's answer is too short", where=self.where(key), remedy=remedy)
        return data

    def list(self, folder: str) -> Iterator[Stored]:
        """All objects below a folder."""
        empty = True
        with told(self.where(folder)):
            for portion in obstore.list(self._bucket, folder or None):
                for found in portion:
                    empty = False
                    yield Stored(key=found["path"], size=found["size"], modified=found["last_modified"])
        if empty:  # the library takes any document for an empty listing: ask for what cannot be there
            self.head(f"{UPLOADS}/nothing")

    def delete(self, key: str) -> None:
        """Remove an object."""
        try:
            with told(self.where(key)):
                obstore.delete(self._bucket, key)
        except NoSuchKey:
            return

    def _meta(self, key: str) -> "ObjectMeta":
        with told(self.where(key)):
            found = obstore.head(self._bucket, key)
        if found["e_tag"] is None:
            remedy = "Check the address of the server: OPILIO_S3_ENDPOINT."
            raise StoreUnavailable("the server's answer is not one of S3", where=self.where(key), remedy=remedy)
        return found


def _bucket(name: str, prefix: str, options: S3Options) -> Bucket:
    config: S3Config = {
        "region": options.region,
        "checksum_algorithm": "SHA256",  # of each request; checked by the server
        "copy_if_not_exists": "multipart",
    }
    if options.endpoint:
        config["endpoint"] = options.endpoint
    if options.access_key:
        config |= {"access_key_id": options.access_key, "secret_access_key": options.secret_key}
    patience = timedelta(seconds=options.timeout)
    try:
        return Bucket(
            name, prefix=prefix or None, config=config, client_options=_client(options),
            retry_config={"max_retries": options.retries, "retry_timeout": 2 * patience},
        )  # fmt: skip
    except (BaseError, ValueError):  # the text may hold what was given
        remedy = "Write it as s3://bucket/prefix, and check the settings s3_…: opilio config show."
        raise BadStoreAddress(
            "the bucket cannot be used", where=joined(f"s3://{name}", prefix), remedy=remedy
        ) from None


def _client(options: S3Options) -> "ClientConfig":
    patience = timedelta(seconds=options.timeout)
    client: ClientConfig = {
        "timeout": patience,
        "connect_timeout": min(patience, timedelta(seconds=10)),
        "allow_http": options.endpoint.startswith("http://"),
    }
    if options.ca_file:
        path = Path(options.ca_file)
        with reading(path):
            client["root_certificate"] = path.read_bytes()
    return client
