"""When a target may be approved and a seed collected, by which permission, and why not."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.curation.pattern_reading import parse_pattern
from opilio.curation.permission_facts import ExclusionFacts, PermissionFacts, Standing, Term
from opilio.curation.rights import Obstacle, SeedFacts, against_approval, may_collect, may_run

TODAY = date(2026, 6, 15)
PENDING, REQUESTED, APPROVED, REJECTED = Standing
PAST = {"starts": date(2025, 1, 1), "ends": date(2025, 12, 31)}
NOW = {"starts": date(2026, 1, 1), "ends": date(2026, 12, 31)}
LATER = {"starts": date(2027, 1, 1), "ends": None}
SEED = "http://example.org/a"


def permission(status=APPROVED, when=NOW, id=1, excludes=()):
    exclusions = tuple(ExclusionFacts(pattern=parse_pattern(each)) for each in excludes)
    return PermissionFacts(
        id=id, name=f"permission {id}", status=status, agency=1, authorisation=1, exclusions=exclusions, **when
    )


def seed(*permissions, url=SEED):
    return SeedFacts(url=url, permissions=permissions)


@pytest.mark.parametrize(
    ("seeds", "obstacles"),
    [
        ([], [Obstacle.NO_SEEDS]),
        ([seed()], [Obstacle.NO_LINK]),
        ([seed(permission(REJECTED))], [Obstacle.REJECTED]),
        ([seed(permission(), permission(REJECTED, PAST, 2))], [Obstacle.REJECTED]),
        ([seed(permission()), seed(url="http://example.org/b")], [Obstacle.NO_LINK]),
        ([seed(permission(PENDING))], []),
        ([seed(permission(REQUESTED))], []),
        ([seed(permission(APPROVED, PAST))], []),
        ([seed(permission(APPROVED, LATER))], []),
        ([seed(permission())], []),
    ],
)
def test_what_stands_against_approval(seeds, obstacles):
    """No seeds, a seed without a link and a rejected permission block approval; pending and expired ones do not."""
    reasons = against_approval(seeds)
    assert [reason.obstacle for reason in reasons] == obstacles
    assert all(reason.sentence.endswith(".") for reason in reasons)


@pytest.mark.parametrize(
    ("links", "obstacles", "allowed_by"),
    [
        ([], [Obstacle.NO_LINK], ()),
        ([permission()], [], (1,)),
        ([permission(), permission(id=2)], [], (1, 2)),
        ([permission(PENDING)], [Obstacle.NOT_APPROVED], ()),
        ([permission(REQUESTED)], [Obstacle.NOT_APPROVED], ()),
        ([permission(REJECTED)], [Obstacle.REJECTED], ()),
        ([permission(), permission(PENDING, id=2)], [Obstacle.NOT_APPROVED], ()),
        ([permission(), permission(REJECTED, id=2)], [Obstacle.REJECTED], ()),
        ([permission(APPROVED, PAST)], [Obstacle.NOT_IN_FORCE], ()),
        ([permission(APPROVED, LATER)], [Obstacle.NOT_IN_FORCE], ()),
        ([permission(), permission(REJECTED, PAST, 2), permission(PENDING, LATER, 3)], [], (1,)),
        ([permission(APPROVED, PAST), permission(PENDING, id=2)], [Obstacle.NOT_APPROVED], ()),
        ([permission(excludes=["http://example.org/a*"])], [Obstacle.EXCLUDED], ()),
        ([permission(), permission(id=2, excludes=["http://example.org/a"])], [Obstacle.EXCLUDED], ()),
        ([permission(excludes=["http://example.org/b"])], [], (1,)),
        ([permission(), permission(APPROVED, PAST, 2, excludes=["http://*/*"])], [], (1,)),
    ],
)
def test_what_blocks_a_run(links, obstacles, allowed_by):
    """Among the permissions in force, all must be approved, one at least, and none may exclude the seed."""
    verdict = may_collect(seed(*links), TODAY)
    assert [reason.obstacle for reason in verdict.reasons] == obstacles
    assert verdict.allowed_by == allowed_by
    assert verdict.allowed is not bool(obstacles)


def test_one_blocked_seed_blocks_the_harvest():
    """A harvest runs when each of its seeds may be collected; the reasons name the seed that may not."""
    good, bad = seed(permission()), seed(permission(PENDING, id=2), url="http://example.org/b")
    assert may_run([good], TODAY).allowed
    verdict = may_run([good, bad], TODAY)
    assert not verdict.allowed
    assert [(reason.seed, reason.permission) for reason in verdict.reasons] == [("http://example.org/b", 2)]
    assert "permission 2" in verdict.reasons[0].sentence
    nothing = may_run([], TODAY)
    assert (nothing.allowed, nothing.reasons[0].obstacle) == (False, Obstacle.NO_SEEDS)


@pytest.mark.parametrize(
    ("links", "until"),
    [
        ([permission()], date(2027, 1, 1)),
        ([permission(APPROVED, LATER)], date(2027, 1, 1)),
        ([permission(APPROVED, PAST)], None),
        ([permission(APPROVED, {"starts": date(2026, 1, 1), "ends": None})], None),
        ([permission(APPROVED, {"starts": date(2026, 1, 1), "ends": TODAY})], date(2026, 6, 16)),
        ([permission(APPROVED, {"starts": date(2026, 1, 1), "ends": date.max})], None),
    ],
)
def test_when_the_answer_may_change(links, until):
    """The verdict says until which day the calendar leaves it as it is."""
    assert may_collect(seed(*links), TODAY).until == until


@given(
    starts=st.dates(), days=st.one_of(st.none(), st.dates()), today=st.dates(),
    status=st.sampled_from(Standing),
)  # fmt: skip
def test_only_an_approved_permission_in_force_allows(starts, days, today, status):
    """A single link allows a seed exactly when it is approved and the day lies within its dates, both included."""
    ends = None if days is None else max(starts, days)
    one = permission(status, {"starts": starts, "ends": ends})
    inside = starts <= today and (ends is None or today <= ends)
    assert (one.term(today) is Term.CURRENT) is inside
    assert may_collect(seed(one), today).allowed is (inside and status is APPROVED)
