"""Names of deliveries, part by part."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.deliveries.errors import BadDeliveryProfile
from opilio.deliveries.names import NameForm, Part, PartKind
from opilio.deliveries.profile import profile

CENTRES = frozenset({"J", "Ics", "Krb", "with_line"})
FORM = profile("impc").deliveries.rule


@pytest.mark.parametrize(
    ("name", "centre", "on", "number"),
    [
        ("J.2013-02-01.01.impc.zip", "J", date(2013, 2, 1), 1),
        ("Ics.2013-06-19.11.impc.zip", "Ics", date(2013, 6, 19), 11),
        ("Krb.2016-02-29.99999.impc.zip", "Krb", date(2016, 2, 29), 99999),
        ("with_line.2024-12-31.5.impc.zip", "with_line", date(2024, 12, 31), 5),
    ],
)
def test_a_name_says_who_made_it_when(name, centre, on, number):
    """Centre, date and increment."""
    parsed = FORM.judge(name, CENTRES).parsed
    assert (parsed.centre, parsed.on, parsed.number) == (centre, on, number)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("xx J.2013-02-01.01.impc.zip", "centre: 'xx J'"),
        (".2013-02-01.01.impc.zip", "centre: ''"),
        ("Zz.2013-02-01.01.impc.zip", "centre: 'Zz'"),
        ("j.2013-02-01.01.impc.zip", "centre: 'j'"),
        ("J.2013-02-31.01.impc.zip", "date: '2013-02-31'"),
        ("J.2015-02-29.01.impc.zip", "date: '2015-02-29'"),
        ("J.2013-2-1.01.impc.zip", "date: '2013-2-1'"),
        ("J.2013-02-01.impc.zip", "form"),
        ("J.2013-02-01.123456.impc.zip", "increment: '123456'"),
        ("J.2013-02-01.x.impc.zip", "increment: 'x'"),
        ("J.2013-02-01.١.impc.zip", "increment"),
        ("J.2013-02-01.01.impc.zip.impc.zip", "increment: '01.impc.zip'"),
        ("J.2013-02-01.01.impc.zip\n", "form"),
        ("J.2013-02-01.01.impc.ZIP", "form"),
        ("J" * 300 + ".2013-02-01.01.impc.zip", "longer"),
    ],
)
def test_the_part_that_is_wrong_is_named(name, part):
    """With what stands there."""
    judged = FORM.judge(name, CENTRES)
    assert judged.parsed is None
    assert any(part in fault for fault in judged.faults)


def test_all_wrong_parts_are_named():
    """Not only the first."""
    assert len(FORM.judge("Zz.2013-99-01.x.impc.zip", CENTRES).faults) == 3


@given(st.text(max_size=400))
def test_any_text_is_judged(name):
    """Without an error, and what conforms is written again the same."""
    judged = FORM.judge(name, CENTRES)
    assert (judged.parsed is None) == bool(judged.faults)
    if judged.parsed:
        parts = judged.parsed.parts
        assert name == f"{parts['centre']}.{parts['date']}.{parts['increment']}.impc.zip"


@pytest.mark.parametrize(("form", "parts"), [("{a}.{a}", ["a"]), ("{a}", []), ("x", ["a"]), ("{a}{b}", ["a"])])
def test_form_and_parts_agree(form, parts):
    """Each part once, each described."""
    with pytest.raises(BadDeliveryProfile):
        NameForm(form, {name: Part(kind=PartKind.WORD) for name in parts})
