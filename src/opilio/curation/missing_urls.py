"""What may stand in a list of missing URLs, and how such a list is read: one URL on each line, or a table."""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opilio.kernel.digests import digest_of
from opilio.kernel.errors import BadUrl
from opilio.kernel.urls import canonical, parse
from opilio.people.errors import InvalidFields

MOST_LINES = 5_000  # of one list
MOST_URLS = 10_000  # on the list of one result
LONGEST = 8_000  # characters of a URL
_SHOWN = 200  # characters of a bad line that the report repeats
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HEADING = re.compile(r"\s*\"?url\"?\s*(,|\Z)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A URL that is missing."""

    url: str  # canonical
    page: str = ""  # that needs it

    @property
    def key(self) -> str:
        """By which it is on a list once."""
        return key_of(self.url)


@dataclass(frozen=True, kw_only=True)
class BadMissing:
    """A line that names no URL."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class MissingList:
    """What a list says."""

    urls: tuple[Wanted, ...]
    faults: tuple[BadMissing, ...] = ()


def key_of(url: str) -> str:
    """The digest of a canonical URL, as rows keep it."""
    return str(digest_of(url.encode()))


def web_url(text: str, field: str = "url") -> str:
    """The canonical form of an address; without a scheme, http is meant. Such as hold a password are refused."""
    typed = text.strip()
    whole = typed if _SCHEME.match(typed) else f"http://{typed}"
    if not typed or len(typed) > LONGEST:
        raise InvalidFields({field: [f"Write an address of at most {LONGEST:,} characters, as http://example.org/."]})
    try:
        found, parts = canonical(whole), parse(whole)
    except BadUrl as error:
        raise InvalidFields({field: [str(error)]}) from error
    if parts.username or parts.password:
        raise InvalidFields({field: ["It holds a user name or password; leave them out and make a credential."]})
    return found


def read_missing(text: str) -> MissingList:
    """The URLs of a list, without empty lines, remarks after # and repetitions; a table begins with the word url."""
    lines = text.lstrip("\ufeff").splitlines()
    if len(lines) > MOST_LINES + 1:
        raise InvalidFields({"text": [f"The list has {len(lines):,} lines; at most {MOST_LINES:,} go at a time."]})
    table = bool(lines) and _HEADING.match(lines[0]) is not None
    urls: dict[str, Wanted] = {}
    faults = []
    for number, cells in _table(lines) if table else _plain(lines):
        try:
            found = Wanted(url=web_url(cells[0]), page=web_url(cells[1], "page") if cells[1].strip() else "")
            urls.setdefault(found.url, found)
        except InvalidFields as error:
            reason = next(iter(error.messages.values()))[0]
            faults.append(BadMissing(line=number, text=cells[0].strip()[:_SHOWN], reason=reason))
    return MissingList(urls=tuple(urls.values()), faults=tuple(faults))


def readable(found: Iterable[tuple[str, str]]) -> Iterator[Wanted]:
    """URLs with their pages, without those that no list can hold."""
    for url, page in found:
        try:
            yield Wanted(url=web_url(url), page=web_url(page) if page else "")
        except InvalidFields:
            continue


def _plain(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, [line, ""]


def _table(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The columns url and page."""
    rows = csv.reader(lines)
    heading = [name.strip().lower() for name in next(rows)]
    places = heading.index("url"), heading.index("page") if "page" in heading else -1
    try:
        for row in rows:
            cells = [row[place] if 0 <= place < len(row) else "" for place in places]
            if cells[0].strip():
                yield rows.line_num, cells
    except csv.Error as error:
        raise InvalidFields({"text": [f"Line {rows.line_num} is no line of a table: {error}."]}) from error
