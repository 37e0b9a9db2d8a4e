"""Packs a result of a crawl as WACZ, as a pywb collection or as a bag. Nothing that is there is replaced."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from opilio import __version__
from opilio.archive.access_aclj import to_aclj
from opilio.archive.dedup.needs import IndexedCrawl
from opilio.archive.mets.document import NAME as DESCRIPTION
from opilio.archive.mets.values import PackedFile
from opilio.archive.packing.aside import new_file, new_folder, refuse_if_there, scratch_folder
from opilio.archive.packing.bag import BagInfo, write_bag
from opilio.archive.packing.parcel import Enclosed, Parcel, ParcelFile, Told, silent
from opilio.archive.packing.pywb import write_collection
from opilio.archive.results.manifest import sha256_of
from opilio.archive.wacz import packer
from opilio.archive.wacz.layout import ARCHIVE, About
from opilio.archive.wacz.signing import Signer, read_key
from opilio.kernel.access_file import AccessFile
from opilio.kernel.access_keys import checking_key
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Conflict, InvalidInput
from opilio.kernel.files import ensure_folder, require_space
from opilio.works.pack_parcel import (
    SealedResult,
    earlier_crawls,
    indexed,
    outside,
    parcel_of,
    parents_of,
    results_at,
    sealed_result,
    with_originals,
)
from opilio.works.pack_pruned import without_pruned

_BESIDE = "description/"  # folder of a WACZ for what describes it
_ROOM = 1.02  # of the WARC files, for what is added to them
SOFTWARE = f"Opilio/{__version__}"


class Form(StrEnum):
    """The forms in which a result is handed over."""

    WACZ = "wacz"
    PYWB = "pywb"
    BAGIT = "bagit"


@dataclass(frozen=True, kw_only=True, slots=True)
class Wishes:
    """How a result is to be packed."""

    form: Form = Form.WACZ
    result: int | None = None  # None: the newest
    title: str = ""
    description: str = ""
    name: str = ""  # of a pywb collection
    text: bool = False  # put the texts of pages into a WACZ
    sign: Path | None = None  # key for a WACZ
    self_contained: bool = False  # copy what is needed of other crawls
    without_originals: bool = False  # pack though something is needed of other crawls
    against: tuple[Path, ...] = ()  # further crawls in which originals are looked for
    access: Path | None = None  # compiled rules of access, for pywb
    access_key: Path | None = None  # the public key of those who made them
    agency: str = ""  # whose captures these are, for those rules
    target: str = ""  # and to which target they belong
    harvest: str = ""  # and to which harvest
    link: bool = False  # hard links in place of copies, where the disk allows it
    info: tuple[tuple[str, str], ...] = ()  # further lines of bag-info.txt


@dataclass(frozen=True, kw_only=True, slots=True)
class PackedCrawl:
    """What was packed."""

    output: Path
    form: Form
    bytes: int
    warcs: int
    originals: int  # captures of other crawls that came along
    needed: int  # captures of other crawls that did not
    pages: int | None = None
    captures: int | None = None
    signed: bool = False
    digest: str = ""
    lightened: int = 0  # WARC files that were written anew without what was pruned
    with_pruned: bool = False  # a bag that also holds what was pruned


def pack(
    folder: Path, output: Path, wishes: Wishes | None = None, *, enclosed: Enclosed | None = None,
    clock: Clock = SYSTEM, told: Told = silent,
) -> PackedCrawl:  # fmt: skip
    """Pack a result; `Conflict` when `output` is there, or when the result needs other crawls and nobody said how."""
    wishes = wishes or Wishes()
    _check(wishes)
    signer = read_key(wishes.sign) if wishes.sign is not None else None
    sealed = sealed_result(folder, wishes.result)
    refuse_if_there(output, empty=wishes.form is not Form.WACZ)
    ensure_folder(output.absolute().parent)
    with scratch_folder(output.with_name(f".{output.name[:200]}.scratch")) as scratch:
        parcel, lightened = parcel_of(sealed, scratch), 0
        if wishes.form is not Form.BAGIT:
            parcel, lightened = without_pruned(sealed, parcel, scratch=scratch, told=told)
        whole, originals, needed = _completed(sealed, parcel, wishes, scratch, clock, told)
        if not wishes.link:
            require_space(output.absolute().parent, int(whole.size * _ROOM))
        chosen = replace(wishes, result=sealed.number)
        beside = _beside(whole, enclosed, scratch) if wishes.form is Form.WACZ else ()
        done = _written(output, whole, chosen, signer, (originals, needed), clock, told, enclosed, beside)
    return replace(done, lightened=lightened, with_pruned=wishes.form is Form.BAGIT and _is_pruned(sealed))


def _written(
    output: Path, parcel: Parcel, wishes: Wishes, signer: Signer | None, counts: tuple[int, int], clock: Clock,
    told: Told, enclosed: Enclosed | None, beside: Sequence[ParcelFile],
) -> PackedCrawl:  # fmt: skip
    originals, needed = counts
    pages = captures = None
    signed, digest = False, ""
    if wishes.form is Form.WACZ:
        with new_file(output) as stream:
            done = packer.pack(
                stream, parcel, _about(parcel, wishes), text=wishes.text, signer=signer, beside=beside, told=told
            )
        pages, captures, signed, digest = done.pages, done.captures, done.signed, done.digest
    else:
        with new_folder(output) as aside:
            _write_folder(aside, parcel, wishes, clock, told, enclosed)
    return PackedCrawl(
        output=output, form=wishes.form, bytes=_size(output), warcs=len(parcel.warcs), originals=originals,
        needed=needed, pages=pages, captures=captures, signed=signed, digest=digest,
    )  # fmt: skip


def _beside(parcel: Parcel, enclosed: Enclosed | None, scratch: Path) -> tuple[ParcelFile, ...]:
    """What goes into a WACZ beside its own files: documents, and the description of them and of the WARC files.

    Each lies in a folder: `wacz validate` does not find what lies at the top in the list of files.
    """
    if enclosed is None:
        return ()
    warcs = [replace(each, name=f"{ARCHIVE}{each.name}") for each in parcel.warcs]
    documents = [each if "/" in each.name else replace(each, name=_BESIDE + each.name) for each in enclosed.documents]
    made = scratch / DESCRIPTION
    made.write_bytes(enclosed.describe([_packed(each) for each in (*warcs, *documents)]))
    return (*documents, ParcelFile(name=_BESIDE + DESCRIPTION, path=made, size=made.stat().st_size))


def _packed(file: ParcelFile) -> PackedFile:
    made = datetime.fromtimestamp(int(file.path.stat().st_mtime), UTC)
    digest = file.sha256 or sha256_of(file.path)
    return PackedFile(path=file.name, size=file.size, checksum=digest, algorithm="SHA-256", created=made)


def _write_folder(
    aside: Path, parcel: Parcel, wishes: Wishes, clock: Clock, told: Told, enclosed: Enclosed | None
) -> None:
    if wishes.form is Form.PYWB:
        acl, default = _acl(wishes, clock)
        write_collection(
            aside, parcel, name=wishes.name or parcel.name, title=wishes.title, description=wishes.description,
            acl=acl, default_access=default, link=wishes.link, told=told,
        )  # fmt: skip
        return
    info = BagInfo(
        date=clock.now().date(),
        software=SOFTWARE,
        description=wishes.description or wishes.title,
        identifier=f"{parcel.name}/result-{wishes.result}",
        others=wishes.info,
    )
    describe = enclosed.describe if enclosed else None
    more = replace(parcel, documents=(*parcel.documents, *(enclosed.documents if enclosed else ())))
    write_bag(aside, more, info, link=wishes.link, describe=describe, told=told)


def _acl(wishes: Wishes, clock: Clock) -> tuple[bytes, str]:
    """The rules of access in pywb's form, and what counts for all else; rules that are too old close everything."""
    if wishes.access is None or wishes.access_key is None:
        return b"", "allow"
    rules = AccessFile(wishes.access, checking_key(wishes.access_key), clock=clock).rules(clock.now())
    made = to_aclj(rules, now=clock.now(), agency=wishes.agency, target=wishes.target, harvest=wishes.harvest)
    return made.text().encode("utf-8", "replace"), made.default


