"""`opilio result`, `opilio flag` and bulk work on harvests, run in this process."""

import json

import pytest
from typer.testing import CliRunner

from opilio.cli import flag, harvest, result
from opilio.curation.models import Harvest, HarvestState, Result, ResultState, Target
from opilio.kernel.errors import InvalidInput, OpilioError
from tests.review_desk import ReviewDesk


@pytest.fixture
def desk(db):
    return ReviewDesk()


def _run(app, *arguments, code=0):
    done = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    if isinstance(done.exception, OpilioError):
        raise done.exception
    assert done.exit_code == code, done.output
    return json.loads(done.output)


def result_of(row, number=1):
    return Result.objects.get(harvest=row, number=number)


def test_results_are_listed_and_decided(desk):
    """By name of the reason; the lists follow."""
    one, other, reason = desk.harvested(results=2), desk.harvested(), desk.reason(name="Mostly empty pages")
    assert len(_run(result.app, "list")["results"]) == 3
    assert _run(result.app, "endorse", result_of(one, 2).pk, "--note", "Good.")["state"] == "endorsed"
    assert _run(result.app, "unendorse", result_of(one, 2).pk)["state"] == "unassessed"
    rejected = _run(result.app, "reject", result_of(one).pk, "--reason", "mostly EMPTY pages")
    assert rejected["reason"] == reason.name
    with pytest.raises(InvalidInput, match="no reason"):
        _run(result.app, "reject", result_of(other).pk, "--reason", "no such")
    assert _run(result.app, "endorse-harvest", one.pk)["results"][1]["state"] == "endorsed"
    assert _run(result.app, "reject-harvest", other.pk, "--reason", reason.pk)["results"][0]["state"] == "rejected"
    assert _run(result.app, "list")["results"] == []
    assert len(_run(result.app, "list", "--state", "rejected")["results"]) == 2
    with pytest.raises(InvalidInput, match="no state"):
        _run(result.app, "list", "--state", "eaten")


def test_results_are_shown_noted_and_undone(desk):
    """With their events."""
    row = result_of(desk.harvested(results=2), 2)
    assert _run(result.app, "note", row.pk, "From the second try.")["provenance"] == "From the second try."
    assert _run(result.app, "show", row.pk)["lineage"] == [1, 2]
    assert _run(result.app, "events", row.pk)["events"] == []
    _run(result.app, "undo", row.pk, "--why", "Too much is gone.")
    assert result_of(row.harvest, 2).change["undo"]["why"] == "Too much is gone."


def test_reference_and_delisting(desk):
    """What follows for the target."""
    row = desk.harvested()
    desk.schedule(row.abstract_target)
    assert _run(result.app, "reference", row.pk)["reference"]
    assert Target.objects.get(pk=row.abstract_target_id).reference_harvest_id == row.pk
    _run(result.app, "delist", row.pk, "--reason", "It never changes.")
    assert row.abstract_target.schedules.get().end is not None


def test_flags_are_made_and_put_on_harvests(desk):
    """By their name or number."""
    row = desk.harvested()
    made = _run(flag.app, "create", "Ask", "--agency", "Library", "--colour", "#123456")
    assert _run(flag.app, "change", made["id"], "--name", "Ask them")["name"] == "Ask them"
    assert _run(flag.app, "put", row.pk, "ask them")["flag"] == "Ask them"
    with pytest.raises(InvalidInput, match="no flag"):
        _run(flag.app, "put", row.pk, "No such")
    assert _run(flag.app, "put", row.pk)["flag"] == ""
    _run(flag.app, "delete", made["id"])
    assert _run(flag.app, "list")["flags"] == []


def test_many_are_decided_at_once(desk):
    """Harvests and results, each row by its own action; what cannot be done is refused with the reason."""
    good, bad, done = desk.harvested(results=2), desk.harvested(), desk.harvested(state=HarvestState.ARCHIVED)
    desk.reason(name="Mostly empty pages")
    made = _run(flag.app, "create", "Ask", "--agency", "Library")
    ids = [word for row in (good, bad) for word in ("--id", row.pk)]
    _run(harvest.app, "bulk", "colour", *ids, "--set", "flag=Ask")
    assert set(Harvest.objects.filter(flag_id=int(made["id"])).values_list("pk", flat=True)) == {good.pk, bad.pk}
    _run(harvest.app, "bulk", "uncolour", "--id", bad.pk)
    assert Harvest.objects.filter(flag__isnull=False).count() == 1
    _run(harvest.app, "bulk", "endorse", "--id", good.pk, "--id", done.pk, code=1)
    assert result_of(good, 2).state == ResultState.ENDORSED
    _run(result.app, "bulk", "unendorse", "--id", result_of(good, 2).pk)
    words = ("--set", "reason=Mostly empty pages", "--set", "note=Nothing there.")
    _run(result.app, "bulk", "reject", "--where", "state=unassessed", "--where", "agency=Library", *words, code=1)
    states = {row.pk: row.state for row in Harvest.objects.all()}
    assert (states[good.pk], states[bad.pk]) == (HarvestState.REJECTED, HarvestState.REJECTED)


def test_many_targets_are_delisted(desk):
    """From a list of harvests."""
    row = desk.harvested()
    desk.schedule(row.abstract_target)
    _run(harvest.app, "bulk", "delist", "--id", row.pk, "--set", "reason=It never changes.")
    assert row.abstract_target.schedules.get().end is not None
