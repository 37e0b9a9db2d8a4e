"""Draws the bars of a report as SVG: no script, readable by screen readers, colours from the page around it."""

import html
from collections.abc import Sequence

from opilio.curation.reports.declared import Bar

_WIDTH, _HEIGHT = 720, 200
_LEFT, _BOTTOM, _TOP = 56, 44, 12
_MOST = 120  # bars; more cannot be told apart


def drawn(bars: Sequence[Bar], *, measure: str) -> str:
    """The picture, or nothing where there is nothing to compare."""
    shown = bars[:_MOST]
    most = max((bar.value for bar in shown), default=0)
    if len(shown) < 2 or most <= 0:
        return ""
    step = (_WIDTH - _LEFT - 8) / len(shown)
    plot = _HEIGHT - _BOTTOM - _TOP
    parts = [_bar(bar, place, step, plot * bar.value / most, measure) for place, bar in enumerate(shown)]
    label = html.escape(f"{measure.capitalize()} from {shown[0].label} to {shown[-1].label}; at most {_spoken(most)}")
    return (
        f'<svg class="report-chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">'
        f"{''.join(parts)}{_axis(shown, most, measure)}</svg>"
    )


def _bar(bar: Bar, place: int, step: float, height: float, measure: str) -> str:
    gap = min(2.0, step * 0.2)
    left, top = _LEFT + place * step, _HEIGHT - _BOTTOM - height
    told = html.escape(f"{bar.label}: {_spoken(bar.value)} {measure}")
    return (
        f'<rect x="{left:.2f}" y="{top:.2f}" width="{max(step - gap, 0.5):.2f}" height="{height:.2f}" rx="1">'
        f"<title>{told}</title></rect>"
    )


def _axis(bars: Sequence[Bar], most: float, measure: str) -> str:
    ground = _HEIGHT - _BOTTOM
    texts = [
        _text(_LEFT - 6, _TOP + 8, _spoken(most), "end"),
        _text(_LEFT - 6, ground, "0", "end"),
        _text(_LEFT, ground + 18, _short(bars[0].label), "start"),
        _text(_WIDTH - 8, ground + 18, _short(bars[-1].label), "end"),
        _text((_LEFT + _WIDTH) // 2, _HEIGHT - 6, measure, "middle"),
    ]
    line = f'<line x1="{_LEFT}" y1="{ground}" x2="{_WIDTH - 8}" y2="{ground}" stroke="currentColor"/>'
    return line + "".join(texts)


def _text(x: int, y: int, text: str, anchor: str) -> str:
    shown = html.escape(text)
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="12" fill="currentColor">{shown}</text>'


def _short(label: str) -> str:
    return label if len(label) <= 32 else f"{label[:31]}…"


def _spoken(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
