"""What cannot be unpacked is put away, where nothing else looks; it stays for whoever has to find out why."""

from pathlib import Path

from opilio.deliveries.pulling import Place
from opilio.kernel.files import ensure_folder, mapped, sync_folder
from opilio.tracker.models import Attempt

FOLDER = "quarantine"  # below the folder of deliveries


def name_of(attempt: Attempt) -> str:
    """Where an attempt lies in quarantine, below the folder of deliveries; one that lies there stays there."""
    return attempt.folder if attempt.folder.startswith(f"{FOLDER}/") else f"{FOLDER}/{attempt.pk}"


def found(folder: Path, attempt: Attempt) -> Place:
    """Where an attempt lies: where it was fetched to, or in quarantine, if a crash came before that was noted."""
    usual, away = Place(folder=folder / attempt.folder), Place(folder=folder / name_of(attempt))
    return away if away.archive.is_file() and not usual.archive.is_file() else usual


def put_away(folder: Path, attempt: Attempt) -> None:
    """Move the files of an attempt into quarantine; those that are there already stay."""
    usual, away = folder / attempt.folder, folder / name_of(attempt)
    if usual == away or not usual.is_dir():
        return
    ensure_folder(away.parent)
    with mapped(away):
        usual.rename(away)
        sync_folder(away.parent)
