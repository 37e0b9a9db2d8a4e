"""The stores that contracts of the archive hold for, and what lies in them."""

import itertools

from opilio.archive.store.disk import DiskStore
from opilio.archive.store.memory import MemoryStore
from opilio.archive.store.s3 import S3Store

KINDS = ("disk", "memory", "s3")
_NAMES = itertools.count(1)


def new_store(kind, folder, server):
    """An empty store; `server` gives a running S3-compatible one where it is needed."""
    if kind == "disk":
        return DiskStore(folder / "store")
    if kind == "memory":
        return MemoryStore()
    found = server()
    return S3Store(found.make_bucket(f"bucket-{next(_NAMES)}"), "some/prefix", found.options())


def keys_of(store, folder=""):
    """All keys below a folder."""
    return sorted(each.key for each in store.list(folder))
