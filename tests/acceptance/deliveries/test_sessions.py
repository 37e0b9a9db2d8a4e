"""A delivery session: from partners' sources into the store of records, each step where it stands."""

import itertools
import sys

import pytest
from django.db.models import ProtectedError

from opilio.deliveries.errors import SourceAway
from opilio.deliveries.profile import Command, Hooks, Level
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
    ResourceState,
    SessionTask,
    Source,
    StandingChange,
    StatusRow,
    XmlDocument,
    ZipFile,
)
from tests.hub import NAME, experiments, specimens

SECOND = "J.2024-03-01.1.impc.zip"
DONE = ("INTEGRITY", "DONE")


def current(kind="specimen"):
    """The keys of current records."""
    return sorted(LoadedRecord.objects.filter(kind=kind, current=True).values_list("key", flat=True))


def test_a_delivery_goes_all_the_way(hub):
    """It is fetched, unpacked, validated, loaded and judged, once; a second session finds nothing to do."""
    hub.lay(specimen=specimens("M1", "M2"), experiment=experiments(("E1", "M1")))
    ended = hub.run()
    assert ended.good
    assert hub.stands() == DONE
    assert (current(), current("experiment")) == (["M1", "M2"], ["E1"])
    again = hub.run()
    assert again.good
    assert len(hub.fetched) == 1
    assert Attempt.objects.count() == 1
    assert LoadedRecord.objects.count() == 3


def test_tasks_are_phases_and_a_session_names_the_one_that_failed(hub):
    """All tasks are kept with their times; status 0 means that all went well."""
    hub.lay()
    hub.run()
    tasks = list(SessionTask.objects.order_by("id").values_list("phase__short_name", "status", "comment"))
    names = ["name", "download", "unpack", "schema", "load", "context", "overview", "quality"]
    assert [name for name, _, _ in tasks] == names
    assert {comment for name, _, comment in tasks if name in ("context", "overview", "quality")} == {"no step"}
    assert hub.last_session().status == 0
    assert hub.last_session().finish_time is not None
    hub.lay(SECOND, b"no zip at all")
    hub.run()
    failed = SessionTask.objects.get(pk=hub.last_session().status)
    assert (failed.phase.short_name, failed.status) == ("unpack", 1)


def test_a_name_that_does_not_conform_is_recorded_once_and_judged_anew(hub):
    """It is not fetched; when its centre becomes known it is taken."""
    name = "Tcp.2024-02-29.1.impc.zip"
    hub.lay(name, specimen=specimens("T1", centre="Tcp"))
    hub.run()
    hub.run()
    assert hub.stands(name) == ("NAME", "FAILED")
    assert hub.fetched == []
    assert DeliveryFinding.objects.filter(kind__short_name="name").count() == 1
    hub.centres["Tcp"] = hub.centre("Tcp")
    hub.run()
    assert hub.stands(name)[0] != "NAME"
    assert not DeliveryFinding.objects.filter(kind__short_name="name", active=True).exists()


def test_the_next_source_is_asked_after_a_failure(hub):
    """Each attempt is a row; the delivery shows the latest; failures are counted per source."""
    hub.source("H", "mirror")
    hub.lay()
    hub.lay(centre="H", source="mirror")
    hub.broken["J/main"] = SourceAway("It hung up")
    hub.run()
    assert [name for name, _ in hub.fetched] == ["J/main", "H/mirror"]
    assert hub.stands() == DONE
    rows = Attempt.objects.order_by("id").values_list("offering__source__name", "phase_id", "status_id")
    assert list(rows) == [("main", Phase.DOWNLOAD, Status.FAILED), ("mirror", Phase.INTEGRITY, Status.DONE)]
    assert dict(Offering.objects.values_list("source__name", "num_retries")) == {"main": 1, "mirror": 0}


def test_a_failed_download_is_tried_again_later_and_at_once_when_somebody_asks(hub):
    """Back-off is kept between sessions."""
    hub.lay()
    hub.broken["J/main"] = SourceAway("It hung up")
    hub.run()
    assert hub.stands() == ("DOWNLOAD", "FAILED")
    hub.clock.advance(-3_599)
    hub.run()
    assert len(hub.fetched) == 1
    hub.clock.advance(-3_599)
    Delivery.objects.update(retried=True)
    hub.broken.clear()
    hub.run()
    assert hub.stands() == DONE
    assert Attempt.objects.count() == 2


