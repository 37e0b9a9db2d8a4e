"""Finds where the next record begins, behind garbage and damage."""

import re

from isal import isal_zlib

from opilio.archive.verify.source import MAGIC, Run, Source
from opilio.archive.warc.arc import arc_line

_GZIP = 31
_BROKEN: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # its stub says instance for class
_WARC = rb"WARC/\d\.\d{1,2}\r?\n(?:WARC-|Content-)"
_ARC = rb"(?<![^\n])[a-z][a-z0-9+.-]{1,20}:[^ \r\n]{1,2000} [0-9a-fA-F.:]{3,45} \d{14} [^\r\n]{1,200} \d{1,15}\r?\n"
_STARTS = {False: re.compile(_WARC), True: re.compile(_ARC + rb"|" + _WARC)}
_IN_FILE = {
    False: re.compile(rb"\x1f\x8b\x08[\x00-\x1f]|" + _WARC),
    True: re.compile(rb"\x1f\x8b\x08[\x00-\x1f]|" + _ARC + rb"|" + _WARC),
}
_OVERLAP = 4096  # bytes in which a start surely is seen whole
_FIRST_WINDOW, _WINDOW = 1 << 13, 1 << 20  # bytes
_TRIAL = 2048  # packed bytes that are enough to see how a member begins


def start_in_file(source: Source, offset: int, *, arc: bool) -> int | None:
    """The first place from `offset` on where a record begins, packed or not."""
    pattern = _IN_FILE[arc]
    at, size = offset, _FIRST_WINDOW
    while at < source.size:
        window = source.look_at(at, size + _OVERLAP)
        for found in pattern.finditer(window):
            if found.start() >= size:
                break
            if window[found.start()] != MAGIC[0] or member_begins(window[found.start() : found.start() + _TRIAL]):
                return at + found.start()
        if len(window) <= size:
            return None
        at += size
        size = min(2 * size, _WINDOW)  # mostly it is near
    return None


def go_to_start(run: Run, *, arc: bool) -> bool:
    """Go on in a run to where a record begins; False, and to its end, when none does."""
    pattern = _STARTS[arc]
    while run.fill(1):
        found = pattern.search(run.data, run.at)
        if found is not None:
            run.at = found.start()
            return True
        run.at = max(run.at, len(run.data) - _OVERLAP)
        if not run.more():
            run.at = len(run.data)
    return False


def member_begins(packed: bytes) -> bool:
    """Whether a gzip member begins with a record."""
    try:
        start = isal_zlib.decompressobj(wbits=_GZIP).decompress(packed, _TRIAL)
    except _BROKEN:
        return False
    return start.startswith(b"WARC/") or arc_line(start) is not None
