"""A private PostgreSQL that is thrown away: a fresh cluster in a temporary folder, on a free port of 127.0.0.1.

Start it once per test session; a URL is all that other processes need (`create_database(url, …)`).
"""

import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from opilio.kernel.errors import InvalidInput, Unavailable

_PROGRAMS = ("initdb", "postgres")
_DEBIAN = Path("/usr/lib/postgresql")
_ACCOUNT = "postgres"  # the server refuses to run as root
_USER = "opilio"
_PATIENCE = 60.0  # seconds; for a busy machine
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "max_connections": "200",
    "fsync": "on",
    "synchronous_commit": "on",
    "log_min_messages": "fatal",
}


@dataclass(kw_only=True, eq=False)
class PostgresServer:
    """A running server."""

    folder: Path
    port: int
    password: str
    process: subprocess.Popen[bytes]
    options: dict[str, str] = field(default_factory=dict)  # beside the usual ones

    def url(self, name: str = "postgres") -> str:
        """The address of one of its databases."""
        return f"postgresql://{_USER}:{self.password}@127.0.0.1:{self.port}/{name}"

    def create_database(self, name: str, template: str | None = None) -> str:
        """Make an empty database, or a copy of `template`; returns its address."""
        return create_database(self.url(), name, template)

    def stop(self) -> None:
        """End it in good order, without waiting for its clients."""
        self.process.send_signal(signal.SIGINT)  # PostgreSQL's fast shutdown
        self._gone()

    def stop_at_once(self) -> None:
        """End it without any order, as `pg_ctl stop -m immediate` does; it recovers when it is started again."""
        self.process.send_signal(signal.SIGQUIT)
        self._gone()

    def start_again(self) -> None:
        """Start it once more, on whatever lies in its data folder now."""
        self.process = _run(self.folder, self.port, durable=True, more=self.options)
        assert _answers(self), (self.folder / "log").read_text(errors="replace")[-2000:]

    def program(self, name: str, *arguments: str) -> None:
        """Run a program of PostgreSQL as the server's account, with the password of its user."""
        command = [
            *_as_account(),
            str(_program(name)),
            "-h",
            "127.0.0.1",
            "-p",
            str(self.port),
            "-U",
            _USER,
            *arguments,
        ]
        env = {**os.environ, "PGPASSWORD": self.password}
        done = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def kill(self) -> None:
        """Let it crash, as a power cut would."""
        self.process.kill()
        self._gone()

    def _gone(self) -> None:
        try:
            self.process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(_PATIENCE)


def programs_missing() -> tuple[str, ...]:
    """What must be installed before a server can be started; empty when nothing is."""
    missing = [name for name in _PROGRAMS if _program(name) is None]
    if os.geteuid() == 0:
        missing += [name for name in ("setpriv",) if shutil.which(name) is None]
        missing += [] if _account_exists() else [f"user {_ACCOUNT}"]
    return tuple(missing)


@contextmanager
def running_postgres(*, durable: bool = True, options: dict[str, str] | None = None) -> Iterator[PostgresServer]:
    """A server for the length of the block; nothing of it remains.

    One that is not durable loses nothing when it is killed, only when the machine loses power; and it is quicker.
    """
    if missing := programs_missing():
        raise Unavailable(
            f"PostgreSQL cannot be started without {', '.join(missing)}",
            where="tests/servers/postgres.py",
            remedy="Install the Debian package postgresql, as `make setup` does.",
        )
    folder = Path(tempfile.mkdtemp(prefix="opilio-pg-"))  # not pytest's: its parents are closed to other accounts
    if os.geteuid() == 0:
        shutil.chown(folder, _ACCOUNT)
    try:
        server = _start(folder, durable=durable, options=options or {})
        try:
            yield server
        finally:
            if server.process.poll() is None:
                server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def create_database(server_url: str, name: str, template: str | None = None) -> str:
    """Make a database on the server behind any of its addresses; returns the new one's address."""
    statement = sql.SQL("CREATE DATABASE {}").format(_identifier(name))
    if template is not None:
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(_identifier(name), _identifier(template))
    _execute(server_url, statement)
    return urlsplit(server_url)._replace(path=f"/{name}").geturl()


