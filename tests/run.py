"""Runs the whole test suite: with SQLite, and at the same time what touches a database with PostgreSQL.

What lies above the database is shared out between the two (`tests.sharing`); `OPILIO_TEST_WHOLE=1` runs all on both.
Arguments go to pytest. `OPILIO_TEST_STRICT=1` (continuous integration) turns every skip into a failure.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.servers.postgres import programs_missing, running_postgres
from tests.sharing import is_whole

_SKIPS = "opilio-skips.txt"


@dataclass(frozen=True, kw_only=True)
class Half:
    """The run with one of the databases."""

    engine: str
    arguments: list[str]
    workers: int
    folder: Path  # of the whole run
    postgres: str = ""  # address of the server

    def start(self, output: int | None) -> "subprocess.Popen[bytes]":
        """Begin; what it says goes to this stream, or where we speak ourselves."""
        home = self.folder / f"{self.engine}-home"
        home.mkdir()
        own = {
            "OPILIO_TEST_DATABASE": self.engine, "OPILIO_TEST_POSTGRES_URL": self.postgres,
            "OPILIO_TEST_SKIPS": str(self.folder / _SKIPS), "OPILIO_TEST_HOME": str(home),
            "OPILIO_TEST_SHARED": "0" if is_whole() else "1",
        }  # fmt: skip
        command = [
            sys.executable, "-m", "pytest", "-n", os.environ.get("OPILIO_TEST_WORKERS") or str(self.workers),
            "--dist", "worksteal", f"--basetemp={self.folder / self.engine}", "-p", "tests.skips", *self.arguments,
        ]  # fmt: skip
        return subprocess.Popen(command, env={**os.environ, **own}, stdout=output, stderr=output)


def main(arguments: list[str]) -> int:
    """The exit code of the run."""
    strict = os.environ.get("OPILIO_TEST_STRICT") == "1"
    with tempfile.TemporaryDirectory(prefix="opilio-tests-") as folder:
        codes = _both(arguments, Path(folder))
        skips = Path(folder) / _SKIPS
        skipped = skips.read_text().splitlines() if skips.exists() else []
    return _verdict(codes, sorted(set(skipped)), strict=strict)


def _both(arguments: list[str], folder: Path) -> list[int]:
    """The exit codes; together the halves have more processes than processors, as tests also wait."""
    processors = len(os.sched_getaffinity(0))
    sqlite = Half(engine="sqlite", arguments=arguments, workers=processors + 1, folder=folder)
    missing = programs_missing()
    if missing:
        with (folder / _SKIPS).open("a") as file:
            file.write(f"all tests on PostgreSQL: needs {', '.join(missing)} (`make setup` installs it)\n")
        return [_shown(sqlite)]
    with running_postgres(durable=False) as server:
        only = ["-m", "database and not browser", *arguments]
        postgres = Half(
            engine="postgres", arguments=only, workers=processors, folder=folder, postgres=server.url()
        )  # fmt: skip
        with _beside(postgres) as second:
            codes = [_shown(sqlite)]
            codes.append(second.wait())
    return codes


@contextmanager
def _beside(half: Half) -> "Iterator[subprocess.Popen[bytes]]":
    """A half that runs unseen; what it said is printed at the end."""
    said = half.folder / f"{half.engine}.txt"
    with said.open("wb") as output:
        process = half.start(output.fileno())
        try:
            yield process
        finally:
            process.terminate()  # it has ended, unless we are to stop
            process.wait()
    _tell(half)
    print(said.read_text(errors="replace"), flush=True)


def _shown(half: Half) -> int:
    _tell(half)
    return half.start(None).wait()


def _tell(half: Half) -> None:
    print(f"\n== pytest with {half.engine} ==", flush=True)


def _verdict(codes: list[int], skipped: list[str], *, strict: bool) -> int:
    if skipped:
        print("\nSkipped:", *skipped, sep="\n  ")
    if strict and skipped:
        print("\nSkips count as failures here.")
        return 1
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
