"""What people decide about deliveries, and how it is done with the command."""

import json

import pytest

from opilio.cli.main import main
from opilio.people.errors import InvalidFields
from opilio.tracker.actions import centres, deliveries, sources
from opilio.tracker.actions.sources import Keys
from opilio.tracker.errors import NotInThisStanding
from opilio.tracker.models import Attempt, Delivery, DocumentFinding, LoadedRecord, Source
from opilio.tracker.source_values import engine_source
from tests.hub import NAME, specimens

DONE = ("INTEGRITY", "DONE")
WRONG = "<centreSpecimenSet><wrong/></centreSpecimenSet>"


def key(name=NAME):
    """The identifier of a delivery."""
    return Delivery.objects.get(zip__file_name=name).pk


def test_a_delivery_is_taken_in_again_from_what_is_here(hub):
    """As after a change of rules: a new attempt, nothing is fetched, records are superseded."""
    hub.lay()
    hub.run()
    deliveries.revalidate(hub.town.system, delivery_id=key())
    hub.run()
    assert hub.stands() == DONE
    assert (Attempt.objects.count(), len(hub.fetched)) == (2, 1)
    assert LoadedRecord.objects.filter(key="M1").count() == 2
    assert LoadedRecord.objects.get(key="M1", current=True).number == 2


def test_a_retry_opens_another_attempt_and_no_row_moves_back(hub):
    """What failed in its schemas is validated again; the earlier attempt stays as it failed."""
    hub.lay(specimen=WRONG)
    hub.run()
    assert DocumentFinding.objects.filter(active=True).count() == 1
    deliveries.retry(hub.town.system, delivery_id=key())
    hub.run()
    assert hub.stands() == ("SCHEMA", "FAILED")
    assert (Attempt.objects.count(), len(hub.fetched)) == (2, 1)
    assert DocumentFinding.objects.filter(active=True).count() == 1


def test_a_delivery_is_fetched_again(hub):
    """Requeued, it comes once more."""
    hub.lay()
    hub.run()
    deliveries.requeue(hub.town.system, delivery_id=key())
    hub.run()
    assert len(hub.fetched) == 2
    assert hub.stands() == DONE


def test_only_what_failed_is_retried(hub):
    """A message says what can be done instead."""
    hub.lay()
    hub.run()
    with pytest.raises(NotInThisStanding):
        deliveries.retry(hub.town.system, delivery_id=key())


def test_a_delivery_is_given_up_for_a_reason_and_stays_so(hub):
    """Sessions leave it alone, until somebody retries it."""
    hub.lay()
    hub.profile = hub.profile.model_copy(update={"settling": hub.profile.settling.model_copy(update={"looks": 5})})
    hub.run()
    with pytest.raises(InvalidFields):
        deliveries.cancel(hub.town.system, delivery_id=key(), reason=" ")
    deliveries.cancel(hub.town.system, delivery_id=key(), reason="It was sent by mistake.")
    hub.profile = hub.profile.model_copy(update={"settling": hub.profile.settling.model_copy(update={"looks": 1})})
    hub.run()
    assert hub.stands()[1] == "CANCELLED"
    assert hub.fetched == []
    deliveries.retry(hub.town.system, delivery_id=key()) if hub.stands()[0] != "NAME" else None


def test_what_a_delivery_brought_is_taken_back(hub):
    """Earlier versions are current again; what later deliveries changed stays."""
    second = "J.2024-03-01.1.impc.zip"
    hub.lay(specimen=specimens("M1", "M2"))
    hub.run()
    hub.lay(second, specimen=specimens("M2", "M3"))
    hub.run()
    assert deliveries.undo(hub.town.system, delivery_id=key(second), reason="The wrong file.") == 2
    current = dict(LoadedRecord.objects.filter(current=True).values_list("key", "number"))
    assert current == {"M1": 1, "M2": 1}


def test_secrets_of_sources_go_in_and_never_come_out(hub):
    """They are sealed; a change of something else keeps them."""
    made = sources.create_source(
        hub.town.system, centre_id=hub.centres["J"].pk, protocol="sftp", name="server", hostname="files.example.org",
        username="hub", host_keys=["SHA256:abc"], keys=Keys(password="open sesame"),
    )  # fmt: skip
    row = Source.objects.get(pk=made.pk)
    assert "sesame" not in row.access_key
    sources.update_source(hub.town.system, source_id=row.pk, version=1, timeout=5)
    row.refresh_from_db()
    assert engine_source(row).password == "open sesame"
    assert "sesame" not in repr(engine_source(row))


@pytest.mark.parametrize(
    "fields",
    [
        {"protocol": "gopher", "name": "a", "hostname": "h"},
        {"protocol": "sftp", "name": "a", "hostname": ""},
        {"protocol": "sftp", "name": "a", "hostname": "h", "port": 0},
        {"protocol": "sftp", "name": "a", "hostname": "h", "state": "asleep"},
        {"protocol": "sftp", "name": "a", "hostname": "h", "connections": 99},
        {"protocol": "sftp", "name": "a", "hostname": "h", "windows": [{"start": "25:00"}]},
        {"protocol": "sftp", "name": "a", "hostname": "h\n", "username": "x\r\ny"},
    ],
)
def test_a_source_that_cannot_be_used_is_refused(hub, fields):
    """With the field that is wrong."""
    with pytest.raises(InvalidFields):
        sources.create_source(hub.town.system, centre_id=hub.centres["J"].pk, **fields)


@pytest.mark.parametrize("code", ["", "J J", "J/..", "Ü"])
def test_codes_of_centres_are_as_in_names(hub, code):
    """Letters, digits, underscores."""
    with pytest.raises(InvalidFields):
        centres.create_centre(
            hub.town.system, agency_id=hub.town.library.id, short_name=code, full_name="A", email="a@example.org"
        )


def told(capsys, *words):
    """What a command answers, and how it ends."""
    code = main([*words, "--json"])
    out = capsys.readouterr().out
    return code, json.loads(out) if out.strip() else {}


def test_from_a_centre_to_its_records_by_commands(hub, capsys, settings):
    """Make a centre and a source, try it, run a session, look, decide."""
    folder = hub.folder / "partners" / "J" / "main"
    code, _ = told(
        capsys, "centre", "create", "Tcp", "--agency", "Library", "--name", "Centre T", "--email", "t@example.org"
    )
    assert code == 0
    made = ["source", "create", "Tcp", "drop", "--protocol", "folder", "--base", str(folder)]
    assert told(capsys, *made)[0] == 0
    assert told(capsys, "source", "try", "Tcp", "drop")[1]["reached"] is True
    hub.lay(at=1e9)
    settings.OPILIO = settings.OPILIO.__class__(**{**vars(settings.OPILIO), "home": hub.folder / "home"})
    code, ended = told(capsys, "delivery", "run")
    assert code == 0
    assert [one["phase"] for one in ended["tasks"]][:3] == ["Name", "Download", "Unpack"]
    assert told(capsys, "centre", "list")[1]["centres"][0]["code"] == "H"
    listed = told(capsys, "delivery", "status")[1]["deliveries"]
    assert [one["file"] for one in listed] == [NAME]
    assert told(capsys, "delivery", "show", listed[0]["id"])[1]["file"] == NAME
    assert told(capsys, "delivery", "retry", "7")[0] != 0
    assert told(capsys, "delivery", "run", "--every", "soon")[0] != 0
