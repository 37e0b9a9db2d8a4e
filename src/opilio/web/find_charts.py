"""Small pictures that the server draws: bars beside words, and captures on a line of time."""

from collections.abc import Sequence
from dataclasses import dataclass

from opilio.web.find_words import day
from opilio.works.search_values import StoryCapture, WordCount

_MARGIN = 2.0  # per cent at each end of the line


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """A word with its count."""

    word: str
    count: int
    width: str  # per cent of the widest bar


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """A capture on the line."""

    place: str  # per cent of the line
    label: str
    indexed: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeLine:
    """Captures from the earliest to the latest."""

    points: tuple[Point, ...]
    first: str
    last: str


def bars(words: Sequence[WordCount]) -> list[Bar]:
    """Bars, each as long as its count."""
    most = max((each.count for each in words), default=1) or 1
    return [Bar(word=each.word, count=each.count, width=f"{100 * each.count / most:.1f}") for each in words]


def time_line(captures: Sequence[StoryCapture]) -> TimeLine | None:
    """The line; None when there is nothing to compare."""
    known = sorted((each for each in captures if each.at > 0), key=lambda each: each.at)
    if len(known) < 2:
        return None
    begin, span = known[0].at, (known[-1].at - known[0].at) or 1.0
    points = tuple(
        Point(
            place=f"{_MARGIN + (100 - 2 * _MARGIN) * (each.at - begin) / span:.2f}",
            label=f"{day(each.at)}: {each.outcome}", indexed=each.indexed,
        )
        for each in known
    )  # fmt: skip
    return TimeLine(points=points, first=day(known[0].at), last=day(known[-1].at))
