"""A picture of a page, and the names under which archives know it: `urn:view:URL`, as Browsertrix writes them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from opilio.kernel.errors import InvalidInput


class PictureKind(StrEnum):
    """What of a page is on a picture."""

    VIEW = "view"  # what a window shows; PNG
    FULL = "fullPage"  # all of it, down to a limit; PNG
    THUMBNAIL = "thumbnail"  # the view made small; JPEG

    @property
    def content_type(self) -> str:
        """The type of its file."""
        return "image/jpeg" if self is PictureKind.THUMBNAIL else "image/png"


@dataclass(frozen=True, kw_only=True, slots=True)
class PictureSize:
    """How pictures are taken."""

    width: int = 1280  # pixels
    height: int = 1024
    full: bool = False  # also all of the page
    tallest: int = 16_384  # pixels of a page that are taken
    thumbnail: int = 320  # pixels of its width
    timeout: float = 30.0  # seconds for a page to load

    def __post_init__(self) -> None:
        for name, low, high in (("width", 64, 4_096), ("height", 64, 4_096), ("tallest", 64, 32_768)):
            if not low <= getattr(self, name) <= high:
                remedy = f"Choose from {low} to {high} pixels."
                raise InvalidInput(f"a picture cannot be {getattr(self, name)} pixels", where=name, remedy=remedy)
        if not 16 <= self.thumbnail <= self.width:
            remedy = "Choose from 16 pixels to the width of the window."
            raise InvalidInput(f"a thumbnail cannot be {self.thumbnail} pixels", where="thumbnail", remedy=remedy)


@dataclass(frozen=True, kw_only=True, slots=True)
class Picture:
    """A picture that was taken."""

    url: str  # of the page, as it was asked for
    kind: PictureKind
    at: datetime  # when it was taken; aware, UTC
    data: bytes  # the file

    @property
    def urn(self) -> str:
        """Its name in the archive."""
        return urn_of(self.kind, self.url)


def urn_of(kind: PictureKind, url: str) -> str:
    """The name of a page's picture in the archive."""
    return f"urn:{kind}:{url}"


def page_of(urn: str) -> tuple[PictureKind, str] | None:
    """The kind and the page that a name tells of; None when it is no picture's."""
    for kind in PictureKind:
        start = urn_of(kind, "")
        if urn.startswith(start):
            return kind, urn.removeprefix(start)
    return None
