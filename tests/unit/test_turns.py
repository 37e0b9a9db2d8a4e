"""Long tests begin first, each kind in a process of its own, and none is lost or run twice."""

from hypothesis import given
from hypothesis import strategies as st

from tests.turns import turns

KINDS = ("browser", "proof")


def _kind(test):
    return test.partition(" ")[0]


def _some(browser, proof, unit):
    counts = {"unit": unit, "browser": browser, "proof": proof}
    return [f"{kind} {number}" for kind, count in counts.items() for number in range(count)]


def _pieces(tests, workers):
    """As `--dist worksteal` cuts them."""
    rest = list(tests)
    for left in range(workers, 0, -1):
        size = len(rest) // left
        yield rest[:size]
        rest = rest[size:]


def test_each_kind_begins_a_piece():
    """Neither waits for the other, and the third process has none."""
    one, two, three = _pieces(turns(_some(5, 4, 30), KINDS, 3, _kind), 3)
    assert [_kind(test) for test in one] == ["browser"] * 5 + ["unit"] * 8
    assert [_kind(test) for test in two] == ["proof"] * 4 + ["unit"] * 9
    assert {_kind(test) for test in three} == {"unit"}


def test_one_process_begins_with_all_that_takes_long():
    """As without parallel runs there is one piece only."""
    assert [_kind(test) for test in turns(_some(1, 2, 2), KINDS, 1, _kind)] == [
        "browser",
        *["proof"] * 2,
        *["unit"] * 2,
    ]


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 40), st.integers(1, 5))
def test_all_stay_and_keep_their_order(browser, proof, unit, workers):
    """Whatever there is of each kind."""
    given_tests = _some(browser, proof, unit)
    found = turns(given_tests, KINDS, workers, _kind)
    assert sorted(found) == sorted(given_tests)
    for kind in ("unit", *KINDS):
        assert [test for test in found if _kind(test) == kind] == [test for test in given_tests if _kind(test) == kind]
