"""The symbolic link that says which generation a node serves; it is replaced in one step."""

import contextlib
import os
import secrets
from datetime import UTC, datetime
from pathlib import Path

from opilio.kernel.files import ensure_folder, mapped, sync_folder
from opilio.search.generations.identifiers import is_id

_ASIDE = ".link-"


def served(link: Path) -> str:
    """The name of the generation that a link points to; empty when there is none."""
    try:
        name = link.readlink().name
    except OSError:
        return ""
    return name if is_id(name) else ""


def since(link: Path) -> datetime:
    """When the link was set."""
    with mapped(link):
        return datetime.fromtimestamp(link.lstat().st_mtime, UTC)


def point(link: Path, generation: Path) -> None:
    """Let a link point to the folder of a generation: readers see the old target or the new one."""
    ensure_folder(link.parent)
    sweep(link)
    aside = link.with_name(f"{_ASIDE}{link.name}-{secrets.token_hex(8)}")
    with mapped(link):
        aside.symlink_to(os.path.relpath(generation.absolute(), link.parent.absolute()))
        try:
            aside.replace(link)
        except OSError:
            aside.unlink(missing_ok=True)
            raise
        sync_folder(link.parent)


def sweep(link: Path) -> None:
    """Remove what a killed process left; for the one that may set the link."""
    for path in link.parent.glob(f"{_ASIDE}{link.name}-*"):
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
