"""Backups of PostgreSQL by pg_dump, in the snapshot in which the rows are counted; restored in one transaction."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from opilio.kernel.files import SECRET, write_atomically
from opilio.server.backups.engine import Advance
from opilio.server.backups.manifest import TableEntry
from opilio.server.backups.rows import entry
from opilio.server.errors import DamagedBackup, DatabaseUnreachable, InOperation, ProgramMissing

_DEBIAN = Path("/usr/lib/postgresql")
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
_FUNCTIONS = """SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')"""
_OTHERS = """SELECT DISTINCT coalesce(nullif(application_name, ''), 'a client') || ' at ' ||
    coalesce(host(client_addr), 'this machine') FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"""


class PostgresEngine:
    """The catalogue on a PostgreSQL server."""

    name = "postgresql"
    dump_name = "catalogue.pgdump"

    def __init__(self, django_database: Mapping[str, Any]) -> None:
        options = {
            key: str(value) for key, value in django_database.get("OPTIONS", {}).items() if isinstance(value, str | int)
        }
        asked = {"host": "HOST", "port": "PORT", "user": "USER", "dbname": "NAME"}
        named = {key: str(django_database.get(name) or "") for key, name in asked.items()}
        self._info: dict[str, Any] = {**options, **{key: value for key, value in named.items() if value}}
        self._password = str(django_database.get("PASSWORD") or "")
        self._where = f"postgresql://{named['host'] or 'localhost'}/{named['dbname']}"

    def version(self) -> str:
        with self._connected() as connection:
            return str(connection.info.parameter_status("server_version"))

    def size(self) -> int:
        with self._connected() as connection:
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
            return int(row[0]) if row else 0

    def dump(self, into: Path, advance: Advance) -> Mapping[str, TableEntry]:
        with self._connected() as connection:
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            row = connection.execute("SELECT pg_export_snapshot()").fetchone()
            snapshot = str(row[0]) if row else ""
            options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={into}"]
            advance(0, 2)
            self._run("pg_dump", options, connection.info.server_version)
            advance(1, 2)
            return _tables(connection)

    def tables(self) -> Mapping[str, TableEntry]:
        with self._connected() as connection:
            return _tables(connection)

    def check_dump(self, dump: Path, expected: Mapping[str, TableEntry]) -> None:
        done = subprocess.run(
            [str(_program("pg_restore")), "--list", str(dump)], capture_output=True, text=True, check=False
        )
        listed = set(re.findall(r"TABLE DATA \S+ (\S+) ", done.stdout))
        lacking = sorted(set(expected) - listed)
        if done.returncode or lacking:
            fault = done.stderr.strip()[-500:] or f"it lacks {', '.join(lacking[:5])}"
            raise DamagedBackup(f"The dump is damaged: {fault}", where=str(dump), remedy="Use another backup.")

    def is_empty(self) -> bool:
        with self._connected() as connection:
            return not connection.execute(_TABLES).fetchall()

    def refuse_company(self) -> None:
        with self._connected() as connection:
            self._refuse_company(connection)

    def clear(self) -> None:
        with self._connected() as connection, connection.transaction():
            connection.execute(_drops(connection))

    def restore(self, dump: Path, advance: Advance) -> None:
        """One transaction drops what is there and fills in the dump: cut short, it leaves what was there."""
        with self._connected() as connection:
            self._refuse_company(connection)
            prelude, server = _drops(connection), connection.info.server_version
        with tempfile.TemporaryDirectory(prefix="opilio-") as folder:
            script = Path(folder) / "restore.sql"
            advance(0, 2)
            _converted(dump, script, prelude)
            advance(1, 2)
            self._run("psql", ["--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1",
                               "--output=/dev/null", f"--file={script}"], server)  # fmt: skip

    def _refuse_company(self, connection: "psycopg.Connection[Any]") -> None:
        others = [row[0] for row in connection.execute(_OTHERS)]
        if others:
            raise InOperation(
                f"Others work with the database: {', '.join(others[:5])}",
                where=self._where,
                remedy="Stop all servers and agents first.",
            )

    @contextmanager
    def _connected(self) -> Iterator["psycopg.Connection[Any]"]:
        try:
            info, password = make_conninfo(**self._info), self._password or None
            with psycopg.connect(info, password=password, autocommit=True) as found:
                found.execute("SET TIME ZONE 'UTC'")
                yield found
        except psycopg.OperationalError as error:
            raise DatabaseUnreachable(
                f"PostgreSQL does not answer: {error}", where=self._where, remedy="Check the setting database_url."
            ) from error

    def _run(self, name: str, options: Sequence[str], server: int) -> None:
        """Run a program of PostgreSQL on the database; the password goes through a file only we can read."""
        program = _program(name)
        _require_version(program, server)
        with tempfile.TemporaryDirectory(prefix="opilio-") as folder:
            secret = Path(folder) / "pgpass"
            escaped = self._password.replace("\\", "\\\\").replace(":", "\\:")
            write_atomically(secret, f"*:*:*:*:{escaped}\n".encode(), mode=SECRET)
            info = make_conninfo(**{**self._info, "passfile": str(secret)})
            command = [str(program), *options, "--no-password", f"--dbname={info}"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise DatabaseUnreachable(
                f"{name} failed: {done.stderr.strip()[-1000:]}", where=self._where, remedy="Nothing was changed."
            )


def _tables(connection: "psycopg.Connection[Any]") -> dict[str, TableEntry]:
    found = {}
    with connection.transaction():
        for (name,) in connection.execute(_TABLES).fetchall():
            with connection.cursor(name="opilio_rows") as cursor:
                cursor.itersize = 5_000
                cursor.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(name)))
                found[name] = entry(cursor)
    return found


def _drops(connection: "psycopg.Connection[Any]") -> str:
    tables = [row[0] for row in connection.execute(_TABLES)]
    functions = [row[0] for row in connection.execute(_FUNCTIONS)]
    said = [sql.SQL("DROP TABLE {} CASCADE;").format(sql.Identifier(name)).as_string(connection) for name in tables]
    return "\n".join([*said, *(f"DROP FUNCTION {signature} CASCADE;" for signature in functions), ""])


def _converted(dump: Path, script: Path, prelude: str) -> None:
    """The dump as SQL, after what removes the present contents."""
    with script.open("wb") as stream:
        stream.write(prelude.encode())
        stream.flush()
        command = [str(_program("pg_restore")), "--no-owner", "--no-privileges", "--file=-", str(dump)]
        done = subprocess.run(command, stdout=stream, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        fault = done.stderr.decode(errors="replace").strip()[-500:]
        raise DamagedBackup(f"The dump is damaged: {fault}", where=str(dump), remedy="Use another backup.")


def _program(name: str) -> Path:
    """From Debian's newest version, else from PATH."""
    versions = sorted(_DEBIAN.glob(f"*/bin/{name}"), key=lambda path: path.parts[-3].zfill(4))
    found = versions[-1] if versions else shutil.which(name)
    if found is None:
        raise ProgramMissing(f"The program {name} is not installed", where="PATH", remedy="Install postgresql-client.")
    return Path(found)


def _require_version(program: Path, server: int) -> None:
    done = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=False)
    digits = re.search(r"(\d+)", done.stdout)
    major, wanted = int(digits[1]) if digits else 0, server // 10_000
    if major < wanted:
        raise ProgramMissing(
            f"{program.name} is of version {major} and the server of {wanted}",
            where=str(program),
            remedy=f"Install postgresql-client-{wanted}.",
        )
