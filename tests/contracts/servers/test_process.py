"""The server as a process: address, log, end."""

import asyncio
import json
import os
import select
import signal
import socket
import ssl
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from opilio.kernel.errors import Unavailable
from tests.servers.http_server import HttpServer
from tests.servers.process import ROOT, ServerProcess
from tests.servers.raw_client import ask, connect, read_all, request_bytes
from tests.servers.request_log import read_log


def ended(pidfd: int) -> bool:
    """Whether a process has ended, waiting for it up to a minute."""
    return bool(select.select([pidfd], [], [], 60)[0])


def test_stop_ends_the_process():
    """After the with block the process is gone, also while a client reads an endless body."""
    with HttpServer() as server:
        folder, pidfd = server.folder, os.pidfd_open(server.pid)
        connection = connect(server.port)
        connection.sendall(request_bytes("/endless"))
        assert connection.recv(10)
    with connection:
        assert ended(pidfd)
    os.close(pidfd)
    assert not folder.exists()


def test_server_ends_with_its_parent(tmp_path):
    """When the process that started it is killed, the server ends by itself."""
    script = (
        "from tests.servers.http_server import HttpServer\n"
        "server = HttpServer().start()\nprint(server.pid, flush=True)\ninput()\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        pidfd = os.pidfd_open(int(parent.stdout.readline()))
        parent.send_signal(signal.SIGKILL)
    assert ended(pidfd)
    os.close(pidfd)


def test_failed_start_says_why(tmp_path):
    """A server that cannot start raises with what it said on standard error."""
    with pytest.raises(Unavailable) as caught, HttpServer(site=tmp_path / "missing"):
        pass
    assert "missing is no folder" in str(caught.value)


def test_silent_end_is_noticed(tmp_path):
    """A module that ends without an address is an error, not a hang."""
    with pytest.raises(Unavailable) as caught:
        ServerProcess("tests.servers.no_such_module", [], errors=tmp_path / "errors.txt").start()
    assert "no_such_module" in str(caught.value)


def test_stop_can_be_repeated():
    """Stopping twice does no harm."""
    server = HttpServer().start()
    server.stop()
    server.stop()


def test_log_tells_each_request():
    """Host, method, target, headers, connection and times of every request are in the log, in order."""
    with HttpServer() as server:
        before = time.monotonic()
        ask(server.port, "/page?n=1", host="a.localhost:99", headers={"X-Grain": "Gerste, geschält"})
        ask(server.port, "/drop", host="b.localhost", method="POST", body=b"x")
        first, second = server.answered_log(2)
    assert (first.number, first.host, first.method, first.target) == (1, "a.localhost", "GET", "/page?n=1")
    assert first.header("host") == "a.localhost:99"
    assert first.header("x-grain").encode("latin-1").decode() == "Gerste, geschält"
    assert (second.number, second.host, second.method, second.target) == (2, "b.localhost", "POST", "/drop")
    assert first.connection != second.connection
    assert before <= first.at <= first.answered <= second.at <= second.answered <= time.monotonic()
    assert first.sent > 100
    assert second.sent == 0


def test_log_is_complete_under_load(server, key):
    """Of many requests at once none is missing, and numbers follow the time."""
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: ask(server.port, f"/page?n={n}", host=f"{key}.localhost"), range(200)))
    entries = [entry for entry in server.log() if entry.host == f"{key}.localhost"]
    assert sorted(entry.target for entry in entries) == sorted(f"/page?n={n}" for n in range(200))
    assert [entry.at for entry in entries] == sorted(entry.at for entry in entries)
    assert len({entry.connection for entry in entries}) == 200


def test_slowness_shows_in_the_log():
    """The time between request and answer is at least the wait that was asked for."""
    with HttpServer() as server:
        ask(server.port, "/slow/headers?seconds=0.05")
        ask(server.port, "/slow/body?seconds=0.02&pieces=4")
        head, body = server.answered_log(2)
    assert head.answered - head.at >= 0.05
    assert body.answered - body.at >= 0.08


