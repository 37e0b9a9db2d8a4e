"""Files that a fuzzer makes, guided by what the code does with them: verifying survives each.

OPILIO_TEST_PROOF_SCALE multiplies the counts; OPILIO_TEST_SEED chooses the inputs.
"""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.archive.verify.archives import archive, good, good_arc, pack
from tests.unit.archive.verify.planted import PLANTS

RUNS = 300  # multiplied by the scale
ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.proof, pytest.mark.only_on("sqlite"), pytest.mark.timeout(7_200)]


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris has no wheel for this machine")
def test_no_file_brings_verifying_down(proof_scale, random_number, tmp_path, record_property):
    """Beginning with good and broken files, coverage leads the fuzzer to further ones."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    files = [archive(good()).bytes(), archive(good(), packed=False).bytes(), b"".join(good_arc())]
    files += [b"".join(map(pack, good_arc())), *(one.make(one.packings[-1]).data for one in PLANTS)]
    for number, data in enumerate(files):
        (corpus / str(number)).write_bytes(data)
    runs = RUNS * proof_scale + len(files)
    command = [sys.executable, "-m", "tests.fuzz.verify_archive", str(tmp_path), str(corpus)]
    command += [f"-runs={runs}", f"-seed={random_number % 2**31}", "-max_len=8192", "-timeout=60"]
    command.append(f"-artifact_prefix={tmp_path}/")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert f"Done {runs} runs" in done.stderr, done.stderr[-2000:]
    record_property("inputs", runs)
