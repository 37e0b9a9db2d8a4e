"""Runs a command of a profile: a file and a JSON document in, an exit code and a few words out."""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opilio.deliveries.profile import Command

_LONGEST = 4_000  # characters of its words that are kept


@dataclass(frozen=True, kw_only=True, slots=True)
class Ran:
    """How a command went."""

    code: int
    words: str

    @property
    def good(self) -> bool:
        """Whether it said so."""
        return self.code == 0


def run(command: Command, about: Mapping[str, Any], file: Path | None = None) -> Ran:
    """Run it without a shell; the path of the file is its last argument, what it is about comes on its input."""
    argv = [*command.argv, *([str(file)] if file else [])]
    try:
        done = subprocess.run(
            argv, input=json.dumps(about).encode(), capture_output=True, timeout=command.seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return Ran(code=-1, words=f"It did not end within {command.seconds:g} s.")
    except OSError as error:
        return Ran(code=-1, words=f"It cannot be run: {error}.")
    said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
    return Ran(code=done.returncode, words=said[:_LONGEST] or f"It ended with {done.returncode}.")
