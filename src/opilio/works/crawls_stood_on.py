"""The crawls that a crawl stands on, because bodies that it did not keep lie there.

Those are the ones that it went by (`--since`), as its plan says, and those that it was held against when it was
deduplicated, as a file in its folder says; and the ones on which these stand.
"""

import json
import os
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from opilio.kernel.files import write_atomically
from opilio.works.crawl_folder import CrawlFolder

#: The file in the folder of a deduplicated copy.
STANDS_ON = "stands-on.json"
#: Raised whenever a field of that file changes its meaning.
FORMAT = 1
_MOST_CRAWLS = 1_000  # that one goes back to
_LONGEST = 4 << 20  # bytes of a file that is read


def stood_on(folder: Path, *, since: str = "") -> list[Path]:
    """The folders that a crawl stands on and that have an index, the nearest first; those that are gone are left out.

    `since`: what the plan of the crawl says, where its folder has no file of it yet.
    """
    found: list[Path] = []
    passed = {folder.resolve()}
    waiting = deque([*([Path(since)] if since else []), *_named(folder)])
    while waiting and len(passed) < _MOST_CRAWLS:
        place = waiting.popleft()
        if place.resolve() in passed:
            continue
        passed.add(place.resolve())
        if CrawlFolder(place).index.is_file():
            found.append(place)
        waiting.extend(_named(place))
    return found


def note_stood_on(aside: Path, folder: Path, against: Sequence[Path]) -> None:
    """Write the file for a copy that is made in `aside` and will be `folder`; none when it stands on nobody.

    Each crawl is named by its full path, and as seen from the copy, in case both are moved together.
    """
    if not against:
        return
    above = folder.resolve()
    crawls = [{"path": str(each.resolve()), "from_here": os.path.relpath(each.resolve(), above)} for each in against]
    text = json.dumps({"format": FORMAT, "crawls": crawls}, ensure_ascii=False, indent=2)
    write_atomically(aside / STANDS_ON, f"{text}\n".encode("utf-8", "surrogateescape"))


def held_against(folder: Path) -> list[Path]:
    """The crawls that the file of a copy names, where they lie by now."""
    found = _read(folder / STANDS_ON)
    crawls = found.get("crawls") if found.get("format") == FORMAT else None
    return [place for each in crawls if (place := _place(folder, each))] if isinstance(crawls, list) else []


def _named(folder: Path) -> Iterator[Path]:
    """The crawls that a crawl names itself."""
    fetch = _read(CrawlFolder(folder).plan).get("fetch")
    since = fetch.get("since") if isinstance(fetch, dict) else None
    if isinstance(since, str) and since and "\0" not in since:
        yield _here(folder, Path(since))
    yield from held_against(folder)


def _here(folder: Path, named: Path) -> Path:
    """A crawl that was named on another machine lies beside this one here."""
    beside = folder.parent / named.name
    return beside if not named.is_dir() and beside.is_dir() else named


def _place(folder: Path, crawl: object) -> Path | None:
    """The folder of an entry: the first of both that is there."""
    if not isinstance(crawl, dict):
        return None
    told = [crawl.get("path"), crawl.get("from_here")]
    paths = [Path(os.path.normpath(folder / text)) for text in told if isinstance(text, str) and "\0" not in text]
    return next((path for path in paths if path.is_dir()), None)


def _read(path: Path) -> dict[str, Any]:
    """What a JSON file says; nothing when it is not there, or is none: then nobody knows any more."""
    try:
        with path.open("rb") as stream:
            found = json.loads(stream.read(_LONGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
