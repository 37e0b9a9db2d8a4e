"""A private OpenSSH server on a free port of loopback, for the user that runs the tests, by key only."""

import contextlib
import getpass
import os
import shutil
import socket
import subprocess
import threading
from pathlib import Path

import asyncssh

from opilio.kernel.errors import Unavailable
from tests.servers.process import PATIENCE

MISSING = "sshd is not installed (make setup)"
_CONF = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host_key
PidFile none
AuthorizedKeysFile {folder}/authorized_keys
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
MaxStartups 100:30:200
MaxSessions 100
LogLevel VERBOSE
Subsystem sftp internal-sftp
"""


def is_installed() -> bool:
    """Whether there is an sshd to run; as another user than root it refuses locked accounts."""
    return _program() is not None and os.geteuid() == 0


def _program() -> str | None:
    return shutil.which("sshd", path="/usr/sbin:/usr/local/sbin")


class Sshd:
    """Lets one key in; `host_key` is the fingerprint to enrol."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        host = asyncssh.generate_private_key("ssh-ed25519")
        client = asyncssh.generate_private_key("ssh-ed25519")
        host.write_private_key(str(folder / "host_key"))
        (folder / "host_key").chmod(0o600)
        (folder / "authorized_keys").write_bytes(client.export_public_key())
        self.host_key = host.get_fingerprint("sha256")
        self.private_key = client.export_private_key().decode()
        self.user = getpass.getuser()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (folder / "sshd_config").write_text(_CONF.format(port=self.port, folder=folder))
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Sshd":
        program = _program()
        assert program is not None, MISSING
        Path("/run/sshd").mkdir(exist_ok=True)  # where sshd leaves its rights
        self._process = subprocess.Popen(
            [program, "-D", "-f", str(self._folder / "sshd_config"), "-E", str(self._folder / "log")],
            stdin=subprocess.DEVNULL,
        )
        wait_for(self.port, self._folder / "log")
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=PATIENCE)


def wait_for(port: int, log: Path) -> None:
    """Until something answers on a port."""
    tick = threading.Event()
    for _ in range(PATIENCE * 20):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        tick.wait(0.05)
    raise Unavailable("The server did not start", where=log.read_text(errors="replace")[-500:] if log.exists() else "")
