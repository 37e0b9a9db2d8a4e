"""Plots as SVG, drawn here: bars, a histogram, a line over time, parts of a whole. No scripts, no colours of their own.

Each is a figure with a caption; its picture has a title and a description for those who cannot see it. Texts keep their
size on small screens: what stretches is given in per cent. Colours come from the page, by the classes p0 to p7 (series)
and axis.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from zlib import crc32

from opilio.works.markup import Markup, joined, tag

_ROW = 26  # pixels of a horizontal bar with its gap
_LABEL = 36  # per cent of the width that labels of horizontal bars have at most
_VALUE = 16  # per cent for the numbers behind them
_HEIGHT = 170  # pixels of the drawing of a histogram or line
_FOOT = 22  # pixels below it, for labels
_HEAD = 18  # pixels above it
_LONGEST = 26  # characters of a label
_SERIES = 8  # colours
_SPOKEN = 12  # values that a description names


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """One value with its name; `shown` is how it reads."""

    label: str
    value: float
    shown: str = ""

    @property
    def words(self) -> str:
        """The value for people."""
        return self.shown or f"{self.value:,.0f}"


def bar_chart(caption: str, bars: Sequence[Bar]) -> Markup:
    """Horizontal bars, each with its label before and its value behind it."""
    most = max((bar.value for bar in bars), default=0) or 1
    label = min(_LABEL, 3 + 2 * max((len(bar.label) for bar in bars), default=0))
    room = 100 - label - _VALUE
    rows = []
    for number, bar in enumerate(bars):
        top, width = number * _ROW, max(bar.value / most * room, 0.4 if bar.value else 0)
        rows.append(
            tag(
                "g",
                tag("title", f"{bar.label}: {bar.words}"),
                tag("text", _short(bar.label), x=f"{label - 1}%", y=top + 16, text_anchor="end"),
                tag("rect", x=f"{label}%", y=top + 3, width=f"{width:.2f}%", height=_ROW - 8, rx=2, class_="p0"),
                tag("text", bar.words, x=f"{label + width + 1:.2f}%", y=top + 16, class_="value"),
            )
        )
    return _figure(caption, _spoken(bars), rows, len(bars) * _ROW)


def histogram(caption: str, bars: Sequence[Bar]) -> Markup:
    """Upright bars side by side, each bin's label below and its value above it."""
    most = max((bar.value for bar in bars), default=0) or 1
    width = 100 / max(len(bars), 1)
    base = _HEAD + _HEIGHT
    drawn = []
    for number, bar in enumerate(bars):
        height = max(bar.value / most * _HEIGHT, 1 if bar.value else 0)
        middle = f"{(number + 0.5) * width:.2f}%"
        drawn.append(
            tag(
                "g",
                tag("title", f"{bar.label}: {bar.words}"),
                tag(
                    "rect", x=f"{(number + 0.08) * width:.2f}%", y=f"{base - height:.1f}", width=f"{width * 0.84:.2f}%",
                    height=f"{height:.1f}", class_="p0",
                ),
                _middle(bar.words, middle, base - height - 4) if bar.value else None,
                tag("text", bar.label, x=middle, y=base + 16, text_anchor="middle"),
            )
        )  # fmt: skip
    drawn.append(tag("line", x1="0", x2="100%", y1=base, y2=base, class_="axis"))
    return _figure(caption, _spoken(bars), drawn, base + _FOOT)


def time_line(caption: str, values: Sequence[float], ends: tuple[str, str], shown: Callable[[float], str]) -> Markup:
    """A filled line over equal spans of time; `ends` name the first and the last moment."""
    most = max(values, default=0) or 1
    step = 100 / max(len(values), 1)
    tops = [f"{100 - value / most * 100:.2f}" for value in values]
    line = " ".join(f"L{number * step:.3f},{top} L{(number + 1) * step:.3f},{top}" for number, top in enumerate(tops))
    path = tag("path", d=f"M0,100 {line} L100,100 Z", class_="p0 area", vector_effect="non-scaling-stroke")
    area = tag(
        "svg", path, x="0", y=_HEAD, width="100%", height=_HEIGHT, viewBox="0 0 100 100", preserveAspectRatio="none"
    )
    base = _HEAD + _HEIGHT
    drawn = [
        *_grid(most, shown),
        area,
        tag("line", x1="0", x2="100%", y1=base, y2=base, class_="axis"),
        tag("text", ends[0], x="0", y=base + 16),
        tag("text", ends[1], x="100%", y=base + 16, text_anchor="end"),
    ]
    average = sum(values) / max(len(values), 1)
    spoken = f"From {ends[0]} to {ends[1]}: at most {shown(most)}, on average {shown(average)}."
    return _figure(caption, spoken, drawn, base + _FOOT)


def stacked_bar(caption: str, parts: Sequence[Bar]) -> Markup:
    """The parts of a whole in one bar, with a legend that tells each part's value and share."""
    whole = sum(part.value for part in parts) or 1
    starts = itertools.accumulate((part.value / whole * 100 for part in parts), initial=0.0)
    drawn = [
        tag(
            "rect", tag("title", f"{part.label}: {part.words}"), x=f"{start:.3f}%", y=0,
            width=f"{part.value / whole * 100:.3f}%", height=24, class_=f"part p{number % _SERIES}",
        )
        for number, (start, part) in enumerate(zip(starts, parts, strict=False))
    ]  # fmt: skip
    legend = [
        tag(
            "li", tag("span", class_=f"key k{number % _SERIES}"), f"{part.label} ", tag("b", part.words),
            f" {part.value / whole:.0%}",
        )
        for number, part in enumerate(parts)
    ]  # fmt: skip
    return _figure(caption, _spoken(parts), drawn, 24, tag("ul", *legend, class_="legend"))


def _middle(words: str, x: str, y: float) -> Markup:
    return tag("text", words, x=x, y=f"{y:.1f}", text_anchor="middle", class_="value")


def _grid(most: float, shown: Callable[[float], str]) -> list[Markup]:
    """Two lines across, at the top and in the middle, with what they stand for."""
    found = []
    for part in (1.0, 0.5):
        y = _HEAD + _HEIGHT * (1 - part)
        found += [
            tag("line", x1="0", x2="100%", y1=y, y2=y, class_="grid"),
            tag("text", shown(most * part), x="0", y=y - 4, class_="value"),
        ]
    return found


def _figure(caption: str, spoken: str, drawn: Sequence[Markup], height: float, below: Markup | None = None) -> Markup:
    number = f"{crc32(caption.encode('utf-8', 'replace')):x}"  # captions differ within a page
    picture = tag(
        "svg",
        tag("title", caption, id=f"plot-{number}-title"),
        tag("desc", spoken, id=f"plot-{number}-desc"),
        joined(*drawn),
        role="img",
        aria_labelledby=f"plot-{number}-title plot-{number}-desc",
        width="100%",
        height=f"{height:g}",
    )
    return tag("figure", tag("figcaption", caption), picture, below, class_="plot")


def _spoken(bars: Sequence[Bar]) -> str:
    """The values as a sentence."""
    if not bars:
        return "There are no values."
    told = ", ".join(f"{bar.label} {bar.words}" for bar in bars[:_SPOKEN])
    return f"{told}, and {len(bars) - _SPOKEN} more." if len(bars) > _SPOKEN else f"{told}."


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"
