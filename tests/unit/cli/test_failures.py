"""Every end of a command has its message and exit code."""

import json
import sys

import pytest
import typer

from opilio.cli.failures import guarded
from opilio.cli.output import Wanted
from opilio.kernel.errors import Conflict, Damaged, Denied, InvalidInput, Missing, OpilioError, Unavailable


def _raising(error):
    def work():
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "code"),
    [(OpilioError, 1), (InvalidInput, 2), (Denied, 3), (Missing, 4), (Conflict, 5), (Unavailable, 6), (Damaged, 7)],
)
def test_kind_of_error_decides_the_exit_code(error, code, capsys):
    """Each kind has its own code, and the message has what, where and remedy."""
    work = _raising(error("it broke", where="here", remedy="Mend it."))
    assert guarded(work, wanted=Wanted(), correlation="c") == code
    assert capsys.readouterr().err == "Error: It broke (here).\nMend it.\n"


def test_bug_gets_an_id_and_no_traceback(capsys):
    """A fault of our own ends with 70 and the id to report."""
    assert guarded(_raising(ValueError("secret inside")), wanted=Wanted(as_json=True), correlation="abc") == 70
    told = json.loads(capsys.readouterr().err)["error"]
    assert (told["code"], told["where"]) == ("bug", "id abc")
    assert "secret inside" not in json.dumps(told)


def test_debug_shows_the_traceback(capsys):
    """With --debug the traceback comes first."""
    guarded(_raising(ValueError("inside")), wanted=Wanted(debug=True), correlation="abc")
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("error", [KeyboardInterrupt, typer.Abort])
def test_interruption(error, capsys):
    """Ctrl-C ends with 130."""
    assert guarded(_raising(error()), wanted=Wanted(), correlation="c") == 130
    assert capsys.readouterr().err == "Error: Interrupted.\n"


def test_exit_code_of_work_passes(capsys):
    """What the command itself says is the exit code."""
    assert guarded(lambda: 1, wanted=Wanted(), correlation="c") == 1
    assert capsys.readouterr() == ("", "")
    assert sys.stdout is not None
