"""Passwords checked by a real OpenLDAP server."""

import json
import socket
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from opilio.kernel.errors import BadSetting
from opilio.kernel.settings import Settings
from opilio.people.directories import Verdict
from opilio.people.ldap import directory_from
from tests.servers.slapd import (
    BASE,
    CURATOR,
    DUPLICATE,
    ODD,
    READER_DN,
    READER_PASSWORD,
    WITHOUT_PASSWORD,
    password,
    running_slapd,
)

slapd = pytest.mark.program("slapd")
PLAIN = Settings(ldap_url="ldap://127.0.0.1", ldap_start_tls=False, ldap_user_base=BASE)


@pytest.fixture(scope="module")
def server():
    with running_slapd() as running:
        yield running


@pytest.fixture
def encrypted(server):
    """Settings for the server as an operator should have them."""
    return Settings(ldap_url=server.ldaps, ldap_ca_file=str(server.ca_file), ldap_user_base=BASE)


def check(settings, username, secret):
    return directory_from(settings).check(username, secret)


@slapd
def test_the_right_password_is_right_by_every_way_in(server, encrypted):
    """ldaps, StartTLS (the default for ldap) and, where the operator says so, no encryption."""
    for changes in (
        {},
        {"ldap_url": server.ldap},
        {"ldap_url": server.ldap, "ldap_start_tls": False, "ldap_ca_file": ""},
    ):
        settings = replace(encrypted, **changes)
        assert check(settings, CURATOR, password(CURATOR)) is Verdict.RIGHT
        assert check(settings, CURATOR, "something else") is Verdict.WRONG


@slapd
@pytest.mark.parametrize(
    "secret", ["", "\x00", "wrong", password(CURATOR) + " ", password(CURATOR).upper(), "a" * 1_025]
)
def test_a_wrong_password_is_wrong(encrypted, secret):
    """Above all the empty one, with which this server would grant an unauthenticated bind."""
    assert check(encrypted, CURATOR, secret) is Verdict.WRONG


@slapd
@pytest.mark.parametrize("username", ["", "nobody", WITHOUT_PASSWORD, "\x00", "\ud800", "a" * 2_000])
def test_a_user_whom_the_directory_cannot_vouch_for_is_wrong(encrypted, username):
    """Unknown, without a password of their own, or no name at all."""
    assert check(encrypted, username, "something") is Verdict.WRONG


@slapd
def test_a_password_beyond_utf8_is_wrong(encrypted):
    """Half a character ends in a verdict, not in an exception."""
    assert check(encrypted, CURATOR, "\udfff") is Verdict.WRONG


@slapd
@pytest.mark.parametrize("username", ODD)
def test_special_characters_mean_themselves(encrypted, username):
    """A star, brackets, a backslash or another script in a name are looked up as written."""
    assert check(encrypted, username, password(username)) is Verdict.RIGHT


@slapd
@pytest.mark.parametrize(
    "username", ["*", "cur*", "curator)(uid=*", "*)(|(uid=*", "curator)(cn=*))(|(uid=curator", "\\63urator"]
)
def test_a_filter_cannot_be_smuggled_in(encrypted, username):
    """With the curator's right password, no pattern that would find the curator does."""
    assert check(encrypted, username, password(CURATOR)) is Verdict.WRONG


@slapd
def test_two_entries_of_one_name_let_nobody_in(encrypted, caplog):
    """Whose password it is cannot be known; the log says so."""
    assert check(encrypted, DUPLICATE, password(DUPLICATE)) is Verdict.WRONG
    assert "ldap_ambiguous" in caplog.text


@slapd
def test_a_reader_finds_what_is_hidden_from_strangers(encrypted):
    """With ldap_bind_dn users are looked up under that name; without it anonymously."""
    hidden = replace(encrypted, ldap_user_base="dc=archive,dc=example")
    reader = replace(hidden, ldap_bind_dn=READER_DN, ldap_bind_password=READER_PASSWORD)
    assert check(hidden, "hidden", password("hidden")) is Verdict.WRONG
    assert check(reader, "hidden", password("hidden")) is Verdict.RIGHT


@slapd
@pytest.mark.parametrize(
    "changes",
    [
        {"ldap_bind_dn": READER_DN, "ldap_bind_password": "not this"},
        {"ldap_user_base": "ou=nowhere,dc=archive,dc=example"},
        {"ldap_user_filter": "(&(uid={username})"},
        {"ldap_ca_file": ""},
    ],
    ids=["reader's password", "base", "filter", "authority"],
)
def test_wrong_settings_are_nobodys_failure(encrypted, caplog, changes):
    """The user's password was not judged, so the directory counts as unreachable; the log says why."""
    assert check(replace(encrypted, **changes), CURATOR, password(CURATOR)) is Verdict.UNREACHABLE
    assert "ldap_trouble" in caplog.text
    assert password(CURATOR) not in caplog.text
    assert "not this" not in caplog.text


