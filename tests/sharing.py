"""Which database an ordinary run tries a test on, for those tests that are about what lies above the database.

Conformance suites, proofs, and unit tests of what all tables stand on run on both. Whole ways through pages, API and
commands, the tables of who may do what, and unit tests of actions and queries are shared out: each runs on one
database, always the same one. With OPILIO_TEST_WHOLE=1, as in `make prove`, all run on both, with more examples.
"""

import os
import zlib

ENGINES = ("sqlite", "postgres")
_SHARED = (
    "tests/acceptance/", "tests/permissions/", "tests/unit/agents/", "tests/unit/cli/", "tests/unit/curation/",
    "tests/unit/server/", "tests/unit/tracker/", "tests/unit/web/", "tests/proofs/test_harvest_faults.py",
    "tests/proofs/test_harvest_bandwidth.py", "tests/proofs/test_load.py",
)  # fmt: skip
_BOTH = ("tests/acceptance/crawl/",)  # but these are about crawl stores in either database
#: Tests of layers that know no database, and of the tests' own servers.
_WITHOUT = (
    "tests/unit/archive/", "tests/unit/crawl/", "tests/unit/deliveries/", "tests/unit/extract/", "tests/unit/kernel/",
    "tests/unit/search/", "tests/unit/works/", "tests/contracts/servers/", "tests/contracts/sources/",
)  # fmt: skip
_COSTLY = {"installation", "make_installation"}  # fixtures of programs: all tests of a module stay together


def is_shared() -> bool:
    """Whether this run is one of two that share the tests out."""
    return os.environ.get("OPILIO_TEST_SHARED") == "1"


def is_whole() -> bool:
    """Whether everything is tried on both databases, with the full number of examples."""
    return os.environ.get("OPILIO_TEST_WHOLE") == "1"


def is_proof() -> bool:
    """Whether the long proofs run at full counts."""
    return os.environ.get("OPILIO_TEST_PROOF_SCALE", "1") != "1"


def without_database(path: str) -> bool:
    """Whether nothing in this folder, or in the file or test in it, touches a database."""
    return f"{path}/".startswith(_WITHOUT)


def engine_of(identifier: str, fixtures: set[str]) -> str | None:
    """The one database of a test, by its identifier and the fixtures it uses; None: both."""
    if not identifier.startswith(_SHARED) or identifier.startswith(_BOTH):
        return None
    name = identifier.partition("::")[0] if fixtures & _COSTLY else identifier
    return ENGINES[zlib.crc32(name.encode()) % len(ENGINES)]
