"""What the published crawler of a data coordination centre gets wrong, one test for each; servers are real."""

import json
import socket
from datetime import timedelta

import pytest

from opilio.cli.main import main
from opilio.deliveries import validating
from opilio.deliveries.schemas import Schema
from opilio.deliveries.states import Phase, Status
from opilio.deliveries.validating import Task, validated
from opilio.tracker import secrets
from opilio.tracker.clerk import Clerk, SessionRuns
from opilio.tracker.models import (
    Attempt,
    Delivery,
    DeliveryFinding,
    DeliverySession,
    DocumentFinding,
    LoadedRecord,
    Offering,
    SessionTask,
    Source,
)
from opilio.works.sharing.delivery_files import DeliveryFiles
from tests.hub import IMPC, NAME, experiments, specimens, zipped

DONE = ("INTEGRITY", "DONE")
WRONG = "<centreProcedureSet><wrong/></centreProcedureSet>"
FTP = {"centre": "H", "source": "mirror"}
OURS = "H.2024-02-29.1.impc.zip"


def test_defect_01_folders_on_ftp_servers_are_told_apart(partners):
    """edit and delete are not taken for add."""
    for action in ("add", "edit", "delete"):
        partners.lay(OURS, action=action, specimen=specimens("H1", centre="H"), **FTP)
    partners.run()
    assert sorted(partners.standings()) == [f"{action}/{OURS}" for action in ("add", "delete", "edit")]


def test_defect_02_every_source_that_has_a_file_is_a_candidate(partners):
    """Also those of equal worth: the third is asked after the first two failed."""
    partners.source("H", "second", kind="sftp")
    lost = [partners.lay(OURS, specimen=specimens("H1", centre="H"), centre=centre, source=source)
            for centre, source in (("H", "mirror"), ("H", "second"), ("J", "main"))]  # fmt: skip
    partners.before[("fetch", "H/mirror")] = lambda _: lost[0].unlink()
    partners.before[("fetch", "H/second")] = lambda _: lost[1].unlink()
    partners.run()
    assert [name for name, _ in partners.fetched] == ["H/mirror", "H/second", "J/main"]
    assert partners.stands(OURS) == DONE


def test_defect_03_a_failed_download_is_tried_again_and_counted(partners):
    """By a later session, after a pause."""
    path = partners.lay()
    content = path.read_bytes()
    partners.before[("fetch",)] = lambda _: path.unlink(missing_ok=True)
    partners.run()
    assert partners.stands() == ("DOWNLOAD", "FAILED")
    assert Offering.objects.get().num_retries == 1
    partners.before.clear()
    partners.lay(content=content)
    partners.run()
    assert partners.stands() == DONE
    assert Attempt.objects.count() == 2


def test_defect_04_a_crash_is_recovered_from_on_purpose(partners):
    """An attempt that was under way goes on as the same attempt; nothing is reset."""
    partners.lay()
    partners.cut = 1
    partners.run()
    Attempt.objects.update(status_id=Status.RUNNING)
    Delivery.objects.update(status_id=Status.RUNNING, phase_id=Phase.DOWNLOAD)
    Offering.objects.update(num_retries=0)
    Source.objects.update(record={})
    partners.cut = None
    partners.run()
    assert Attempt.objects.count() == 1
    assert partners.stands() == DONE


def test_defect_05_a_session_that_checked_records_ends_well(partners, capsys):
    """Status and exit code are 0; a failure names its task and ends with 1."""
    partners.lay(specimen=specimens("M1"), experiment=experiments(("E1", "M1")))
    assert partners.run().good
    assert partners.last_session().status == 0
    partners.lay("J.2024-03-01.1.impc.zip", experiment=WRONG)
    assert not partners.run().good
    assert SessionTask.objects.get(pk=partners.last_session().status).status == 1
    partners.lay("J.2024-02-31.1.impc.zip")
    assert main(["delivery", "run"]) == 1


def test_defect_06_the_lease_is_held_for_the_whole_session_and_is_one_for_all_folders(partners, tmp_path):
    """A second one is refused in the middle of the first, also from elsewhere."""
    refused = []

    def second(_):
        if refused:
            return
        try:
            Clerk(owner="elsewhere", clock=partners.clock, lease=timedelta(minutes=1)).close()
        except SessionRuns as error:
            refused.append(error)

    begun = []
    partners.lay()
    partners.run(begun=lambda phase: (begun.append(phase), second(phase)))
    assert len(refused) == 1
    assert len(begun) == 8
    clerk = Clerk(owner="elsewhere", clock=partners.clock, lease=timedelta(minutes=1))
    with pytest.raises(SessionRuns):
        partners.run(files=DeliveryFiles(folder=tmp_path / "another"))
    clerk.close()


def test_defect_07_a_zip_without_documents_does_not_hang(partners):
    """It failed to be unpacked, and says why."""
    partners.lay(content=zipped({"folder/J.2024-02-29.1.specimen.impc.xml": specimens("M1"), "readme.txt": "Hello"}))
    partners.run()
    assert partners.stands() == ("UNPACK", "FAILED")
    assert "empty" in set(DeliveryFinding.objects.values_list("kind__short_name", flat=True))