def test_what_cannot_be_unpacked_waits_for_its_centre(hub):
    """No other source is asked; a new version under the same name is a new revision, and mends it."""
    hub.source("H", "mirror")
    hub.lay(content=b"no zip at all")
    hub.lay(content=b"no zip at all", centre="H", source="mirror")
    hub.run()
    hub.run()
    assert hub.stands() == ("UNPACK", "FAILED")
    assert len(hub.fetched) == 1
    hub.lay(at=2e9)
    hub.lay(at=2e9, centre="H", source="mirror")
    hub.run()
    assert hub.stands() == DONE
    assert list(Attempt.objects.order_by("id").values_list("revision", flat=True)) == [1, 2]
    assert not DeliveryFinding.objects.filter(active=True).exists()


def test_invalid_documents_stay_behind_and_valid_ones_go_on(hub):
    """The delivery shows the earliest failure; lines and columns are told."""
    hub.lay(specimen=specimens("M1"), experiment="<centreProcedureSet><wrong/></centreProcedureSet>")
    assert not hub.run().good
    assert hub.stands() == ("SCHEMA", "FAILED")
    assert [row[1:] for row in sorted(hub.documents())] == [("SCHEMA", "FAILED"), DONE]
    finding = DocumentFinding.objects.get()
    assert (finding.line, finding.col, finding.level) == (1, 21, "fatal")
    assert current() == ["M1"]


def test_specimens_are_loaded_before_experiments(hub):
    """Whatever the order in which deliveries came."""
    hub.lay("J.2024-01-01.1.impc.zip", experiment=experiments(("E1", "M7")))
    hub.lay("J.2024-02-01.1.impc.zip", specimen=specimens("M7"))
    assert hub.run().good
    assert current("experiment") == ["E1"]


def test_a_finding_retires_when_the_missing_record_comes(hub):
    """The record that waited is loaded in the next session, as a new attempt; no row moves back."""
    hub.lay(experiment=experiments(("E1", "M1"), ("E2", "M9")))
    hub.lay(SECOND, specimen=specimens("M1"))
    hub.run()
    assert hub.stands() == ("INTEGRITY", "FAILED")
    finding = DocumentFinding.objects.get(active=True)
    assert (finding.awaits_kind, finding.awaits_key) == ("specimen", "M9")
    assert current("experiment") == ["E1"]
    hub.lay("J.2024-03-02.1.impc.zip", specimen=specimens("M9"))
    hub.run()
    assert not DocumentFinding.objects.filter(active=True).exists()
    hub.run()
    assert hub.stands() == DONE
    assert current("experiment") == ["E1", "E2"]
    assert len(hub.fetched) == 3


def test_edit_and_delete(hub):
    """Versions are kept; what is not there can be neither changed nor removed."""
    hub.lay(specimen=specimens("M1", "M2"))
    hub.run()
    hub.lay(SECOND, action="edit", specimen=specimens("M1", "M8").replace("male", "female"))
    hub.run()
    assert LoadedRecord.objects.get(key="M1", current=True).number == 2
    assert "edit-of-unknown" in set(DocumentFinding.objects.values_list("kind__short_name", flat=True))
    assert current() == ["M1", "M2"]
    hub.lay("J.2024-03-02.1.impc.zip", action="delete", specimen=specimens("M2"))
    hub.run()
    assert current() == ["M1"]
    assert LoadedRecord.objects.filter(key="M2").count() == 2


def test_one_session_at_a_time(hub):
    """A second one is refused until the first ends or its lease runs out."""
    wishes = hub.wishes()
    clerk = Clerk(owner="somebody", clock=hub.clock, lease=wishes.lease)
    with pytest.raises(SessionRuns):
        hub.run()
    clerk.close()
    assert hub.run().good
    assert DeliverySession.objects.count() == 1


def test_a_session_whose_process_died_is_closed_by_the_next(hub):
    """It is marked as cut off, with the task that was under way."""
    now = hub.clock.now()
    dead = DeliverySession.objects.create(start_time=now, created=now, profile="impc", owner="gone", by="hub")
    SessionTask.objects.create(session=dead, phase_id=3, start_time=now, created=now)
    hub.run()
    dead.refresh_from_db()
    assert (dead.cut_off, dead.status) == (True, -1)
    assert dead.tasks.get().status == 1


def test_every_change_is_written_down_and_leads_to_where_things_stand(hub):
    """The last change of each row is where it stands; nothing moves back within a row."""
    hub.lay(specimen=specimens("M1"), experiment=experiments(("E1", "M2")))
    hub.run()
    for attempt in Attempt.objects.all():
        changes = list(StandingChange.objects.filter(what="attempt", row=attempt.pk).order_by("id"))
        assert (changes[-1].to_phase, changes[-1].to_status) == (attempt.phase_id, attempt.status_id)
        assert all(
            (one.from_phase, one.from_status) == (before.to_phase, before.to_status)
            for before, one in itertools.pairwise(changes)
        )
    delivery = Delivery.objects.get(zip__file_name=NAME)
    assert (delivery.phase_id, delivery.status_id) == (Phase.INTEGRITY, Status.FAILED)


