"""A private vsftpd on a free port of loopback: a server without MLSD that demands session reuse under TLS."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

import trustme

from tests.servers.process import PATIENCE
from tests.servers.sshd import wait_for

MISSING = "vsftpd is not installed (make setup)"
_CONF = """
listen=YES
listen_address=127.0.0.1
listen_port={port}
background=NO
anonymous_enable=YES
no_anon_password=YES
anon_root={root}
anon_max_rate=0
ftp_username={user}
secure_chroot_dir={folder}/empty
seccomp_sandbox=NO
isolate=NO
isolate_network=NO
anon_world_readable_only=NO
hide_ids=YES
xferlog_enable=NO
pasv_address=127.0.0.1
{tls}
"""
_TLS = """
ssl_enable=YES
allow_anon_ssl=YES
force_anon_logins_ssl=YES
force_anon_data_ssl=YES
ssl_tlsv1=NO
require_ssl_reuse=YES
rsa_cert_file={folder}/server.pem
rsa_private_key_file={folder}/server.key
"""


def is_installed() -> bool:
    """Whether there is a vsftpd to run; it wants to be started by root."""
    return _program() is not None and os.geteuid() == 0


def _program() -> str | None:
    return shutil.which("vsftpd", path="/usr/sbin:/usr/local/sbin")


class Vsftpd:
    """Serves a folder to anybody, for reading."""

    def __init__(self, folder: Path, root: Path, *, tls: bool = False) -> None:
        self._folder = folder
        (folder / "empty").mkdir(parents=True, exist_ok=True)
        authority = trustme.CA()
        certificate = authority.issue_cert("127.0.0.1", "localhost", key_type=trustme.KeyType.RSA)
        certificate.private_key_pem.write_to_path(str(folder / "server.key"))
        with (folder / "server.pem").open("wb") as chain:
            chain.writelines(part.bytes() for part in certificate.cert_chain_pems)
        self.authority = authority.cert_pem.bytes().decode()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        text = _TLS.format(folder=folder) if tls else ""
        config = _CONF.format(port=self.port, root=root, folder=folder, tls=text, user="daemon")
        (folder / "vsftpd.conf").write_text(config)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Vsftpd":
        program = _program()
        assert program is not None, MISSING
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [program, str(self._folder / "vsftpd.conf")], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        wait_for(self.port, self._folder / "log")
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=PATIENCE)
