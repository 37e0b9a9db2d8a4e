"""How large the directory of a zip file is, from its last record, before anybody reads the directory into memory."""

import struct
from pathlib import Path

_END = b"PK\x05\x06"
_END_64 = b"PK\x06\x06"
_LOCATOR_64 = b"PK\x06\x07"
_END_SIZE, _LOCATOR_SIZE, _END_64_SIZE = 22, 20, 56
_LONGEST_COMMENT = 0xFFFF
_IN_ZIP64 = 0xFFFFFFFF


def directory_size(path: Path) -> int:
    """In bytes; 0 when there is no end record, which whoever opens the file will say."""
    with path.open("rb") as stream:
        length = stream.seek(0, 2)
        tail_at = max(length - _END_SIZE - _LONGEST_COMMENT, 0)
        stream.seek(tail_at)
        tail = stream.read()
        at = tail.rfind(_END)
        if at < 0 or len(tail) - at < _END_SIZE:
            return 0
        size = int(struct.unpack_from("<L", tail, at + 12)[0])
        if size != _IN_ZIP64 or at < _LOCATOR_SIZE or tail[at - _LOCATOR_SIZE : at - _LOCATOR_SIZE + 4] != _LOCATOR_64:
            return size
        where = struct.unpack_from("<Q", tail, at - _LOCATOR_SIZE + 8)[0]
        stream.seek(min(where, length))
        record = stream.read(_END_64_SIZE)
        whole = len(record) == _END_64_SIZE and record.startswith(_END_64)
        return int(struct.unpack_from("<Q", record, 40)[0]) if whole else size
