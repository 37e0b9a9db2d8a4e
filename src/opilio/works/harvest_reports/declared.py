"""What a report on a harvest is: its words, the parts of the crawl's report that it needs, its table and plots."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from opilio.works.markup import Markup

Part = Mapping[str, Any]  # the crawl's report, or some of its parts
Cell = str | int | float | tuple[str, ...] | None
Cells = tuple[Cell, ...]


class Form(StrEnum):
    """How the cells of a column read."""

    WORDS = "words"  # what others chose: reasons, names
    URL = "url"
    URLS = "urls"  # several
    NUMBER = "number"
    BYTES = "bytes"
    MILLISECONDS = "milliseconds"
    SHARE = "share"  # from 0 to 1
    MOMENT = "moment"  # seconds since 1970

    @property
    def numeric(self) -> bool:
        """Whether it stands to the right."""
        return self in (Form.NUMBER, Form.BYTES, Form.MILLISECONDS, Form.SHARE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """One column."""

    name: str
    label: str
    form: Form = Form.WORDS


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """A number that a reader may choose."""

    name: str
    label: str
    default: int
    least: int
    most: int


@dataclass(frozen=True, kw_only=True, slots=True)
class HarvestReport:
    """One report; its functions are given the parts, and the number that was chosen (0: there is none)."""

    name: str
    label: str
    sentence: str
    parts: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: Callable[[Part, int], Iterable[Cells]]
    total: Callable[[Part, int], int]  # how many there are, listed or not
    counts: tuple[str, str]  # what the total is of: one, and several
    plots: Callable[[Part, int], list[Markup]]
    nothing: str  # said when the total is 0
    choice: Choice | None = None

    def counted(self, number: int) -> str:
        """What so many are."""
        return self.counts[0] if number == 1 else self.counts[1]


def lacking(report: HarvestReport, parts: Part) -> tuple[str, ...]:
    """Parts that an older version of Opilio did not write."""
    return tuple(name for name in report.parts if name not in parts)
