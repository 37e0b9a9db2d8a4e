"""Reads a list of seeds, one URL on each line; what cannot be used is told with its line."""

from collections.abc import Iterable
from dataclasses import dataclass

from opilio.curation.seed_urls import page_url
from opilio.people.errors import InvalidFields

MOST_LINES = 5_000
_SHOWN = 200  # characters of a bad line that the report repeats


@dataclass(frozen=True, kw_only=True)
class BadLine:
    """A line that names no seed."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class SeedList:
    """What a list says."""

    urls: tuple[str, ...]  # canonical, in the order of the list
    faults: tuple[BadLine, ...]


def read_list(text: str, *, known: Iterable[str] = ()) -> SeedList:
    """The URLs of a list, without empty lines and those that begin with #; `known` are seeds already there."""
    lines = text.lstrip("\ufeff").splitlines()
    if len(lines) > MOST_LINES:
        raise InvalidFields({"text": [f"The list has {len(lines):,} lines; at most {MOST_LINES:,} go at a time."]})
    taken = dict.fromkeys(known, 0)
    urls, faults = [], []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        url, reason = _one(line, taken)
        if reason:
            faults.append(BadLine(line=number, text=line.strip()[:_SHOWN], reason=reason))
        else:
            taken[url] = number
            urls.append(url)
    return SeedList(urls=tuple(urls), faults=tuple(faults))


def _one(line: str, taken: dict[str, int]) -> tuple[str, str]:
    try:
        url = page_url(line)
    except InvalidFields as error:
        return "", error.messages["url"][0]
    if url not in taken:
        return url, ""
    return "", f"It stands on line {taken[url]} already." if taken[url] else "The target has this seed already."
