"""Writes a result as a bag (BagIt 1.0, RFC 8493): payload below data/, manifests by sha256 and sha512, bag-info.txt.

Each file is digested while it is copied, so that it is read once.
"""

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path

from opilio.archive.mets.document import NAME as DESCRIPTION
from opilio.archive.mets.values import PackedFile
from opilio.archive.packing.aside import copy_or_link, file_pieces
from opilio.archive.packing.parcel import Describe, Parcel, ParcelFile, Told, changed, silent
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import mapped

_SENT_AT_ONCE = 16 << 20  # bytes that are written before the disk is told
_ALGORITHMS = ("sha256", "sha512")
_DECLARATION = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_LABEL = re.compile(r"[^\s:][^:\r\n]{0,99}")
_UNITS = ("bytes", "kB", "MB", "GB", "TB")


@dataclass(frozen=True, kw_only=True, slots=True)
class BagInfo:
    """What bag-info.txt says."""

    date: date
    software: str
    description: str = ""
    identifier: str = ""
    organisation: str = ""
    others: Sequence[tuple[str, str]] = field(default=())  # further labels with their values

    def pairs(self, count: int, size: int) -> Iterator[tuple[str, str]]:
        """Labels with their values, of a payload of `count` files with `size` bytes."""
        named = (
            ("Source-Organization", self.organisation),
            ("External-Description", self.description),
            ("External-Identifier", self.identifier),
            ("Bag-Software-Agent", self.software),
            ("Bagging-Date", self.date.isoformat()),
            ("Bag-Size", _in_words(size)),
            ("Payload-Oxum", f"{size}.{count}"),
            *self.others,
        )
        return ((label, value) for label, value in named if value)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Copied:
    path: str  # in the bag
    size: int
    digests: tuple[str, ...]  # hex, in the order of _ALGORITHMS
    created: datetime | None = None  # of the file that was copied


def write_bag(
    folder: Path, parcel: Parcel, info: BagInfo, *, link: bool = False, describe: Describe | None = None,
    told: Told = silent,
) -> int:  # fmt: skip
    """Fill an empty folder; the number of files of the payload. With `describe`, one of them describes the others."""
    for label, _ in info.others:
        if not _LABEL.fullmatch(label):
            remedy = "Write it as Label: value; a label has no colon in it."
            raise InvalidInput(f"{label[:80]!r} cannot be a label of bag-info.txt", remedy=remedy)
    copied = [*_payload(folder, parcel, link=link, told=told), _index(folder, parcel)]
    if describe is not None:
        copied.append(_stored(folder, f"data/{DESCRIPTION}", [describe([_packed(each) for each in copied])]))
    size = sum(each.size for each in copied)
    _write(folder / "bagit.txt", _DECLARATION)
    _write(folder / "bag-info.txt", _info(info.pairs(len(copied), size)))
    _manifests(folder, "manifest", copied)
    tags = [_digested(folder, path.name) for path in sorted(folder.glob("*.txt"))]
    _manifests(folder, "tagmanifest", tags)
    return len(copied)


def _payload(folder: Path, parcel: Parcel, *, link: bool, told: Told) -> Iterator[_Copied]:
    files = [*((f"data/warcs/{warc.name}", warc) for warc in parcel.warcs)]
    files += [(f"data/{document.name}", document) for document in parcel.documents]
    total, done = sum(file.size for _, file in files), 0
    with _Disk() as disk:
        for name, file in files:
            told("files", done, total)
            yield _copied(folder, name, file, disk, link=link)
            done += file.size
    told("files", done, total)


class _Disk:
    """Sends files to the disk while further bytes are digested; who makes the bag durable finds them there already."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._sent: Future[None] | None = None

    def __enter__(self) -> "_Disk":
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown()

    def send(self, path: Path, *, whole: bool) -> None:
        """What the file has so far, unless the disk is still busy with what came before; a whole file in any case."""
        if whole or self._sent is None or self._sent.done():
            self._sent = self._thread.submit(_written_out, path)


def _written_out(path: Path) -> None:
    with contextlib.suppress(OSError), path.open("rb") as stream:  # told where it is made durable
        os.fsync(stream.fileno())


def _copied(folder: Path, name: str, file: ParcelFile, disk: _Disk, *, link: bool) -> _Copied:
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    if link and copy_or_link(file.path, target, link=True):
        made = _digested(folder, name)
    else:
        target.unlink(missing_ok=True)  # copied by the other way, which does not digest
        made = _stored(folder, name, file_pieces(file.path, file.path.stat().st_size), disk)
        disk.send(target, whole=True)
    if file.sha256 and made.digests[0] != file.sha256:
        raise changed(file)
    return replace(made, created=datetime.fromtimestamp(int(file.path.stat().st_mtime), UTC))


def _packed(copied: _Copied) -> PackedFile:
    return PackedFile(path=copied.path, size=copied.size, checksum=copied.digests[1], created=copied.created)


def _index(folder: Path, parcel: Parcel) -> _Copied:
    return _stored(folder, "data/index.cdxj", parcel.lines())


def _stored(folder: Path, name: str, pieces: Iterable[bytes], disk: _Disk | None = None) -> _Copied:
    """Write a file of the payload, digesting it on the way."""
    with mapped(folder / name), (folder / name).open("xb") as stream:

        def through() -> Iterator[bytes]:
            written = 0
            for piece in pieces:
                stream.write(piece)
                written += len(piece)
                if disk is not None and written >= _SENT_AT_ONCE:
                    written = 0
                    disk.send(folder / name, whole=False)
                yield piece

        return _of(name, through())


def _digested(folder: Path, name: str) -> _Copied:
    path = folder / name
    return _of(name, file_pieces(path, path.stat().st_size))


def _of(name: str, pieces: Iterable[bytes]) -> _Copied:
    """Both digests at once: the second runs beside the first and beside the copying of the next piece."""
    made = [hashlib.new(algorithm, usedforsecurity=False) for algorithm in _ALGORITHMS]
    size = 0
    with ThreadPoolExecutor(len(made)) as threads:
        running: list[Future[None]] = []
        for piece in pieces:
            size += len(piece)
            wait(running)
            running = [threads.submit(each.update, piece) for each in made]
        wait(running)
    return _Copied(path=name, size=size, digests=tuple(each.hexdigest() for each in made))


def _manifests(folder: Path, kind: str, files: Sequence[_Copied]) -> None:
    for number, algorithm in enumerate(_ALGORITHMS):
        lines = [f"{each.digests[number]}  {_escaped(each.path)}\n" for each in files]
        _write(folder / f"{kind}-{algorithm}.txt", "".join(lines))


def _info(pairs: Iterable[tuple[str, str]]) -> str:
    return "".join(f"{label}: {' '.join(value.split())}\n" for label, value in pairs)


def _escaped(path: str) -> str:
    """RFC 8493 §2.1.3: percent signs and line ends in names are escaped."""
    return path.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D")


def _write(path: Path, text: str) -> None:
    with mapped(path):
        path.write_text(text, "utf-8", "replace", newline="\n")


def _in_words(size: int) -> str:
    value, unit = float(size), 0
    while value >= 1_000 and unit < len(_UNITS) - 1:
        value, unit = value / 1_000, unit + 1
    return f"{value:.1f} {_UNITS[unit]}" if unit else f"{size} {_UNITS[0]}"
