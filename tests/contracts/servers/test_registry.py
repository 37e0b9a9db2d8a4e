"""Every behaviour is listed, described, reachable, and does at first sight what its name says."""

import html
from pathlib import Path

import pytest

from tests.servers import routes
from tests.servers.behaviour import Behaviour
from tests.servers.charsets import VARIANTS
from tests.servers.misbehave.odd_bytes import ODD
from tests.servers.raw_client import ask

OK = b"HTTP/1.1 200 OK\r\n"
README = Path(routes.__file__).with_name("README.md")

# What the example of each behaviour begins with on the wire; None for a reset connection.
FIRST_BYTES: dict[str, bytes | None] = {
    "page": OK,
    "echo": OK,
    "status": b"HTTP/1.1 410 Gone\r\n",
    "type": OK,
    "no-head": OK,
    "slow-headers": OK,
    "slow-dribble": OK,
    "slow-body": OK,
    "drop": b"",
    "drop-in-head": b"HTTP/1.1 200 OK\r\nContent-Type: text/ht",
    "drop-then-page": b"",
    "reset": None,
    "reset-in-body": None,
    "truncated": OK,
    "wrong-length": OK,
    "broken-chunks": OK,
    "short-chunk": OK,
    "no-last-chunk": OK,
    "huge-chunk": OK,
    "endless": OK,
    "endless-chunks": OK,
    "long-body": OK,
    "gzip-bomb": OK,
    "br-bomb": OK,
    "zstd-bomb": OK,
    "double-gzip-bomb": OK,
    "many-headers": OK,
    "huge-header": OK,
    "gzip": OK,
    "br": OK,
    "zstd": OK,
    "deflate": OK,
    "raw-deflate": OK,
    "mislabelled-gzip": OK,
    "cut-gzip": OK,
    "unknown-encoding": OK,
    "negotiated-gzip": OK,
    "redirect-loop": b"HTTP/1.1 302 Found\r\n",
    "redirect-self": b"HTTP/1.1 302 Found\r\n",
    "redirect-chain": b"HTTP/1.1 302 Found\r\n",
    "redirect-endless": b"HTTP/1.1 302 Found\r\n",
    "redirect-to": b"HTTP/1.1 301 Moved Permanently\r\n",
    "redirect-nowhere": b"HTTP/1.1 302 Found\r\n",
    "redirect-meta": OK,
    "redirect-refresh": OK,
    "429-seconds": b"HTTP/1.1 429 Too Many Requests\r\n",
    "429-date": b"HTTP/1.1 429 Too Many Requests\r\n",
    "429-silent": b"HTTP/1.1 429 Too Many Requests\r\n",
    "429-nonsense": b"HTTP/1.1 429 Too Many Requests\r\n",
    "503-flapping": b"HTTP/1.1 503 Service Unavailable\r\n",
    "cookie-set": OK,
    "cookie-show": OK,
    "cookie-require": b"HTTP/1.1 403 Forbidden\r\n",
    "cookie-wall": b"HTTP/1.1 302 Found\r\n",
    "basic-login": b"HTTP/1.1 401 Unauthorized\r\n",
    "digest-md5-login": b"HTTP/1.1 401 Unauthorized\r\n",
    "digest-sha-256-login": b"HTTP/1.1 401 Unauthorized\r\n",
    "digest-both-login": b"HTTP/1.1 401 Unauthorized\r\n",
    "form-login": OK,
    "form-inside": b"HTTP/1.1 302 Found\r\n",
    "form-logout": b"HTTP/1.1 302 Found\r\n",
    "negotiate-login": b"HTTP/1.1 401 Unauthorized\r\n",
    "key-login": b"HTTP/1.1 401 Unauthorized\r\n",
    "ticket-login": b"HTTP/1.1 302 Found\r\n",
    "realm-change-login": b"HTTP/1.1 401 Unauthorized\r\n",
    "calendar-trap": OK,
    "session-id-trap": OK,
    "session-path-trap": OK,
    "deeper-trap": OK,
    "soft-404": OK,
    "validated": OK,
    "changing": OK,
    "lying-etag": OK,
    "range": OK,
    "large-site": OK,
    "robots": b"HTTP/1.1 404 Not Found\r\n",
    **{f"odd-{name}": data for name, (_, data) in ODD.items()},
    **{f"charset-{variant.name}": OK for variant in VARIANTS},
}


@pytest.mark.parametrize("behaviour", routes.BEHAVIOURS, ids=lambda behaviour: behaviour.name)
def test_behaviour_is_reachable(server, key, behaviour: Behaviour):
    """The example of each behaviour is answered, or not, as its name says."""
    first = FIRST_BYTES[behaviour.name]
    if first is None:
        with pytest.raises(ConnectionResetError):
            ask(server.port, behaviour.shown, host=f"{key}.localhost")
        return
    answer = ask(server.port, behaviour.shown, host=f"{key}.localhost", limit=100_000)
    assert answer.data == first if first == b"" else answer.data.startswith(first)


def test_every_behaviour_has_an_expectation():
    """A behaviour that is added without saying what it sends is noticed, and so is one that is gone."""
    assert set(FIRST_BYTES) == {behaviour.name for behaviour in routes.BEHAVIOURS}


def test_names_and_paths_are_unique():
    """No behaviour hides another."""
    assert len({behaviour.name for behaviour in routes.BEHAVIOURS}) == len(routes.BEHAVIOURS)
    assert len(routes.BY_PATH) == len(routes.BEHAVIOURS)


@pytest.mark.parametrize("behaviour", routes.BEHAVIOURS, ids=lambda behaviour: behaviour.name)
def test_behaviour_describes_itself(behaviour: Behaviour):
    """Each has a sentence, and its example leads to itself."""
    assert behaviour.sentence.endswith(".")
    found = routes.find(behaviour.shown.partition("?")[0])
    assert found is not None
    assert found[0] is behaviour


def test_readme_lists_every_behaviour():
    """The table of README.md is the one made from the registry; `python -m tests.servers.http --list` prints it."""
    assert routes.table() in README.read_text(encoding="utf-8")


def test_front_page_links_every_behaviour(server):
    """The front page leads to all of them."""
    text = ask(server.port, "/").body.decode()
    assert all(f'href="{html.escape(behaviour.shown)}"' in text for behaviour in routes.BEHAVIOURS)


def test_longest_path_wins():
    """`/drop/head` is a behaviour of its own below `/drop`; what is below it is handed over."""
    behaviour, rest = routes.find("/drop/head/a/b")
    assert (behaviour.name, rest) == ("drop-in-head", ("a", "b"))
    assert routes.find("/dropped") is None


def test_unknown_path_is_missing(server):
    """A path without behaviour gives 404 and names it without markup of the asker's making."""
    answer = ask(server.port, "/nothing/%3Cb%3E%FF")
    assert answer.status == 404
    assert b"&lt;b&gt;" in answer.body
    assert b"<b>" not in answer.body


@pytest.mark.parametrize(
    "target",
    [
        "/slow/headers?seconds=soon", "/slow/headers?seconds=-1", "/slow/headers?seconds=nan", "/status/99",
        "/redirect/chain/many", "/redirect/to?status=200", "/bomb/gzip?mib=0", "/truncated?missing=1e9",
        "/calendar/2024/13", "/large/0/", "/large/x/", "/large/", "/large/10-x/", "/range?size=9999999999999999999999",
        "/status/%D9%A4%D9%A0%D9%A4",
    ],
)  # fmt: skip
def test_senseless_parameter_is_refused(server, target):
    """A parameter of the wrong kind or size gives 400, not a broken connection."""
    assert ask(server.port, target).status == 400
