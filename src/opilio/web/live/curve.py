"""The curve of how fast a harvest went, as the path of an SVG of 1000 by 100; values only."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from opilio.curation.harvest_words import lasting
from opilio.works.live_plot import Point, follows

_WIDE, _HIGH = 1000.0, 100.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Curve:
    """A curve with its words."""

    name: str
    title: str
    path: str
    most: str
    now: str
    length: str  # of the time that it shows
    spoken: str  # for those who cannot see it


def curve(
    name: str, title: str, points: Sequence[Point], value: Callable[[Point], int], now: float,
    shown: Callable[[float], str],
) -> Curve:  # fmt: skip
    """The curve of one value per second; `shown` says how a value reads."""
    paces = [value(point) / point.span for point in points]
    most = max(paces, default=0.0)
    whole = points[-1].end - points[0].start if points else 0.0
    average = sum(map(value, points)) / sum(point.span for point in points) if points else 0.0
    length = lasting(round(whole))
    return Curve(
        name=name, title=title, path=_path(points, paces, most or 1.0, whole or 1.0), most=shown(most), now=shown(now),
        length=length,
        spoken=f"In {length}: at most {shown(most)}, on average {shown(average)}, now {shown(now)}.",
    )  # fmt: skip


def _path(points: Sequence[Point], paces: Sequence[float], most: float, whole: float) -> str:
    """Steps above the base line; the line is left where there is a gap."""
    words: list[str] = []
    right = 0.0
    for number, (point, pace) in enumerate(zip(points, paces, strict=True)):
        joined = number > 0 and follows(points[number - 1], point)
        left = right if joined else _WIDE * (point.start - points[0].start) / whole
        right = _WIDE * (point.end - points[0].start) / whole
        top = _HIGH - _HIGH * pace / most
        words.append(f"{'L' if joined else f'M{left:.1f},100L'}{left:.1f},{top:.1f}L{right:.1f},{top:.1f}")
        if number + 1 == len(points) or not follows(point, points[number + 1]):
            words.append(f"L{right:.1f},100")
    return "".join(words)
