"""How fast a harvest went, over its whole life in a bounded number of points; values only.

A point tells what one span of time brought. When there are too many, neighbours are made one, so that old times are
told more coarsely than the last minutes. A gap between spans is time in which no agent was at it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

MOST_POINTS = 240
_NOW = 10.0  # seconds over which the pace of the moment is measured
_GAP = 10.0  # seconds without a point that are shown as a gap


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """What a span of time brought."""

    end: float  # seconds since 1970
    span: float  # seconds
    urls: int
    bytes: int

    @property
    def start(self) -> float:
        """When it began."""
        return self.end - self.span

    def joined(self, later: "Point") -> "Point":
        """Both as one."""
        return Point(
            end=later.end, span=self.span + later.span, urls=self.urls + later.urls, bytes=self.bytes + later.bytes
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """How much there was at a moment."""

    at: float
    urls: int
    bytes: int


def grown(points: Sequence[Point], before: Mark | None, now: Mark) -> tuple[Point, ...]:
    """The points with what came since; a first mark, a clock that stood still or went back adds nothing."""
    if before is None or now.at <= before.at:
        return tuple(points)
    new = Point(
        end=now.at, span=now.at - before.at, urls=max(0, now.urls - before.urls), bytes=max(0, now.bytes - before.bytes)
    )
    found = (*points, new)
    return found if len(found) <= MOST_POINTS else thinned(found)


def thinned(points: Sequence[Point]) -> tuple[Point, ...]:
    """About half as many: neighbours are made one, unless there is a gap between them."""
    found: list[Point] = []
    open_ = False  # whether the last one may take another in
    for point in points:
        if open_ and follows(found[-1], point):
            found[-1], open_ = found[-1].joined(point), False
        else:
            found.append(point)
            open_ = True
    return tuple(found[-MOST_POINTS:])


def follows(earlier: Point, later: Point) -> bool:
    """Whether there is no gap between two points."""
    return later.start - earlier.end < _GAP


def pace(points: Sequence[Point]) -> tuple[float, float]:
    """URLs and bytes a second in the last moments; a single span counts whole."""
    span, urls, size = 0.0, 0, 0
    for number, point in enumerate(reversed(points)):
        later = points[-number] if number else point
        if span >= _NOW or not follows(point, later):
            break
        span, urls, size = span + point.span, urls + point.urls, size + point.bytes
    return (urls / span, size / span) if span else (0.0, 0.0)


def packed(points: Iterable[Point]) -> list[list[float]]:
    """As JSON carries them: end, span, URLs, bytes."""
    return [[round(one.end, 1), round(one.span, 1), one.urls, one.bytes] for one in points]


def unpacked(rows: Any) -> tuple[Point, ...]:
    """What `packed` made; what is no point is left out, and points come in their order."""
    found = [point for row in rows if (point := _point(row))] if isinstance(rows, list) else []
    ordered = all(earlier.end <= later.end for earlier, later in pairwise(found))
    return tuple(found[-MOST_POINTS:]) if ordered else ()


def _point(row: Any) -> Point | None:
    numbers = isinstance(row, list) and len(row) == 4 and all(type(value) in (int, float) for value in row)
    if not numbers or row[1] <= 0:
        return None
    return Point(end=float(row[0]), span=float(row[1]), urls=int(row[2]), bytes=int(row[3]))
