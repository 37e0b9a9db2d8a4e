"""Every reader of foreign bytes for a stated time, by inputs that coverage leads to: each package its own proof.

OPILIO_TEST_FUZZ_SECONDS is the time for each reader, as `make prove` gives it. Without it only the first one of
each package that is tried at all gets a few inputs, to show that the harness works.
"""

import importlib.util
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proofs import test_fuzz, test_fuzz_parsers

SECONDS = float(os.environ.get("OPILIO_TEST_FUZZ_SECONDS", "0"))
RUNS = 200  # of the one reader, where no time is given
BROKEN = 3  # of each thing that readers are made for, to begin with
ROOT = Path(__file__).parents[2]
_DONE = re.compile(r"Done (\d+) runs in (\d+) second")

pytestmark = [
    pytest.mark.proof, pytest.mark.only_on("sqlite"), pytest.mark.timeout(7_200),
    pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris has no wheel for this machine"),
]  # fmt: skip


def packages():
    """Names of readers by the package that they are in; those of `test_fuzz.py`, which take more than bytes, apart."""
    found = {"whole inputs": list(test_fuzz.READERS)}
    for name in test_fuzz_parsers.READERS:
        if name not in test_fuzz_parsers.OWN:
            found.setdefault(name.split(".")[1], []).append(name)
    return found


PACKAGES = packages()


@pytest.mark.parametrize("package", PACKAGES if SECONDS else ["kernel"])
def test_no_guided_input_brings_a_reader_down(package, random_number, tmp_path, record_property):
    """It answers, or refuses with an error that says so, until the time is over."""
    names = PACKAGES[package] if SECONDS else PACKAGES[package][:1]
    inputs = sum(fuzzed(name, random_number, tmp_path / str(number)) for number, name in enumerate(names))
    record_property("readers", len(names))
    record_property("seconds of each", f"{SECONDS:g}")
    record_property("inputs", inputs)


def test_the_fuzzer_notices_a_reader_that_falls(tmp_path):
    """A function that breaks off with an error of another kind ends the harness, and the input is told."""
    done = run("opilio.archive.cdx.rows.take_apart", 1, tmp_path, "-runs=3000")
    assert done.returncode != 0
    assert "ValueError" in done.stdout + done.stderr


def fuzzed(name, seed, folder):
    """How many inputs a reader got; fails with the input that brought it down."""
    done = run(name, seed, folder, f"-max_total_time={SECONDS:g}" if SECONDS else f"-runs={RUNS}")
    said = done.stdout[-3000:] + done.stderr[-3000:]
    assert done.returncode == 0, f"{name}: {said}"
    ended = _DONE.search(done.stderr)
    assert ended is not None, f"{name}: {said}"
    return int(ended[1])


def run(name, seed, folder, limit):
    """The harness in a process of its own, beginning with good and broken things."""
    corpus = folder / "corpus"
    corpus.mkdir(parents=True)
    chance = random.Random(f"{seed} {name}")
    known = test_fuzz.READERS.get(name)
    for number, made_for in enumerate([known[0]] if known else test_fuzz_parsers._MADE_FOR):
        for again, data in enumerate([made_for, *(test_fuzz.mangled(made_for, chance) for _ in range(BROKEN))]):
            (corpus / f"{number}-{again}").write_bytes(data[: 1 << 13])
    command = [sys.executable, "-m", "tests.fuzz.byte_reader", name, str(corpus), limit]
    command += [f"-seed={seed % 2**31}", "-max_len=8192", "-timeout=60", f"-artifact_prefix={folder}/"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
