"""The HTTP and HTTPS server: `python -m tests.servers.http [--tls DIR] [--site [HOST=]DIR]… [--sites DIR]`.

Listens on loopback at a free port, prints one JSON line with its address, and ends when its standard input closes,
so that it never outlives the process that started it.
"""

import argparse
import asyncio
import itertools
import json
import os
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from tests.servers.behaviour import Memory
from tests.servers.certificates import Certificates
from tests.servers.connection import Connection
from tests.servers.folder import Sites
from tests.servers.request import HEAD_LIMIT
from tests.servers.request_log import LogWriter
from tests.servers.routes import Routes, table


def options(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.servers.http", description=__doc__)
    parser.add_argument("--folder", type=Path, help="where requests.jsonl and robots.json lie; a new one by default")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--tls", type=Path, metavar="DIR", help="serve HTTPS and write ca.pem into this folder")
    parser.add_argument("--site", action="append", default=[], metavar="[HOST=]DIR", help="serve a folder's files")
    parser.add_argument("--sites", type=Path, metavar="DIR", help="serve each subfolder NAME at NAME.localhost")
    parser.add_argument("--list", action="store_true", help="print the table of behaviours and end")
    return parser.parse_args(arguments)


async def serve(chosen: argparse.Namespace) -> None:
    """Listen, print the address, and answer until standard input closes."""
    folder = chosen.folder or Path(tempfile.mkdtemp(prefix="opilio-http-"))
    folder.mkdir(parents=True, exist_ok=True)
    log = LogWriter(folder / "requests.jsonl")
    certificates = Certificates(chosen.tls) if chosen.tls else None
    scheme = "https" if certificates else "http"
    routes = Routes(sites=Sites.parsed(chosen.site, chosen.sites), memory=Memory(robots_file=folder / "robots.json"))
    numbers = itertools.count(1)

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(streams=(reader, writer), number=next(numbers), scheme=scheme, log=log, route=routes)
        await connection.serve()

    server = await asyncio.start_server(
        connected, "127.0.0.1", chosen.port, limit=HEAD_LIMIT, backlog=1024,
        ssl=certificates.context() if certificates else None,
    )  # fmt: skip
    host, port = server.sockets[0].getsockname()
    address = {
        "scheme": scheme, "host": host, "port": port, "pid": os.getpid(), "folder": str(folder),
        "ca": str(certificates.ca_file) if certificates else None,
    }  # fmt: skip
    print(json.dumps(address), flush=True)
    await standard_input_closed()
    server.close()


async def standard_input_closed() -> None:
    """Return at the end of standard input, whether it is a pipe, a terminal or a file."""
    closed = asyncio.Event()
    loop = asyncio.get_running_loop()

    def drain() -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        loop.call_soon_threadsafe(closed.set)

    threading.Thread(target=drain, daemon=True).start()
    await closed.wait()


def main(arguments: Sequence[str]) -> None:
    """List the behaviours or serve them."""
    chosen = options(arguments)
    if chosen.list:
        print(table())
    else:
        asyncio.run(serve(chosen))


if __name__ == "__main__":
    main(sys.argv[1:])
