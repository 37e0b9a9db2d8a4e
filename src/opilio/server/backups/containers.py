"""A backup is a folder, or one .tar of the same files; either appears whole or not at all."""

import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from opilio.kernel.files import SECRET, SECRET_FOLDER, ensure_folder, mapped, require_space, sync_folder
from opilio.server.errors import DamagedBackup, NoBackup, NotEmpty

TAR = ".tar"
_DEEPEST = 2  # names inside a .tar: a file, or a file in secrets/


@contextmanager
def made(target: Path) -> Iterator[Path]:
    """A folder to fill, which becomes `target` when the block ends well."""
    if target.exists():
        raise NotEmpty("There is something of that name", where=str(target), remedy="Name a path that is free.")
    ensure_folder(target.parent)
    draft = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".partial", dir=target.parent))
    try:
        yield draft
        with mapped(target):
            for path in draft.rglob("*"):
                path.chmod(SECRET_FOLDER if path.is_dir() else SECRET)
            if target.suffix == TAR:
                _pack(draft, target)
            else:
                draft.rename(target)
            sync_folder(target.parent)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


@contextmanager
def opened(path: Path, scratch: Path) -> Iterator[Path]:
    """The files of a backup as a folder; a .tar is unpacked below `scratch` for the time being."""
    if path.is_dir():
        yield path
        return
    if not path.is_file():
        raise NoBackup("There is no such backup", where=str(path), remedy="Name a folder or .tar of `db backup`.")
    require_space(ensure_folder(scratch), path.stat().st_size)
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=scratch) as folder:
        try:
            _unpack(path, Path(folder))
        except (tarfile.TarError, EOFError, ValueError) as error:
            raise DamagedBackup(f"Not a whole .tar: {error}", where=str(path), remedy="Use another backup.") from error
        yield Path(folder)


def _pack(folder: Path, target: Path) -> None:
    draft = folder.with_suffix(".tar.partial")
    try:
        with tarfile.open(draft, "w", format=tarfile.PAX_FORMAT) as tar:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    tar.add(path, arcname=path.relative_to(folder).as_posix(), recursive=False)
        draft.chmod(SECRET)
        draft.rename(target)
    finally:
        draft.unlink(missing_ok=True)


def _unpack(path: Path, folder: Path) -> None:
    """Plain files with plain names only: a .tar from elsewhere must not reach outside the folder."""
    with tarfile.open(path, "r:") as tar:
        for member in tar:
            parts = PurePosixPath(member.name).parts
            if not member.isreg() or not 1 <= len(parts) <= _DEEPEST or parts[0] == "/" or ".." in parts:
                raise DamagedBackup(
                    f"The .tar holds {member.name[:200]!r}, which no backup does",
                    where=str(path),
                    remedy="Do not use it.",
                )
            target = folder.joinpath(*parts)
            target.parent.mkdir(exist_ok=True)
            source = tar.extractfile(member)
            if source is None or target.exists():
                raise DamagedBackup(
                    f"The .tar holds {member.name[:200]!r} twice", where=str(path), remedy="Use another backup."
                )
            with target.open("xb") as stream:
                shutil.copyfileobj(source, stream)
