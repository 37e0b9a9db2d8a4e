"""What can stand in a cell of a list; each knows its plain text for CSV, the template draws it."""

import datetime
from dataclasses import dataclass
from typing import ClassVar

from opilio.web import zones


@dataclass(frozen=True, kw_only=True)
class Text:
    """Plain text."""

    kind: ClassVar[str] = "text"
    text: str
    quiet: bool = False
    code: bool = False

    def plain(self, zone: datetime.tzinfo) -> str:
        return self.text


@dataclass(frozen=True, kw_only=True)
class Number:
    """A number, set to the right."""

    kind: ClassVar[str] = "number"
    number: int

    def plain(self, zone: datetime.tzinfo) -> str:
        return str(self.number)


@dataclass(frozen=True, kw_only=True)
class Link:
    """The name of something, leading to it, with a quieter line below."""

    kind: ClassVar[str] = "link"
    text: str
    url: str = ""  # empty: nothing to lead to
    note: str = ""
    mark: str = ""  # name of an icon before the text

    def plain(self, zone: datetime.tzinfo) -> str:
        return self.text


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A time, shown in the reader's zone."""

    kind: ClassVar[str] = "moment"
    at: datetime.datetime | None
    never: str = "–"

    def plain(self, zone: datetime.tzinfo) -> str:
        return zones.machine(self.at) if self.at else ""


@dataclass(frozen=True, kw_only=True)
class Date:
    """A day of the calendar, the same in every zone."""

    kind: ClassVar[str] = "date"
    on: datetime.date | None
    never: str = "–"

    def plain(self, zone: datetime.tzinfo) -> str:
        return self.on.isoformat() if self.on else ""


@dataclass(frozen=True, kw_only=True)
class Badge:
    """A state."""

    kind: ClassVar[str] = "badge"
    text: str
    tone: str = "quiet"  # good, warn, bad, info, quiet

    def plain(self, zone: datetime.tzinfo) -> str:
        return self.text


@dataclass(frozen=True, kw_only=True)
class Tags:
    """Several short names."""

    kind: ClassVar[str] = "tags"
    texts: tuple[str, ...]

    def plain(self, zone: datetime.tzinfo) -> str:
        return "; ".join(self.texts)


@dataclass(frozen=True, kw_only=True)
class Button:
    """Something that can be done to the row at once."""

    label: str
    url: str
    icon: str
    tone: str = ""  # danger, primary


@dataclass(frozen=True, kw_only=True)
class Buttons:
    """What can be done to the row."""

    kind: ClassVar[str] = "buttons"
    buttons: tuple[Button, ...]

    def plain(self, zone: datetime.tzinfo) -> str:
        return ""


Cell = Text | Number | Link | Moment | Date | Badge | Tags | Buttons
