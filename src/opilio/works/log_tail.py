"""The last lines of a log, read from its end: however long the log is, only a piece of it is."""

import os
from pathlib import Path

from opilio.kernel.files import mapped

_PIECE = 64 * 1024  # bytes that are read


def last_lines(path: Path, most: int) -> list[str]:
    """Up to `most` whole lines, oldest first; none while there is no log. What is no UTF-8 is shown as �."""
    if not path.is_file():
        return []
    with mapped(path), path.open("rb") as log:
        size = log.seek(0, os.SEEK_END)
        log.seek(max(0, size - _PIECE))
        piece = log.read(_PIECE)
    lines = piece.split(b"\n")
    if size > _PIECE:
        lines = lines[1:]  # its beginning was left out
    return [line.decode("utf-8", "replace") for line in lines if line.strip()][-most:]
