"""Broken pages and odd texts, read by the C extensions while the compiler's sanitizers watch every access to memory.

OPILIO_TEST_PROOF_SCALE multiplies the counts; OPILIO_TEST_SEED chooses the inputs.
"""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from opilio.works.sample import pages
from tests.unit.extract.pages import DATA

INPUTS = 300  # multiplied by the scale
ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "opilio"
WATCHED = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fPIC", "-shared")

pytestmark = [
    pytest.mark.proof, pytest.mark.only_on("sqlite"), pytest.mark.timeout(7_200), pytest.mark.program("cc"),
]  # fmt: skip


def test_no_page_makes_the_extension_leave_its_memory(proof_scale, random_number, tmp_path, record_property):
    """Beginning with the sample site and old, broken and hostile pages; some are read, none ends the process."""
    extension, folder = _built("extract/native/quick.c", tmp_path), tmp_path / "pages"
    folder.mkdir()
    bodies = [page.body for path, page in pages().items() if path.endswith(("/", ".html"))]
    bodies += [path.read_bytes() for path in DATA.glob("*.html")]
    for number, body in enumerate(bodies):
        (folder / f"{number:04}").write_bytes(body)
    count = INPUTS * proof_scale
    read = _run("tests.fuzz.quick_reader", extension, folder, random_number, count)
    assert read > 0
    record_property("inputs", 2 * count)
    record_property("read without the parser", read)


def test_no_text_makes_the_extension_of_search_leave_its_memory(
    proof_scale, random_number, tmp_path, record_property
):  # fmt: skip
    """Odd letters, endless words, tables that are full: it feeds the index what Python would, and nothing ends it."""
    extension, count = _built("search/analysis/native/feeding.c", tmp_path), INPUTS * proof_scale
    fed = _run("tests.fuzz.feeding_texts", extension, random_number, count)
    assert fed > count
    record_property("inputs", 2 * count)
    record_property("fed", fed)


def _built(source: str, into: Path) -> Path:
    """The extension with sanitizers in it."""
    extension, headers = into / "extension.so", sysconfig.get_paths()["include"]
    command = ["cc", *WATCHED, "-std=gnu11", "-D_GNU_SOURCE", f"-I{headers}", str(PACKAGE / source)]
    subprocess.run([*command, "-o", str(extension)], check=True)
    return extension


def _run(module: str, *arguments: object) -> int:
    """The number that the module ends with; a fault ends it without one."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=_watching(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return int(done.stdout.split()[-1])


def _watching() -> dict[str, str]:
    """The sanitizer's library comes first, and Python's own pools of memory would hide faults from it."""
    library = subprocess.run(["cc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    options = "detect_leaks=0"  # Python keeps what it has until it ends
    return {**os.environ, "LD_PRELOAD": library.stdout.strip(), "ASAN_OPTIONS": options, "PYTHONMALLOC": "malloc"}
