"""A folder that takes packages: each appears whole under its name, or not at all, and none is ever replaced."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.packing.aside import new_file, new_folder
from opilio.kernel.files import ensure_folder, free_space, mapped, require_space
from opilio.works.depositories.errors import BadPlace, Untrue
from opilio.works.depositories.reading import Reader, pieces_of
from opilio.works.depositories.values import Checked, Package, Receipt, Told

_ROOM = 1.01


@dataclass(frozen=True, kw_only=True)
class DirectoryDepository:
    """One folder."""

    folder: Path

    def find(self, package: Package) -> Receipt | None:
        """A package of this name was written whole, for it got its name last; that it is the same is checked."""
        with mapped(self._place(package)):
            there = self._place(package).exists()
        return self._receipt(package) if there else None

    def deposit(self, package: Package, answers: Mapping[str, str], told: Told) -> Receipt:
        """Copy it beside, then give it its name. Its answers are in its description."""
        place = self._place(package)
        ensure_folder(self.folder)
        require_space(self.folder, int(package.size * _ROOM))
        if package.path.is_file():
            with new_file(place) as stream, package.path.open("rb") as source:
                shutil.copyfileobj(source, stream, 1 << 20)
        else:
            with new_folder(place) as aside:
                self._copy(package, aside, told)
        return self._receipt(package)

    def check(self, package: Package, receipt: Receipt, told: Told) -> Checked:
        """Read every file again, and find no further one."""
        place, reader = self._place(package), Reader(package.size, told)
        for part in package.parts:
            path = place if package.path.is_file() else place / part.path
            if not path.is_file():
                raise Untrue(f"{part.path} is not there", where=str(place), remedy="Archive again.")
            with mapped(path), path.open("rb") as stream:
                reader.compare(part, pieces_of(stream), str(path))
        self._require_no_more(package, place)
        return Checked(files=reader.files, bytes=reader.bytes, how="Every file was read again.")

    def probe(self) -> str:
        """Whether a folder can be made there."""
        ensure_folder(self.folder)
        trial = self.folder / ".opilio-trial"
        with mapped(trial):
            trial.mkdir(exist_ok=True)
            trial.rmdir()
        return f"The folder can be written to; {free_space(self.folder) / 1e9:.1f} GB are free."

    def _copy(self, package: Package, aside: Path, told: Told) -> None:
        done = 0
        for part in package.parts:
            told("handing over", done, package.size)
            target = aside / part.path
            target.parent.mkdir(parents=True, exist_ok=True)
            with mapped(target):
                shutil.copyfile(package.file(part), target)
            done += part.size

    def _require_no_more(self, package: Package, place: Path) -> None:
        known = {part.path for part in package.parts}
        if place.is_dir():
            more = [path for path in place.rglob("*") if path.is_file()]
            strange = next((one for one in more if one.relative_to(place).as_posix() not in known), None)
            if strange is not None:
                raise Untrue("there is a file that was not handed over", where=str(strange), remedy="Remove it.")

    def _place(self, package: Package) -> Path:
        name = package.path.name if package.path.is_file() else package.key
        return self.folder / name

    def _receipt(self, package: Package) -> Receipt:
        place = self._place(package)
        return Receipt(archive_id=package.key, size=package.size, sha512=package.sha512, where=str(place))


def require_below(folder: Path, allowed: tuple[Path, ...]) -> None:
    """`BadPlace` unless a folder lies below one of those that operators allow."""
    place = folder.resolve()
    if not folder.is_absolute() or not any(place.is_relative_to(each.resolve()) for each in allowed):
        remedy = (
            f"Choose a folder below {' or '.join(map(str, allowed))}, or name others in the setting deposit_folders."
        )
        raise BadPlace("packages may not be put there", where=str(folder)[:500], remedy=remedy)
