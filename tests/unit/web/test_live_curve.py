"""The curve of a harvest's pace."""

from opilio.web.live.curve import curve
from opilio.works.live_plot import Point


def drawn(*points, now=0.0):
    return curve("urls", "URLs per second", points, lambda one: one.urls, now, lambda number: f"{number:.1f}")


def point(end, span=10.0, urls=10):
    return Point(end=end, span=span, urls=urls, bytes=0)


def test_a_curve_has_steps_as_high_as_its_pace():
    """The fastest span reaches the top; widths are times."""
    found = drawn(point(10, urls=10), point(20, urls=20), now=2.0)
    assert found.path == "M0.0,100L0.0,50.0L500.0,50.0L500.0,0.0L1000.0,0.0L1000.0,100"
    assert (found.most, found.length) == ("2.0", "20 s")
    assert found.spoken == "In 20 s: at most 2.0, on average 1.5, now 2.0."


def test_a_gap_is_left_open():
    """While no agent was at work, there is no line."""
    assert drawn(point(10), point(100)).path.count("M") == 2


def test_rounding_makes_no_notch():
    """A span that seems to begin before the one ahead of it ended is drawn from there."""
    path = drawn(point(10), point(19.9)).path
    places = [float(word.split(",")[0]) for word in path.replace("M", "L").split("L")[1:]]
    assert places == sorted(places)


def test_a_harvest_that_brings_nothing_has_a_flat_line():
    """And one without points has none."""
    assert drawn(point(10, urls=0)).path == "M0.0,100L0.0,100.0L1000.0,100.0L1000.0,100"
    assert drawn().path == ""
