"""Machines made of network namespaces: each has a network of its own, one wire to the others, and nothing else shared.

They reach the servers of a proof at one address, under which wires pass on to loopback (`tests.servers.cut_wire`).
"""

import contextlib
import os
import secrets
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_HOSTS = Path("/etc/netns")  # `ip netns exec` lets a namespace see its own /etc/hosts from here


@dataclass(frozen=True, kw_only=True)
class Namespace:
    """One machine's network."""

    name: str

    def command(self, *words: str) -> list[str]:
        """A command that runs there."""
        return ["ip", "netns", "exec", self.name, *words]

    def cut(self) -> None:
        """Nothing goes in or out."""
        _ip("link", "set", f"{self.name}h", "down")

    def mend(self) -> None:
        """It does again."""
        _ip("link", "set", f"{self.name}h", "up")


@dataclass(frozen=True, kw_only=True)
class Network:
    """Machines, and the address at which they reach the rest."""

    address: str
    machines: tuple[Namespace, ...]


def reason_against() -> str:
    """Why there can be no namespaces here; empty: there can."""
    if os.geteuid() != 0:
        return "needs root to make network namespaces"
    name = f"op{secrets.token_hex(3)}"
    try:
        made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "needs the program ip (Debian package iproute2)"
    if made.returncode:
        return f"network namespaces cannot be made here: {made.stderr.strip()[:200]}"
    subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
    return ""


@contextlib.contextmanager
def network(count: int, names: Mapping[str, str] | None = None) -> Iterator[Network]:
    """So many machines; `names` are host names that all of them resolve to the address of the rest."""
    mark = secrets.token_hex(2)
    subnet = f"10.{200 + int(mark[:2], 16) % 50}.{int(mark[2:], 16)}"
    bridge, made = f"opb{mark}", tuple(Namespace(name=f"op{mark}{number}") for number in range(count))
    try:
        _ip("link", "add", bridge, "type", "bridge")
        _ip("addr", "add", f"{subnet}.1/24", "dev", bridge)
        _ip("link", "set", bridge, "up")
        for number, machine in enumerate(made):
            _add(machine, bridge, f"{subnet}.{number + 10}/24", f"{subnet}.1", names or {})
        yield Network(address=f"{subnet}.1", machines=made)
    finally:
        for machine in made:
            subprocess.run(["ip", "netns", "del", machine.name], capture_output=True, check=False)
            subprocess.run(["ip", "link", "del", f"{machine.name}h"], capture_output=True, check=False)
            (_HOSTS / machine.name / "hosts").unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                (_HOSTS / machine.name).rmdir()
        subprocess.run(["ip", "link", "del", bridge], capture_output=True, check=False)


def _add(machine: Namespace, bridge: str, address: str, rest: str, names: Mapping[str, str]) -> None:
    _ip("netns", "add", machine.name)
    _ip("link", "add", f"{machine.name}h", "type", "veth", "peer", "name", "eth0", "netns", machine.name)
    _ip("link", "set", f"{machine.name}h", "master", bridge, "up")
    for words in (("link", "set", "lo", "up"), ("addr", "add", address, "dev", "eth0"), ("link", "set", "eth0", "up")):
        subprocess.run(["ip", "-n", machine.name, *words], check=True, capture_output=True)
    folder = _HOSTS / machine.name
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["127.0.0.1 localhost", *(f"{rest} {name}" for name in names)]
    (folder / "hosts").write_text("\n".join(lines) + "\n")


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)
