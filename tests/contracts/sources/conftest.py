"""A real server of each kind over one folder."""

import contextlib
import itertools
from dataclasses import dataclass, replace

import pytest

from opilio.deliveries.source import Source
from opilio.deliveries.sources.opened import opened
from tests.partner_servers import started
from tests.servers import nginx, sshd, vsftpd

KINDS = ("folder", "sftp", "ftp", "ftp-old", "ftps", "vsftpd", "vsftpd-tls", "nginx-html", "nginx-json")
_NUMBERS = itertools.count(1)
_NEEDS = {
    "sftp": (sshd.is_installed, sshd.MISSING),
    "vsftpd": (vsftpd.is_installed, vsftpd.MISSING),
    "vsftpd-tls": (vsftpd.is_installed, vsftpd.MISSING),
    "nginx-html": (nginx.is_installed, nginx.MISSING),
    "nginx-json": (nginx.is_installed, nginx.MISSING),
}


@dataclass(kw_only=True)
class Partner:
    """A partner's server: its kind, the folder behind it, and how we are told to use it."""

    kind: str
    root: object
    source: Source

    def connect(self):
        """A signed-in connection."""
        return opened(self.source)

    @property
    def writes(self):
        """Whether it takes files."""
        return self.kind in ("folder", "sftp", "ftp", "ftp-old", "ftps")


@pytest.fixture(scope="session")
def servers(tmp_path_factory):
    """One server of each kind that is asked for, over a folder that others may read (vsftpd reads as another user)."""
    place = tmp_path_factory.mktemp("sources")
    for above in (place, *place.parents):
        with contextlib.suppress(PermissionError):
            above.chmod(above.stat().st_mode | 0o055)
    running = {}
    with contextlib.ExitStack() as stack:

        def server(kind):
            if kind not in running:
                root = place / kind / "root"
                root.mkdir(mode=0o755, parents=True)
                running[kind] = (root, started(kind, place / kind / "server", root, stack))
            return running[kind]

        yield server


@pytest.fixture(params=KINDS)
def partner(request, servers):
    """A server of each kind, with an empty folder as its base."""
    kind = request.param
    installed, missing = _NEEDS.get(kind, (lambda: True, ""))
    if not installed():
        pytest.skip(missing)
    root, source = servers(kind)
    own = root / f"base{next(_NUMBERS)}"
    own.mkdir(mode=0o755)
    base = str(own) if kind in ("folder", "sftp") else f"/{own.name}"
    return Partner(kind=kind, root=own, source=replace(source, base=base))
