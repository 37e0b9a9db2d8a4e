"""How the pace of a harvest is kept in a bounded number of points."""

from hypothesis import given
from hypothesis import strategies as st

from opilio.works.live_plot import MOST_POINTS, Mark, Point, follows, grown, pace, packed, thinned, unpacked


def point(end, span=2.0, urls=4, size=400):
    return Point(end=end, span=span, urls=urls, bytes=size)


def test_a_point_tells_what_came_between_two_marks():
    """The first mark of an agent adds nothing, as nobody knows what came before it."""
    first, second = Mark(at=10.0, urls=5, bytes=50), Mark(at=12.0, urls=9, bytes=650)
    assert grown((), None, first) == ()
    assert grown((), first, second) == (Point(end=12.0, span=2.0, urls=4, bytes=600),)


def test_a_clock_that_goes_back_adds_nothing():
    """Nor do counts that went down make a point below zero."""
    before = Mark(at=10.0, urls=5, bytes=50)
    assert grown((), before, Mark(at=9.0, urls=9, bytes=99)) == ()
    assert grown((), before, Mark(at=11.0, urls=2, bytes=20)) == (Point(end=11.0, span=1.0, urls=0, bytes=0),)


@given(st.lists(st.tuples(st.floats(0.5, 5), st.integers(0, 99), st.integers(0, 9_999)), max_size=900))
def test_points_are_bounded_and_lose_nothing(steps):
    """However long a harvest runs: sums of URLs, bytes and time stay."""
    points, mark = (), Mark(at=1_000.0, urls=0, bytes=0)
    for span, urls, size in steps:
        later = Mark(at=mark.at + span, urls=mark.urls + urls, bytes=mark.bytes + size)
        points, mark = grown(points, mark, later), later
    assert len(points) <= MOST_POINTS
    assert sum(one.urls for one in points) == mark.urls
    assert sum(one.bytes for one in points) == mark.bytes
    assert abs(sum(one.span for one in points) - (mark.at - 1_000.0)) < 0.001


def test_neighbours_beside_a_gap_stay_apart():
    """Time in which no agent was at work is not averaged away."""
    found = thinned([point(2), point(1_000), point(1_002), point(1_004)])
    assert [(one.end, one.span) for one in found] == [(2, 2.0), (1_002, 4.0), (1_004, 2.0)]
    assert not follows(found[0], found[1])


def test_pace_is_that_of_the_last_seconds():
    """Not of the whole harvest, and not of what lies before a gap."""
    quick = [point(float(end), urls=100) for end in range(0, 100, 2)]
    slow = [point(float(end), urls=2, size=20) for end in range(100, 110, 2)]
    assert pace([*quick, *slow]) == (1.0, 10.0)
    assert pace([*quick, point(500.0, urls=6, size=0)]) == (3.0, 0.0)
    assert pace([]) == (0.0, 0.0)


def test_points_come_back_as_they_were_written():
    """For the agent that takes a harvest over."""
    points = (point(2), point(4, urls=7))
    assert unpacked(packed(points)) == points


def test_what_is_no_point_is_left_out():
    """A damaged sheet costs the plot, not the harvest."""
    good = [2.0, 2.0, 1, 1]
    assert len(unpacked([good, None, [1], ["a", 1, 1, 1], [3, 0, 1, 1], [3, -1, 1, 1], [True, 1, 1, 1]])) == 1
    assert unpacked({"a": 1}) == ()
    assert unpacked([[9.0, 1.0, 1, 1], good]) == ()
    assert len(unpacked([[float(end), 1.0, 1, 1] for end in range(9_000)])) == MOST_POINTS
