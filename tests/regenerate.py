"""Writes the generated parts of the docs anew: commands, settings, errors, API, states, log events, pictures."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from opilio.kernel.events import table

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference"


def main(arguments: list[str]) -> int:
    """All of it; `--no-pictures` leaves the screenshots as they are."""
    with tempfile.TemporaryDirectory(prefix="opilio-docs-") as home:
        env = {**os.environ, "OPILIO_HOME": home, "DJANGO_SETTINGS_MODULE": "opilio.server.settings"}
        _run(env, "opilio.cli.reference")
        (REFERENCE / "openapi.json").write_text(_run(env, "opilio.api.document"), "utf-8")
        states = _run(env, "opilio.curation.states_document")
        (REFERENCE / "states.md").write_text(states, "utf-8")
        _replace(
            ROOT / "docs" / "explanation" / "harvests.md",
            r"(?s)(?<=<!-- states: begin -->\n).*?(?=\n<!-- states: end -->)",
            states.partition("## Harvest\n\n")[2].partition("\n\n## ")[0],
        )
        _replace(
            REFERENCE / "api.md",
            r"\| operation \|[^\n]*\n(?:\|[^\n]*\n)+",
            _run(env, "opilio.api.document", "--table"),
        )
        _replace(REFERENCE / "log-events.md", r"(?s)\| Event \|.*?(?=\n\n|\Z)", table())
        if "--no-pictures" not in arguments:
            _run(env, "tests.browser.screenshots")
    return 0


def _run(env: dict[str, str], module: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


def _replace(path: Path, pattern: str, text: str) -> None:
    """Put `text` in the place of what the pattern finds; nothing found means that the page was changed by hand."""
    old = path.read_text("utf-8")
    new, count = re.subn(pattern, lambda _: text, old, count=1)
    if not count:
        raise SystemExit(f"{path.relative_to(ROOT)} has no generated part any more.")
    path.write_text(new, "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
