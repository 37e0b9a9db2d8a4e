"""A private OpenLDAP server (Debian's slapd) that is thrown away: own folder, own certificates, free loopback ports.

Start it once per test session. It knows the users below; every entry's password is its uid, reversed, and a `!`.
"""

import shutil
import socket
import subprocess
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import trustme

from opilio.kernel.errors import Unavailable

BASE = "ou=people,dc=archive,dc=example"
READER_DN, READER_PASSWORD = "cn=reader,dc=archive,dc=example", "looks users up"
CURATOR, DUPLICATE, WITHOUT_PASSWORD = "curator", "twin", "keyless"
ODD = ("a*b", "a(b)c", "back\\slash", "o'neil, jr", "größe", "数字")  # what a careless filter would stumble over
_MODULES = Path("/usr/lib/ldap")
_SCHEMA = Path("/etc/ldap/schema")
_PATIENCE = 60.0  # seconds; for a busy machine


@dataclass(kw_only=True, eq=False)
class LdapServer:
    """A running server."""

    ldap_port: int
    ldaps_port: int
    folder: Path
    process: subprocess.Popen[bytes]

    @property
    def ldap(self) -> str:
        """Its address for plain connections and StartTLS."""
        return f"ldap://127.0.0.1:{self.ldap_port}"

    @property
    def ldaps(self) -> str:
        """Its address for connections that are encrypted from the start."""
        return f"ldaps://127.0.0.1:{self.ldaps_port}"

    @property
    def ca_file(self) -> Path:
        """The authority that issued its certificate."""
        return self.folder / "ca.pem"

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(_PATIENCE)


def password(uid: str) -> str:
    """The password of a user of this server."""
    return uid[::-1] + "!"


@contextmanager
def running_slapd() -> Iterator[LdapServer]:
    """A server for the length of the block; nothing of it remains."""
    folder = Path(tempfile.mkdtemp(prefix="opilio-ldap-"))
    try:
        _prepare(folder)
        server = _start(folder)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _prepare(folder: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    certificate = authority.issue_cert("127.0.0.1")
    certificate.private_key_pem.write_to_path(str(folder / "key.pem"))
    for number, blob in enumerate(certificate.cert_chain_pems):
        blob.write_to_path(str(folder / "certificate.pem"), append=number > 0)
    (folder / "data").mkdir()
    (folder / "slapd.conf").write_text(_configuration(folder))
    (folder / "users.ldif").write_text(_entries(), "utf-8")
    _run([_program("slapadd"), "-f", str(folder / "slapd.conf"), "-l", str(folder / "users.ldif")])


def _configuration(folder: Path) -> str:
    schemas = "\n".join(f"include {_SCHEMA / name}.schema" for name in ("core", "cosine", "inetorgperson"))
    return f"""{schemas}
modulepath {_MODULES}
moduleload back_mdb
pidfile {folder / "slapd.pid"}
TLSCACertificateFile {folder / "ca.pem"}
TLSCertificateFile {folder / "certificate.pem"}
TLSCertificateKeyFile {folder / "key.pem"}
allow bind_anon_cred bind_anon_dn
database mdb
suffix "dc=archive,dc=example"
rootdn "cn=root,dc=archive,dc=example"
directory {folder / "data"}
maxsize 10485760
dbnosync
access to attrs=userPassword by anonymous auth by * none
access to dn.subtree="ou=hidden,dc=archive,dc=example" by dn.exact="{READER_DN}" read by * none
access to * by * read
"""


def _entries() -> str:
    parts = [
        "dn: dc=archive,dc=example\nobjectClass: dcObject\nobjectClass: organization\no: Archive\ndc: archive\n",
        f"dn: {READER_DN}\nobjectClass: organizationalRole\nobjectClass: simpleSecurityObject\ncn: reader\n"
        f"userPassword: {READER_PASSWORD}\n",
        *(
            f"dn: ou={name},dc=archive,dc=example\nobjectClass: organizationalUnit\nou: {name}\n"
            for name in ("people", "hidden")
        ),
        *(_user(number, uid) for number, uid in enumerate((CURATOR, DUPLICATE, DUPLICATE, *ODD))),
        _user(100, WITHOUT_PASSWORD, secret=False),
        _user(101, "hidden", unit="hidden"),
    ]
    return "\n".join(parts)


def _user(number: int, uid: str, *, secret: bool = True, unit: str = "people") -> str:
    line = f"userPassword:: {_base64(password(uid))}\n" if secret else ""
    return (
        f"dn: employeeNumber={number},ou={unit},dc=archive,dc=example\nobjectClass: inetOrgPerson\n"
        f"employeeNumber: {number}\nuid:: {_base64(uid)}\ncn: Somebody\nsn: Somebody\n{line}"
    )


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def _start(folder: Path) -> LdapServer:
    for _ in range(5):  # another program may take a free port before slapd does
        plain, encrypted = _free_port(), _free_port()
        with (folder / "log").open("ab") as log:
            process = subprocess.Popen(
                [
                    _program("slapd"),
                    "-f",
                    str(folder / "slapd.conf"),
                    "-d",
                    "0",
                    "-h",
                    f"ldap://127.0.0.1:{plain}/ ldaps://127.0.0.1:{encrypted}/",
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        server = LdapServer(ldap_port=plain, ldaps_port=encrypted, folder=folder, process=process)
        if _listens(server):
            return server
        server.stop()
    raise Unavailable(
        f"slapd did not start: {(folder / 'log').read_text(errors='replace')[-2000:]}",
        where=str(folder),
        remedy="Start it by hand to see what it needs.",
    )


def _listens(server: LdapServer) -> bool:
    end = time.monotonic() + _PATIENCE
    while server.process.poll() is None and time.monotonic() < end:
        try:
            for port in (server.ldap_port, server.ldaps_port):
                socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except OSError:
            time.sleep(0.02)
        else:
            return True
    return False


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unavailable(f"{command[0]} failed: {done.stderr[-2000:]}", where="slapd", remedy="Run it by hand.")


def _program(name: str) -> str:
    """Debian keeps it where ordinary accounts do not look."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if found is None:
        raise Unavailable(f"There is no program {name}", where="PATH", remedy="Install the Debian package slapd.")
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
