"""The folder `imports` in the home: dumps that were uploaded, or laid there by whoever may write to it."""

import re
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

from opilio.curation.wct.errors import BadDump
from opilio.kernel.files import SECRET_FOLDER, ensure_folder, mapped

FOLDER = "imports"
REPORTS = ".reports"  # the full reports, as CSV
ENDINGS = (".zip", ".sql", ".csv", ".dmp", ".dump")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def folder() -> Path:
    """The folder, made when it is not there."""
    found: Path = settings.OPILIO.home / FOLDER
    ensure_folder(found, mode=SECRET_FOLDER)
    return found


def keep(name: str, chunks: Iterable[bytes]) -> str:
    """Keep an upload under a name of its own; that name."""
    plain = _UNSAFE.sub("-", Path(name.replace("\\", "/")).name).strip("-.")[-100:] or "dump"
    if Path(plain).suffix.lower() not in ENDINGS:
        remedy = f"Upload a file with one of the endings {', '.join(ENDINGS)}."
        raise BadDump("the file is no dump that can be read", where=name[:255], remedy=remedy)
    made = f"{secrets.token_hex(4)}-{plain}"
    path = folder() / made
    with mapped(path), path.open("xb") as stream:
        path.chmod(0o600)
        for chunk in chunks:
            stream.write(chunk)
    return made


def named(name: str) -> Path:
    """The dump of this name; nothing outside the folder can be named."""
    if not name or name.startswith(".") or Path(name).name != name or "\x00" in name or "\\" in name:
        raise BadDump(
            "only dumps in the folder of imports can be named", where=name[:255],
            remedy=f"Give the name of a file or folder in {settings.OPILIO.home / FOLDER}.",
        )  # fmt: skip
    path = folder() / name
    if not path.exists() or path.is_symlink():
        remedy = f"Upload it, or lay it into {folder()}."
        raise BadDump("there is no such dump", where=name[:255], remedy=remedy)
    return path


def listed() -> list[str]:
    """The dumps that lie there."""
    return sorted(
        one.name for one in folder().iterdir()
        if not one.name.startswith(".") and not one.is_symlink() and (one.is_dir() or one.suffix.lower() in ENDINGS)
    )  # fmt: skip


def remove(name: str) -> None:
    """Remove a dump; one that is gone already is no fault."""
    path = folder() / Path(name).name
    with mapped(path):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def report_path(import_id: int) -> Path:
    """Where the full report of an import lies."""
    place = folder() / REPORTS
    ensure_folder(place, mode=SECRET_FOLDER)
    return place / f"import-{import_id}.csv"
