"""A harness for atheris: one reader of foreign bytes answers whatever they are, or refuses with an error of ours.

Run as a program: `python -m tests.fuzz.byte_reader NAME CORPUS -max_total_time=SECONDS`. NAME is that of a function in
`tests/proofs/test_fuzz_parsers.py`, or of a reader in `tests/proofs/test_fuzz.py`. Coverage leads the fuzzer; what is
in the corpus it begins with.
"""

import importlib
import inspect
import sys
import tempfile
from pathlib import Path

import atheris

from opilio.kernel.errors import OpilioError

#: Run as they are: what atheris 2.3 makes of their bytecode ends the process, on good input too.
_UNTOUCHED = ["opilio.extract.meta_prescan", "opilio.extract.srcset"]


def main(name: str, arguments: list[str]) -> None:
    """Feed it."""
    with atheris.instrument_imports(include=["opilio"], exclude=_UNTOUCHED, enable_loader_override=False):
        functions = importlib.import_module("tests.proofs.test_fuzz_parsers")
        others = importlib.import_module("tests.proofs.test_fuzz")
    with tempfile.TemporaryDirectory(prefix="opilio-fuzz-") as folder:
        if name in others.READERS:
            read = others.READERS[name][1]
            atheris.Setup([sys.argv[0], *arguments], lambda data: _one(lambda given: read(given, Path(folder)), data))
        else:
            call = functions.call_of(name)
            atheris.Setup([sys.argv[0], *arguments], lambda data: _one(call, data))
        atheris.Fuzz()


def _one(call, data: bytes) -> None:
    try:
        found = call(data)
        if inspect.isgenerator(found):
            list(found)
    except OpilioError:
        return


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
