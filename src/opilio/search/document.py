"""A search document: what the index is told about one capture of a page."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchDocument:
    """One page as it is indexed. Times are seconds since 1970 (UTC); 0 stands for never or unknown."""

    url: str
    canonical: str = ""
    surt: str = ""
    site: str = ""  # registrable domain
    host: str = ""
    title: str = ""
    headings: tuple[str, ...] = ()
    description: str = ""
    keywords: str = ""
    metas: tuple[tuple[str, str], ...] = ()  # name in lower case, content
    text: str = ""
    boilerplate_from: int | None = None  # text[boilerplate_from:] is navigation and the like
    anchors: tuple[str, ...] = ()  # anchor texts of links from other pages, capped by the caller
    language: str = ""
    type: str = ""  # MIME essence
    page_type: str = ""
    size: int = 0
    last_modified: float = 0.0
    captured: float
    status: int = 200
    depth: int = 0
    digest: str = ""
    fingerprint: int = 0  # simhash of the main text
    harvest: str = ""  # ids of the catalogue, where there is one
    target: str = ""
    agency: str = ""
    access: str = ""
    copyright: str = ""  # notice that a permission demands
    crawl: str = ""  # the result it comes from, for links to replay

    @property
    def main_text(self) -> str:
        """The text without navigation and the like."""
        return self.text if self.boilerplate_from is None else self.text[: self.boilerplate_from]

    @property
    def aside_text(self) -> str:
        """Navigation and the like."""
        return "" if self.boilerplate_from is None else self.text[self.boilerplate_from :]
