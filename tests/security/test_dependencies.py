"""What is installed is what was locked, with digests; `make audit` asks for advisories where they can be had."""

import re

import pytest

from tests.audit import LOCK, advisories, differing, installed, locked


def test_installed_is_what_is_locked():
    """Every locked package of this environment has a version of the lock."""
    assert differing(locked(LOCK.read_text("utf-8")), installed()) == []


def test_every_locked_file_has_a_digest_and_no_address():
    """A changed or swapped file is refused, wherever it comes from."""
    text = LOCK.read_text("utf-8")
    for entry in re.split(r"\n(?=[A-Za-z0-9])", text):
        assert entry.count("--hash=sha256:") >= 1, entry[:80]
    assert "://" not in text


def test_a_difference_is_noticed():
    """Another version is told; a package beside the lock is no concern of ours."""
    found = differing({"django": {"5.2.1"}}, {"django": "5.2.0", "stranger": "1", "pip": "1"})
    assert found == ["django 5.2.0: locked is 5.2.1"]


def test_markers_extras_and_names_are_read():
    """Lines as uv writes them."""
    lines = (
        "atheris==2.3 ; python_version < '3.12'",
        "    --hash=x",
        "atheris==3.0",
        "ruamel.yaml==1",
        "psycopg[binary]==3.2",
    )
    text = "".join(f"{line} \\\n" for line in lines)
    assert locked(text) == {"atheris": {"2.3", "3.0"}, "ruamel-yaml": {"1"}, "psycopg": {"3.2"}}


@pytest.fixture
def source(tmp_path, monkeypatch):
    """Has pip-audit say something and end with a code, as it does with its source or without."""

    def say(words, code):
        (tmp_path / "pip_audit.py").write_text(f"import sys; print({words!r}, file=sys.stderr); sys.exit({code})")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        return advisories()

    return say


def test_a_source_out_of_reach_is_told_and_is_no_failure(source):
    """Nothing is known then, and the line says so."""
    code, words = source("requests.exceptions.ConnectionError: Max retries exceeded", 1)
    assert code == 0
    assert "could not reach its source" in words


def test_advisories_fail_whatever_else_is_said(source):
    """Also when one of several questions failed."""
    code, words = source("Failed to ask once; Found 1 known vulnerability in 1 package", 1)
    assert code == 1
    assert "1 known vulnerability" in words


def test_nothing_found_is_good(source):
    """What pip-audit says is passed on."""
    assert source("No known vulnerabilities found", 0) == (0, "No known vulnerabilities found")
