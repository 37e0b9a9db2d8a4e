"""Looks for payloads by their digests in the results of all harvests: whether destroyed bytes are left elsewhere."""

from collections.abc import Collection, Iterator
from pathlib import Path

from opilio.archive.results.database import mapped, opened
from opilio.archive.results.folder import ResultsFolder

_PORTION = 500  # digests in one question


def payloads_left(harvests: Path, digests: Collection[str]) -> Iterator[tuple[str, str]]:
    """Harvests and URLs whose captures have one of these payloads; each once, the harvests in their order."""
    if not digests or not harvests.is_dir():
        return
    wanted = sorted(digests)
    for folder in sorted(harvests.iterdir(), key=lambda path: (len(path.name), path.name)):
        results = ResultsFolder(folder)
        urls: dict[str, None] = {}
        for number in results.numbers():
            for start in range(0, len(wanted), _PORTION):
                urls |= dict.fromkeys(_urls(results.file(number), wanted[start : start + _PORTION]))
        yield from ((folder.name, url) for url in urls)


def _urls(path: Path, digests: list[str]) -> list[str]:
    marks = ", ".join("?" * len(digests))
    db = opened(path)
    try:
        with mapped(path):
            rows = db.execute(f"SELECT url FROM resource WHERE digest IN ({marks}) ORDER BY id", digests)  # noqa: S608 - ours
            return [url for (url,) in rows.fetchmany(_PORTION)]
    finally:
        db.close()
