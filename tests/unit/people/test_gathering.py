"""What actions that are done together leave to the end of their transaction."""

import pytest

from opilio.people import audit
from opilio.people.gathering import add, gathered, once_for_all, together
from opilio.people.models import AuditEntry, Task
from opilio.people.overhearing import overheard


def _task(town, subject):
    return Task(kind="k", subject=subject, sent_at=town.clock.now(), privilege="APPROVE_TARGET", agency=town.library)


def test_outside_nothing_waits(town):
    """A row is stored and work is done at once."""
    done = []
    add(_task(town, "one"))
    once_for_all(done.append, 1)
    assert Task.objects.count() == 1
    assert done == [[1]]


def test_rows_are_stored_at_the_end_with_one_statement_a_table(town, django_assert_num_queries):
    """In the order in which they came."""
    audit.write(town.system, action="a.b")  # identifiers are reserved
    add(_task(town, "zero"))
    with django_assert_num_queries(2), gathered():
        for word in ("one", "two", "three"):
            add(_task(town, word))
            audit.write(town.system, action=f"a.{word}")
    assert [*Task.objects.order_by("id").values_list("subject", flat=True)] == ["zero", "one", "two", "three"]
    assert [*AuditEntry.objects.order_by("id").values_list("action", flat=True)][-3:] == ["a.one", "a.two", "a.three"]


def test_work_is_done_once_with_all_and_may_add_rows(town):
    """Before rows are stored; work that comes of it is done too."""
    done = []

    def second(items):
        done.append(("second", items))

    def first(items):
        done.append(("first", items))
        add(_task(town, "late"))
        once_for_all(second, len(items))

    with gathered():
        once_for_all(first, 1)
        once_for_all(first, 2)
        assert done == []
    assert done == [("first", [1, 2]), ("second", [2])]
    assert Task.objects.get().subject == "late"


def test_what_came_after_a_mark_is_taken_back(town):
    """As for a row that is refused."""
    done = []
    with gathered() as waiting:
        add(_task(town, "one"))
        once_for_all(done.extend, 1)
        mark = waiting.mark()
        add(_task(town, "two"))
        once_for_all(done.extend, 2)
        waiting.back_to(mark)
    assert Task.objects.get().subject == "one"
    assert done == [1]


def test_after_an_error_nothing_is_written(town):
    """And what follows is stored at once again."""
    with pytest.raises(ValueError, match="enough"):
        _gather_and_fail(_task(town, "one"))
    add(_task(town, "two"))
    assert Task.objects.get().subject == "two"


def _gather_and_fail(row):
    with gathered():
        add(row)
        raise ValueError("enough")


def test_a_smaller_gathering_leaves_its_rows_to_the_larger_one(town):
    """Alone it writes them itself."""
    with gathered():
        with together():
            add(_task(town, "one"))
        assert not Task.objects.exists()
    assert Task.objects.count() == 1
    with together():
        add(_task(town, "two"))
    assert Task.objects.count() == 2


def test_entries_are_heard_when_they_wait(town):
    """A trial tells of them, and bulk work knows that something changed."""
    with gathered(), overheard() as heard:
        audit.write(town.system, action="a.b")
        assert [entry.action for entry in heard] == ["a.b"]
