"""Operations on one row are hidden, done and answered in this order."""

from types import SimpleNamespace

import pytest

from opilio.api.acting import acting
from opilio.people.errors import NotFound

ASKER = "somebody"


class Row:
    """Writes down what was done with it."""

    def __init__(self, *, hidden=False):
        self.hidden = hidden
        self.done = []

    def seen(self, asker, row_id):
        self.done.append(("seen", asker, row_id))
        if self.hidden:
            raise NotFound("There is none", remedy="Look for another.")

    def shown(self, asker, row_id, response):
        self.done.append(("shown", asker, row_id))
        return response

    def operation(self):
        @acting("row_id", seen=self.seen, shown=self.shown)
        def change(request, response, row_id, body):
            """Change it."""
            self.done.append(("changed", body))

        return change


def test_a_row_is_looked_at_changed_and_shown():
    """What the operation is called and says of itself stays, as the document of the API is made from it."""
    row = Row()
    change = row.operation()
    assert change(SimpleNamespace(auth=ASKER), response="answer", row_id=7, body="red") == "answer"
    assert row.done == [("seen", ASKER, 7), ("changed", "red"), ("shown", ASKER, 7)]
    assert (change.__name__, change.__doc__) == ("change", "Change it.")


def test_what_may_not_be_seen_is_not_changed():
    """Nor is anything told about it."""
    row = Row(hidden=True)
    with pytest.raises(NotFound):
        row.operation()(SimpleNamespace(auth=ASKER), response="answer", row_id=7, body="red")
    assert row.done == [("seen", ASKER, 7)]
