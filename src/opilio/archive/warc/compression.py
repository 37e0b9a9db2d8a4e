"""How records are packed: each one a gzip member of its own (WARC 1.1 annex D), so that any can be read alone."""

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from isal import isal_zlib

from opilio.kernel.errors import InvalidInput

_GZIP = 31  # window bits that ask for a gzip header and trailer


class Packer(StrEnum):
    """Who packs."""

    ISAL = "isal"  # fast: the default
    ZLIB = "zlib"  # smaller and slower
    PLAIN = "plain"  # not packed at all


_LEVELS = {Packer.ISAL: range(4), Packer.ZLIB: range(1, 10), Packer.PLAIN: range(10)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Compression:
    """A packer with its level."""

    packer: Packer = Packer.ISAL
    level: int = 2

    def __post_init__(self) -> None:
        if self.level not in _LEVELS[self.packer]:
            low, high = _LEVELS[self.packer][0], _LEVELS[self.packer][-1]
            remedy = f"Choose a level from {low} to {high}."
            raise InvalidInput(f"{self.packer} has no level {self.level}", where="WARC options", remedy=remedy)

    @property
    def suffix(self) -> str:
        """How the names of such files end."""
        return ".warc" if self.packer is Packer.PLAIN else ".warc.gz"

    def pack_pieces(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """One record, which is too large to be in memory at once, as it goes into the file."""
        if self.packer is Packer.PLAIN:
            yield from pieces
            return
        library = isal_zlib if self.packer is Packer.ISAL else zlib
        machine = library.compressobj(self.level, library.DEFLATED, _GZIP)
        for piece in pieces:
            if packed := machine.compress(piece):
                yield packed
        yield machine.flush()

    def pack(self, record: bytes) -> bytes:
        """One record as it goes into the file."""
        if self.packer is Packer.ISAL:
            return isal_zlib.compress(record, self.level, _GZIP)
        if self.packer is Packer.ZLIB:
            return zlib.compress(record, self.level, _GZIP)
        return record
