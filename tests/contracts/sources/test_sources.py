"""What every kind of source does, against real servers."""

import json
import os
import threading
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from opilio.cli.main import main
from opilio.deliveries.errors import NotAtSource, SourceAway, SourceRefused, WrongIdentity
from opilio.deliveries.source import SourceProtocol
from opilio.deliveries.sources.opened import opened
from tests.contracts.sources.conftest import KINDS

WHEN = datetime(2024, 2, 29, 12, 30, 15, tzinfo=UTC)


def lay(partner, path, content=b"x", when=WHEN):
    """A file at the source."""
    place = partner.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    os.utime(place, (when.timestamp(), when.timestamp()))
    return place


def fetched(connection, path, offset=0):
    """The bytes of a file."""
    got = []
    connection.fetch(path, offset, got.append)
    return b"".join(got)


def test_a_folder_is_listed(partner):
    """Files with their names; folders and links are told apart; nothing above or below."""
    lay(partner, "add/J.2024-02-29.1.impc.zip", b"1234")
    lay(partner, "add/with space & more.zip", b"12")
    lay(partner, "add/inner/deep.zip", b"1")
    lay(partner, "edit/other.zip", b"1")
    with partner.connect() as connection:
        found = {one.name: one for one in connection.entries("add")}
    assert set(found) == {"J.2024-02-29.1.impc.zip", "with space & more.zip", "inner"}
    assert found["J.2024-02-29.1.impc.zip"].file
    assert not found["inner"].file
    if partner.kind != "nginx-html":
        assert found["J.2024-02-29.1.impc.zip"].size == 4


def test_a_link_is_no_file(partner):
    """A link could lead anywhere."""
    lay(partner, "add/real.zip", b"secret")
    (partner.root / "add/link.zip").symlink_to(partner.root / "add/real.zip")
    with partner.connect() as connection:
        found = {one.name: one for one in connection.entries("add")}
    if partner.kind in ("folder", "sftp", "vsftpd", "vsftpd-tls", "ftp-old"):  # the others do not tell
        assert not found["link.zip"].file
    assert found["real.zip"].file


def test_a_file_is_looked_at(partner):
    """Size and time, exactly."""
    lay(partner, "add/a.zip", b"12345")
    with partner.connect() as connection:
        found = connection.look("add/a.zip")
    assert (found.name, found.size) == ("a.zip", 5)
    if partner.kind != "ftp-old":
        assert found.modified == WHEN


def test_what_is_not_there(partner):
    """Is said so, by every call, and the connection goes on."""
    lay(partner, "add/a.zip", b"12345")
    with partner.connect() as connection:
        with pytest.raises(NotAtSource):
            list(connection.entries("nowhere"))
        with pytest.raises(NotAtSource):
            connection.look("add/b.zip")
        with pytest.raises(NotAtSource):
            fetched(connection, "add/b.zip")
        assert fetched(connection, "add/a.zip") == b"12345"


@pytest.mark.parametrize("path", ["../a", "add/../../a", "add//a", "add/.", "add/a\r\nDELE b", "a\0b"])
def test_no_path_leads_out(partner, path):
    """Whatever a name says."""
    with partner.connect() as connection, pytest.raises(NotAtSource):
        connection.look(path)


def test_a_file_is_fetched_whole_and_from_the_middle(partner):
    """Byte by byte, in order."""
    content = os.urandom(5_000_003)
    lay(partner, "add/big.zip", content)
    with partner.connect() as connection:
        assert fetched(connection, "add/big.zip") == content
        assert fetched(connection, "add/big.zip", 4_321_000) == content[4_321_000:]
        assert fetched(connection, "add/big.zip", 1) == content[1:]


def test_an_empty_file(partner):
    """Gives no bytes."""
    lay(partner, "add/empty.zip", b"")
    with partner.connect() as connection:
        assert fetched(connection, "add/empty.zip") == b""
        assert connection.look("add/empty.zip").size == 0


