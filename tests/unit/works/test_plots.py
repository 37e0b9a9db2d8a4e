"""Plots drawn as SVG."""

import xml.etree.ElementTree as ET

import pytest

from opilio.works.markup import Markup, joined, tag
from opilio.works.plots import Bar, bar_chart, histogram, stacked_bar, time_line

HOSTILE = '</text><script>alert("1")</script>&'
BARS = [Bar(label="html", value=10), Bar(label="image", value=5, shown="5 images"), Bar(label="none", value=0)]


def shown(value):
    return f"{value:.0f}/s"


DRAWN = {
    "bars": lambda bars: bar_chart("Caption", bars),
    "histogram": lambda bars: histogram("Caption", bars),
    "stacked": lambda bars: stacked_bar("Caption", bars),
    "time": lambda bars: time_line("Caption", [bar.value for bar in bars], ("10:00", HOSTILE), shown),
}


def figure(markup):
    return ET.fromstring(markup)  # noqa: S314 - our own markup


@pytest.mark.parametrize("kind", DRAWN)
def test_every_plot_speaks(kind):
    """It is a picture with a caption, a title and a description that are its name."""
    made = figure(DRAWN[kind](BARS))
    picture = made.find("svg")
    assert made.find("figcaption").text == picture.find("title").text == "Caption"
    names = picture.get("aria-labelledby").split()
    assert [picture.find("title").get("id"), picture.find("desc").get("id")] == names
    assert picture.get("role") == "img"
    assert picture.find("desc").text.endswith(".")


@pytest.mark.parametrize("kind", DRAWN)
@pytest.mark.parametrize("values", [[], [0, 0], [1e300, 1e-300], [5]])
def test_odd_values_are_drawn(kind, values):
    """Nothing, only zeros, huge and tiny numbers."""
    markup = DRAWN[kind]([Bar(label=str(number), value=value, shown="x") for number, value in enumerate(values)])
    figure(markup)
    assert "nan" not in markup
    assert "inf" not in markup.replace("info", "")


@pytest.mark.parametrize("kind", ["bars", "histogram", "stacked"])
def test_labels_are_text_whatever_they_hold(kind):
    """Markup in a label is shown, not obeyed."""
    markup = DRAWN[kind]([Bar(label=HOSTILE, value=1)])
    assert "<script>" not in markup
    assert "script" in "".join(figure(markup).itertext())


def test_bars_are_as_long_as_their_values():
    """The longest takes the room; half the value is half as long; nothing is nothing."""
    widths = [float(each.get("width").rstrip("%")) for each in figure(bar_chart("x", BARS)).iter("rect")]
    assert widths[0] == pytest.approx(2 * widths[1], abs=0.02)
    assert widths[2] == 0


def test_parts_add_up_to_the_whole():
    """Each begins where the one before ended; the legend tells the share."""
    made = figure(stacked_bar("x", BARS))
    parts = [(float(each.get("x").rstrip("%")), float(each.get("width").rstrip("%"))) for each in made.iter("rect")]
    assert parts[1][0] == pytest.approx(parts[0][1], abs=0.01)
    assert sum(width for _, width in parts) == pytest.approx(100, abs=0.01)
    assert "67%" in "".join(made.find("ul").itertext())


def test_markup_escapes_what_is_not_markup():
    """Children and attributes; None is left out."""
    made = tag("a", "<b>", Markup("<i>x</i>"), None, href='"><x', class_="c", title=None)
    assert made == '<a href="&quot;&gt;&lt;x" class="c">&lt;b&gt;<i>x</i></a>'
    assert joined(1, "&") == "1&amp;"
