"""Every task, notification, audit action and report of the Web Curator Tool has a producer here, and a test.

`tests/data/wct_codes.csv` names them by their codes, each with ours; one that nothing here sends says why.
"""

import ast
import csv
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from opilio.curation.assessment_tables import TABLES
from opilio.curation.reports.all_reports import BY_NAME as REPORTS
from opilio.people.acting import ACTIONS
from opilio.people.actions import users
from opilio.people.kinds import kind_named
from opilio.people.models import AuditEntry
from opilio.people.privileges import Scope
from opilio.works.harvest_reports.all_reports import BY_NAME as HARVEST_REPORTS
from tests.people import Town
from tests.permissions.rules import RULES
from tests.permissions.table import Place

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "tests" / "data" / "wct_codes.csv"
#: How many there are of each kind, so that none is lost from the table.
COUNTS = {"task": 4, "notification": 18, "audit": 69, "report": 13}


def _rows():
    with TABLE.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


ROWS = _rows()
SENT = [row for row in ROWS if row["ours"]]
AUDITED = sorted({row["ours"] for row in SENT if row["kind"] == "audit"})
#: Entries that have another name than the action that leaves them; tests/unit/people/test_signin.py reads them.
SIGN_IN = frozenset({"signin.success", "signin.failure", "signin.failure_no_user"})
#: Rows of which kind each deletion there was of; here one action deletes rows of all kinds.
DELETED = {
    "DELETE_USER": "user", "DELETE_ROLE": "role", "DELETE_AGENCY": "agency", "DELETE_TARGET_INSTANCE": "harvest",
    "DELETE_PERMISSION": "permission", "DELETE_PROFILE": "profile", "DELETE_SCHEDULE": "schedule",
    "DELETE_BANDWIDTH_RESTRICTION": "bandwidth-restriction", "DELETE_REJECTION_REASON": "rejection-reason",
    "DELETE_INDICATOR": "indicator", "DELETE_FLAG": "flag",
}  # fmt: skip
#: Modules that only translate codes, and tests of these: neither sends anything, nor expects what was sent.
TRANSLATED = ("src/opilio/curation/wct", "tests/acceptance/wct")
#: What must have happened before, so that the action changes something.
BEFORE = {"user.activate": lambda place: users.deactivate_user(place.town.system, user_id=place.user.id)}


def test_no_code_is_lost():
    """The table holds every code once, and every code without a producer says why."""
    assert Counter(row["kind"] for row in ROWS) == COUNTS
    assert len({(row["kind"], row["code"]) for row in ROWS}) == len(ROWS)
    assert [row["code"] for row in ROWS if bool(row["ours"]) == bool(row["why_not"])] == []


@pytest.mark.parametrize(
    ("kind", "ours"), [(row["kind"], row["ours"]) for row in SENT if row["kind"] in ("task", "notification")]
)
def test_messages_have_a_producer_and_a_test(kind, ours):
    """The code is written in the product, outside of what only translates such codes, and a test expects it."""
    assert ours in _literals("src/opilio/curation") | _literals("src/opilio/people"), f"nothing sends the {kind} {ours}"
    assert ours in _literals("tests", "test_*.py"), f"no test expects the {kind} {ours}"


def test_a_code_that_nothing_sends_is_found_out():
    """A code that is only translated, or only told of in a docstring, counts for nothing."""
    assert "requestApproval" not in _literals("src/opilio/curation")
    assert test_a_code_that_nothing_sends_is_found_out.__doc__ not in _literals_of(Path(__file__))


@pytest.mark.parametrize("ours", [row["ours"] for row in SENT if row["kind"] == "report"])
def test_reports_have_a_producer_and_a_test(ours):
    """It is among those that are offered, and a test makes it."""
    if ours in REPORTS:
        assert any(text.startswith(f"/reports/{ours}") for text in _literals("tests/acceptance/reports", "test_*.py"))
    elif ours in HARVEST_REPORTS:
        text = (ROOT / "tests" / "acceptance" / "harvests" / "test_reports.py").read_text("utf-8")
        assert "for name, report in BY_NAME.items():" in text  # every report, as page, CSV and JSON
    else:
        name = ours.removesuffix(".csv")
        assert name in TABLES
        assert name in _literals("tests/acceptance/review", "test_quality_pages.py")


@pytest.mark.parametrize("ours", sorted(SIGN_IN))
def test_sign_ins_leave_an_entry(ours):
    """Each outcome has a name of its own, which a test reads in the audit log."""
    assert ours in AUDITED
    assert ours in _literals("src/opilio/people")
    assert ours in _literals("tests", "test_signin*.py")


def test_each_kind_of_row_can_be_deleted():
    """What had a deletion of its own there has a kind here, and a test of the action names rows of all kinds."""
    assert {row["code"] for row in SENT if row["ours"] == "row.delete"} == set(DELETED)
    assert [name for name in DELETED.values() if kind_named(name).name != name] == []


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize("ours", sorted(set(AUDITED) - SIGN_IN))
def test_actions_leave_an_entry(db, ours):
    """Done by somebody who may, each action leaves an entry of its name in the audit log."""
    assert ours in ACTIONS
    town, rule = Town(), RULES[ours]
    scope, where = _allowed(rule)
    held = {rule.privilege: scope} if rule.privilege is not None and scope is not None else {}
    user = town.user(privileges=held)
    place = Place(town=town, agency=town.library, user=user if where == "own" else town.user(agency=town.library))
    BEFORE.get(ours, lambda place: None)(place)
    rule.call(town.actor(user) if where else town.system, place)
    assert AuditEntry.objects.filter(action=ours).exists()


def _allowed(rule):
    """A scope and an object on which the action is allowed; nothing: only the system may."""
    for scope in (Scope.ALL, Scope.AGENCY, Scope.OWNER, Scope.NONE, None):
        reached = [where for where in rule.reach.get(scope, "").split() if where in rule.objects.split()]
        if reached:
            return scope, "own" if "own" in reached else reached[0]
    return None, ""


@cache
def _literals(below, pattern="*.py"):
    """Every text constant of the modules below a folder; this one and those that translate apart."""
    apart = [ROOT / folder for folder in TRANSLATED]
    paths = [path for path in (ROOT / below).rglob(pattern) if path != Path(__file__)]
    return frozenset().union(*(_literals_of(path) for path in paths if not any(one in path.parents for one in apart)))


def _literals_of(path):
    """The text constants of a module, without its docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return frozenset(
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
    )
