"""Runs the long proofs at full counts, on both databases, and writes docs/proofs.md.

`OPILIO_TEST_PROOF_SCALE` says by how much the counts of the ordinary run are multiplied (default 20);
`OPILIO_TEST_FUZZ_SECONDS` says how long each reader of foreign bytes is fuzzed (default 30);
`OPILIO_TEST_SEED` repeats a run. Arguments go to pytest: `python -m tests.prove -k fuzz` runs some of them only.
"""

import os
import platform
import secrets
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

from opilio.kernel.clock import SYSTEM
from tests.servers.postgres import programs_missing, running_postgres

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "proofs.md"
_FUZZ_SECONDS = "30"  # for each reader
_COLUMNS = "proof | database | outcome | seconds | figures | counts | date | commit | random seed"


@dataclass(frozen=True, kw_only=True)
class Proof:
    """One proof as it went."""

    name: str
    database: str
    outcome: str
    seconds: float
    figures: str


def main(arguments: list[str]) -> int:
    """Run, write, and give pytest's worst exit code."""
    seed = os.environ.get("OPILIO_TEST_SEED") or str(secrets.randbelow(2**31))
    scale = os.environ.get("OPILIO_TEST_PROOF_SCALE", "20")
    print(f"random seed: {seed}; counts times {scale}", flush=True)
    shared = {"OPILIO_TEST_SEED": seed, "OPILIO_TEST_PROOF_SCALE": scale}
    shared["OPILIO_TEST_FUZZ_SECONDS"] = os.environ.get("OPILIO_TEST_FUZZ_SECONDS", _FUZZ_SECONDS)
    with tempfile.TemporaryDirectory(prefix="opilio-proofs-") as folder:
        codes, proofs = _run(arguments, Path(folder) / "sqlite.xml", {**shared, "OPILIO_TEST_DATABASE": "sqlite"})
        if programs_missing():
            print("PostgreSQL is missing: its half of the proofs was not run.")
        else:
            with running_postgres() as server:
                on_postgres = {"OPILIO_TEST_DATABASE": "postgres", "OPILIO_TEST_POSTGRES_URL": server.url()}
                code, more = _run(arguments, Path(folder) / "postgres.xml", {**shared, **on_postgres})
                codes, proofs = max(codes, code), [*proofs, *more]
    before = TARGET.read_text("utf-8") if TARGET.exists() else ""
    TARGET.write_text(_page(proofs, before, seed=seed, scale=scale), "utf-8")
    print(f"Wrote {TARGET.relative_to(ROOT)}.")
    return codes


def _run(arguments: list[str], report: Path, variables: dict[str, str]) -> tuple[int, list[Proof]]:
    command = [
        sys.executable, "-m", "pytest", "-p", "no:randomly", "--timeout=7200", "-o", "junit_family=xunit1",
        f"--junitxml={report}", "tests/proofs",
        *arguments,
    ]  # fmt: skip
    done = subprocess.run(command, env={**os.environ, **variables}, cwd=ROOT, check=False)
    return done.returncode, _read(report, variables["OPILIO_TEST_DATABASE"]) if report.exists() else []


def _read(report: Path, database: str) -> list[Proof]:
    return [
        Proof(
            name=_sentence(case.get("classname", ""), case.get("name", "")),
            database=database,
            outcome=_outcome(case),
            seconds=float(case.get("time", "0")),
            figures=", ".join(f"{p.get('name')} {p.get('value')}" for p in case.iter("property")),
        )
        for case in ET.parse(report).iter("testcase")  # noqa: S314 - our own file
    ]


def _sentence(module: str, name: str) -> str:
    return f"{module.rpartition('.')[2].removeprefix('test_')}: {name.removeprefix('test_')}".replace("_", " ")


def _outcome(case: ET.Element) -> str:
    failed = case.find("failure") is not None or case.find("error") is not None
    return "failed" if failed else "skipped" if case.find("skipped") is not None else "held"


def _page(proofs: list[Proof], before: str, *, seed: str, scale: str) -> str:
    """The page anew; what was not run this time stays as it was."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    run = f"{scale} | {SYSTEM.now():%Y-%m-%d} | {commit.stdout.strip() or 'none'} | {seed}"
    rows = _rows(before) | {
        (proof.name, proof.database): f"{proof.outcome} | {proof.seconds:.0f} | {proof.figures} | {run}"
        for proof in proofs
    }
    return "\n".join(
        [
            "# Proofs",
            "",
            "Long proofs that processes may be killed, stopped and starved without losing or repeating anything, and",
            "that no input brings a reader down. `make prove` runs them at full counts and writes this page;",
            "`make test` runs the same code small. The counts are so many times those of `make test`;",
            "readers of foreign bytes are also fuzzed for a time (`OPILIO_TEST_FUZZ_SECONDS`, 30 s each).",
            "`OPILIO_TEST_SEED=… make prove` repeats a run.",
            "",
            f"Machine: {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
            "",
            f"| {_COLUMNS} |",
            "|" + "---|" * (_COLUMNS.count("|") + 1),
            *(f"| {name} | {database} | {rest} |" for (name, database), rest in sorted(rows.items())),
            "",
        ]
    )


def _rows(page: str) -> dict[tuple[str, str], str]:
    """The rows of a page, by proof and database."""
    found = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == _COLUMNS.count("|") + 1 and cells[1] in ("sqlite", "postgres"):
            found[cells[0], cells[1]] = " | ".join(cells[2:])
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
