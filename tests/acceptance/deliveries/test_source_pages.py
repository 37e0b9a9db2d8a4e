"""Centres and sources on pages: made, changed, tried; secrets never come out, host keys are enrolled by hand."""

import re

import pytest

from opilio.people.privileges import Privilege, Scope
from opilio.tracker.models import Centre, Source
from opilio.tracker.source_values import engine_source
from tests.acceptance.deliveries.conftest import HOSTILE
from tests.servers import sshd

CENTRE = {"short_name": "Tcp", "full_name": "Centre T", "email": "t@example.org", "profile": "impc", "active": "on"}
SOURCE = {
    "name": "server", "protocol": "sftp", "state": "available", "preference": "3", "hostname": "files.example.org",
    "port": "2222", "base_path": "/out", "username": "hub", "password": "open sesame", "timeout": "30",
    "connections": "2", "host_keys": "SHA256:abc\n\nSHA256:def", "windows": "mon-fri 22:00-06:00\n08:00-09:30",
}  # fmt: skip
PATH = "/deliveries/sources"


def test_a_centre_is_made_changed_and_deleted(yard, coordinator, town):
    """Its code is as in names; an old page does not write over a newer change."""
    refused = coordinator.send("/deliveries/centres/new", {**CENTRE, "agency": town.museum.id, "short_name": "a b"})
    assert refused.status_code == 422
    twice = coordinator.send("/deliveries/centres/new", {**CENTRE, "agency": town.museum.id, "short_name": "J"})
    assert twice.status_code == 422
    made = coordinator.send("/deliveries/centres/new", {**CENTRE, "agency": town.museum.id, "full_name": HOSTILE})
    row = Centre.objects.get(short_name="Tcp")
    assert made["Location"] == f"/deliveries/centres/{row.pk}"
    assert "<script>alert" not in coordinator.see(made["Location"])
    changed = {**CENTRE, "full_name": "Centre of T", "version": "1", "report_mail": "on"}
    assert coordinator.send(made["Location"], changed).status_code == 302
    assert coordinator.send(made["Location"], {**changed, "full_name": "Late"}).status_code == 409
    row.refresh_from_db()
    assert (row.full_name, row.report_mail, row.agency) == ("Centre of T", True, town.museum)
    listed = coordinator.see("/deliveries/centres", q="Centre of")
    assert "Centre of T" in listed
    gone = coordinator.send("/deliveries/centres", {"action": "delete", "row": [str(row.pk)], "confirmed": "yes"})
    assert gone.status_code == 302
    assert not Centre.objects.filter(short_name="Tcp").exists()


def test_whoever_manages_one_agency_manages_its_centres_only(yard, enter, town):
    """Others are neither offered nor reached."""
    manager = enter("manager", privileges={Privilege.MANAGE_SOURCES: Scope.AGENCY})
    page = manager.see("/deliveries/centres/new")
    assert "Library" in page
    assert "Museum" not in page
    other = manager.send("/deliveries/centres/new", {**CENTRE, "agency": town.museum.id})
    assert other.status_code == 422
    mirror = Source.objects.get(name="mirror")
    assert manager.get(f"{PATH}/{mirror.pk}").status_code == 404
    assert manager.send(f"{PATH}/{mirror.pk}/try").status_code == 404
    assert "H – " not in manager.see(f"{PATH}/new")


def test_a_source_is_made_with_secrets_and_windows(yard, coordinator, partner):
    """Secrets are sealed and shown to nobody; windows come back as they were written."""
    centre = yard.centres["J"].pk
    made = coordinator.send(f"{PATH}/new", {**SOURCE, "centre": centre})
    assert made.status_code == 302, made.content
    row = Source.objects.get(name="server")
    assert row.host_keys == ["SHA256:abc", "SHA256:def"]
    assert row.windows[0] == {"days": [0, 1, 2, 3, 4], "start": "22:00", "end": "06:00"}
    assert engine_source(row).password == "open sesame"
    page = coordinator.see(made["Location"])
    assert "sesame" not in page
    assert "mon,tue,wed,thu,fri 22:00-06:00\n08:00-09:30" in page
    kept = {**SOURCE, "password": "", "version": "1", "state": "maintenance"}
    assert coordinator.send(made["Location"], kept).status_code == 302
    row.refresh_from_db()
    assert (engine_source(row).password, row.state.short_name) == ("open sesame", "maintenance")
    moved = coordinator.send(made["Location"], {**kept, "version": "2", "hostname": "evil.example.org"})
    assert moved.status_code == 422
    assert "password or key anew" in moved.content.decode()
    assert "available" not in re.findall(r'badge badge-\w+">(\w+)', partner.see(made["Location"]))
    refused = partner.send(made["Location"], {**kept, "version": "2"})
    assert refused.status_code == 403


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("windows", "always"), ("windows", "mon-noday 08:00-09:00"), ("windows", "25:00-26:00"),
        ("windows", "\n".join(["08:00-09:00"] * 51)), ("port", "0"), ("port", "x"), ("protocol", "gopher"),
        ("state", "asleep"), ("hostname", ""), ("connections", "99"), ("timeout", "0"), ("name", ""),
        ("preference", "high"), ("centre", "7"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told_and_nothing_is_made(yard, coordinator, field, text):
    """Beside its field."""
    given = {**SOURCE, "centre": yard.centres["J"].pk, field: text}
    assert coordinator.send(f"{PATH}/new", given).status_code == 422
    assert not Source.objects.filter(name="server").exists()


def test_a_source_is_tried(yard, coordinator, partner):
    """What was found, or what is wrong, stands on the page."""
    row = Source.objects.get(name="main")
    yard.lay()
    told = coordinator.send(f"{PATH}/{row.pk}/try").content.decode()
    assert "It answers" in told
    assert "1 name" in told
    Source.objects.filter(pk=row.pk).update(base_path=f"/nowhere/{HOSTILE}")
    told = coordinator.send(f"{PATH}/{row.pk}/try").content.decode()
    assert "It does not answer as it should" in told
    assert "<script>alert" not in told
    assert partner.send(f"{PATH}/{row.pk}/try").status_code == 403
    assert coordinator.get(f"{PATH}/{row.pk}/try").status_code == 405


@pytest.mark.program("sshd")
def test_the_host_key_of_a_server_is_shown_and_enrolled(yard, coordinator, servers):
    """Nobody is signed in to a server whose key was not enrolled; after that it answers."""
    if not sshd.is_installed():
        pytest.skip(sshd.MISSING)
    folder, source = servers.base("sftp")
    for action in ("add", "edit", "delete"):
        (folder / action).mkdir()
    given = {**SOURCE, "centre": yard.centres["J"].pk, "hostname": source.host, "port": str(source.port),
             "base_path": source.base, "username": source.user, "password": "", "private_key": source.private_key,
             "host_keys": "", "windows": ""}  # fmt: skip
    path = coordinator.send(f"{PATH}/new", given)["Location"]
    told = coordinator.send(f"{path}/try").content.decode()
    assert "It does not answer as it should" in told
    (key,) = source.host_keys
    assert key in told
    assert coordinator.send(f"{path}/pin", {"key": key, "version": "0"}).status_code == 409
    assert coordinator.send(f"{path}/pin", {"key": key, "version": "1"})["Location"] == path
    assert Source.objects.get(name="server").host_keys == [key]
    told = coordinator.send(f"{path}/try").content.decode()
    assert "It answers" in told
    assert "It was enrolled." in told
