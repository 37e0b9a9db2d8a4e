"""Keys of objects: relative paths with `/`, the same for every store. Hostile ones are refused."""

import re

from opilio.archive.store.errors import BadObjectKey

#: The folder of uploads that are not finished; it lies in the store and is never listed.
UPLOADS = ".opilio-uploads"

_LONGEST = 1_024  # bytes of UTF-8; the limit of S3
_LONGEST_PART = 255  # bytes; the limit of file systems
_BAD = re.compile(r"[\x00-\x1f\x7f\\]|^[A-Za-z]:")


def checked_key(key: str) -> str:
    """The key itself; `BadObjectKey` when it could lead elsewhere or cannot be kept by every store."""
    reason = _fault(key)
    if reason:
        shown = repr(str(key)[:120])
        raise BadObjectKey(
            f"{shown} cannot be the key of an object: {reason}", remedy="Give a path such as warcs/a.warc.gz."
        )
    return key


def checked_folder(folder: str) -> str:
    """The same for the folder that is listed; empty for all."""
    return checked_key(folder) if folder else ""


def joined(*parts: str) -> str:
    """Keys one below the other, empty ones left out."""
    return "/".join(part for part in parts if part)


def _fault(key: str) -> str:
    if not isinstance(key, str) or not key:
        return "it is empty or no text"
    if _BAD.search(key) or not key.isprintable():
        return "it holds characters that not every store can keep"
    parts = key.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "a part of it is empty or leads elsewhere"
    if parts[0] == UPLOADS:
        return f"{UPLOADS} is where unfinished uploads lie"
    sizes = [len(part.encode()) for part in parts]
    return "it is too long" if sum(sizes) + len(parts) > _LONGEST or max(sizes) > _LONGEST_PART else ""