def test_a_deleted_centre_is_not_visited_and_its_deliveries_stay(hub):
    """Nor is an inactive one, or a source under maintenance."""
    hub.lay()
    hub.run()
    hub.lay(SECOND)
    for change in ({"active": False}, {"active": True, "deleted": True}):
        Centre.everything.filter(short_name="J").update(**change)
        hub.run()
        assert list(hub.standings()) == [f"add/{NAME}"]
    Centre.everything.filter(short_name="J").update(deleted=False)
    Source.objects.update(state=ResourceState.objects.get(short_name="maintenance"))
    hub.run()
    assert list(hub.standings()) == [f"add/{NAME}"]
    Centre.everything.get(short_name="J").delete()
    assert ZipFile.objects.get().centre is None


def test_what_is_in_use_cannot_be_deleted_and_a_zip_takes_its_documents_along(hub):
    """Phases, statuses and kinds of findings stay while something refers to them."""
    hub.lay(specimen="<wrong/>")
    hub.run()
    used = (PhaseRow.objects.get(pk=Phase.SCHEMA), StatusRow.objects.get(pk=Status.FAILED), FindingKind.objects.get())
    for row in used:
        with pytest.raises(ProtectedError):
            row.delete()
    ZipFile.objects.get().delete()
    assert not XmlDocument.objects.exists()
    assert not DocumentFinding.objects.exists()


def test_a_command_can_take_documents_in_place_of_the_store(hub):
    """It is given the file and what it is about; its exit code decides; steps of the profile follow."""
    script = (
        "import json,sys; told=json.load(sys.stdin); open(sys.argv[1],'a').write(told['document']+'\\n'); sys.exit({})"
    )
    seen = hub.folder / "seen"
    good = {"argv": [sys.executable, "-c", script.format(0), str(seen)]}
    bad = {"argv": [sys.executable, "-c", script.format(104), str(seen)]}
    taking = Command.model_validate(good)
    hub.profile = hub.profile.model_copy(update={"sink": taking, "hooks": Hooks(context=taking)})
    hub.lay()
    assert hub.run().good
    assert hub.stands() == ("CONTEXT", "DONE")
    assert seen.read_text().splitlines() == ["J.2024-02-29.1.specimen.impc.xml"] * 2
    assert not LoadedRecord.objects.exists()
    hub.profile = hub.profile.model_copy(update={"sink": Command.model_validate(bad)})
    hub.lay(SECOND)
    assert not hub.run().good
    assert hub.stands(SECOND) == ("LOAD", "FAILED")
    assert DocumentFinding.objects.get().kind.short_name == "load-104"


def test_a_fatal_finding_rolls_the_document_back(hub):
    """Nothing of it stays; the other documents do."""
    fatal = hub.profile.rules[2].model_copy(update={"level": Level.FATAL})
    hub.profile = hub.profile.model_copy(update={"rules": (fatal,)})
    hub.lay(specimen=specimens("M1"), experiment=experiments(("E1", "M1"), ("E2", "M9")))
    assert not hub.run().good
    assert (current(), current("experiment")) == (["M1"], [])
    assert hub.stands() == ("INTEGRITY", "FAILED")


def test_sources_are_left_alone_outside_their_windows(hub):
    """They are neither listed nor fetched from; what they have is not taken for gone."""
    hub.lay()
    hub.run()
    hub.lay(SECOND)
    now = hub.clock.now()
    shut = {"days": [(now.weekday() + 2) % 7]}
    Source.objects.update(windows=[shut])
    assert hub.run().good
    assert list(hub.standings()) == [f"add/{NAME}"]
    assert not Offering.objects.filter(gone=True).exists()
    Source.objects.update(windows=[shut, {"days": list(range(7))}])
    hub.run()
    assert hub.stands(SECOND) == DONE


def test_mirrors_that_differ_are_a_finding_for_both(hub):
    """It stands until they agree; the delivery is taken all the same."""
    hub.source("H", "mirror")
    hub.lay()
    other = hub.lay(centre="H", source="mirror", specimen=specimens("M1", "M2"))
    assert not hub.run().good
    assert hub.stands() == DONE
    said = sorted(
        DeliveryFinding.objects.filter(kind__short_name="mirrors-differ", active=True).values_list("message", flat=True)
    )
    assert [text.split()[1] for text in said] == ["H/mirror", "J/main"]
    other.unlink()
    hub.run()
    assert not DeliveryFinding.objects.filter(kind__short_name="mirrors-differ", active=True).exists()
