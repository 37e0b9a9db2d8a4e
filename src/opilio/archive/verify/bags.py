"""Whether a bag (BagIt 1.0 and before, RFC 8493) is whole: its declaration, its manifests, every file that they name.

Each file is read once, whatever the number of manifests. Names that lead out of the bag are never followed.
"""

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from opilio.archive.verify.faults import Code, Fault, Report
from opilio.kernel.errors import OpilioError
from opilio.kernel.files import reading

#: By this file a folder is known as a bag.
DECLARATION = "bagit.txt"
_ENCODINGS = frozenset({"utf-8", "us-ascii", "ascii", "iso-8859-1", "windows-1252"})
_ALGORITHMS = frozenset({"md5", "sha1", "sha224", "sha256", "sha384", "sha512"})
_MANIFEST = re.compile(r"(tag)?manifest-([a-z0-9]{1,20})\.txt")
_LINE = re.compile(r"([0-9A-Fa-f]+)[ \t]+\*?(\S.*)")
_DECLARED = re.compile(r"BagIt-Version: (\d)\.(\d{1,2})\r?\nTag-File-Character-Encoding: (\S{1,40})\s*")
_OXUM = re.compile(r"^Payload-Oxum:\s*(\d{1,19})\.(\d{1,19})\s*$", re.MULTILINE | re.IGNORECASE)
_ESCAPES = re.compile("%(0[AaDd]|25)")
_LONGEST_LINE = 1 << 16  # bytes
_LONGEST_TAG_FILE = 1 << 20  # bytes that are looked at
_PIECE = 1 << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class _Manifest:
    path: Path
    algorithm: str
    tags: bool  # of the files beside the payload


@dataclass(kw_only=True, slots=True)
class _Listed:
    """A file that manifests name."""

    digests: dict[str, str] = field(default_factory=dict)  # algorithm → hex
    manifests: list[str] = field(default_factory=list)


