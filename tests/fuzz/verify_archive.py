"""A harness for atheris: any bytes are a file that can be verified, listed and recovered, without an exception.

Run as a program: `python -m tests.fuzz.verify_archive FOLDER -runs=N`. The folder takes the file under test.
"""

import sys
from pathlib import Path

import atheris

#: Where atheris looks for new ways through the code: modules without `try` and `with`, whose handlers it breaks when it
#: changes bytecode (Python 3.11). The others are run all the same.
WATCHED = tuple(
    f"opilio.archive.verify.{name}"
    for name in ("chunks", "fields", "framing", "http_block", "noting", "records", "sums", "usual")
)

with atheris.instrument_imports(include=list(WATCHED)):
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
