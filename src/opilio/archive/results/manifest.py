"""The digests of a result and of its WARC files, in the form of sha256sum: `sha256sum -c` checks them in the folder.

Written after the result, so that its being there says that the result is whole.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from opilio.archive.results.errors import DamagedResult, NoResult
from opilio.kernel.digests import Algorithm, Digest, digest_of_stream
from opilio.kernel.files import reading, write_atomically

_LINE = re.compile(r"([0-9a-f]{64})  ([^\n\\]+)")
_READ_ONLY = 0o444


def write_manifest(path: Path, digests: Mapping[str, str]) -> None:
    """Write a manifest: names, as seen from the crawl's folder, with their sha256 in hex."""
    lines = [f"{digest}  {name}\n" for name, digest in digests.items()]
    write_atomically(path, "".join(lines).encode(), mode=_READ_ONLY)


def read_manifest(path: Path) -> dict[str, str]:
    """The names with their digests; `DamagedResult` when it is no manifest."""
    if not path.is_file():
        raise NoResult("the result has no manifest", where=str(path), remedy="Seal the crawl: opilio crawl seal DIR.")
    with reading(path):
        lines = path.read_text("utf-8", "replace").splitlines()
    found = [_LINE.fullmatch(line) for line in lines]
    if not lines or None in found:
        raise DamagedResult("the manifest cannot be read", where=str(path), remedy="Restore it from a copy.")
    return {match[2]: match[1] for match in found if match is not None}


def sha256_of(path: Path, told: Callable[[int], None] = lambda size: None) -> str:
    """The digest of a file in hex."""
    with reading(path), path.open("rb") as stream:
        found = digest_of_stream(stream, Algorithm.SHA256)
    told(path.stat().st_size)
    return _hex(found)


def wrong_files(folder: Path, manifest: Path) -> Iterator[str]:
    """The files of a manifest that are missing or changed."""
    for name, digest in read_manifest(manifest).items():
        path = folder / name
        if not path.is_file() or sha256_of(path) != digest:
            yield name


def _hex(digest: Digest) -> str:
    return digest.value.hex()
