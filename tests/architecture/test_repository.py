"""The repository speaks of the product alone, and its noqa lines give reasons."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_BINARY = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".wav", ".pdf", ".gz", ".ico"}
_HOME = re.compile(r"(?<![\w.])/(?:home|Users|wor[k]|far[m])/[a-z]|(?<![\w.])/roo[t]/\.")
_REGISTRY = re.compile(r"pypi\.or[g]|files\.pythonhoste[d]|registry\.npmj[s]|deb\.debian\.or[g]|file:///op[t]")


def _tracked():
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = (ROOT / name for name in listed.stdout.splitlines())
    return [path for path in paths if path.is_file() and path.suffix not in _BINARY]


@pytest.mark.parametrize("pattern", [_HOME, _REGISTRY], ids=["paths of a machine", "registry hosts"])
def test_nothing_names_a_machine(pattern):
    """Paths of somebody's machine and hosts of package registries do not belong here."""
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in _tracked()
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found


def test_every_noqa_says_what_and_why():
    """A silenced rule has its code and a reason behind it."""
    bare = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in _tracked()
        if path.suffix == ".py" and path != Path(__file__)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if "# noqa" in line and not re.search(r"# noqa: [A-Z0-9, ]+ +- \S+", line)
    ]
    assert not bare


def test_the_lock_holds_versions_and_hashes_only():
    """No address of a registry or a file in requirements.lock."""
    text = (ROOT / "requirements.lock").read_text()
    assert "--hash=sha256:" in text
    assert "://" not in text
