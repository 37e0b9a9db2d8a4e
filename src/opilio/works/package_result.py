"""Packs a result for a depository, aside, so that it can be handed over as often as needed. No Django.

A package that an earlier try left whole is taken as it is: a small file beside it says that it is whole. What was
left half done is removed and made anew, so the same call is right after every crash.
"""

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from opilio.archive.mets.values import PackageFacts
from opilio.archive.packing.aside import new_file
from opilio.archive.wacz.zip_entries import ZipEntries
from opilio.kernel.clock import ManualClock
from opilio.kernel.digests import Algorithm, digest_of_stream
from opilio.kernel.files import ensure_folder, require_space, write_atomically
from opilio.works.depositories.values import Package, Part, Told
from opilio.works.pack_crawl import Form, Wishes, pack
from opilio.works.package_documents import enclosed

_WHOLE = "package.json"
_ROOM = 1.02
_FORMS = {"bag": Form.BAGIT, "wacz": Form.WACZ}


@dataclass(frozen=True, kw_only=True, slots=True)
class PackageWishes:
    """How a result is packed."""

    key: str  # and name
    result: int
    form: str = "bag"  # bag or wacz
    one_file: bool = False  # a bag as one ZIP file
    self_contained: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Packaged:
    """A package, and what is missing from it."""

    package: Package
    originals: int = 0  # captures of other harvests that came along
    needed: int = 0  # captures of other harvests that did not


def packaged(
    crawl: Path, aside: Path, facts: PackageFacts, wishes: PackageWishes, *,
    told: Told = lambda step, done, total: None,
) -> Packaged:  # fmt: skip
    """The package in the folder `aside`, made if it is not there whole. `NoSpace` when the disk has no room.

    It tells the time of the facts, not that of the packing: made again, it is the same.
    """
    found = _left_whole(aside, facts, wishes)
    if found is not None:
        return found
    shutil.rmtree(aside, ignore_errors=True)
    documents = ensure_folder(aside / "documents")
    output = aside / (f"{wishes.key}.wacz" if wishes.form == "wacz" else wishes.key)
    beside, clock = enclosed(crawl, facts, documents), ManualClock(at=facts.packed_at)
    done = pack(crawl, output, _wishes(facts, wishes), enclosed=beside, clock=clock, told=told)
    if wishes.form == "bag" and wishes.one_file:
        output = _zipped(output, told)
    made = Packaged(package=_package(output, facts, wishes, told), originals=done.originals, needed=done.needed)
    _remember(aside, made)
    return made


def _wishes(facts: PackageFacts, wishes: PackageWishes) -> Wishes:
    info = (("External-Identifier", facts.identifier), ("Bag-Group-Identifier", f"harvest {facts.harvest}"))
    form = _FORMS[wishes.form]
    return Wishes(
        form=form, result=wishes.result, title=facts.title[:500], self_contained=wishes.self_contained,
        without_originals=not wishes.self_contained, link=form is Form.BAGIT,
        info=info if form is Form.BAGIT else (),
    )  # fmt: skip


def _zipped(folder: Path, told: Told) -> Path:
    """A bag as one file; it holds the bag as a folder of its name."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    size = sum(path.stat().st_size for path in files)
    require_space(folder.parent, int(size * _ROOM))
    target = folder.with_name(f"{folder.name}.zip")
    done = 0
    with new_file(target) as stream, ZipEntries(stream) as entries:
        for path in files:
            told("making one file", done, size)
            entries.add_file(path.relative_to(folder.parent).as_posix(), path)
            done += path.stat().st_size
    shutil.rmtree(folder)
    return target


def _package(output: Path, facts: PackageFacts, wishes: PackageWishes, told: Told) -> Package:
    kind = "application/wacz" if wishes.form == "wacz" else "application/zip"
    parts = tuple(_parts_of_bag(output)) if output.is_dir() else (_part(output, output.name),)
    return Package(
        key=wishes.key, path=output, parts=parts, title=facts.title[:500], identifier=facts.identifier, media_type=kind
    )


def _parts_of_bag(folder: Path) -> Iterator[Part]:
    """Digests that the bag tells are not made again; of its own manifests nothing tells them."""
    told = {}
    for name in ("manifest-sha512.txt", "tagmanifest-sha512.txt"):
        for line in (folder / name).read_text("utf-8").splitlines():
            digest, _, named = line.partition("  ")
            told[named.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")] = digest
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        name = path.relative_to(folder).as_posix()
        if name in told:
            yield Part(path=name, size=path.stat().st_size, sha512=told[name])
        else:
            yield _part(path, name)


def _part(path: Path, name: str) -> Part:
    with path.open("rb") as stream:
        digest = digest_of_stream(stream, Algorithm.SHA512)
    return Part(path=name, size=path.stat().st_size, sha512=digest.value.hex())


def _remember(aside: Path, made: Packaged) -> None:
    document = {
        "name": made.package.path.name, "parts": [asdict(part) for part in made.package.parts],
        "media_type": made.package.media_type, "originals": made.originals, "needed": made.needed,
    }  # fmt: skip
    write_atomically(aside / _WHOLE, json.dumps(document).encode())


def _left_whole(aside: Path, facts: PackageFacts, wishes: PackageWishes) -> Packaged | None:
    """What an earlier try made; None when it is not whole. That its bytes are right is read at the depository."""
    whole = aside / _WHOLE
    if not whole.is_file():
        return None
    told = json.loads(whole.read_bytes())
    package = Package(
        key=wishes.key, path=aside / told["name"], parts=tuple(Part(**part) for part in told["parts"]),
        title=facts.title[:500], identifier=facts.identifier, media_type=told["media_type"],
    )  # fmt: skip
    there = package.path.exists() and all(_is_there(package, part) for part in package.parts)
    return Packaged(package=package, originals=told["originals"], needed=told["needed"]) if there else None


def _is_there(package: Package, part: Part) -> bool:
    path = package.file(part)
    return path.is_file() and path.stat().st_size == part.size
