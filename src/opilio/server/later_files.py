"""What the home folder holds that the database does not know: it was made after the moment to which that was restored.

Nothing is removed. A harvest that the database knows as running, with a folder that went on, is simply run again: its
crawl store counts, whichever is later.
"""

from collections.abc import Iterator
from pathlib import Path

from opilio.curation.queries.figures import harvests_known, results_known

_REMEDY = "made after the moment of this database; move it aside, or keep it for `opilio archive import`"


def later(home: Path) -> Iterator[str]:
    """Folders of harvests, and results in them, that no row is about."""
    folders = {int(path.name): path for path in _folders(home)}
    known = harvests_known(folders)
    results = results_known(known)
    for number, path in sorted(folders.items()):
        if number not in known:
            yield f"harvests/{number} is not in the catalogue: {_REMEDY}"
            continue
        for file in sorted((path / "results").glob("result-*.db")):
            result = file.stem.removeprefix("result-")
            if result.isdigit() and int(result) not in results.get(number, set()):
                yield f"harvests/{number}/results/{file.name} is not in the catalogue: {_REMEDY}"


def _folders(home: Path) -> Iterator[Path]:
    base = home / "harvests"
    return (path for path in base.iterdir() if path.is_dir() and path.name.isdigit()) if base.is_dir() else iter(())
