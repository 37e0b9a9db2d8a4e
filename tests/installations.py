"""Throw-away installations for tests that run real processes: copies of one that was migrated once per run."""

import fcntl
import hashlib
import os
import secrets
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.db import connections

from tests import nursery
from tests.servers.postgres import create_database, drop_database

_TEMPLATE = "opilio_template"
_ROOT = Path(__file__).parents[1]
_KEPT = _ROOT / "build" / "templates"
_KEPT_MOST = 3
_MIGRATE = """
import django
from django.core.management import call_command
django.setup()
call_command("migrate", verbosity=0)
"""


@dataclass(frozen=True, kw_only=True)
class Installation:
    """A home folder, and the environment in which processes use it."""

    home: Path
    env: Mapping[str, str]
    database_url: str  # empty: SQLite in the home

    def run(self, *arguments: str, stdin: bytes | None = None, **extra: str) -> subprocess.CompletedProcess[str]:
        """Run `opilio` with these arguments, and wait for it."""
        given = stdin.decode() if stdin is not None else None
        command = [*nursery.OPILIO, *arguments]
        return nursery.run(command, given=given, env={**self.env, **extra}, cwd=self.home, text=True)

    def python(self, code: str) -> subprocess.CompletedProcess[str]:
        """Run Python code with Django set up for this installation."""
        return nursery.run([sys.executable, "-m", "tests.snippet", code], env=dict(self.env), cwd=self.home, text=True)

    def remove(self) -> None:
        """Drop its database; its folder belongs to the test."""
        if self.database_url:
            drop_database(self.database_url, urlsplit(self.database_url).path.strip("/"))


@dataclass(frozen=True, kw_only=True)
class Installations:
    """Makes installations by copying; the processes of a parallel run share the original."""

    engine: str
    shared: Path

    def make(self, home: Path) -> Installation:
        """A migrated installation in `home`."""
        home.mkdir(parents=True)
        if self.engine == "postgres":
            return self._on_postgres(home)
        shutil.copy(self._sqlite_template(), home / "catalogue.db")
        return Installation(home=home, env=environment(home), database_url="")

    @contextmanager
    def database(self) -> Iterator[None]:
        """Let Django in this process use a copy: in memory, or on the server."""
        if self.engine == "postgres":
            url = self._postgres_copy()
            name = urlsplit(url).path.strip("/")
            with _named(name) as connection:
                yield
                connection.close()
            drop_database(url, name)
            return
        template = self._sqlite_template()
        with _named(f"file:opilio_{os.getpid()}?mode=memory&cache=shared") as connection:
            connection.ensure_connection()
            with closing(sqlite3.connect(template)) as source:
                source.backup(connection.connection)
            yield

    def _on_postgres(self, home: Path) -> Installation:
        url = self._postgres_copy()
        return Installation(home=home, env=environment(home, url), database_url=url)

    def _postgres_copy(self) -> str:
        server = os.environ["OPILIO_TEST_POSTGRES_URL"]
        name = f"{_TEMPLATE}_{_name(self.shared)}"
        with _locked(self.shared / "template.lock"):
            done = self.shared / "template.postgres"
            if not done.exists():
                _migrate(environment(self.shared / "template-home", create_database(server, name)))
                done.touch()
            return create_database(server, f"opilio_{secrets.token_hex(8)}", template=name)

    def _sqlite_template(self) -> Path:
        done = self.shared / "template.db"
        with _locked(self.shared / "template.lock"):
            if not done.exists():
                shutil.copy(_kept_template(), done)
        return done


def _kept_template() -> Path:
    """A migrated database that the source as it is now has made; it stays for later runs, earlier ones go."""
    _KEPT.mkdir(parents=True, exist_ok=True)
    with _locked(_KEPT / "lock"):
        kept = _KEPT / f"{_fingerprint()}.db"
        if not kept.exists():
            with tempfile.TemporaryDirectory(dir=_KEPT) as folder:
                _migrate(environment(Path(folder)))
                _flatten(Path(folder) / "catalogue.db", Path(folder) / "flat.db")
                Path(folder, "flat.db").replace(kept)
            for old in sorted(_KEPT.glob("*.db"), key=lambda one: one.stat().st_mtime)[:-_KEPT_MOST]:
                old.unlink()
        return kept


def _fingerprint() -> str:
    """Of all that can change what migrating makes."""
    digest = hashlib.sha256()
    for path in [_ROOT / "requirements.lock", *sorted((_ROOT / "src").rglob("*.py"))]:
        digest.update(f"{path.relative_to(_ROOT)} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def environment(home: Path, database_url: str = "") -> dict[str, str]:
    """The environment of a process that uses an installation."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OPILIO_")}
    test = {name: value for name, value in os.environ.items() if name.startswith("OPILIO_TEST_")}
    database = {"OPILIO_DATABASE_URL": database_url} if database_url else {}
    return {**kept, **test, "OPILIO_HOME": str(home), "DJANGO_SETTINGS_MODULE": "opilio.server.settings", **database}


@contextmanager
def _named(name: str) -> Iterator[Any]:
    """Django's connection with another database."""
    connection = connections["default"]
    before = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield connection
    finally:
        connection.settings_dict["NAME"] = before


def _migrate(env: Mapping[str, str]) -> None:
    Path(env["OPILIO_HOME"]).mkdir(parents=True, exist_ok=True)
    done = subprocess.run([sys.executable, "-c", _MIGRATE], env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"The template could not be migrated:\n{done.stderr}")


def _flatten(database: Path, into: Path) -> None:
    """Copy a SQLite file whole, with what its write-ahead log still holds."""
    code = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('VACUUM INTO ?', [sys.argv[2]])"
    subprocess.run([sys.executable, "-c", code, str(database), str(into)], check=True)


def _name(folder: Path) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in folder.name.lower())[-30:]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