def drop_database(server_url: str, name: str) -> None:
    """Remove a database, whoever is connected to it."""
    _execute(server_url, sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(_identifier(name)))


def end_connections(server_url: str, name: str) -> int:
    """Cut everybody off from a database, as a restart of the server does; returns how many there were."""
    with _connected(server_url) as connection:
        found = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
            [name],
        )
        return len(found.fetchall())


def _execute(server_url: str, statement: sql.Composed) -> None:
    with _connected(server_url) as connection:
        connection.execute(statement)


def _connected(server_url: str) -> psycopg.Connection[tuple[object, ...]]:
    home = urlsplit(server_url)._replace(path="/postgres").geturl()
    return psycopg.connect(home, autocommit=True, connect_timeout=int(_PATIENCE))


def _identifier(name: str) -> sql.Identifier:
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name!r} cannot be the name of a database",
            where="tests/servers/postgres.py",
            remedy="Use at most 63 small letters, digits and underscores.",
        )
    return sql.Identifier(name)


def _start(folder: Path, *, durable: bool, options: dict[str, str]) -> PostgresServer:
    password = secrets.token_urlsafe(16)
    _initialise(folder, password)
    for _ in range(5):  # another program may take the free port before PostgreSQL does
        port = _free_port()
        server = PostgresServer(
            folder=folder, port=port, password=password, options=options,
            process=_run(folder, port, durable=durable, more=options),
        )  # fmt: skip
        if _answers(server):
            return server
    raise Unavailable(
        f"PostgreSQL did not start: {(folder / 'log').read_text(errors='replace')[-2000:]}",
        where=str(folder),
        remedy="Start it by hand to see what it needs.",
    )


def _initialise(folder: Path, password: str) -> None:
    secret = folder / "password"
    secret.write_text(password)
    if os.geteuid() == 0:
        shutil.chown(secret, _ACCOUNT)
    command = [
        *_as_account(),
        str(_program("initdb")),
        "--pgdata",
        str(folder / "data"),
        "--username",
        _USER,
        "--pwfile",
        str(secret),
        "--auth",
        "scram-sha-256",
        "--encoding",
        "UTF8",
        "--locale",
        "C.UTF-8",
        "--no-sync",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unavailable(f"initdb failed: {done.stderr[-2000:]}", where=str(folder), remedy="Run it by hand.")


def _run(folder: Path, port: int, *, durable: bool, more: dict[str, str]) -> subprocess.Popen[bytes]:
    options = _OPTIONS | {"port": str(port), "unix_socket_directories": str(folder)}
    if not durable:
        options |= {"fsync": "off", "full_page_writes": "off"}
    options |= more
    settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    command = [*_as_account(), str(_program("postgres")), "-D", str(folder / "data"), *settings]
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def _answers(server: PostgresServer) -> bool:
    """Whether it accepts connections in time."""
    end = time.monotonic() + _PATIENCE
    while server.process.poll() is None and time.monotonic() < end:
        try:
            psycopg.connect(server.url(), connect_timeout=5).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return True
    server.kill()
    return False


def _as_account() -> list[str]:
    """The server ends with us, even if we are killed; as root it runs under another account."""
    if shutil.which("setpriv") is None:
        return []
    ending = ["setpriv", "--pdeathsig", "INT"]
    return [*ending, "--reuid", _ACCOUNT, "--regid", _ACCOUNT, "--init-groups"] if os.geteuid() == 0 else ending


def _account_exists() -> bool:
    try:
        pwd.getpwnam(_ACCOUNT)
    except KeyError:
        return False
    return True


def _program(name: str) -> Path | None:
    """From Debian's newest version, else from PATH."""
    versions = sorted(_DEBIAN.glob(f"*/bin/{name}"), key=lambda path: path.parts[-3].zfill(4))
    found = shutil.which(name)
    return versions[-1] if versions else Path(found) if found else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
