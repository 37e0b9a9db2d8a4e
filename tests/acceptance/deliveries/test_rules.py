"""The rules R1 to R21 by which a hub takes deliveries in, each against real SFTP and FTP servers."""

import itertools
import sys
import threading
from datetime import date

import pytest
from django.db.models import ProtectedError

from opilio.deliveries.profile import Command
from opilio.deliveries.states import Phase, Status
from opilio.tracker.clerk import Clerk, SessionRuns
from opilio.tracker.models import (
    Attempt,
    Centre,
    Delivery,
    DeliveryFinding,
    DeliverySession,
    DocumentFinding,
    FindingKind,
    LoadedRecord,
    Offering,
    PhaseRow,
    SessionTask,
    Source,
    StandingChange,
    StatusRow,
    XmlDocument,
    ZipFile,
)
from tests.hub import NAME, experiments, specimens, zipped

DONE = ("INTEGRITY", "DONE")
SECOND = "J.2024-03-01.1.impc.zip"
WRONG = "<centreProcedureSet><wrong/></centreProcedureSet>"
PATIENCE = 30.0  # seconds that threads wait for each other


def tree(folder):
    """All files below a folder with their bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def messy(hub):
    """Deliveries that end in many ways."""
    hub.lay(specimen=specimens("M1"), experiment=WRONG)
    hub.lay(SECOND, specimen=specimens("M2"), experiment=experiments(("E1", "M2"), ("E2", "M9")))
    hub.lay("J.2024-03-02.1.impc.zip", b"no zip at all")
    hub.lay("J.2024-02-31.1.impc.zip")
    hub.lay("H.2024-03-03.1.impc.zip", centre="H", source="mirror",
            specimen=specimens("H1", centre="H"))  # fmt: skip
    return hub.run()


def test_r01_the_hub_pulls_and_leaves_the_source_as_it_was(partners):
    """Nothing is sent to a partner, and nothing of it changes."""
    partners.lay()
    before = tree(partners.place("J", "main"))
    assert partners.run().good
    assert partners.stands() == DONE
    assert tree(partners.place("J", "main")) == before


def test_r02_a_session_lists_all_sources_at_once_and_goes_through_its_phases(partners):
    """Each source has a crawler of its own: both are in their folders at the same time."""
    meet = threading.Barrier(2)
    partners.before[("list", "J/main", "add")] = lambda _: meet.wait(PATIENCE)
    partners.before[("list", "H/mirror", "add")] = lambda _: meet.wait(PATIENCE)
    partners.lay()
    assert partners.run().good
    assert not meet.broken
    phases = [task.phase_id for task in SessionTask.objects.order_by("id")]
    assert phases == sorted(phases)
    assert len(phases) == 8


def test_r03_only_zip_files_directly_in_the_folders_of_actions_count(partners):
    """Folders in folders, other folders and other files are not looked at."""
    base = partners.place("J", "main")
    content = zipped({"a.xml": "<a/>"})
    for path in ("add/deeper/J.2024-02-01.1.impc.zip", "other/J.2024-02-02.1.impc.zip", "add/readme.txt",
                 "J.2024-02-03.1.impc.zip"):  # fmt: skip
        (base / path).parent.mkdir(exist_ok=True)
        (base / path).write_bytes(content)
    partners.lay()
    partners.run()
    assert list(partners.standings()) == [f"add/{NAME}"]


def test_r04_the_folder_is_the_action_whatever_the_source(partners):
    """One row for each zip and action, and one offering for each source that has it."""
    partners.lay()
    partners.lay(centre="H", source="mirror")
    partners.lay(action="edit")
    partners.run()
    assert sorted(partners.standings()) == [f"add/{NAME}", f"edit/{NAME}"]
    assert ZipFile.objects.count() == 1
    counts = {row.todo.short_name: row.offerings.count() for row in Delivery.objects.all()}
    assert counts == {"add": 2, "edit": 1}


def test_r05_only_conforming_names_are_fetched_and_the_decision_is_recorded(partners):
    """As a phase and a status, with a reason for each part."""
    partners.lay("J.2024-02-31.x.impc.zip")
    partners.run()
    assert partners.stands("J.2024-02-31.x.impc.zip") == ("NAME", "FAILED")
    assert partners.fetched == []
    assert DeliveryFinding.objects.get().message


def test_r06_nothing_is_fetched_before_every_source_was_listed(partners):
    """The barrier holds however slow one of them is."""
    partners.lay()
    partners.lay("H.2024-03-03.1.impc.zip", centre="H", source="mirror", specimen=specimens("H1", centre="H"))
    partners.run()
    kinds = [event[0] for event in partners.events]
    assert kinds.index("fetch") > max(number for number, kind in enumerate(kinds) if kind == "listed")
    assert kinds.count("fetch") == 2


@pytest.mark.parametrize("downloaders", [1, 2])
def test_r07_as_many_downloaders_as_the_command_says(partners, downloaders):
    """Two meet in the middle of their files; one never has company."""
    meet, at_once, most = threading.Barrier(downloaders), [], []
    lock = threading.Lock()

    def begin(event):
        with lock:
            at_once.append(event)
            most.append(len(at_once))
        meet.wait(PATIENCE)

    def end(event):
        with lock:
            at_once.pop()

    partners.before |= {("fetch",): begin, ("fetched",): end}
    for number in range(1, 5):
        partners.lay(f"J.2024-02-0{number}.1.impc.zip", specimen=specimens(f"M{number}"))
    assert partners.run(downloaders=downloaders).good
    assert max(most) == downloaders


def test_r08_the_preferred_source_first_then_the_next_with_retries_counted(partners):
    """The one of the centre that made the file is preferred; a new attempt only after it failed."""
    lost = partners.lay()
    partners.lay(centre="H", source="mirror")
    partners.before[("fetch", "J/main")] = lambda _: lost.unlink(missing_ok=True)
    partners.run()
    assert [name for name, _ in partners.fetched] == ["J/main", "H/mirror"]
    rows = Attempt.objects.order_by("id").values_list("offering__source__name", "phase_id", "status_id")
    assert list(rows) == [("main", Phase.DOWNLOAD, Status.FAILED), ("mirror", Phase.INTEGRITY, Status.DONE)]
    assert dict(Offering.objects.values_list("source__name", "num_retries")) == {"main": 1, "mirror": 0}


def test_r08_one_attempt_is_enough_when_it_goes_well(partners):
    """The other source is not asked."""
    partners.lay()
    partners.lay(centre="H", source="mirror")
    partners.run()
    assert [name for name, _ in partners.fetched] == ["J/main"]


def test_r09_each_zip_has_a_folder_of_its_own(partners):
    """Two zips may hold documents of one name."""
    inner = "J.2024-02-01.1.specimen.impc.xml"
    for name, key in (("J.2024-02-01.1.impc.zip", "M1"), ("J.2024-02-02.1.impc.zip", "M2")):
        partners.lay(name, zipped({inner: specimens(key)}))
    assert partners.run().good
    assert [row.fname for row in XmlDocument.objects.all()] == [inner, inner]
    assert LoadedRecord.objects.filter(current=True).count() == 2
    assert len({row.attempt.folder for row in XmlDocument.objects.all()}) == 2


def test_r10_documents_are_validated_in_parallel_and_only_valid_ones_go_on(partners):
    """In two processes of their own."""
    for number in range(1, 5):
        partners.lay(f"J.2024-02-0{number}.1.impc.zip", specimen=specimens(f"M{number}"), experiment=WRONG)
    partners.run(validators=2)
    stands = {(row.kind, Phase(row.phase_id), Status(row.status_id)) for row in XmlDocument.objects.all()}
    assert stands == {
        ("specimen", Phase.INTEGRITY, Status.DONE), ("experiment", Phase.SCHEMA, Status.FAILED),
    }  # fmt: skip


def test_r11_loading_follows_all_downloads_and_goes_one_by_one(partners):
    """No document is loaded before the last was validated; a document ends before the next begins."""
    partners.lay("J.2024-01-01.1.impc.zip", experiment=experiments(("E1", "M7")))
    partners.lay("H.2024-02-01.1.impc.zip", centre="H", source="mirror", specimen=specimens("M7", centre="H"))
    assert partners.run().good
    changes = list(StandingChange.objects.filter(what="document").order_by("id"))
    loads = [one.row for one in changes if one.to_phase in (Phase.LOAD, Phase.INTEGRITY)]
    first = next(number for number, one in enumerate(changes) if one.to_phase == Phase.LOAD)
    assert all(one.to_phase >= Phase.LOAD for one in changes[first:])
    assert [key for key, _ in itertools.groupby(loads)] == list(dict.fromkeys(loads))


def test_r12_phases_are_numbered_in_the_order_of_the_pipeline(partners):
    """The number decides: without a failure no row ever goes to a lower one."""
    assert [(row.pk, row.short_name) for row in PhaseRow.objects.order_by("pk")] == [
        (phase.value, phase.name.lower()) for phase in Phase
    ]
    messy(partners)
    for one in StandingChange.objects.exclude(what="delivery").exclude(to_status=Status.FAILED):
        assert one.from_phase is None or one.to_phase >= one.from_phase


def test_r13_statuses_have_an_order_and_failed_wins(partners):
    """pending, running, done, cancelled, failed; within a phase never back, and what failed stays so."""
    names = list(StatusRow.objects.order_by("pk").values_list("short_name", flat=True))
    assert names == ["pending", "running", "done", "cancelled", "failed"]
    messy(partners)
    for one in StandingChange.objects.exclude(what="delivery"):
        if one.from_phase == one.to_phase:
            assert one.to_status > one.from_status
        assert one.from_status != Status.FAILED or one.to_status == Status.FAILED
    stands = partners.standings()
    assert stands[f"add/{NAME}"] == ("SCHEMA", "FAILED")
    assert stands[f"add/{SECOND}"] == ("INTEGRITY", "FAILED")


def test_r14_an_action_shows_its_latest_download_and_what_is_corrupt_waits_for_its_centre(partners):
    """No other source is asked for a file that came whole and cannot be unpacked."""
    partners.lay(content=b"no zip at all")
    partners.lay(content=b"no zip at all", centre="H", source="mirror")
    partners.run()
    partners.run()
    assert partners.stands() == ("UNPACK", "FAILED")
    assert len(partners.fetched) == 1
    for row in Delivery.objects.all():
        latest = Attempt.objects.filter(offering__delivery=row).order_by("-id").first()
        assert (row.phase_id, row.status_id) == (latest.phase_id, latest.status_id)
    partners.lay(at=2e9)
    partners.run()
    assert partners.stands() == DONE


def test_r15_a_deleted_centre_takes_its_sources_along_and_never_its_zips(partners):
    """An inactive one is simply not visited."""
    partners.lay()
    partners.run()
    partners.lay(SECOND)
    Centre.objects.filter(short_name="J").update(active=False)
    partners.run()
    assert list(partners.standings()) == [f"add/{NAME}"]
    Centre.everything.get(short_name="J").delete()
    assert not Source.everything.filter(centre__short_name="J").exists()
    assert ZipFile.objects.get().centre is None


def test_r16_what_is_in_use_cannot_be_deleted_and_a_zip_takes_documents_and_logs_along(partners):
    """Statuses, phases and kinds of findings."""
    messy(partners)
    for row in (PhaseRow.objects.get(pk=Phase.SCHEMA), StatusRow.objects.get(pk=Status.FAILED)):
        with pytest.raises(ProtectedError):
            row.delete()
    for kind in FindingKind.objects.all():
        with pytest.raises(ProtectedError):
            kind.delete()
    ZipFile.objects.all().delete()
    assert not XmlDocument.objects.exists()
    assert not DocumentFinding.objects.exists()
    assert not DeliveryFinding.objects.exists()


def test_r17_the_kind_is_shared_and_the_message_is_the_files_own(partners):
    """Two documents with the same fault share its kind; each says where, by line and column."""
    for number in (1, 2):
        partners.lay(f"J.2024-02-0{number}.1.impc.zip", experiment="\n" * number + WRONG)
    partners.run()
    found = list(DocumentFinding.objects.order_by("id"))
    assert len({row.kind_id for row in found}) == FindingKind.objects.count() == 1
    assert sorted((row.line, row.col) for row in found) == [(2, 21), (3, 21)]  # which was fetched first is open


def test_r18_one_session_at_a_time(partners):
    """Whoever holds the lease goes on; the other is refused, and nothing is listed."""
    clerk = Clerk(owner="another machine", clock=partners.clock, lease=partners.wishes().lease)
    with pytest.raises(SessionRuns):
        partners.run()
    assert partners.events == []
    clerk.close()
    assert partners.run().good


def test_r19_a_session_succeeds_when_all_tasks_did_and_else_names_the_one_that_failed(partners):
    """0, or the identifier of a task."""
    partners.lay()
    partners.run()
    assert partners.last_session().status == 0
    partners.lay(SECOND, experiment=WRONG)
    partners.run()
    failed = SessionTask.objects.get(pk=partners.last_session().status)
    assert (failed.phase_id, failed.status) == (Phase.SCHEMA, 1)


def test_r20_progress_and_times_are_recorded(partners):
    """How far a download came, also when it broke off; when it was asked for, and when it was here."""
    bulk = zipped({"J.2024-02-29.1.specimen.impc.xml": specimens("M1"), "filling.bin": "x" * (9 << 20)})
    partners.lay(content=bulk)
    partners.before[("fetch",)] = lambda _: partners.clock.advance(10)
    partners.cut = 1 << 20
    partners.run()
    broken = Attempt.objects.get()
    assert 0 < broken.downloaded_size_bytes < len(bulk)
    assert (broken.phase_id, broken.received) == (Phase.DOWNLOAD, None)
    partners.cut = None
    partners.run()
    row = Attempt.objects.order_by("id").last()
    assert row.downloaded_size_bytes == len(bulk)
    assert broken.request < row.request < row.received


def test_r21_names_carry_producer_date_and_increment_and_the_host_may_be_another(partners):
    """A delivery of J that H hosts."""
    partners.lay("J.2024-02-29.17.impc.zip", centre="H", source="mirror")
    assert partners.run().good
    row = ZipFile.objects.get()
    assert (row.centre.short_name, row.created, row.inc) == ("J", date(2024, 2, 29), 17)
    assert Offering.objects.get().source.centre.short_name == "H"


def test_the_action_reaches_what_takes_documents(partners):
    """A command is told which one it is."""
    said = partners.folder / "said"
    script = f"import json,sys; open({str(said)!r},'a').write(json.load(sys.stdin)['action']+'\\n')"
    sink = Command.model_validate({"argv": [sys.executable, "-c", script]})
    partners.profile = partners.profile.model_copy(update={"sink": sink})
    for action in ("add", "edit", "delete"):
        partners.lay(action=action)
    assert partners.run().good
    assert sorted(said.read_text().split()) == ["add", "delete", "edit"]
    assert DeliverySession.objects.get().status == 0
