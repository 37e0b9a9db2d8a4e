"""What extraction gives: everything that one parse of a resource yields, as one frozen value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from opilio.extract.links import Link
from opilio.extract.page_types import PageType

#: Raised whenever the same bytes would give another text or other links; kept with every stored text.
EXTRACTOR_VERSION = 3


class Meta(NamedTuple):
    """One meta element."""

    name: str  # lower case; of `name`, `property`, `http-equiv` or `itemprop`
    content: str
    attribute: str = "name"  # which of the four held the name


class Heading(NamedTuple):
    """One heading of a page."""

    level: int  # 1 to 6
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Extracted:
    """A resource read. What it does not have is empty; `unparsable` says why it could not be read, or is empty."""

    page_type: PageType
    extension: str  # from MIME, then signature, then path
    mime: str = ""
    type_decided_by: str = ""  # "mime", "signature", "path" or "nothing"
    charset: str = ""  # name in the Encoding standard; empty for what is not text
    charset_source: str = ""  # see charset.Charset
    title: str = ""
    metas: tuple[Meta, ...] = ()
    headings: tuple[Heading, ...] = ()
    language: str = ""  # BCP 47 as declared, or ISO 639-1 as detected
    language_source: str = ""  # "html", "meta" or "detected"
    canonical: str = ""  # the canonical URL that the page names
    refresh_seconds: int | None = None  # of a meta refresh; its URL is a link of the kind redirect
    asks_password: bool = False  # whether the page has a field for one
    text: str = ""  # visible text, one block per line
    boilerplate: tuple[tuple[int, int], ...] = ()  # spans of `text` that are navigation and the like, in order
    robots: Mapping[str, frozenset[str]] = field(default_factory=dict)  # agent ("robots" for all) → directives
    links: tuple[Link, ...] = ()
    malformed: int = 0  # references that are no URL
    malformed_samples: tuple[str, ...] = ()
    schemes: Mapping[str, int] = field(default_factory=dict)  # references of other schemes, counted
    notes: tuple[str, ...] = ()  # what was cut or left out, one sentence each
    unparsable: str = ""

    @property
    def main_text(self) -> str:
        """The text without what was marked as boilerplate."""
        if not self.boilerplate:
            return self.text
        pieces, position = [], 0
        for start, end in self.boilerplate:
            pieces.append(self.text[position:start])
            position = end
        pieces.append(self.text[position:])
        lines = "".join(pieces).split("\n")
        return "\n".join(line for line in lines if line)
