"""Removes what writers left that fell: unfinished uploads, contents that no inventory knows, objects without one."""

from datetime import datetime

from opilio.archive.store.keys import joined
from opilio.archive.store.ocfl import layout
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.store.ocfl.checking import expected_names
from opilio.archive.store.ocfl.writing import settle


def clean(archive: Archive, before: datetime) -> list[str]:
    """Remove leftovers from before a time, and complete what a fall left incomplete; the keys that were removed.

    The time must lie further back than the longest upload takes: what is younger may belong to somebody at work.
    """
    removed = [f"{archive.store.clean(before)} unfinished uploads"]
    finished = set(archive.roots())
    for root in sorted(_all_roots(archive)):
        removed += _object(archive, root, before) if root in finished else _unfinished(archive, root, before)
    return removed[1:] if removed[0].startswith("0 ") else removed


def _all_roots(archive: Archive) -> set[str]:
    parts = (stored.key.split("/") for stored in archive.store.list())
    return {root for each in parts if len(each) > 4 and layout.is_root(root := "/".join(each[:4]))}


def _object(archive: Archive, root: str, before: datetime) -> list[str]:
    settle(archive, root)
    inventory, _ = archive.parsed(root)
    known = expected_names(inventory) | inventory.paths()
    folders = {path.split("/")[0] for path in known} | {f"v{inventory.head.number + 1}"}
    removed = []
    for stored in list(archive.store.list(root)):
        path = stored.key.removeprefix(f"{root}/")
        if path not in known and path.split("/")[0] in folders and stored.modified < before:
            archive.store.delete(stored.key)
            removed.append(stored.key)
    return removed


def _unfinished(archive: Archive, root: str, before: datetime) -> list[str]:
    """An object that never got its inventory: all of it, once all of it is old."""
    files = list(archive.store.list(root))
    if any(stored.modified >= before for stored in files) or archive.store.head(joined(root, layout.INVENTORY)):
        return []
    for stored in files:
        archive.store.delete(stored.key)
    return [stored.key for stored in files]
