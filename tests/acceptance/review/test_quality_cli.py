"""`opilio result assess`, `opilio indicator` and `opilio review-policy`, run in this process."""

import json

import pytest
from typer.testing import CliRunner

from opilio.cli import indicator, result, review_policy
from opilio.curation.models import Indicator, MissingUrl, ReviewPolicy
from opilio.jobs.models import Job
from opilio.kernel.errors import OpilioError
from opilio.people.errors import InvalidFields
from tests.acceptance.review.quality import assessed, result_of
from tests.people import Town
from tests.review_desk import ReviewDesk


@pytest.fixture
def desk(db):
    """Makes results."""
    return ReviewDesk(Town())


def _run(app, *arguments):
    """The JSON document that a command answers."""
    done = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    if isinstance(done.exception, OpilioError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def test_assessment(desk):
    """Measured again, shown, and what lacks taken into the list."""
    row = result_of(desk.harvested())
    assert _run(result.app, "assess", row.pk) == {"result": str(row.pk)}
    assert Job.objects.count() == 1
    assert _run(result.app, "assessment", row.pk)["advice"] == "none"
    assessed(desk.town.system, row)
    assert _run(result.app, "assessment", row.pk)["advice"] == "patch"
    words = CliRunner().invoke(result.app, ["assessment", str(row.pk)]).output
    assert "Completeness" in words
    assert _run(result.app, "take-missing", row.pk)["added"] == MissingUrl.objects.count() > 0


def test_limits(desk):
    """Set, listed, changed, taken away, deleted; those in force are shown for an agency."""
    made = _run(indicator.app, "set", "errors", "--agency", "Library", "--upper", "25")
    assert made["upper"] == 25
    changed = _run(indicator.app, "change", made["id"], "--tolerance", "5", "--without", "upper")
    assert (changed["upper"], changed["tolerance"]) == (None, 5)
    assert len(_run(indicator.app, "list")["indicators"]) == 1
    limits = {one["code"]: one for one in _run(indicator.app, "list", "--agency", "Library")["limits"]}
    assert limits["errors"]["own"] == made["id"]
    assert limits["content"]["lower"] == 1 << 20
    _run(indicator.app, "delete", made["id"])
    assert not Indicator.objects.exists()
    with pytest.raises(InvalidFields, match="is no indicator"):
        _run(indicator.app, "set", "nothing", "--agency", "Library")


def test_rules(desk):
    """Only what is named changes."""
    assert _run(review_policy.app, "show", "Library")["version"] == 0
    assert _run(review_policy.app, "set", "Library", "--four-eyes", "--delist-after", "0")["four_eyes"] is True
    _run(review_policy.app, "set", "Library", "--sample-percent", "50")
    row = ReviewPolicy.objects.get()
    assert (row.four_eyes, row.delist_after, row.sample_percent, row.check_pages) == (True, 0, 50, 5)
    assert len(_run(review_policy.app, "list")["policies"]) == 2
    with pytest.raises(InvalidFields):
        _run(review_policy.app, "set", "Library", "--sample-percent", "500")
