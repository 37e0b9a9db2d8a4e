"""The results of a crawl's folder, ready to be replayed: index, files, seeds, and earlier crawls that hold bodies."""

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from opilio.archive.cdx.index import CdxIndex
from opilio.archive.cdx.opening import open_index
from opilio.archive.cdx.searching import Searchable
from opilio.archive.cdxj import write_cdxj
from opilio.archive.replay.holdings import Access, Holding, Source, open_to_all
from opilio.archive.replay.patch_file import PatchFile
from opilio.archive.results.cdx_rows import cdx_rows
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.view import ResultView
from opilio.archive.screenshots.errors import NoPicture
from opilio.archive.screenshots.pictures import PictureKind
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.archive.warc.names import find
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.plan_json import from_json
from opilio.kernel.errors import Damaged, Missing
from opilio.kernel.files import mapped
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.crawl_index import write_index
from opilio.works.crawls_stood_on import stood_on
from opilio.works.replay_access import guarded

PATCHES = "patch.jsonl"


@contextlib.contextmanager
def opened_holdings(
    folder: Path, *, result: int | None = None, address: StoreAddress | None = None, access: Access = open_to_all
) -> Iterator[dict[int, Holding]]:  # fmt: skip
    """The results of a folder, or one of them, for the length of the block.

    A crawl that was not sealed yet is shown as far as it is committed, as result 1.
    """
    if not folder.is_dir():
        raise Missing("there is no such folder", where=str(folder), remedy="Give the folder of a crawl.")
    results = ResultsFolder(folder)
    with tempfile.TemporaryDirectory(prefix="opilio-replay-") as aside:
        if not results.numbers():
            yield {1: _unsealed(folder, address or StoreAddress(), Path(aside), access)}
            return
        numbers = results.numbers() if result is None else [results.require(result)]
        yield {number: _sealed(results, number, Path(aside), access) for number in numbers}


def _sealed(results: ResultsFolder, number: int, aside: Path, access: Access) -> Holding:
    with ResultView(results, number) as view:
        plan = from_json(view.plan)
        made = view.head.sealed
        parents = [head.number for head in view.lineage()[:-1]]
        path = results.index(number)
        if not path.is_file():
            path = aside / f"result-{number}.cdxj"
            write_cdxj(path, cdx_rows(view))
    details = {"Folder": str(results.crawl), "Sealed": made}
    holding = _holding(results.crawl, number, open_index(path), plan, details, access)
    return replace(holding, earlier=(*_parents(results, parents), *holding.earlier))


def _parents(results: ResultsFolder, numbers: list[int]) -> Iterator[Source]:
    """The results that a result was derived from: bodies that its revisits mean may have been pruned from its index."""
    for number in reversed(numbers):
        if results.index(number).is_file():
            yield _source(results.crawl, open_index(results.index(number)))


def _unsealed(folder: Path, address: StoreAddress, aside: Path, access: Access) -> Holding:
    path = aside / "index.cdxj"
    store = CrawlFolder(folder).open(address, read_only=True)
    try:
        plan = store.plan
        write_index(path, store)
    finally:
        store.close()
    details = {"Folder": str(folder), "State": "not sealed: what was committed when replay started"}
    return _holding(folder, 1, open_index(path), plan, details, access)


def _holding(
    folder: Path, number: int, index: Searchable, plan: CrawlPlan, details: dict[str, str], access: Access
) -> Holding:  # fmt: skip
    holding = Holding(
        number=number,
        title=f"Result {number} of {folder.resolve().name}",
        source=_source(folder, index),
        seeds=tuple(seed.url for seed in plan.seeds),
        earlier=tuple(_earlier(folder, plan)),
        patches=PatchFile(folder / PATCHES),
        thumbnail=partial(_thumbnail, PictureShelf(folder)),
        details=details,
    )
    return holding if access is open_to_all else guarded(holding, index, access)


def _earlier(folder: Path, plan: CrawlPlan) -> Iterator[Source]:
    """The crawls that a crawl stands on: bodies that it did not keep lie there."""
    for place in stood_on(folder, since=plan.fetch.since):
        yield _source(place, open_index(CrawlFolder(place).index))


def _thumbnail(shelf: PictureShelf, url: str) -> bytes | None:
    try:
        return shelf.newest(url, PictureKind.THUMBNAIL).data
    except (NoPicture, Damaged, Missing):
        return None  # the list of seeds stands without it; `opilio archive verify` finds what is wrong


def _source(folder: Path, index: CdxIndex) -> Source:
    return Source(index=index, open_at=partial(_open_at, CrawlFolder(folder).warcs))


def _open_at(folder: Path, name: str, offset: int) -> BinaryIO:
    path = find(folder, name)
    if path is None:
        raise Missing("the WARC file is not there", where=name[:200], remedy="Check where the archive lies.")
    with mapped(path):
        stream = path.open("rb")
        stream.seek(offset)
        return stream
