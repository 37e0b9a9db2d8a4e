"""`python -m tests.audit`: what is installed against the lock, and the lock against advisories where they can be had.

Prints every package with its version, so that the list can be checked elsewhere too. Exit code 1: something is
installed in another version than the lock says, or an advisory is about what is locked.
"""

import importlib.metadata
import importlib.util
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

LOCK = Path(__file__).parents[1] / "requirements.lock"
_LINE = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", re.M)
_FOUND = "known vulnerabilit"  # what pip-audit says when an advisory is about what is locked
#: What it says when it cannot ask: then nothing is known, which is told and is no failure.
_UNREACHABLE = ("ConnectionError", "ServiceError", "Max retries", "Name or service", "Failed to", "HTTPError")


def locked(text: str) -> dict[str, set[str]]:
    """Package → versions; one has several where they differ by Python or platform."""
    found: dict[str, set[str]] = {}
    for name, version in _LINE.findall(text):
        found.setdefault(_normal(name), set()).add(version)
    return found


def differing(wanted: Mapping[str, set[str]], installed: Mapping[str, str]) -> list[str]:
    """What is installed in another version than is locked; what somebody installed beside it is theirs."""
    return [
        f"{name} {version}: locked is {', '.join(sorted(wanted[name]))}"
        for name, version in sorted(installed.items())
        if name in wanted and version not in wanted[name]
    ]


def installed() -> dict[str, str]:
    """What this environment holds."""
    return {_normal(one.metadata["Name"]): one.version for one in importlib.metadata.distributions()}


def advisories() -> tuple[int, str]:
    """Ask pip-audit, if it is installed and reaches its source; exit code and what to tell."""
    if importlib.util.find_spec("pip_audit") is None:
        return 0, "Advisories: not asked, pip-audit is not installed (`pip install pip-audit`)."
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off"]
    done = subprocess.run([*command, "-r", str(LOCK)], capture_output=True, text=True, check=False, timeout=600)
    said = done.stdout + done.stderr
    if done.returncode and _FOUND not in said and any(word in said for word in _UNREACHABLE):
        return 0, "Advisories: pip-audit could not reach its source; check the list above where it can."
    return done.returncode, said.strip()


def main() -> int:
    """Print, and judge."""
    wanted = locked(LOCK.read_text("utf-8"))
    for name, versions in sorted(wanted.items()):
        print(f"{name} {' '.join(sorted(versions))}")
    wrong = differing(wanted, installed())
    print(*(f"NOT AS LOCKED: {one}" for one in wrong), sep="\n")
    code, words = advisories()
    print(f"{len(wanted)} packages are locked. {words}")
    return 1 if wrong or code else 0


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    sys.exit(main())
