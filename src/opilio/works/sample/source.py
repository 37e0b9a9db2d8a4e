"""Reads a page source: a header of `name: value` lines, a line of three dashes, then the HTML of the body.

Decides nothing about how a page looks (`render.py`) or how it is served (`listing.py`).
"""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import quote

from opilio.kernel.errors import Damaged

#: The files in site/chrome that can go around a page.
LAYOUTS = ("page", "bare", "print")

_DIVIDER = "\n---\n"
_REQUIRED = frozenset({"title", "description", "date"})
_OPTIONAL = frozenset(
    {"path", "keywords", "lang", "charset", "robots", "canonical", "base", "refresh", "layout", "print", "access"}
)


@dataclass(frozen=True, kw_only=True)
class PageSource:
    """One page as it was written, before the chrome is put around it."""

    path: str  # as in a request line: percent-encoded, with its query
    title: str
    description: str
    date: date
    body: str
    keywords: str = ""
    lang: str = "en"
    charset: str = "utf-8"
    robots: str = ""  # content of <meta name=robots>
    canonical: str = ""  # empty: the page itself
    base: str = ""  # <base href>
    refresh: str = ""  # content of <meta http-equiv=refresh>
    layout: str = "page"  # the file in site/chrome that goes around it
    has_print_version: bool = False
    members_only: bool = False

    @property
    def section(self) -> str:
        """The first folder of the path: `/visit/` for `/visit/hours.html`."""
        first = self.path.removeprefix("/").partition("/")
        return f"/{first[0]}/" if first[1] else "/"


def read_page(file: Path, *, root: Path) -> PageSource:
    """Read one page source; its path follows from its place below `root` unless the header names another."""
    fields, body = _split(file)
    _check_names(fields, file)
    if fields.get("layout", "page") not in LAYOUTS:
        raise Damaged(
            f"A page source has the unknown layout {fields['layout']!r}",
            where=str(file),
            remedy=f"Use one of: {', '.join(LAYOUTS)}.",
        )
    named = {name: fields[name] for name in fields.keys() - {"path", "date", "print", "access"}}
    return PageSource(
        path=fields.get("path") or request_path(file.relative_to(root)),
        date=_date(fields["date"], file),
        body=body.strip() + "\n",
        has_print_version=fields.get("print") == "yes",
        members_only=fields.get("access") == "members",
        **named,
    )


def request_path(relative: Path) -> str:
    """The path under which a file is served: `visit/index.html` is `/visit/`."""
    path = "/" + quote(relative.as_posix())
    return path.removesuffix("index.html") if relative.name == "index.html" else path


def _split(file: Path) -> tuple[dict[str, str], str]:
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Damaged("A page source is not UTF-8", where=str(file), remedy="Save it as UTF-8.") from error
    header, divider, body = text.partition(_DIVIDER)
    if not divider:
        raise Damaged(
            "A page source has no header", where=str(file), remedy="End the header with a line of three dashes."
        )
    return dict(_field(line, file) for line in header.splitlines()), body


def _field(line: str, file: Path) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not value.strip():
        raise Damaged(
            f"The header line {line!r} of a page source has no value", where=str(file), remedy="Write name: value."
        )
    return name.strip(), value.strip()


def _check_names(fields: dict[str, str], file: Path) -> None:
    missing = sorted(_REQUIRED - fields.keys())
    if missing:
        raise Damaged(f"A page source lacks {', '.join(missing)}", where=str(file), remedy="Add it to the header.")
    unknown = sorted(fields.keys() - _REQUIRED - _OPTIONAL)
    if unknown:
        known = ", ".join(sorted(_REQUIRED | _OPTIONAL))
        raise Damaged(
            f"A page source has the unknown field {', '.join(unknown)}", where=str(file), remedy=f"Use one of: {known}."
        )


def _date(value: str, file: Path) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError as error:
        raise Damaged(
            f"A page source is dated {value!r}", where=str(file), remedy="Write the date as YYYY-MM-DD."
        ) from error
