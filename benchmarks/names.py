"""Host names of this machine's own for the programs that are measured, without touching /etc/hosts.

A program runs in a mount namespace in which another file lies over /etc/hosts. Where namespaces are not allowed, the
loopback addresses stand for the names; the server answers to both.
"""

import subprocess
from pathlib import Path

_OVER = 'mount --bind "$0" /etc/hosts && exec "$@"'


def address(number: int) -> str:
    """The loopback address of a site."""
    return f"127.0.1.{number}"


def name(number: int) -> str:
    """The host name of a site."""
    return f"site{number:02d}.docs.test"


def hosts_file(place: Path, count: int) -> Path:
    """Write what lies over /etc/hosts."""
    lines = ["127.0.0.1 localhost", *(f"{address(number)} {name(number)}" for number in range(1, count + 1))]
    place.write_text("\n".join(lines) + "\n")
    return place


def prefix(hosts: Path) -> list[str]:
    """What to put before a command so that it knows the names; empty when that is not possible here."""
    before = ["unshare", "--map-root-user", "--mount", "sh", "-c", _OVER, str(hosts)]
    try:
        tried = subprocess.run([*before, "getent", "hosts", name(1)], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return []
    return before if address(1) in tried.stdout else []
