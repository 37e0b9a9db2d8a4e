"""The tutorials, typed as they stand: every shell block of a page, in its order, in an empty folder."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from opilio.works.sample import SampleSite
from tests import nursery
from tests.installations import environment

ROOT = Path(__file__).parents[3]
_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^.*<<'(\w+)'\n(?:.*\n)*?\1$|^.+$", re.MULTILINE)
_REFUSED = re.compile(r"^(opilio .*) \|\| echo .*$")
#: What the test has begun already, and ends itself.
_BY_US = ("python3 -m opilio.works.sample", "kill %1")
_WANTED = {
    "first-crawl": ["broken link", "museum/report.html", "errors\t0", "Lamps and lenses"],
    "first-delivery": ["2024-02-31", "would be taken\t0", "would be taken\t1", "may still be written"],
    "first-target": ["approved"],
}


@pytest.fixture(scope="module")
def site():
    """The sample site, which the pages know on port 8123."""
    with SampleSite() as site:
        yield site.url


def _commands(name, site):
    text = (ROOT / "docs" / "tutorial" / f"{name}.md").read_text("utf-8")
    lines = "\n".join(_BLOCK.findall(text)).replace("http://127.0.0.1:8123", site)
    return [line for line in (found[0] for found in _COMMAND.finditer(lines)) if not line.startswith(_BY_US)]


def _typed(command, folder, env):
    """Our own program by the quick way, all else by a shell; what it printed."""
    refused = _REFUSED.match(command)
    line = (refused[1] if refused else command).replace("$PWD", str(folder))
    if line.startswith("opilio "):
        done = nursery.run([*nursery.OPILIO, *shlex.split(line)[1:]], env=env, cwd=folder, text=True)
    else:
        done = subprocess.run(["bash", "-e", "-c", line], cwd=folder, env=env, capture_output=True, text=True)
    assert (done.returncode != 0) == bool(refused), (command, done.stderr)
    return done.stdout


@pytest.mark.parametrize("name", sorted(_WANTED))
def test_the_tutorial_runs(name, tmp_path, site):
    """No command fails but where the page says so, and each tells what the page says."""
    env, commands = environment(tmp_path / "home"), _commands(name, site)
    assert len(commands) >= 6
    told = "".join(_typed(command, tmp_path, env) for command in commands)
    assert [words for words in _WANTED[name] if words.lower() not in told.lower()] == []


def test_the_python_of_the_tutorial_runs(tmp_path, site):
    """The lines for developers, against the sample site."""
    text = (ROOT / "docs" / "tutorial" / "first-crawl.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    script = program.replace("http://127.0.0.1:8123", site)
    assert script != program
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("20 ")
