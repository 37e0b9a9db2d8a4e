"""A derived result as it is handed over: WARC files without the records of what was pruned."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from opilio.archive.cdxj import CdxRow, parse_line, write_cdxj
from opilio.archive.dedup.moved import MovedRecords
from opilio.archive.dedup.pruned import PrunedRecords
from opilio.archive.packing.parcel import Parcel, ParcelFile, Told, changed, silent
from opilio.archive.results.manifest import sha256_of
from opilio.kernel.files import mapped, require_space
from opilio.works.pack_parcel import SealedResult, index_lines, parents_of


def without_pruned(sealed: SealedResult, parcel: Parcel, *, scratch: Path, told: Told = silent) -> tuple[Parcel, int]:
    """The parcel without what its result left out of those before; how many WARC files were written anew for that."""
    parents = parents_of(sealed, scratch)
    if not parents:
        return parcel, 0
    with PrunedRecords(scratch / ".pruned.db") as pruned:
        for parent in parents:
            pruned.expect(_rows(index_lines(parent.index), str(parent.index)))
        pruned.keep(_rows(parcel.lines(), str(sealed.path)))
        touched = _touched(pruned, parcel, told) if pruned else []
        return (_lightened(pruned, parcel, touched, scratch, told), len(touched)) if touched else (parcel, 0)


def _touched(pruned: PrunedRecords, parcel: Parcel, told: Told) -> list[ParcelFile]:
    found = []
    for number, warc in enumerate(parcel.warcs):
        told("looking for what was pruned", number, len(parcel.warcs))
        if pruned.concern(warc.path, warc.name):
            found.append(warc)
    return found


def _lightened(
    pruned: PrunedRecords, parcel: Parcel, touched: list[ParcelFile], scratch: Path, told: Told
) -> Parcel:  # fmt: skip
    require_space(scratch, sum(warc.size for warc in touched))
    index = scratch / "without-pruned.cdxj"
    folder = scratch / "without-pruned"
    folder.mkdir()
    with MovedRecords(scratch / ".moved.db") as moved:
        made = {}
        for number, warc in enumerate(touched):
            told("leaving out what was pruned", number, len(touched))
            made[warc.name] = _rewritten(pruned, warc, folder / warc.name, moved)
        rows = _rows(parcel.lines(), parcel.name)
        write_cdxj(index, (moved.row(row) if row.file in made else row for row in rows))
    warcs = tuple(made.get(warc.name, warc) for warc in parcel.warcs)
    return replace(parcel, warcs=warcs, lines=lambda: index_lines(index))


def _rewritten(pruned: PrunedRecords, warc: ParcelFile, target: Path, moved: MovedRecords) -> ParcelFile:
    if warc.sha256 and sha256_of(warc.path) != warc.sha256:
        raise changed(warc)
    with mapped(target), target.open("xb") as stream:
        for each in pruned.write(warc.path, warc.name, stream):
            moved.add(warc.name, each)
        stream.flush()
        os.fsync(stream.fileno())
    return ParcelFile(name=warc.name, path=target, size=target.stat().st_size)


def _rows(lines: Iterator[bytes], where: str) -> Iterator[CdxRow]:
    return (parse_line(line, where=where) for line in lines)
