"""Lets the marks of a result in its folder be what was decided about it. No Django."""

from pathlib import Path

from opilio.archive.results.folder import Protection, ResultsFolder


def mark(folder: Path, number: int, *, endorsed: bool, archived: bool, note: str) -> None:
    """Put marks on and take them off; `NoResult` when there is nothing to mark. What an archive has stays marked."""
    results = ResultsFolder(folder)
    number = results.require(number)
    held = results.protection(number)
    if archived:
        results.protect(number, Protection.ARCHIVED, note)
    if endorsed and held is None:
        results.protect(number, Protection.ENDORSED, note)
    elif not endorsed and held is Protection.ENDORSED:
        results.unprotect(number, Protection.ENDORSED)
