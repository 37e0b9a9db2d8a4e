"""Which database an ordinary run tries a test on, for those tests that are about what lies above the database.

Conformance suites and unit tests run on both. Whole ways through pages, API and commands, and the tables of who may do
what, are shared out: each runs on one database, always the same one. With OPILIO_TEST_WHOLE=1, as in `make prove`,
all run on both.
"""

import zlib

ENGINES = ("sqlite", "postgres")
_SHARED = (
    "tests/acceptance/", "tests/permissions/", "tests/proofs/test_harvest_faults.py",
    "tests/proofs/test_harvest_bandwidth.py",
)  # fmt: skip
_COSTLY = {"installation", "make_installation"}  # fixtures of programs: all tests of a module stay together


def engine_of(identifier: str, fixtures: set[str]) -> str | None:
    """The one database of a test, by its identifier and the fixtures it uses; None: both."""
    if not identifier.startswith(_SHARED):
        return None
    name = identifier.partition("::")[0] if fixtures & _COSTLY else identifier
    return ENGINES[zlib.crc32(name.encode()) % len(ENGINES)]
