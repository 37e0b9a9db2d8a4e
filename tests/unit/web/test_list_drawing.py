"""Rows of lists as HTML: nothing that people wrote is markup, and words are those of the reader."""

import datetime
import re

import pytest
from django.utils import translation

from opilio.web.icons import icon
from opilio.web.lists.cells import Badge, Button, Buttons, Date, Link, Moment, Number, Tags, Text
from opilio.web.lists.drawing import Line, Reader, drawn

READER = Reader(zone=datetime.UTC, address="/targets?q=a&b", token="token", picks=True)
HOSTILE = "<script>\"'&"
ESCAPED = "&lt;script&gt;&quot;&#x27;&amp;"
AT = datetime.datetime(2026, 5, 2, 12, 30, tzinfo=datetime.UTC)


def row(*cells, name="Owls", reader=READER, label="Name"):
    return drawn([Line(id=7, name=name, cells=list(cells))], [label] * len(cells), reader)


@pytest.mark.parametrize(
    "cell",
    [
        Text(text=HOSTILE), Text(text=HOSTILE, code=True), Badge(text=HOSTILE), Tags(texts=(HOSTILE,)),
        Link(text=HOSTILE, url=HOSTILE, note=HOSTILE), Link(text=HOSTILE), Moment(at=None, never=HOSTILE),
        Date(on=None, never=HOSTILE),
        Buttons(buttons=(Button(label=HOSTILE, url=HOSTILE, icon="trash-2"),)),
    ],
)  # fmt: skip
def test_what_people_wrote_is_no_markup(cell):
    """Names, notes, addresses and labels are escaped wherever they stand."""
    html = row(cell, name=HOSTILE)
    assert "<script" not in html
    assert html.count(ESCAPED) >= 2


def test_rows_can_be_chosen_where_something_can_be_done_with_them():
    """The box names its row; without bulk actions there is none."""
    assert 'name="row" value="7" form="bulk" data-pick aria-label="Select Owls"' in row()
    alone = Reader(zone=datetime.UTC, address="/targets", token="token", picks=False)
    assert "checkbox" not in row(reader=alone)


def test_times_are_those_of_the_reader_and_say_the_utc():
    """Half past two in summer's Paris is half past twelve."""
    paris = datetime.timezone(datetime.timedelta(hours=2))
    html = row(Moment(at=AT), reader=Reader(zone=paris, address="/", token="token", picks=False))
    assert '<time datetime="2026-05-02T12:30:00Z" title="2026-05-02 12:30:00 UTC">2 May 2026, 14:30</time>' in html


def test_a_day_is_the_same_in_every_zone():
    """It is drawn as people write it; where there is none, the words say so."""
    assert '<time datetime="2026-05-02">2 May 2026</time>' in row(Date(on=AT.date()))
    assert ">–</td>" in row(Date(on=None))


def test_each_cell_says_its_column_in_the_language_of_the_reader():
    """On a telephone a row is a card, without the head of the table; what can be done to a row needs no name."""
    assert 'data-label="Name"' in row(Text(text="a"))
    assert f'data-label="{ESCAPED}"' in row(Number(number=1), label=HOSTILE)
    assert "data-label" not in row(Buttons(buttons=()))
    with translation.override("de"):
        assert 'data-label="Zustand"' in row(Badge(text="approved"), label="State")


def test_words_follow_the_language_of_each_reader():
    """What was drawn for one reader is not kept for another: states, months and numbers change with the language."""
    cells = (Badge(text="approved"), Moment(at=AT), Number(number=12_345), Link(text="a", mark="circle"))
    english = row(*cells)
    with translation.override("de"):
        german = row(*cells)
    assert row(*cells) == english
    assert re.findall(r"approved|2 May 2026|12,345|Unread:", english) == ["approved", "2 May 2026", "12,345", "Unread:"]
    assert not re.search(r"approved|2 May 2026|12,345|Unread:", german)


def test_buttons_are_forms_with_the_token_that_come_back_to_the_list():
    """Each carries the token against forged forms and the address of the list."""
    html = row(Buttons(buttons=(Button(label="Claim", url="/claim", icon="hand", tone="primary"),)))
    assert '<form method="post" action="/claim">' in html
    assert 'name="csrfmiddlewaretoken" value="token"' in html
    assert 'name="next" value="/targets?q=a&amp;b"' in html


@pytest.mark.parametrize(("length", "width"), [(27, " short"), (28, ""), (60, ""), (61, " long"), (101, " longer")])
def test_the_width_of_a_column_follows_its_text(length, width):
    """Short texts are not broken; long ones get room."""
    assert f'class="quiet{width}">' in row(Text(text="a" * length, quiet=True))


def test_a_drawing_is_made_once():
    """Another size is another drawing."""
    assert icon("trash-2") is icon("trash-2")
    assert icon("trash-2") != icon("trash-2", 14)
