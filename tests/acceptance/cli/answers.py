"""Reads what commands answer."""

import json
import subprocess
from contextlib import contextmanager

from tests import nursery


def document(done, code=0):
    """The one JSON document that a command printed."""
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def error(done, code):
    """The error that a command with --json told."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    return json.loads(done.stderr)["error"]


@contextmanager
def running(installation, *arguments):
    """`opilio` left running; its standard output as a stream."""
    with nursery.Process(
        [*nursery.OPILIO, *arguments], env=dict(installation.env), cwd=installation.home,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
            process.communicate(timeout=60)