def _completed(
    sealed: SealedResult, parcel: Parcel, wishes: Wishes, scratch: Path, clock: Clock, told: Told
) -> tuple[Parcel, int, int]:
    """The parcel with what it needs of others; how much came along, and how much did not."""
    own, others = indexed(sealed, scratch), [*parents_of(sealed, scratch), *_others(sealed.place.path, wishes)]
    entire = wishes.form is Form.BAGIT
    if wishes.self_contained:
        whole, count = with_originals(parcel, own, others, scratch=scratch, clock=clock, entire=entire, told=told)
        return whole, count, 0
    needed = sum(1 for _ in outside(own, others, entire=entire))
    if needed and not wishes.without_originals:
        what = f"{needed} captures of this result need the bodies of captures in other crawls, or of pruned ones"
        remedy = "Copy those in with --self-contained, or leave them out with --without-originals."
        raise Conflict(what, where=str(sealed.path), remedy=remedy)
    return parcel, 0, needed


def _is_pruned(sealed: SealedResult) -> bool:
    with sealed.opened() as view:
        return any(each.removed for each in view.lineage())


def _others(folder: Path, wishes: Wishes) -> list[IndexedCrawl]:
    return [*earlier_crawls(folder), *(found for each in wishes.against for found in results_at(each))]


def _about(parcel: Parcel, wishes: Wishes) -> About:
    """Times are those of the sealing, so that the same result gives the same file."""
    with parcel.pages() as result:
        page = packer.main_page(result)
    return About(
        created=_second(datetime.fromisoformat(parcel.sealed)),
        software=SOFTWARE,
        title=wishes.title or parcel.name,
        description=wishes.description,
        main_page_url=page.url if page else "",
        main_page_date=_second(datetime.fromtimestamp(page.at, UTC)) if page else "",
    )


def _second(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _check(wishes: Wishes) -> None:
    only = {
        "--sign": (wishes.sign is not None, Form.WACZ),
        "--text": (wishes.text, Form.WACZ),
        "--access": (wishes.access is not None, Form.PYWB),
        "--name": (bool(wishes.name), Form.PYWB),
        "--info": (bool(wishes.info), Form.BAGIT),
    }
    for option, (given, form) in only.items():
        if given and wishes.form is not form:
            raise InvalidInput(f"{option} is for {form} only", remedy=f"Leave it out, or pack with --format {form}.")
    if wishes.self_contained and wishes.without_originals:
        remedy = "Choose one of both."
        raise InvalidInput("--self-contained and --without-originals exclude each other", remedy=remedy)
    if (wishes.access is None) is not (wishes.access_key is None):
        remedy = "Give both: the rules, and the public key that belongs to them."
        raise InvalidInput("--access and --access-key belong together", remedy=remedy)
    if wishes.link and wishes.form is Form.WACZ:
        raise InvalidInput("a WACZ is one file, and holds no links", remedy="Leave --link out.")


def _size(output: Path) -> int:
    files: Iterator[Path] = iter((output,)) if output.is_file() else output.rglob("*")
    with contextlib.suppress(FileNotFoundError):
        return sum(path.stat().st_size for path in files if path.is_file())
    return 0
