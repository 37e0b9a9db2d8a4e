"""Opens the store of an address: `./path`, `file:///path` or `s3://bucket/prefix`."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from opilio.archive.store.disk import DiskStore
from opilio.archive.store.errors import BadObjectKey, BadStoreAddress
from opilio.archive.store.keys import checked_folder
from opilio.archive.store.s3 import S3Store
from opilio.archive.store.s3_options import S3Options
from opilio.archive.store.store import Store

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?=//)")
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,254}")
_REMEDY = "Write it as a path, file:///path or s3://bucket/prefix."


def open_store(address: str, options: S3Options | None = None) -> Store:
    """The store of an address. Nothing is made or asked for yet."""
    if not isinstance(address, str) or not address.strip() or "\x00" in address:
        raise BadStoreAddress("the address of the store is empty or no text", remedy=_REMEDY)
    found = _SCHEME.match(address)
    scheme = found[0].lower() if found else ""
    if scheme == "s3:":
        return _s3(address, options)
    if scheme == "file:":
        return DiskStore(_file(address))
    if scheme:
        raise BadStoreAddress(f"there are no stores of {scheme}//", remedy=_REMEDY)
    return DiskStore(Path(address))


def _s3(address: str, options: S3Options | None) -> S3Store:
    parts = urlsplit(address)
    if "@" in parts.netloc or ":" in parts.netloc:  # not repeated: it may hold a secret
        remedy = "Write s3://bucket/prefix; keys belong into OPILIO_S3_ACCESS_KEY and OPILIO_S3_SECRET_KEY."
        raise BadStoreAddress("the address of a bucket holds no keys and no port", remedy=remedy)
    if not _BUCKET.fullmatch(parts.netloc) or parts.query or parts.fragment:
        raise BadStoreAddress("the address names no bucket", where=address[:200], remedy=_REMEDY)
    prefix = parts.path.strip("/")
    try:
        return S3Store(parts.netloc, checked_folder(prefix), options)
    except BadObjectKey as error:
        raise BadStoreAddress("the prefix cannot be used", where=address[:200], remedy=_REMEDY) from error


def _file(address: str) -> Path:
    parts = urlsplit(address)
    if parts.netloc not in ("", "localhost") or parts.query or parts.fragment or not parts.path.strip("/"):
        raise BadStoreAddress("the address names no folder of this machine", where=address[:200], remedy=_REMEDY)
    return Path(unquote(parts.path))
