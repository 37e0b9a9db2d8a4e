"""`opilio depository` and `opilio deposit`, run in this process; and bulk work."""

import json

import pytest
from typer.testing import CliRunner

from opilio.cli import deposit, depository
from opilio.curation.models import Depository, Harvest
from opilio.kernel.errors import InvalidInput, Missing, OpilioError
from opilio.people.errors import InvalidFields
from tests.acceptance.deposits.conftest import ASKED


def _run(app, *arguments, code=0):
    done = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    if isinstance(done.exception, OpilioError):
        raise done.exception
    assert done.exit_code == code, done.output
    return json.loads(done.output)


def test_depositories_are_made_changed_tried_and_deleted(bench, home, tmp_path):
    """The secret comes from a file and is not shown."""
    secret, asked = tmp_path / "secret", tmp_path / "asked.json"
    secret.write_text("reed-password\n")
    asked.write_text(json.dumps(ASKED))
    place = home / "depositories" / "a"
    made = _run(depository.app, "create", "Cellar", place, "--secret-file", secret, "--questions", asked)
    assert (made["has_secret"], len(made["questions"])) == (True, len(ASKED))
    assert "reed-password" not in json.dumps(made)
    assert _run(depository.app, "change", "Cellar", "--form", "wacz", "--preferred")["form"] == "wacz"
    assert _run(depository.app, "show", made["id"])["preferred"] is True
    assert "can be written" in _run(depository.app, "try", "Cellar")["found"]
    assert len(_run(depository.app, "list")["depositories"]) == 1
    asked.write_text("no json")
    with pytest.raises(InvalidInput, match="no JSON"):
        _run(depository.app, "change", "Cellar", "--questions", asked)
    with pytest.raises(InvalidFields, match="may not be put there"):
        _run(depository.app, "create", "Loft", "/etc")
    _run(depository.app, "delete", "Cellar")
    with pytest.raises(Missing):
        _run(depository.app, "show", "Cellar")
    assert not Depository.objects.exists()


def test_harvests_are_archived_given_up_and_tried_again(bench, home):
    """With answers to the form."""
    harvest, _ = bench.rows()
    bench.depository(home, questions=ASKED)
    with pytest.raises(InvalidFields, match="series"):
        _run(deposit.app, "create", harvest.pk)
    with pytest.raises(InvalidInput, match="no answer"):
        _run(deposit.app, "create", harvest.pk, "--answer", "series")
    made = _run(deposit.app, "create", harvest.pk, "--depository", "Cellar", "--answer", "series=Owls = birds")
    assert made["answers"] == {"series": "Owls = birds"}
    assert _run(deposit.app, "give-up", made["id"], "--reason", "wrong")["state"] == "failed"
    assert _run(deposit.app, "retry", made["id"])["state"] == "waiting"
    assert _run(deposit.app, "list", "--harvest", harvest.pk, "--state", "waiting")["deposits"][0]["id"] == made["id"]
    assert _run(deposit.app, "show", made["id"])["proven"] is False
    assert Harvest.objects.get(pk=harvest.pk).state == "archiving"
