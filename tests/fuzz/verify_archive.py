"""A harness for atheris: any bytes are a file that can be verified, listed and recovered, without an exception.

Run as a program: `python -m tests.fuzz.verify_archive FOLDER -runs=N`. The folder takes the file under test.
"""

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["opilio.archive.verify", "opilio.archive.warc.arc"]):
    from opilio.archive.verify.listing import Wish, list_records
    from opilio.archive.verify.places import Places
    from opilio.archive.verify.recovering import survey
    from opilio.archive.verify.verifying import verify


def main(folder: Path, arguments: list[str]) -> None:
    """Feed it."""
    path = folder / "fuzz.warc"

    def one(data: bytes) -> None:
        path.write_bytes(data)
        found = verify(Places(records=(path,)))
        assert all(0 <= fault.offset <= len(data) for fault in found.faults), found.faults
        survey(path)
        for _ in list_records([path], Wish()):
            pass

    atheris.Setup([sys.argv[0], *arguments], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