class BagCheck:
    """Checks one bag."""

    def __init__(self, bag: Path, report: Report) -> None:
        self._bag = bag
        self._report = report
        self._encoding = "utf-8"
        self._complete = True  # since 1.0 every manifest names the whole payload

    def check(self) -> int:
        """Tell all that is wrong; how many files were read."""
        self._check_declaration()
        manifests = list(self._manifests())
        if all(manifest.tags for manifest in manifests):
            self._tell(self._bag, Code.BAG_MANIFEST, "there is no manifest of the payload that can be checked")
        listed: dict[str, _Listed] = {}
        for manifest in manifests:
            self._read_manifest(manifest, listed)
        read = sum(self._check_file(name, each) for name, each in listed.items())
        self._check_payload(manifests, listed)
        return read

    def _check_declaration(self) -> None:
        path = self._bag / DECLARATION
        found = _DECLARED.fullmatch(self._text(path))
        if found is None:
            self._tell(path, Code.BAG_DECLARATION, "it does not say the version of the bag and the encoding of names")
            return
        self._complete = int(found[1]) >= 1
        if found[3].lower() in _ENCODINGS:
            self._encoding = found[3]
        else:
            self._tell(path, Code.BAG_DECLARATION, f"names in the encoding {found[3]!r} cannot be read")

    def _manifests(self) -> Iterator[_Manifest]:
        with reading(self._bag):
            names = sorted(path.name for path in self._bag.iterdir() if path.is_file())
        for name in names:
            match = _MANIFEST.fullmatch(name)
            if match is None:
                continue
            if match[2] in _ALGORITHMS:
                yield _Manifest(path=self._bag / name, algorithm=match[2], tags=bool(match[1]))
            else:
                self._tell(self._bag / name, Code.DIGEST_UNKNOWN, f"digests by {match[2]} cannot be checked")

    def _read_manifest(self, manifest: _Manifest, listed: dict[str, _Listed]) -> None:
        offset = 0
        with reading(manifest.path), manifest.path.open("rb") as stream:
            while line := stream.readline(_LONGEST_LINE):
                self._read_line(manifest, offset, line, listed)
                offset += len(line)

    def _read_line(self, manifest: _Manifest, offset: int, line: bytes, listed: dict[str, _Listed]) -> None:
        text = line.decode(self._encoding, "replace").strip("\r\n\ufeff")
        if not text:
            return
        match = _LINE.fullmatch(text)
        size = 2 * hashlib.new(manifest.algorithm, usedforsecurity=False).digest_size
        if match is None or len(match[1]) != size or not self._is_inside(name := _unescaped(match[2]), manifest):
            self._tell(manifest.path, Code.BAG_MANIFEST, f"the line {text[:120]!r} names no file of the bag", offset)
            return
        each = listed.setdefault(name, _Listed())
        if manifest.path.name in each.manifests:
            self._tell(manifest.path, Code.BAG_MANIFEST, f"{name[:200]} is named a second time", offset)
        each.digests[manifest.algorithm] = match[1].lower()
        each.manifests.append(manifest.path.name)

    def _is_inside(self, name: str, manifest: _Manifest) -> bool:
        """Whether a name is one of a file that the manifest may name, also behind links."""
        parts = name.split("/")
        if "\0" in name or name.startswith(("~", "/")) or ".." in parts or (parts[0] == "data") is manifest.tags:
            return False
        try:
            return (self._bag / name).resolve().is_relative_to(self._bag.resolve())
        except (OSError, RuntimeError):  # links in a circle
            return False

    def _check_file(self, name: str, listed: _Listed) -> int:
        path = self._bag / name
        if not _is_there(path):
            words = f"{' and '.join(listed.manifests)} name it, and it is not there"
            self._tell(path, Code.BAG_MISSING, words)
            return 0
        try:
            found = _digests(path, listed.digests)
        except OpilioError as error:
            self._tell(path, Code.FILE_UNREADABLE, error.what)
            return 0
        for algorithm, digest in found.items():
            if digest != listed.digests[algorithm]:
                words = f"its {algorithm} is {digest}, and {listed.digests[algorithm]} was noted"
                self._tell(path, Code.BAG_CHANGED, words)
        return 1

    def _check_payload(self, manifests: list[_Manifest], listed: dict[str, _Listed]) -> None:
        """No file of the payload without its line; as many bytes and files as the bag says."""
        of_payload = [manifest.path.name for manifest in manifests if not manifest.tags]
        size = count = 0
        for path in _files(self._bag / "data"):
            count, size = count + 1, size + path.stat().st_size
            found = listed.get(path.relative_to(self._bag).as_posix(), _Listed()).manifests
            without = [name for name in of_payload if name not in found]
            if without and (self._complete or not found):
                self._tell(path, Code.BAG_UNLISTED, f"{' and '.join(without)} do not name it")
        path = self._bag / "bag-info.txt"
        said = _OXUM.search(self._text(path)) if path.is_file() else None
        if said is not None and (int(said[1]), int(said[2])) != (size, count):
            words = f"the payload has {size:,} bytes in {count:,} files, and {said[1]}.{said[2]} was noted"
            self._tell(path, Code.BAG_SIZE, words)

    def _text(self, path: Path) -> str:
        with reading(path), path.open("rb") as stream:
            return stream.read(_LONGEST_TAG_FILE).decode("utf-8", "replace")

    def _tell(self, path: Path, code: Code, sentence: str, offset: int = 0) -> None:
        self._report(Fault(file=str(path), offset=offset, code=code, sentence=sentence))


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that no disk takes
        return False


def _unescaped(name: str) -> str:
    """RFC 8493 §2.1.3: only these three are escaped. A name may begin with `./` in older bags."""
    return _ESCAPES.sub(lambda found: chr(int(found[1], 16)), name).removeprefix("./")


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (path for path in (Path(place, name) for name in sorted(names)) if path.is_file())


def _digests(path: Path, wanted: dict[str, str]) -> dict[str, str]:
    made = {algorithm: hashlib.new(algorithm, usedforsecurity=False) for algorithm in wanted}
    with reading(path), path.open("rb") as stream:
        while piece := stream.read(_PIECE):
            for each in made.values():
                each.update(piece)
    return {algorithm: each.hexdigest() for algorithm, each in made.items()}