def test_a_report_is_put(partner):
    """Where the server lets us; else it says that it does not."""
    (partner.root / "reports").mkdir()
    with partner.connect() as connection:
        if partner.writes:
            connection.put("reports/r.txt", b"all is well")
            assert (partner.root / "reports/r.txt").read_bytes() == b"all is well"
            assert sorted(one.name for one in (partner.root / "reports").iterdir()) == ["r.txt"]
        else:
            with pytest.raises((SourceRefused, NotAtSource)):
                connection.put("reports/r.txt", b"x")


def test_many_files_are_listed(partner):
    """A thousand, each once."""
    for number in range(1_000):
        (partner.root / "add").mkdir(exist_ok=True)
        (partner.root / "add" / f"J.2024-01-01.{number}.impc.zip").write_bytes(b"")
    with partner.connect() as connection:
        names = [one.name for one in connection.entries("add")]
    assert len(names) == len(set(names)) == 1_000


@pytest.mark.parametrize("partner", [kind for kind in KINDS if kind != "folder"], indirect=True)
def test_a_server_that_is_gone(partner):
    """Is away, with the reason."""
    with pytest.raises(SourceAway, match=r"127\.0\.0\.1"), opened(replace(partner.source, port=1)) as connection:
        list(connection.entries("add"))


@pytest.mark.parametrize("partner", ["sftp", "ftps", "vsftpd-tls", "nginx-html"], indirect=True)
def test_another_identity_is_refused(partner):
    """A host key that was not enrolled, a certificate of a stranger."""
    sftp = partner.source.protocol is SourceProtocol.SFTP
    stranger = replace(partner.source, **({"host_keys": ("SHA256:" + "A" * 43,)} if sftp else {"authority": ""}))
    with pytest.raises(WrongIdentity), opened(stranger) as connection:
        list(connection.entries("add"))


@pytest.mark.parametrize("partner", ["ftp", "ftps", "sftp"], indirect=True)
def test_a_wrong_password_is_refused(partner):
    """And the message says what to check, not the password."""
    changed = {"password": "wr0ng"} if partner.kind != "sftp" else {"private_key": "", "password": "wr0ng"}
    with pytest.raises(SourceRefused) as refused, opened(replace(partner.source, **changed)):
        pass
    assert "wr0ng" not in str(refused.value)
    assert "Check" in str(refused.value)


@pytest.mark.parametrize("partner", ["folder"], indirect=True)
def test_secrets_are_not_shown(partner):
    """In no text of a source."""
    source = replace(partner.source, password="hunter2", private_key="-----KEY", passphrase="opensesame")
    assert not any(secret in repr(source) + source.where for secret in ("hunter2", "-----KEY", "opensesame"))


@pytest.mark.parametrize("partner", ["sftp"], indirect=True)
def test_a_host_key_can_be_enrolled(partner, capsys):
    """The command shows the fingerprint by which the server is known."""
    assert main(["delivery", "host-key", partner.source.host, "--port", str(partner.source.port), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["keys"] == list(partner.source.host_keys)


@pytest.mark.parametrize("partner", ["sftp"], indirect=True)
def test_no_key_enrolled_means_no_connection(partner):
    """Trust on first use is not given; the remedy says how to enrol."""
    with pytest.raises(WrongIdentity, match="enrol"), opened(replace(partner.source, host_keys=())):
        pass


@pytest.mark.parametrize("partner", ["ftp", "sftp"], indirect=True)
def test_a_connection_can_be_cut_by_another_thread(partner):
    """Whoever waits for it is told."""
    lay(partner, "add/big.zip", os.urandom(30_000_000))
    connection = partner.connect()
    begun, ended = threading.Event(), threading.Event()

    def take(_):
        begun.set()
        ended.wait(0.05)

    def fetch():
        with pytest.raises(SourceAway):
            connection.fetch("add/big.zip", 0, take)
        ended.set()

    thread = threading.Thread(target=fetch)
    thread.start()
    assert begun.wait(60)
    connection.close()
    assert ended.wait(60)
    thread.join()
