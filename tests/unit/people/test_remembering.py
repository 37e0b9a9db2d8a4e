"""What is asked for once for many actions."""

from opilio.people import parameters
from opilio.people.models import Parameter
from opilio.people.remembering import keep, kept, once, remembered, taken


def test_nothing_is_kept_outside():
    """Each action asks anew."""
    asked = []
    for _ in range(2):
        once("key", lambda: asked.append(1))
    assert len(asked) == 2


def test_inside_each_key_is_asked_for_once():
    """Also when nothing was found; afterwards it is forgotten."""
    asked = []
    with remembered():
        for _ in range(3):
            assert once("key", lambda: asked.append(1)) is None
            assert once("other", lambda: 2) == 2
    assert asked == [1]
    with remembered():
        once("key", lambda: asked.append(1))
    assert asked == [1, 1]


def test_what_was_asked_for_together_is_found_one_by_one():
    """Each piece as often as it is asked for, or once where it is used up; outside nothing is kept."""
    with remembered():
        keep({"one": 1, "two": 2})
        assert once("one", lambda: 7) == 1
        assert kept("two") == 2
        assert taken("two") == 2
        assert taken("two") is None
        assert once("two", lambda: 7) == 7
    keep({"one": 1})
    assert kept("one") is None
    assert taken("one") is None


def test_parameters_are_read_once(town, django_assert_num_queries):
    """For all rows that bulk work writes with one commit; the next ones see a change."""
    with django_assert_num_queries(1), remembered():
        before = [parameters.value("look_ahead_days") for _ in range(5)]
    assert len(set(before)) == 1
    now = town.clock.now()
    Parameter(name="look_ahead_days", value=7, created=now, updated=now).save()
    with remembered():
        assert parameters.value("look_ahead_days") == 7
