"""What is installed is what was locked, with digests; `make audit` asks for advisories where they can be had."""

import re

from tests.audit import LOCK, differing, installed, locked


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
