"""Files of deliveries go when their time is over; what is held stays, and so does what is in the tables."""

import json

from opilio.agents.delivery_sessions import remove_old_deliveries
from opilio.agents.periodic import Turn
from opilio.cli.main import main
from opilio.tracker import retention
from opilio.tracker.actions import deliveries
from opilio.tracker.actions.retention import expire
from opilio.tracker.clerk import Clerk
from opilio.tracker.models import Attempt, LoadedRecord
from opilio.tracker.retention import Keeping
from tests.hub import NAME, experiments, specimens

DAY = 86_400
OTHER = "J.2024-03-01.1.impc.zip"


def due(hub, **changes):
    """The names of what may go."""
    keeping = Keeping(**{"days": 10, "revisions": 0, "quarantine_days": 30, **changes})
    return [one.file for one in retention.due(keeping, hub.clock.now())]


def test_files_go_after_their_days_and_what_they_brought_stays(hub):
    """The attempt keeps its digests; the delivery is not fetched again."""
    hub.lay()
    hub.run()
    assert due(hub) == []
    hub.clock.advance(11 * DAY)
    assert due(hub, days=0) == []
    assert due(hub) == [NAME]
    hub.town.parameter("delivery_keep_days", "10")
    folder = hub.folder / "deliveries"
    assert [one.file for one in expire(hub.town.system, files=hub.files)] == [NAME]
    assert not list(folder.rglob("delivery.zip"))
    row = Attempt.objects.get()
    assert (row.folder, bool(row.sha256)) == ("", True)
    assert LoadedRecord.objects.filter(current=True).count() == 1
    hub.run()
    assert len(hub.fetched) == 1
    assert list(expire(hub.town.system, files=hub.files)) == []


def test_what_is_held_stays_until_it_is_let_go(hub):
    """A legal hold outweighs every rule."""
    hub.lay()
    hub.run()
    hub.clock.advance(11 * DAY)
    row = Attempt.objects.get().offering.delivery
    deliveries.hold(hub.town.system, delivery_id=row.pk, held=True, reason="A case.")
    assert due(hub) == []
    deliveries.hold(hub.town.system, delivery_id=row.pk, held=False, reason="It is closed.")
    assert due(hub) == [NAME]


def test_what_a_session_still_needs_stays(hub):
    """A delivery whose record waits for another may be taken in again from what is here."""
    hub.lay(experiment=experiments(("E1", "M9")))
    hub.run()
    hub.clock.advance(1_000 * DAY)
    assert due(hub) == []


def test_old_revisions_go_and_none_is_written_over(hub):
    """Also when somebody wants a delivery fetched anew: what came before stays until its time is over."""
    hub.lay()
    hub.run()
    row = Attempt.objects.get().offering.delivery
    deliveries.requeue(hub.town.system, delivery_id=row.pk)
    hub.run()
    assert list(Attempt.objects.order_by("id").values_list("revision", "dropped")) == [(1, True), (2, False)]
    hub.lay(at=2e9, specimen=specimens("M1", "M2"))
    hub.run()
    folders = sorted(path.parent.name for path in (hub.folder / "deliveries").rglob("delivery.zip"))
    assert folders == ["1", "2", "3"]
    found = list(retention.due(Keeping(days=0, revisions=2, quarantine_days=0), hub.clock.now()))
    assert [one.folder for one in found] == [f"add/{NAME}/1"]


def test_what_cannot_be_unpacked_lies_in_quarantine(hub):
    """Apart from what is taken in, for as long as its own rule says; it can be tried again there."""
    hub.lay(content=b"no zip at all")
    hub.run()
    row = Attempt.objects.get()
    assert row.folder == f"quarantine/{row.pk}"
    assert (hub.folder / "deliveries" / row.folder / "delivery.zip").read_bytes() == b"no zip at all"
    assert not (hub.folder / "deliveries" / "add" / NAME / "1").exists()
    deliveries.revalidate(hub.town.system, delivery_id=row.offering.delivery_id)
    hub.run()
    assert hub.stands() == ("UNPACK", "FAILED")
    hub.clock.advance(20 * DAY)
    assert due(hub) == []
    hub.clock.advance(11 * DAY)
    assert due(hub) == [NAME]


def test_a_crash_before_quarantine_was_noted_is_mended(hub):
    """The files lie in quarantine already; the row does not say so yet."""
    hub.lay(content=b"no zip at all")
    hub.run()
    row = Attempt.objects.get()
    Attempt.objects.update(folder=f"add/{NAME}/1", phase_id=5, status_id=2)
    hub.run()
    row.refresh_from_db()
    assert row.folder == f"quarantine/{row.pk}"
    assert hub.stands() == ("UNPACK", "FAILED")


def test_nothing_goes_while_a_session_runs(hub, settings):
    """The chore tries again in its next turn."""
    hub.lay()
    hub.run()
    hub.town.parameter("delivery_keep_days", "1")
    hub.clock.advance(2 * DAY)
    clerk = Clerk(owner="somebody", clock=hub.clock, lease=hub.wishes().lease)
    turn = Turn(held=None, clock=hub.clock, settings=settings.OPILIO, should_stop=lambda: False)
    remove_old_deliveries(turn)
    assert Attempt.objects.get().folder
    clerk.close()
    remove_old_deliveries(turn)
    assert not Attempt.objects.get().folder


def test_by_command(hub, capsys):
    """A dry run removes nothing."""
    hub.lay()
    hub.run()
    hub.town.parameter("delivery_keep_days", "1")
    Attempt.objects.update(received="2020-01-01T00:00:00+00:00")
    capsys.readouterr()
    assert main(["delivery", "retention", "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"][0]["file"] == NAME
    assert Attempt.objects.get().folder
    assert main(["delivery", "retention"]) == 0
    assert not Attempt.objects.get().folder
