"""Partners' servers: a real one of each kind over a folder, and a hub whose sources are on them."""

import itertools
import threading
from contextlib import ExitStack
from dataclasses import replace

from opilio.deliveries.errors import SourceAway
from opilio.deliveries.source import Source, SourceProtocol
from opilio.deliveries.sources.opened import opened
from opilio.tracker import secrets
from opilio.tracker.models import Protocol, ResourceState
from opilio.tracker.models import Source as SourceRow
from tests.hub import Hub
from tests.servers import nginx, sshd, vsftpd
from tests.servers.ftpd import PASSWORD, USER, Ftpd

_NUMBERS = itertools.count(1)


def started(kind, folder, root, stack):
    """Start a server of a kind; the source that describes it."""
    plain = {"name": kind, "host": "127.0.0.1", "timeout": 20.0}
    if kind == "folder":
        return Source(name=kind, protocol=SourceProtocol.FOLDER, base=str(root))
    if kind == "sftp":
        server = stack.enter_context(sshd.Sshd(folder))
        return Source(
            **plain, protocol=SourceProtocol.SFTP, port=server.port, user=server.user, base=str(root),
            private_key=server.private_key, host_keys=(server.host_key,),
        )  # fmt: skip
    if kind.startswith("ftp"):
        old = ("MLSD", "MLST", "FEAT", "MDTM") if kind == "ftp-old" else ()
        server = stack.enter_context(Ftpd(folder, root, tls=kind == "ftps", without=old))
        protocol = SourceProtocol.FTPS if kind == "ftps" else SourceProtocol.FTP
        return Source(
            **plain, protocol=protocol, port=server.port, user=USER, password=PASSWORD, authority=server.authority
        )
    if kind.startswith("vsftpd"):
        server = stack.enter_context(vsftpd.Vsftpd(folder, root, tls=kind.endswith("tls")))
        protocol = SourceProtocol.FTPS if kind.endswith("tls") else SourceProtocol.FTP
        return Source(**plain, protocol=protocol, port=server.port, authority=server.authority)
    server = stack.enter_context(nginx.Nginx(folder, root, lists=kind.rpartition("-")[2]))
    return Source(**plain, protocol=SourceProtocol.HTTPS, port=server.port, authority=server.ca_file.read_text())


class Servers:
    """One server of each kind that is asked for."""

    def __init__(self, place):
        self._place, self._running, self._stack = place, {}, ExitStack()

    def base(self, kind):
        """An empty base on a server: the folder behind it, and the source."""
        if kind not in self._running:
            root = self._place / kind / "root"
            root.mkdir(mode=0o755, parents=True)
            self._running[kind] = (root, started(kind, self._place / kind / "server", root, self._stack))
        root, source = self._running[kind]
        own = root / f"base{next(_NUMBERS)}"
        own.mkdir(mode=0o755)
        base = str(own) if kind in ("folder", "sftp") else f"/{own.name}"
        return own, replace(source, base=base)

    def close(self):
        """Stop them."""
        self._stack.close()


class Watched:
    """A connection that notes what is asked of it, and does something before."""

    def __init__(self, inner, source, hub):
        self._inner, self._source, self._hub = inner, source, hub

    def entries(self, folder):
        self._hub.happened(("list", self._source.name, folder))
        found = list(self._inner.entries(folder))
        self._hub.happened(("listed", self._source.name, folder))
        return iter(found)

    def fetch(self, path, offset, take):
        self._hub.happened(("fetch", self._source.name, path))
        self._hub.fetched.append((self._source.name, path))
        self._inner.fetch(path, offset, self._cut(take) if self._hub.cut else take)
        self._hub.happened(("fetched", self._source.name, path))

    def _cut(self, take):
        """The line breaks after so many bytes."""
        came = []

        def until(block):
            take(block)
            came.append(len(block))
            if sum(came) >= self._hub.cut:
                raise SourceAway("The line broke")

        return until

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._inner.close()


class PartnerHub(Hub):
    """A hub whose sources are on real servers: J by SFTP, H by FTP."""

    def __init__(self, folder, servers):
        self._servers = servers
        self.events = []
        self.cut = None  # bytes after which a transfer breaks off
        self.before = {}  # what happens → a function that is called then, in the thread concerned
        self._lock = threading.Lock()
        self.bases = {}
        super().__init__(folder)
        self.source("H", "mirror", kind="ftp")

    def source(self, centre, name, *, kind="sftp", state="available", **fields):
        """A source on a server of a kind."""
        own, engine = self._servers.base(kind)
        for action in ("add", "edit", "delete"):
            (own / action).mkdir(mode=0o755)
        self.bases[centre, name] = own
        now = self.clock.now()
        row = SourceRow(
            centre=self.centres[centre], name=name, state=ResourceState.objects.get(short_name=state), created=now,
            updated=now, protocol=Protocol.objects.get(short_name=engine.protocol.value), hostname=engine.host,
            port=engine.port, username=engine.user, base_path=engine.base, host_keys=list(engine.host_keys),
            authority=engine.authority, timeout=20,
        )  # fmt: skip
        for field, value in fields.items():
            setattr(row, field, value)
        row.save()
        keys = {"password": engine.password, "private_key": engine.private_key}
        row.access_key = secrets.sealed(row.pk, **{key: text for key, text in keys.items() if text})
        row.save()
        return row

    def place(self, centre, source):
        """The folder behind a source."""
        return self.bases[centre, source]

    def happened(self, event):
        """Note it, and do what was asked for."""
        with self._lock:
            self.events.append(event)
            wanted = [work for key, work in self.before.items() if event[: len(key)] == key]
        for work in wanted:
            work(event)

    def opener(self, source):
        """A real connection that is watched."""
        return Watched(opened(source), source, self)
