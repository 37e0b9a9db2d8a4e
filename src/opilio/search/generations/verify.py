"""Whether a generation is what its manifest says: files, digests, counts, and the answers to its probes."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from opilio.kernel.files import mapped, reading
from opilio.search.generations.contents import Contents, Opened
from opilio.search.generations.errors import BrokenManifest, DamagedGeneration, WrongAnswers
from opilio.search.generations.manifest import LARGEST, MANIFEST, FileEntry, Manifest, Probe, parsed
from opilio.search.generations.tree import digested, files_of

Progress = Callable[[int, int], None]  # bytes done, of how many
_REMEDY = "Publish it again from a sound copy, or build it again; the previous generation stays in use."
_SHOWN = 5  # faults in a message


def read_manifest(folder: Path) -> Manifest:
    """The manifest of the generation in a folder, which must bear its name."""
    path = folder / MANIFEST
    with reading(path), path.open("rb") as stream:
        manifest = parsed(stream.read(LARGEST + 1), where=str(path))
    if folder.name.removeprefix(".building-").removeprefix(".copying-") != manifest.id:
        what = f"the folder holds the manifest of {manifest.id}"
        raise BrokenManifest(what, where=str(folder), remedy="Give the folder its name back, or remove it.")
    return manifest


def verify_files(folder: Path, progress: Progress | None = None) -> Manifest:
    """The manifest, if every byte of every file is as it says and no file is beside them."""
    manifest = read_manifest(folder)
    faults = list(_file_faults(folder, manifest, progress))
    if faults:
        raise _damaged(folder, faults)
    return manifest


def verify(folder: Path, contents: Contents, progress: Progress | None = None) -> Manifest:
    """The manifest, if the files are sound, the counts are right and every probe is answered as when it was built."""
    manifest = verify_files(folder, progress)
    opened = contents.open(folder, manifest)
    try:
        require_answers(opened, manifest, where=str(folder))
    finally:
        opened.close()
    return manifest


def require_answers(opened: Opened, manifest: Manifest, *, where: str) -> None:
    """`WrongAnswers` unless open contents count and find what the manifest says."""
    faults = [*_count_faults(opened.counts(), manifest.counts), *_probe_faults(opened, manifest.probes)]
    if faults:
        error = WrongAnswers(_told("the index does not answer as it did when it was built", faults), where=where)
        error.remedy, error.faults = _REMEDY, faults
        raise error


def _file_faults(folder: Path, manifest: Manifest, progress: Progress | None) -> Iterator[str]:
    found = files_of(folder)
    wanted = {entry.name: entry for entry in manifest.files}
    yield from (f"{name} is not in the manifest" for name in found if name not in wanted)
    done = 0
    for name, entry in wanted.items():
        fault = f"{name} is missing" if name not in found else _fault(found[name], entry)
        if fault:
            yield fault
        done += entry.size
        if progress is not None:
            progress(done, manifest.size)


def _fault(path: Path, entry: FileEntry) -> str:
    with mapped(path):
        size = path.stat().st_size
    if size != entry.size:
        return f"{entry.name} has {size} bytes instead of {entry.size}"
    return "" if digested(path, entry.name) == entry else f"{entry.name} has another digest"


def _count_faults(found: Mapping[str, int], wanted: Mapping[str, int]) -> Iterator[str]:
    for name in sorted({*found, *wanted}):
        if found.get(name) != wanted.get(name):
            yield f"{found.get(name)} {name} instead of {wanted.get(name)}"


def _probe_faults(opened: Opened, probes: tuple[Probe, ...]) -> Iterator[str]:
    for probe in probes:
        found = opened.probe(probe.query)
        if (found.total, tuple(found.first)) != (probe.total, probe.expected):
            yield f"the probe {probe.query[:60]!r} finds {found.total} results instead of {probe.total}, or others"


def _damaged(folder: Path, faults: list[str]) -> DamagedGeneration:
    error = DamagedGeneration(_told("the generation is damaged", faults), where=str(folder), remedy=_REMEDY)
    error.faults = faults
    return error


def _told(what: str, faults: list[str]) -> str:
    more = f", and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
    return f"{what}: {'; '.join(faults[:_SHOWN])}{more}"
