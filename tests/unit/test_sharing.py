"""Tests of what lies above the database are shared out between the two databases, the others run on both."""

from tests.sharing import engine_of, without_database


def test_what_is_about_the_database_runs_on_both():
    """Nothing that is about the database itself is left to one of them."""
    for folder in ("tests/contracts", "tests/unit/jobs", "tests/acceptance/crawl"):
        assert engine_of(f"{folder}/test_a.py::test_a", {"db"}) is None


def test_both_databases_get_their_share():
    """About half of the tests of one module runs on each, and always the same half."""
    names = [f"tests/acceptance/pages/test_lists.py::test_{number}" for number in range(400)]
    found = [engine_of(name, {"db"}) for name in names]
    assert 120 < found.count("sqlite") < 280
    assert found.count("sqlite") + found.count("postgres") == 400
    assert found == [engine_of(name, {"db"}) for name in names]


def test_tests_of_programs_stay_together():
    """A module whose programs are started once is not started on both databases."""
    names = [f"tests/acceptance/cli/test_serve.py::test_{number}" for number in range(50)]
    assert len({engine_of(name, {"installation"}) for name in names}) == 1


def test_folders_without_a_database_are_known():
    """By folder, file and test; and no folder only begins like one of them."""
    for name in ("tests/unit/crawl", "tests/unit/crawl/test_a.py", "tests/unit/crawl/scope/test_a.py::test_b"):
        assert without_database(name)
    for name in ("tests", "tests/unit", "tests/unit/crawling", "tests/contracts/test_a.py"):
        assert not without_database(name)
