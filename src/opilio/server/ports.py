"""Whether an address can be listened on, asked before anything is started."""

import errno
import http.client
import socket

from opilio.kernel.errors import PortInUse, Unavailable

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - to be reached, not to be bound to


def free_port(host: str, port: int) -> int:
    """The port itself, or a free one for 0; `PortInUse` when another program has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError as error:
            raise _refused(error, host, port) from error
        return int(probe.getsockname()[1])


def answers(host: str, port: int, *, seconds: float = 5.0) -> bool:
    """Whether an HTTP server answers there, with whatever status."""
    connection = http.client.HTTPConnection(_EVERYWHERE.get(host, host), port, timeout=seconds)
    try:
        connection.request("HEAD", "/", headers={"Host": "localhost"})
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def address(host: str, port: int) -> str:
    """What to type into a browser on this machine."""
    shown = _EVERYWHERE.get(host, host)
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def _refused(error: OSError, host: str, port: int) -> PortInUse | Unavailable:
    if error.errno == errno.EADDRINUSE:
        return PortInUse(
            f"Another program listens on port {port}",
            where=f"{host}:{port}",
            remedy="Stop it, or choose another with --port (0 takes a free one).",
        )
    return Unavailable(
        f"Cannot listen: {error.strerror or error}",
        where=f"{host}:{port}",
        remedy="Check the settings server_host and server_port.",
    )
