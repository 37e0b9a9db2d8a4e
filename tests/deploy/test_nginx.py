"""The example for nginx, with the real nginx before a real server: pages, replay, live streams, nodes, limits."""

import http.client
import json
import os
import re
import socket
import ssl
import subprocess
import threading
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import trustme

from tests.deploy.promises import DEPLOY
from tests.viewers import PASSWORD, PATIENCE, filled, next_event, serving

pytestmark = pytest.mark.program("nginx")

EXAMPLE = (DEPLOY / "nginx" / "opilio.conf").read_text()
NAMES = ("opilio.example.org", "replay.example.net", "*.replay.example.net", "search.example.org")
BEHIND = {
    "OPILIO_SERVER_BEHIND_TLS": "true", "OPILIO_SERVER_TRUSTED_PROXIES": "1",
    "OPILIO_SERVER_ALLOWED_HOSTS": "opilio.example.org,127.0.0.1",
    "OPILIO_SERVER_PUBLIC_URL": "https://opilio.example.org", "OPILIO_REPLAY_HOST": "replay.example.net",
}  # fmt: skip
_FRAME = """{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  client_body_temp_path {folder}/client; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  {example}
}}
"""


class _Node(BaseHTTPRequestHandler):
    """Stands for the service of a node."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"node": self.server.name, "for": self.headers["X-Forwarded-For"]}).encode())

    def log_message(self, *_):
        pass


@contextmanager
def node(name):
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Node)
    server.name = name
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    text: str


class Proxy:
    """nginx with the example, whose ports, certificates and upstreams are those of the test; nothing else differs."""

    def __init__(self, folder, *, pages, primary, backup):
        self.port, plain = free_port(), free_port()
        authority = trustme.CA()
        certificate = authority.issue_cert(*NAMES)
        certificate.private_key_pem.write_to_path(str(folder / "key"))
        (folder / "pem").write_bytes(b"".join(part.bytes() for part in certificate.cert_chain_pems))
        self.context = ssl.create_default_context()
        authority.configure_trust(self.context)
        text = re.sub(r"/etc/ssl/opilio/\w+\.(pem|key)", rf"{folder}/\1", EXAMPLE)
        text = text.replace("listen 443 ", f"listen 127.0.0.1:{self.port} ").replace("listen 80 ", f"listen {plain} ")
        text = text.replace("127.0.0.1:8000", f"127.0.0.1:{pages}").replace("/var/log/nginx", str(folder))
        text = text.replace("127.0.0.1:8100", f"127.0.0.1:{primary}").replace("127.0.0.1:8101", f"127.0.0.1:{backup}")
        user = "" if os.geteuid() else "user root;"
        self.folder, self.conf = folder, folder / "nginx.conf"
        self.conf.write_text(_FRAME.format(user=user, folder=folder, example=text))
        self.command = ["nginx", "-p", str(folder), "-c", str(self.conf), "-e", str(folder / "error.log")]
        self.env = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin"}

    def test(self):
        return subprocess.run([*self.command, "-t"], env=self.env, capture_output=True, text=True, check=False)

    @contextmanager
    def running(self):
        process = subprocess.Popen(self.command, env=self.env, stderr=subprocess.DEVNULL)
        try:
            for _ in range(PATIENCE * 20):
                try:
                    socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                    break
                except OSError:
                    threading.Event().wait(0.05)
            yield self
        finally:
            process.terminate()
            process.wait(PATIENCE)

    @contextmanager
    def asking(self, host, path="/", *, method="GET", body=None, **headers):
        """An answer under a host name, whose certificate is checked."""
        raw = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        connection = http.client.HTTPConnection(host, self.port, timeout=PATIENCE)
        connection.sock = self.context.wrap_socket(raw, server_hostname=host)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(connection):
            connection.request(method, path, body, {"Host": host, **sent})
            with closing(connection.getresponse()) as answer:
                yield answer

    def ask(self, host, path="/", **request):
        """An answer, read whole."""
        with self.asking(host, path, **request) as answer:
            return Answer(status=answer.status, headers=answer.headers, text=answer.read().decode())


@pytest.fixture(scope="module")
def proxied(_installations, tmp_path_factory):
    """nginx before a server of pages with a harvest that runs, and before two nodes."""
    installation = _installations.make(tmp_path_factory.mktemp("nginx") / "home")
    harvest = filled(installation)
    installation.env.update(BEHIND)
    folder = tmp_path_factory.mktemp("proxy")
    try:
        with serving(installation, https=True) as pages, node("primary") as primary, node("backup") as backup:
            proxy = Proxy(folder, pages=pages.port, primary=primary.server_address[1], backup=backup.server_address[1])
            told = proxy.test()
            assert "syntax is ok" in told.stderr, told.stderr
            assert "[warn]" not in told.stderr, told.stderr
            with proxy.running():
                yield proxy, pages, harvest, primary
    finally:
        installation.remove()


PAGES = "opilio.example.org"


def test_pages_are_signed_in_to_by_https(proxied):
    """The sign-in page comes through with a cookie for this host alone, and a request id that ties the logs."""
    proxy, *_ = proxied
    answer = proxy.ask(PAGES, "/sign-in")
    page = answer.text
    assert answer.status == 200
    assert "csrfmiddlewaretoken" in page
    cookies = answer.headers.get_all("Set-Cookie")
    assert any(cookie.startswith("__Host-opilio-csrf=") and "Secure" in cookie for cookie in cookies)
    assert re.fullmatch(r"[0-9a-f]{32}", answer.headers["X-Request-ID"])
    assert answer.headers["Strict-Transport-Security"].startswith("max-age=")
    assert "frame-ancestors" in answer.headers["Content-Security-Policy"]
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    jar = "; ".join(cookie.split(";")[0] for cookie in cookies)
    form = f"username=curator&password={PASSWORD.replace(' ', '+')}&csrfmiddlewaretoken={token}"
    kind = "application/x-www-form-urlencoded"
    answer = proxy.ask(
        PAGES, "/sign-in", method="POST", body=form, Cookie=jar, Content_Type=kind, Origin=f"https://{PAGES}"
    )
    assert answer.status == 302, answer.text


def test_health_comes_through_and_figures_do_not_from_outside(proxied):
    """Both are answered; the figures have a list of networks in the proxy and one in the settings."""
    proxy, *_ = proxied
    assert json.loads(proxy.ask(PAGES, "/health/live").text)["live"] is True
    assert proxy.ask(PAGES, "/health/ready").status == 200
    assert proxy.ask(PAGES, "/metrics").status == 200  # loopback is in both
    assert re.search(r"location = /metrics \{[^}]*deny all;", EXAMPLE)


def test_live_events_are_not_held_back(proxied):
    """The first event arrives while the stream is open."""
    proxy, pages, harvest, _ = proxied
    with proxy.asking(PAGES, f"/harvests/{harvest}/live/stream", Cookie=pages.cookie) as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert json.loads(next_event(answer)["data"])["state"] == "running"


def test_replay_answers_under_names_of_its_own(proxied):
    """Replay, not the pages, answers there; it sends those without a token back to the pages."""
    proxy, *_ = proxied
    answer = proxy.ask("r1.replay.example.net", "/sign-in")
    assert "csrfmiddlewaretoken" not in answer.text
    assert "Set-Cookie" not in answer.headers
    home = proxy.ask("replay.example.net", "/")
    assert home.status in (302, 303, 307)
    assert home.headers["Location"].startswith("https://opilio.example.org/")


def test_other_names_get_nothing(proxied):
    """A forged host name reaches no application."""
    proxy, *_ = proxied
    raw = socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE)
    with proxy.context.wrap_socket(raw, server_hostname=PAGES) as wrapped:
        wrapped.sendall(b"GET /sign-in HTTP/1.1\r\nHost: evil.example.com\r\n\r\n")
        assert wrapped.recv(100) == b""


def test_readers_move_to_the_backup_while_the_primary_is_away(proxied):
    """Search goes to the primary, then to the backup; orders to nodes do not pass; nobody chooses his own address."""
    proxy, *_, primary = proxied
    told = json.loads(proxy.ask("search.example.org", "/search?q=owl", X_Forwarded_For="10.9.9.9").text)
    assert told == {"node": "primary", "for": "127.0.0.1"}
    for path in ("/node/orders", "/metrics", "/"):
        assert proxy.ask("search.example.org", path).status == 404
    primary.shutdown()
    primary.server_close()
    assert json.loads(proxy.ask("search.example.org", "/search?q=owl").text)["node"] == "backup"


def test_large_bodies_are_refused_but_where_files_are_added(proxied):
    """3 MB for forms, OPILIO_SERVER_MAX_UPLOAD_BYTES for files of results."""
    proxy, *_ = proxied
    large = {"method": "POST", "Content_Length": str(4_000_000)}
    assert proxy.ask(PAGES, "/sign-in", **large).status == 413
    assert re.search(r"import\(/\|\$\) \{\s+client_max_body_size 1g;", EXAMPLE)


def test_the_log_keeps_no_query(proxied):
    """Tokens travel behind the question mark; the log has the path alone."""
    proxy, *_ = proxied
    proxy.ask(PAGES, "/sign-in?next=/secret-token-4711")
    log = (proxy.folder / "opilio.log").read_text()
    assert "GET /sign-in" in log
    assert "4711" not in log
