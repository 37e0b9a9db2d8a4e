"""The tutorials, typed as they stand: every shell block of a page, in its order, in an empty folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from opilio.server.ports import free_port
from tests.installations import environment

ROOT = Path(__file__).parents[3]
_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
_WANTED = {
    "first-crawl": ["broken link", "errors\t0", "Lamps and lenses"],
    "first-delivery": ["2024-02-31", "it would not be taken", "would be taken\t1", "waiting"],
    "first-target": ["approved"],
}


@pytest.mark.parametrize("name", sorted(_WANTED))
def test_the_tutorial_runs(name, tmp_path):
    """No command fails, and each tells what the page says."""
    text = (ROOT / "docs" / "tutorial" / f"{name}.md").read_text("utf-8")
    script = "set -e -o pipefail\n" + "\n".join(_BLOCK.findall(text)).replace("8123", str(free_port("127.0.0.1", 0)))
    env = environment(tmp_path / "home")
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-m", "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + done.stdout
    assert [words for words in _WANTED[name] if words.lower() not in done.stdout.lower()] == []


def test_the_python_of_the_tutorial_runs(tmp_path):
    """The lines for developers, against the sample site."""
    text = (ROOT / "docs" / "tutorial" / "first-crawl.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    port = str(free_port("127.0.0.1", 0))
    command = [sys.executable, "-m", "opilio.works.sample", "--port", port]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as site:
        assert site.stdout.readline().startswith("http")
        done = subprocess.run(
            [sys.executable, "-c", program.replace("8123", port)], cwd=tmp_path, capture_output=True, text=True
        )
        site.terminate()
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("20 ")
