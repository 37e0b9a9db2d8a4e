"""The units for systemd: sound, tight, and with commands and settings that exist."""

import configparser
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.promises import DEPLOY, PROGRAM, checked_settings, parsed_command

UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
#: Exposure by `systemd-analyze security`, in tenths; the agent's Chromium needs namespaces and writes code.
EXPOSURE = {"opilio-agent@.service": 25}


class _Several(dict):
    """Keeps every value of a name that comes several times."""

    def __setitem__(self, name, value):
        if isinstance(value, list) and isinstance(self.get(name), list):
            self[name].extend(value)
            return
        super().__setitem__(name, value)


def read(path):
    parser = configparser.ConfigParser(dict_type=_Several, strict=False, interpolation=None)
    parser.optionxform = str
    parser.read(path)
    return parser


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_is_confined_and_its_command_exists(path):
    """No root, no privileges, nothing writable but the home folder, limits for memory, tasks and files."""
    unit = read(path)["Service"]
    assert unit["User"] == "opilio"
    assert unit["NoNewPrivileges"] == "yes"
    assert unit["ProtectSystem"] == "strict"
    assert unit["ProtectHome"] == "yes"
    assert unit["CapabilityBoundingSet"] == ""
    assert unit["StateDirectory"] == "opilio"
    assert {"LimitNOFILE", "TasksMax", "MemoryMax"} <= set(unit)
    program, *arguments = shlex.split(unit["ExecStart"].replace("%i", "north"))
    assert program == PROGRAM
    parsed_command(arguments)


def test_there_is_a_unit_for_every_role():
    """Pages, agents, nodes and backups; the scheduler's work is done by the agents."""
    roles = {read(path)["Service"]["ExecStart"].split()[1] for path in UNITS}
    assert roles == {"serve", "agent", "node", "db"}


def test_the_environment_file_names_settings_that_exist(tmp_path):
    """Every line, those that are switched off too, is a setting with a fitting value."""
    lines = (DEPLOY / "systemd" / "opilio.env").read_text().splitlines()
    found = dict(line.lstrip("#").split("=", 1) for line in lines if re.match(r"#?OPILIO_", line))
    settings = checked_settings(found, tmp_path)
    assert settings.server_behind_tls
    assert settings.server_trusted_proxies == 1


@pytest.mark.program("systemd-analyze")
def test_systemd_finds_nothing_to_complain_about(tmp_path):
    """It verifies the units, and rates how exposed each is."""
    program = tmp_path / "opilio"
    program.symlink_to(Path(sys.executable))
    for path in (DEPLOY / "systemd").glob("opilio*.[st]*"):
        if path.suffix in (".service", ".timer"):
            (tmp_path / path.name).write_text(path.read_text().replace(PROGRAM, str(program)))
    units = sorted(str(path) for path in tmp_path.glob("*.*") if path.name != "opilio")
    verified = _analyze("verify", "--man=no", "--recursive-errors=no", *units)
    complaints = [line for line in verified.stderr.splitlines() if "opilio" in line]
    assert not complaints, complaints
    for path in UNITS:
        threshold = EXPOSURE.get(path.name, 15)
        rated = _analyze("security", "--offline=true", "--no-pager", f"--threshold={threshold}", str(path))
        assert rated.returncode == 0, rated.stdout[-300:] + rated.stderr


def _analyze(*arguments):
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False, timeout=120)
