"""`opilio purge`, `opilio fixity` and `opilio takedown`, run in this process."""

import json

import pytest
from typer.testing import CliRunner

from opilio.cli import fixity, purge, takedown
from opilio.curation.models import FixityCheck, HarvestState, Takedown
from opilio.jobs.models import Job
from opilio.kernel.errors import Conflict, InvalidInput, OpilioError
from opilio.people.errors import InvalidFields, NotAllowed
from tests.review_desk import ReviewDesk, at_home, crawled


@pytest.fixture
def desk(db):
    return ReviewDesk()


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


def _run(app, *arguments):
    """The JSON document that a command answers."""
    done = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    if isinstance(done.exception, OpilioError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def _order(*more, value="http://example.org/a.html"):
    return _run(takedown.app, "order", value, "--agency", "Library", "--authority", "Court", "--reason", "Order", *more)


def test_purge_is_listed_previewed_and_run(desk, home):
    """What may not go is refused with its reason."""
    old = desk.sealed(home, state=HarvestState.REJECTED, archived_at=desk.now)
    kept = desk.harvested()
    (row,) = _run(purge.app, "list", "--due")["harvests"]
    assert row["harvest"] == str(old.pk)
    assert _run(purge.app, "preview", old.pk)["allowed"]
    _run(purge.app, "run", old.pk)
    assert Job.objects.count() == 1
    with pytest.raises(Conflict, match="only archived"):
        _run(purge.app, "run", kept.pk)


def test_fixity_is_listed_shown_and_ordered(desk):
    """With how it stands with all that is kept."""
    made = desk.harvested()
    row = FixityCheck(harvest=made, place="archive", begun_at=desk.now, ended_at=desk.now, files=2, damaged=1)
    row.save()
    (told,) = _run(fixity.app, "list", "--damaged")["readings"]
    assert told["harvest"] == str(made.pk)
    assert _run(fixity.app, "show", row.pk)["files"] == 2
    assert _run(fixity.app, "status")["kept"] == 1
    _run(fixity.app, "check", made.pk)
    assert Job.objects.count() == 1


def test_a_takedown_by_the_operator(desk, home):
    """Previewed, ordered, shown, reviewed, proved and lifted; a destruction needs a person beside the operator."""
    desk.sealed(home)
    found = _order("--preview", value=crawled().url("/owls.html"))
    assert found["captures"] == 1
    assert not Takedown.objects.exists()
    row = _order("--level", "hide", "--review-on", "2031-01-31", "--from", "2026-01-01T00:00:00+00:00")
    number = row["takedown"]
    assert _run(takedown.app, "list")["takedowns"][0]["takedown"] == number
    assert _run(takedown.app, "reach", number)["captures"] == 0
    assert _run(takedown.app, "review", number, "--note", "Yes")["review_on"] is None
    assert _run(takedown.app, "prove", number, "backups", "Wiped")["proofs"][-1]["done"]
    assert _run(takedown.app, "lift", number, "Over")["state"] == "lifted"
    assert _run(takedown.app, "show", number)["lifted_why"] == "Over"
    proposed = _order("--level", "destroy")
    assert proposed["state"] == "proposed"
    with pytest.raises(NotAllowed, match="own proposal"):
        _run(takedown.app, "confirm", proposed["takedown"])


@pytest.mark.parametrize(
    ("more", "error"),
    [(("--from", "yesterday"), InvalidInput), (("--review-on", "soon"), InvalidInput),
     (("--level", "burn"), InvalidFields)],
)  # fmt: skip
def test_bad_orders_are_refused(desk, more, error):
    """With what to write instead."""
    with pytest.raises(error):
        _order(*more)
