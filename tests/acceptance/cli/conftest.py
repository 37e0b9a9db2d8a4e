"""Installations in other states than migrated, and processes that are left running."""

import os
import secrets

import pytest

from tests import nursery
from tests.acceptance.cli.answers import document
from tests.installations import Installation, environment
from tests.servers.postgres import create_database


@pytest.fixture
def fresh(database_engine, tmp_path, request):
    """Makes installations whose database has no tables yet."""

    def make(name="fresh"):
        home = tmp_path / name
        home.mkdir()
        url = ""
        if database_engine == "postgres":
            url = create_database(os.environ["OPILIO_TEST_POSTGRES_URL"], f"opilio_{secrets.token_hex(8)}")
        made = Installation(home=home, env=environment(home, url), database_url=url)
        request.addfinalizer(made.remove)
        return made

    request.applymarker("database")
    return make


@pytest.fixture
def bare(tmp_path):
    """Runs `opilio` with a home that need not exist, on SQLite; `toml` becomes its opilio.toml."""

    def run(*arguments, home=None, toml=None, **variables):
        env = environment(home or tmp_path / "home")
        if toml is not None:
            (tmp_path / "opilio.toml").write_bytes(toml)
        return nursery.run([*nursery.OPILIO, *arguments], env={**env, **variables}, cwd=tmp_path, text=True)

    return run


@pytest.fixture
def with_people(installation):
    """An installation with an agency and an administrator."""
    document(installation.run("user", "first", "administrator", "--agency", "Library", "--generate-password", "--json"))
    return installation
