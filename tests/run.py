"""Runs the whole test suite: with SQLite, then what touches a database with PostgreSQL.

What lies above the database is shared out between the two (`tests.sharing`); `OPILIO_TEST_WHOLE=1` runs all on both.
Arguments go to pytest. `OPILIO_TEST_STRICT=1` (continuous integration) turns every skip into a failure.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.servers.postgres import programs_missing, running_postgres
from tests.sharing import is_whole

_SKIPS = "opilio-skips.txt"


def main(arguments: list[str]) -> int:
    """The exit code of the run."""
    strict = os.environ.get("OPILIO_TEST_STRICT") == "1"
    with tempfile.TemporaryDirectory(prefix="opilio-tests-") as folder:
        skips = Path(folder) / _SKIPS
        codes = [_pytest(arguments, Path(folder) / "sqlite", skips, OPILIO_TEST_DATABASE="sqlite")]
        missing = programs_missing()
        if missing:
            _note(skips, f"all tests on PostgreSQL: needs {', '.join(missing)} (`make setup` installs it)")
        else:
            with running_postgres(durable=False) as server:
                codes.append(
                    _pytest(
                        ["-m", "database and not browser", *arguments],
                        Path(folder) / "postgres",
                        skips,
                        OPILIO_TEST_DATABASE="postgres",
                        OPILIO_TEST_POSTGRES_URL=server.url(),
                    )
                )
        skipped = skips.read_text().splitlines() if skips.exists() else []
    return _verdict(codes, sorted(set(skipped)), strict=strict)


def _pytest(arguments: list[str], base: Path, skips: Path, **variables: str) -> int:
    print(f"\n== pytest with {variables['OPILIO_TEST_DATABASE']} ==", flush=True)
    home = base.with_name(f"{base.name}-home")
    home.mkdir()
    shared = "0" if is_whole() else "1"
    own = {"OPILIO_TEST_SKIPS": str(skips), "OPILIO_TEST_HOME": str(home), "OPILIO_TEST_SHARED": shared}
    env = {**os.environ, **variables, **own}
    command = [sys.executable, "-m", "pytest", *_parallel(), f"--basetemp={base}", "-p", "tests.skips", *arguments]
    return subprocess.run(command, env=env, check=False).returncode


def _parallel() -> list[str]:
    """One process more than processors, as tests also wait; each keeps to its modules, whose fixtures are made once."""
    workers = os.environ.get("OPILIO_TEST_WORKERS") or str(len(os.sched_getaffinity(0)) + 1)
    return ["-n", workers, "--dist", "worksteal"]


def _note(path: Path, line: str) -> None:
    with path.open("a") as file:
        file.write(f"{line}\n")


def _verdict(codes: list[int], skipped: list[str], *, strict: bool) -> int:
    if skipped:
        print("\nSkipped:", *skipped, sep="\n  ")
    if strict and skipped:
        print("\nSkips count as failures here.")
        return 1
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
