"""One result of crawl folders, as verify, list and extract read it: the files of its lineage, and its captures only."""

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.cdx.opening import open_index
from opilio.archive.cdx.searching import Searchable
from opilio.archive.verify.places import Places
from opilio.archive.warc.names import find
from opilio.works.pack_parcel import SealedResult, index_of, sealed_result


@dataclass(frozen=True, kw_only=True, slots=True)
class ChosenResult:
    """What is read of the folders."""

    places: Places
    captures: Searchable  # only those that the result has


@contextlib.contextmanager
def chosen_result(folders: Sequence[Path], number: int) -> Iterator[ChosenResult]:
    """Files and captures for the length of the block; an index that was lost is made aside for it."""
    sealed = [sealed_result(folder, number) for folder in folders]
    with tempfile.TemporaryDirectory(prefix="opilio-result-") as aside:
        indexes = [index_of(each, _folder(Path(aside), place)) for place, each in enumerate(sealed)]
        yield ChosenResult(places=_places(sealed), captures=open_index(*indexes))


def places_of_result(folders: Sequence[Path], number: int) -> Places:
    """The files alone."""
    return _places([sealed_result(folder, number) for folder in folders])


def _places(sealed: Sequence[SealedResult]) -> Places:
    """The WARC files of results, with the indexes and manifests of all that they are derived from.

    What one result left out has its line in the index of another before it.
    """
    records: dict[Path, None] = {}
    indexes: dict[Path, None] = {}
    manifests: dict[tuple[Path, Path], None] = {}
    for each in sealed:
        with each.opened() as view:
            warcs, numbers = [warc.file for warc in view.warcs()], [one.number for one in view.lineage()]
        records |= dict.fromkeys(path for name in warcs if (path := find(each.place.warcs, name)) is not None)
        indexes |= dict.fromkeys(each.results.index(number) for number in numbers)
        manifests |= dict.fromkeys((each.place.path, each.results.manifest(number)) for number in numbers)
    there = tuple(path for path in indexes if path.is_file())
    absent = tuple(path for path in indexes if path not in there)
    return Places(records=tuple(records), indexes=there, manifests=tuple(manifests), absent=absent)


def _folder(aside: Path, number: int) -> Path:
    folder = aside / str(number)
    folder.mkdir()
    return folder
