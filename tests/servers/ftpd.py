"""pyftpdlib as a process: FTP and FTPS with one user, MLSD, uploads; old servers know fewer commands."""

import json
import os
import sys
import threading
import warnings
from pathlib import Path
from typing import Any, Self

import trustme

from tests.servers.process import ServerProcess

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it stands on asyncore where Python still has it
    from pyftpdlib.authorizers import DummyAuthorizer
    from pyftpdlib.handlers import FTPHandler, TLS_FTPHandler
    from pyftpdlib.servers import FTPServer

USER, PASSWORD = "partner", "let me in"


class Ftpd:
    """Serves a folder. `without`: commands that it does not know."""

    def __init__(self, folder: Path, root: Path, *, tls: bool = False, without: tuple[str, ...] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.authority = ""
        certificate = str(self._certificate(folder)) if tls else ""
        given = json.dumps({"root": str(root), "certificate": certificate, "without": without})
        self._process = ServerProcess("tests.servers.ftpd", [given], errors=folder / "errors")

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._process.address["port"])

    def _certificate(self, folder: Path) -> Path:
        authority = trustme.CA()
        self.authority = authority.cert_pem.bytes().decode()
        path = folder / "server.pem"
        authority.issue_cert("127.0.0.1", "localhost").private_key_and_cert_chain_pem.write_to_path(str(path))
        return path

    def __enter__(self) -> Self:
        self._process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stop()


def main(root: str, certificate: str, without: list[str]) -> None:
    """Serve until stdin closes."""
    users = DummyAuthorizer()
    users.add_user(USER, PASSWORD, root, perm="elradfmwMT")
    kind = TLS_FTPHandler if certificate else FTPHandler
    known = {name: told for name, told in kind.proto_cmds.items() if name not in without}
    facts: dict[str, Any] = {"authorizer": users, "proto_cmds": known, "banner": "ready"}
    if certificate:
        facts |= {"certfile": certificate, "tls_control_required": True, "tls_data_required": True}
    server = FTPServer(("127.0.0.1", 0), type("Handler", (kind,), facts))
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    print(json.dumps({"port": server.address[1]}), flush=True)
    server.serve_forever()


def _end_with_stdin() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
