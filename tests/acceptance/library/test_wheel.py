"""The wheel: everything a user needs is in it, and it gives the command `opilio` in an environment of its own."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from the sources without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


def test_the_wheel_holds_every_file_of_the_package(wheel):
    """Templates, styles, scripts, schemas, profiles, word lists, the sample site: what is tracked is in it."""
    listed = subprocess.run(["git", "ls-files", "src/opilio"], cwd=ROOT, capture_output=True, text=True, check=True)
    wanted = {name.removeprefix("src/") for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
    assert {Path(name).suffix for name in wanted} >= {".py", ".html", ".css", ".js", ".svg", ".toml", ".xsd", ".typed"}
    with zipfile.ZipFile(wheel) as archive:
        assert wanted - set(archive.namelist()) == set()


@pytest.mark.program("cc")
def test_the_wheel_brings_the_c_extensions(wheel):
    """Where there is a compiler, pages are read and indexed quickly by whoever installs the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        for name in ("opilio/extract/_quick.", "opilio/search/analysis/_feeding."):
            assert any(each.startswith(name) for each in archive.namelist())
    assert not wheel.stem.endswith("-none-any")


def test_the_wheel_gives_the_command_in_a_clean_environment(wheel, tmp_path):
    """As pipx installs it: an environment of its own, the command, and a crawl of nothing that says so."""
    home = tmp_path / "environment"
    venv.create(home, with_pip=False, symlinks=True)
    (packages,) = home.glob("lib/python*/site-packages")
    install = [
        sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install", "--quiet", "--no-deps",
        "--no-index", "--no-compile", "--disable-pip-version-check", str(wheel),
    ]  # fmt: skip
    subprocess.run(install, check=True, capture_output=True)
    # What it needs of others comes from the environment of the tests; the checkout itself is not on that path.
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    left_out = ("OPILIO_", "DJANGO_", "PYTHONPATH")
    env = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    env |= {"OPILIO_HOME": str(tmp_path / "home")}

    def run(*words):
        return subprocess.run([*words], cwd=tmp_path, env=env, capture_output=True, text=True)

    place = run(str(home / "bin" / "python"), "-c", "import opilio; print(opilio.__file__)")
    assert place.stdout.startswith(str(packages))
    version = run(str(home / "bin" / "opilio"), "--version")
    assert (version.returncode, "0.1.0" in version.stdout) == (0, True), version.stderr
    migrated = run(str(home / "bin" / "opilio"), "db", "migrate")
    assert migrated.returncode == 0, migrated.stderr
    profiles = run(str(home / "bin" / "opilio"), "delivery", "profiles")
    assert "impc" in profiles.stdout, profiles.stderr