def test_defect_08_new_content_under_the_same_name_is_noticed(partners):
    """As a new revision; both are kept."""
    partners.lay(specimen=specimens("M1"))
    partners.run()
    partners.lay(specimen=specimens("M1", "M2"), at=2e9)
    partners.run()
    assert list(Attempt.objects.order_by("id").values_list("revision", flat=True)) == [1, 2]
    assert LoadedRecord.objects.filter(current=True).count() == 2
    assert len(list((partners.folder / "deliveries" / "add" / NAME).glob("*/delivery.zip"))) == 2


def test_defect_09_two_accounts_on_one_host_are_two_logins(partners):
    """A wrong password of one is not hidden by the other; ports count, and a base path needs no slash at its end."""
    good = Source.objects.get(name="mirror")
    stranger = partners.source("H", "stranger", kind="ftp")
    stranger.access_key = secrets.sealed(stranger.pk, password="wrong")
    stranger.save()
    assert (good.hostname, good.port) == (stranger.hostname, stranger.port)
    assert not good.base_path.endswith("/")
    partners.lay(OURS, specimen=specimens("H1", centre="H"), **FTP)
    ended = partners.run()
    assert list(ended.account.away) == ["H/stranger"]
    assert partners.stands(OURS) == DONE


def test_defect_10_host_keys_are_checked_and_secrets_are_sealed(partners):
    """Another key than the one enrolled is refused; the tables do not hold what opens a source."""
    source = Source.objects.get(name="main")
    source.host_keys = ["SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]
    source.save()
    partners.lay()
    ended = partners.run()
    assert "another host key" in ended.account.away["J/main"]
    assert partners.fetched == []
    assert "PRIVATE KEY" not in source.access_key
    assert "PRIVATE KEY" in json.dumps(secrets.opened(source.pk, source.access_key))


def test_defect_11_a_source_that_cannot_be_reached_is_told(partners):
    """It does not pass for an empty one: the task fails and names it, and the others go on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    Source.objects.filter(name="main").update(port=port)
    partners.lay(OURS, specimen=specimens("H1", centre="H"), **FTP)
    ended = partners.run()
    assert list(ended.account.away) == ["J/main"]
    assert SessionTask.objects.get(phase_id=Phase.NAME).status == 1
    assert partners.stands(OURS) == DONE


def test_defect_12_a_source_that_hangs_is_left_and_what_comes_is_measured(partners):
    """Nothing lies at its final name before all of it came."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        Source.objects.filter(name="main").update(port=mute.getsockname()[1])
        partners.lay(OURS, specimen=specimens("H1", centre="H"), **FTP)
        partners.cut = 1
        ended = partners.run(limit=1)
    assert "J/main" in ended.account.away
    assert not list((partners.folder / "deliveries").rglob("delivery.zip"))
    assert partners.stands(OURS) == ("DOWNLOAD", "FAILED")


def test_defect_13_the_action_reaches_the_records(partners):
    """edit changes them and delete removes them."""
    partners.lay(specimen=specimens("M1", "M2"))
    partners.run()
    partners.lay("J.2024-03-01.1.impc.zip", action="edit", specimen=specimens("M1").replace("male", "female"))
    partners.run()
    partners.lay("J.2024-03-02.1.impc.zip", action="delete", specimen=specimens("M2"))
    partners.run()
    current = LoadedRecord.objects.filter(current=True)
    assert [(row.key, row.number, row.values["@gender"]) for row in current] == [("M1", 2, "female")]


def test_defect_14_a_schema_is_compiled_once_and_processes_are_bounded(tmp_path, monkeypatch):
    """However many documents there are."""
    compiled, pools = [], []

    class Counted(Schema):
        def __init__(self, path):
            compiled.append(path)
            super().__init__(path)

    monkeypatch.setattr(validating, "Schema", Counted)
    validating._schema.cache_clear()
    kind = IMPC.documents[0]
    tasks = []
    for number in range(8):
        (tmp_path / str(number)).write_text(specimens(f"M{number}"))
        tasks.append(Task(number=number, path=tmp_path / str(number), schema=IMPC.schema_of(kind)))
    assert all(not one.faults for one in validated(tasks, processes=0))
    assert len(compiled) == 1
    validating._schema.cache_clear()
    made = validating.ProcessPoolExecutor
    monkeypatch.setattr(
        validating, "ProcessPoolExecutor", lambda number, **more: pools.append(number) or made(number, **more)
    )
    assert len(list(validated(tasks, processes=2))) == 8
    assert pools == [2]


def test_defect_15_documents_are_validated_again_by_a_command(partners, capsys):
    """Not by changing the tables by hand; the earlier attempt stays as it was."""
    partners.lay(specimen=specimens("M1"), experiment=WRONG)
    partners.run()
    assert DocumentFinding.objects.filter(active=True).exists()
    assert main(["delivery", "revalidate", str(Delivery.objects.get().pk)]) == 0
    partners.run()
    rows = list(Attempt.objects.order_by("id").values_list("phase_id", "status_id", "again"))
    assert rows == [(Phase.SCHEMA, Status.FAILED, False), (Phase.SCHEMA, Status.FAILED, True)]
    assert len(partners.fetched) == 1
    assert DeliverySession.objects.count() == 2
