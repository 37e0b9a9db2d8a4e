"""What a report is: its words, its parameters, its columns, and where its rows come from."""

import datetime
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from opilio.kernel.errors import Missing
from opilio.people.actor import Actor

Cells = tuple[Any, ...]


class NoSuchReport(Missing):
    """There is no report of this name."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The parameters of one report; those that it does not have are ignored."""

    since: datetime.datetime
    until: datetime.datetime  # exclusive
    agency: int | None = None
    user: str = ""
    kind: str = ""  # target or group; empty: both

    @property
    def span(self) -> datetime.timedelta:
        """How long the time is."""
        return self.until - self.since


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a report."""

    name: str
    label: str
    numeric: bool = False


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar of a report's picture."""

    label: str
    value: float


@dataclass(frozen=True, kw_only=True)
class Declared:
    """One report."""

    name: str
    label: str
    sentence: str
    parameters: tuple[str, ...]  # of since, until, agency, user, kind
    columns: tuple[Column, ...]
    rows: Callable[[Actor, Asked, int | None], Iterator[Cells]]  # the number limits how many are read
    bars: Callable[[Actor, Asked], Sequence[Bar]] | None = None
    measure: str = ""  # what the bars count
    to_the_second: bool = False  # whether its time is told by moments, not days
