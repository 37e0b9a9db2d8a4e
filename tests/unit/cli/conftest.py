"""Runs commands inside the test's own process and transaction, which is quick; real processes are in acceptance/cli."""

import contextlib
import io
import logging
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from opilio.cli.main import main
from tests.acceptance.cli.answers import document


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Inline:
    """An installation whose commands run here."""

    home: Path

    def run(self, *arguments, stdin=b""):
        """Run one command."""
        out, told = io.StringIO(), io.StringIO()
        before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin))
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
                code = main(list(arguments))
        finally:
            sys.stdin = before
        return Done(code, out.getvalue(), told.getvalue())


@pytest.fixture
def quiet_logs():
    """The root logger as it was, after commands configured it."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def inline(db, quiet_logs, tmp_path):
    """A migrated installation without people."""
    return Inline(tmp_path)


@pytest.fixture
def with_people(inline):
    """An installation with an agency and an administrator."""
    document(inline.run("user", "first", "administrator", "--agency", "Library", "--generate-password", "--json"))
    return inline
