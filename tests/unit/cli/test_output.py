"""What commands print."""

import json
from datetime import UTC, datetime

from opilio.cli import output
from opilio.cli.output import Answer, Fields, Rows


def test_rows_for_pipes_have_no_odd_characters():
    """Values are one line each; escape sequences and line breaks cannot leave their cell."""
    part = Rows(columns=("a", "b"), rows=[("x\ny", "\x1b[31mred\t"), (None, True)])
    assert output.plain(part) == "a\tb\nx y\t [31mred \n\tyes"


def test_empty_rows_say_so():
    """A list without rows is words, not a bare header."""
    assert output.plain(Rows(columns=("a",), rows=[], empty="No user yet.")) == "No user yet."


def test_fields_for_pipes():
    """Lists are joined, times are UTC."""
    part = Fields(pairs=[("roles", ["a", "b"]), ("at", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))])
    assert output.plain(part) == "roles\ta, b\nat\t2026-01-02 03:04:05"


def test_json_is_one_document(capsys):
    """With --json, parts for people are left out."""
    with output.speaking(json_wanted=True):
        output.show(Answer(document={"é": datetime(2026, 1, 2, tzinfo=UTC)}, parts=["words"]))
        output.note("on the side")
        with output.steps() as step:
            step("work")(1, 2)
    said = capsys.readouterr()
    assert json.loads(said.out) == {"é": "2026-01-02T00:00:00+00:00"}
    assert said.err == ""


def test_story_tells_steps_on_standard_error(capsys):
    """Each step is told when it is done, and gives what its work gave."""
    with output.story() as step:
        assert step("Count to seven", lambda: 7) == 7
    assert "Count to seven" in capsys.readouterr().err