@slapd
def test_a_certificate_for_another_name_is_not_trusted(server, encrypted, caplog):
    """It was issued for 127.0.0.1; under another name of the same machine nothing is said to it."""
    for url in (f"ldaps://localhost:{server.ldaps_port}", f"ldap://localhost:{server.ldap_port}"):
        caplog.clear()
        assert check(replace(encrypted, ldap_url=url), CURATOR, password(CURATOR)) is Verdict.UNREACHABLE
        assert "Hostname mismatch" in caplog.text


def test_a_directory_that_is_away_is_unreachable(caplog):
    """A refused connection and an unknown host are no verdict on the password."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))  # taken, but nobody listens
        away = replace(PLAIN, ldap_url=f"ldap://127.0.0.1:{probe.getsockname()[1]}")
        assert check(away, CURATOR, "x") is Verdict.UNREACHABLE
    assert check(replace(PLAIN, ldap_url="ldap://no-such-host.invalid"), CURATOR, "x") is Verdict.UNREACHABLE
    assert caplog.text.count("ldap_trouble") == 2


@pytest.mark.parametrize("scheme", ["ldap", "ldaps"])
@pytest.mark.parametrize("start_tls", [True, False])
def test_a_directory_that_never_answers_is_given_up(scheme, start_tls):
    """Whatever it stalls at, the timeout ends it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:  # accepts, by its backlog, and stays silent
        url = f"{scheme}://127.0.0.1:{listener.getsockname()[1]}"
        silent = replace(PLAIN, ldap_url=url, ldap_start_tls=start_tls, ldap_timeout=0.2)
        assert check(silent, CURATOR, "x") is Verdict.UNREACHABLE


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x30\x84\xff\xff\xff\xff", b"\x00" * 5_000, b"\x30\x00",
        b"\x30\x0c\x02\x01\x01\x61\x07\x0a\x01\x00\x04\x01\xff\x04\x00", b"\x30\x05\x02\x01\x01\x61\x00",
    ],
)  # fmt: skip
def test_something_that_is_no_directory_is_unreachable(answer):
    """Odd bytes end in a verdict, not in an exception."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def talk():
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(answer)

        thread = threading.Thread(target=talk)
        thread.start()
        url = f"ldap://127.0.0.1:{listener.getsockname()[1]}"
        assert check(replace(PLAIN, ldap_url=url, ldap_timeout=1.0), CURATOR, "x") is Verdict.UNREACHABLE
        thread.join()


def test_without_an_address_there_is_no_directory():
    """An empty ldap_url means that LDAP is not used."""
    assert directory_from(Settings()) is None


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"ldap_url": "http://127.0.0.1"}, "ldap_url"),
        ({"ldap_url": "ldap://"}, "ldap_url"),
        ({"ldap_url": "ldap://host:many"}, "ldap_url"),
        ({"ldap_url": "ldap://host:70000"}, "ldap_url"),
        ({"ldap_url": "ldap://host/dc=example"}, "ldap_url"),
        ({"ldap_url": "ldap://[::1"}, "ldap_url"),
        ({"ldap_user_base": ""}, "ldap_user_base"),
        ({"ldap_user_filter": "(uid=curator)"}, "ldap_user_filter"),
        ({"ldap_user_filter": "uid={username}"}, "ldap_user_filter"),
        ({"ldap_bind_dn": READER_DN}, "ldap_bind_password"),
        ({"ldap_ca_file": "no/such/file.pem"}, "ldap_ca_file"),
    ],
)
def test_settings_that_cannot_work_are_named(changes, where):
    """The error names the setting and says what to write."""
    with pytest.raises(BadSetting) as caught:
        directory_from(replace(PLAIN, **changes))
    assert caught.value.where == where
    assert caught.value.remedy


def test_without_the_library_the_remedy_is_named():
    """The module can be imported without ldap3; using it then says what to install."""
    code = """
import json, sys
sys.modules["ldap3"] = None  # as if it were not installed
from opilio.kernel.errors import BadSetting
from opilio.kernel.settings import Settings
from opilio.people.ldap import directory_from
assert directory_from(Settings()) is None
try:
    directory_from(Settings(ldap_url="ldap://127.0.0.1", ldap_user_base="dc=example"))
except BadSetting as error:
    print(json.dumps(str(error)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "pip install 'opilio[ldap]'" in json.loads(done.stdout)