def test_malformed_request_is_logged():
    """Even what is no request leaves a line."""
    with HttpServer() as server:
        with connect(server.port) as connection:
            connection.sendall(b"nonsense\r\n\r\n")
            read_all(connection)
        (entry,) = server.answered_log(1)
    assert (entry.method, entry.target, entry.headers) == ("", "", ())


def test_half_written_line_is_left_alone(tmp_path):
    """Reading while the server writes gives the whole lines only; no file yet means no requests."""
    path = tmp_path / "requests.jsonl"
    assert read_log(path) == []
    entry = {
        "ns": 1_500_000_000, "number": 1, "connection": 1, "peer": "127.0.0.1:1", "scheme": "http", "host": "a",
        "method": "GET", "target": "/", "version": "HTTP/1.1", "headers": [["Host", "a"]],
    }  # fmt: skip
    path.write_text(json.dumps(entry) + '\n{"ns": 2, "answ', encoding="utf-8")
    (read,) = read_log(path)
    assert (read.at, read.answered, read.headers) == (1.5, None, (("Host", "a"),))


def test_slow_client_does_not_block_others(server):
    """While one client reads an endless body, another is served."""
    with connect(server.port) as endless:
        endless.sendall(request_bytes("/endless"))
        endless.recv(1)
        assert ask(server.port, "/page").status == 200


def test_tls_is_trusted_for_every_name(tls_server):
    """With the server's authority, addresses and any host name below localhost verify."""
    context = tls_server.client_context()
    for name in ("localhost", "127.0.0.1", "a.localhost", "deep.er.localhost", "www.elsewhere.example"):
        with connect(tls_server.port, context=context, name=name) as connection:
            connection.sendall(request_bytes("/page", host=name))
            assert read_all(connection).startswith(b"HTTP/1.1 200 OK")
    assert tls_server.url("/x", host="a.localhost") == f"https://a.localhost:{tls_server.port}/x"
    assert {entry.scheme for entry in tls_server.log()} == {"https"}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("expired.localhost", "expired"),
        ("other-name.localhost", "Hostname mismatch"),
        ("untrusted.localhost", "unable to get local issuer|self-signed"),
    ],
)
def test_faulty_certificates_do_not_verify(tls_server, name, reason):
    """A host name that begins with a fault has a certificate with that fault."""
    with pytest.raises(ssl.SSLCertVerificationError, match=reason):
        connect(tls_server.port, context=tls_server.client_context(), name=name)


def test_tls_misbehaves_too(tls_server):
    """Under TLS a drop says farewell and a reset does not, which OpenSSL may report as either error."""
    context = tls_server.client_context()
    assert ask(tls_server.port, "/drop", context=context).data == b""
    with pytest.raises((ConnectionResetError, ssl.SSLEOFError)):
        ask(tls_server.port, "/reset", context=context)


def test_plain_request_to_tls_port_is_dropped(tls_server):
    """Speaking plain HTTP to the TLS port gives no HTTP answer, and the server goes on."""
    with connect(tls_server.port) as connection:
        connection.sendall(request_bytes("/page"))
        try:
            data = read_all(connection)
        except ConnectionResetError:
            data = b""
    assert not data.startswith(b"HTTP/")
    assert ask(tls_server.port, "/page", context=tls_server.client_context()).status == 200


def test_host_names_share_one_address(server):
    """The server answers for whatever host the client names."""
    for host in ("a.localhost", "b.localhost:1234", "xn--mher-loa.example"):
        assert ask(server.port, "/echo", host=host).json()["host"] == host.partition(":")[0]


def test_only_loopback_is_listened_on(server):
    """The server listens on 127.0.0.1, not on another loopback address."""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", server.port), timeout=5)


def test_async_clients_work(server):
    """An asyncio client reads an answer from it in the usual way."""

    async def visit() -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(request_bytes("/page"))
        data = await reader.read()
        writer.close()
        await writer.wait_closed()
        return data

    assert asyncio.run(visit()).startswith(b"HTTP/1.1 200 OK")
