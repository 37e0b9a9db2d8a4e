"""What all tests share: the choice of database, throw-away installations, and the list of what was skipped."""

import gc
import logging
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis

from tests.identifiers import take_blocks
from tests.installations import Installation, Installations
from tests.sharing import engine_of, is_proof, is_shared, is_whole, without_database
from tests.turns import turns

gc.disable()  # until all tests are collected: what is read until then stays until the end

# No deadlines: the machine may be busy, and a test must not be timed. Each run has other examples, proofs have more.
_EXAMPLES = 200 if is_proof() else 100 if is_whole() else 25
hypothesis.register_profile("opilio", deadline=None, max_examples=_EXAMPLES)
hypothesis.load_profile("opilio")

#: Fixtures through which a test touches a database; such tests run on SQLite, on PostgreSQL, or on both.
_DATABASE_FIXTURES = {"db", "transactional_db", "django_db_setup", "installation", "make_installation"}
#: Marks of tests that take long; they begin first, so that at the end no process waits for another's last one.
_LONG = ("browser", "proof")
_ROOT = Path(__file__).parents[1]
_PROGRAM_FOLDERS = ("/usr/sbin", "/usr/local/sbin")


def pytest_configure(config):
    config.addinivalue_line("markers", "only_on(engine): is about one database; left out of runs with the other")
    config.addinivalue_line("markers", "foreign: needs other programs, which only `make prove` installs")
    config.addinivalue_line("markers", "database: touches a database; runs on SQLite, on PostgreSQL, or on both")


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config, items):
    _mark_and_leave_out(config, items)
    yield  # those that are not asked for go, the others are mixed
    items[:] = turns(items, _LONG, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")), _kind)


def _mark_and_leave_out(config, items):
    engine = os.environ.get("OPILIO_TEST_DATABASE", "sqlite")
    elsewhere = {item for item in items if any(mark.args[0] != engine for mark in item.iter_markers("only_on"))}
    if not is_proof():
        elsewhere |= {item for item in items if item.get_closest_marker("foreign")}
    for item in items:
        if _fixtures(item) & _DATABASE_FIXTURES or any(map(item.get_closest_marker, ("django_db", "database"))):
            item.add_marker("database")
            if without_database(item.nodeid):
                raise pytest.UsageError(f"{item.nodeid} touches a database: name no folder of it in tests/sharing.py")
            if is_shared() and not _on_its_own(item, engine):
                elsewhere.add(item)
    if elsewhere:
        config.hook.pytest_deselected(items=list(elsewhere))
        items[:] = [item for item in items if item not in elsewhere]


def pytest_ignore_collect(collection_path):
    """The run with PostgreSQL does not even read what touches no database; the one with SQLite sees that this is so."""
    if not is_shared() or os.environ.get("OPILIO_TEST_DATABASE") != "postgres":
        return None
    return without_database(os.path.relpath(collection_path, _ROOT)) or None


def _kind(item):
    return next((mark for mark in _LONG if item.get_closest_marker(mark)), None)


def pytest_collection_finish():
    """Let the collector of unused objects pass by what all tests share, each time."""
    gc.freeze()
    gc.enable()


def _fixtures(item):
    return set(getattr(item, "fixturenames", ()))


def _on_its_own(item, engine):
    """Whether the run with this database is the one for a test; those about one database have chosen."""
    if item.get_closest_marker("only_on") or item.get_closest_marker("browser"):
        return True
    return engine_of(item.nodeid, _fixtures(item)) in (engine, None)


def pytest_runtest_setup(item):
    wanted = [mark.args[0] for mark in item.iter_markers("program")]
    if item.get_closest_marker("browser"):
        wanted.append("chromium")
    for name in wanted:
        if not _found(name):
            pytest.skip(f"needs the program {name}, which is not installed (`make setup` installs it)")


def _found(name):
    path = os.pathsep.join([os.environ.get("PATH", ""), *_PROGRAM_FOLDERS])
    return shutil.which(name, path=path) is not None


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef):
    """What a fixture that several tests share does to the logs must not reach the tests."""
    if fixturedef.scope == "function":
        return (yield)
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    try:
        return (yield)
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers


@pytest.fixture(autouse=True)
def _logging_as_it_was():
    """Whoever runs the command line inside a test sends its logs elsewhere; the next test wants them back."""
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    yield
    root.setLevel(level)
    root.handlers[:] = handlers


@pytest.fixture(scope="session")
def database_engine():
    """Which database this run is about: sqlite or postgres."""
    return os.environ.get("OPILIO_TEST_DATABASE", "sqlite")


@pytest.fixture(scope="session")
def proof_scale():
    """By how much the long proofs are multiplied; 1 in the ordinary run, more under `make prove`."""
    return int(os.environ.get("OPILIO_TEST_PROOF_SCALE", "1"))


@pytest.fixture(scope="session")
def random_number():
    """The seed of what a proof does at random; printed, so that a failure can be repeated."""
    number = int(os.environ.get("OPILIO_TEST_SEED", "20261115"))
    print(f"random seed: {number}")
    return number


@pytest.fixture(scope="session")
def _installations(database_engine, tmp_path_factory):
    base = tmp_path_factory.getbasetemp()
    parallel = "PYTEST_XDIST_WORKER" in os.environ  # then the run's folder lies above the worker's
    return Installations(engine=database_engine, shared=base.parent if parallel else base)


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment, django_db_blocker, _installations):
    """The database of the tests in this process: a copy of one that was migrated once per run."""
    with django_db_blocker.unblock(), _installations.database():
        take_blocks()
        yield


@pytest.fixture
def make_installation(_installations, tmp_path):
    """Makes migrated installations, each with a home and a database of its own, for real processes."""
    made: list[Installation] = []

    def make(name="home"):
        made.append(_installations.make(tmp_path / name))
        return made[-1]

    yield make
    for installation in made:
        installation.remove()


@pytest.fixture
def installation(make_installation):
    """One migrated installation with a home and a database of its own."""
    return make_installation()
