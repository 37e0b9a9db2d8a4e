"""Machines without a common disk: what one of them pulled, another takes further, and pages of a third show."""

from dataclasses import replace

import pytest

from opilio.archive.store.disk import DiskStore
from opilio.deliveries.states import Phase
from opilio.kernel.errors import Missing, Unavailable
from opilio.tracker.actions import deliveries
from opilio.tracker.actions.retention import expire
from opilio.tracker.models import Attempt, XmlDocument
from opilio.tracker.queries import story
from opilio.works.sharing import delivery_files
from opilio.works.sharing.delivery_files import DeliveryFiles
from tests.contracts.sharing_machines import Switched
from tests.hub import NAME, specimens
from tests.review_desk import at_home

DAY = 86_400
BAD = "<centreSpecimenSet>\n<wrong/>\n</centreSpecimenSet>"


@pytest.fixture
def store(tmp_path):
    return Switched(DiskStore(tmp_path / "bucket"))


@pytest.fixture
def machine(tmp_path, store):
    """The files of deliveries on a machine of this name."""
    return lambda name: DeliveryFiles(folder=tmp_path / name / "deliveries", store=store, most=1 << 40)


def cut_off(hub, files, phase):
    """A session that is ended before a phase."""
    reached = []
    hub.run(files=files, begun=reached.append, stopped=lambda: phase in reached)


@pytest.mark.parametrize("phase", [Phase.UNPACK, Phase.SCHEMA, Phase.LOAD])
def test_another_machine_takes_further_what_one_pulled(hub, machine, phase):
    """At whichever step the first was lost; the source is not asked again."""
    hub.lay()
    cut_off(hub, machine("barn"), phase)
    assert hub.stands() != ("INTEGRITY", "DONE")
    hub.run(files=machine("byre"))
    assert hub.stands() == ("INTEGRITY", "DONE")
    assert len(hub.fetched) == 1


def test_another_machine_retries_what_failed(hub, machine):
    """From what the first had, though it has never seen it; also what lies in quarantine."""
    hub.lay(specimen=BAD)
    hub.lay("J.2024-03-01.1.impc.zip", content=b"no zip at all")
    hub.run(files=machine("barn"))
    for row in Attempt.objects.all():
        deliveries.revalidate(hub.town.system, delivery_id=row.offering.delivery_id)
    hub.run(files=machine("byre"))
    assert hub.stands() == ("SCHEMA", "FAILED")
    assert hub.stands("J.2024-03-01.1.impc.zip") == ("UNPACK", "FAILED")
    assert len(hub.fetched) == 2
    assert XmlDocument.objects.count() == 2


def test_pages_of_another_machine_show_the_lines(hub, machine, settings, tmp_path, store):
    """While the store is away, they show none; the page itself is there."""
    hub.lay(specimen=BAD)
    hub.run(files=machine("barn"))
    at_home(settings, tmp_path / "front")
    settings.OPILIO = replace(settings.OPILIO, work_store=str(tmp_path / "bucket"))
    document = XmlDocument.objects.get()
    assert story.shown_lines(document, [(2, 1)])[2, 1][1].text == "<wrong/>"
    assert (tmp_path / "front" / "deliveries" / "add" / NAME / "1" / "documents" / "00001").is_file()
    settings.OPILIO = replace(settings.OPILIO, home=tmp_path / "porch", work_store=str(tmp_path / "empty"))
    assert story.shown_lines(document, [(2, 1)]) is None


def test_what_another_history_left_on_a_disk_is_not_taken_for_what_came(hub, machine):
    """A machine pulled a version, and was lost before that was noted; another pulled the next one meanwhile."""
    old = machine("barn").folder / "add" / NAME / "1"
    (old / "documents").mkdir(parents=True)
    (old / "delivery.zip").write_bytes(b"an earlier version")
    (old / "documents" / "00001").write_text(specimens("M9"))
    hub.lay(specimen=specimens("M1", "M2"))
    cut_off(hub, machine("byre"), Phase.LOAD)
    hub.run(files=machine("barn"))
    assert hub.stands() == ("INTEGRITY", "DONE")
    assert XmlDocument.objects.get().records == 2


def test_what_goes_goes_from_the_store_too(hub, machine, store):
    """Unless another delivery with the same content is kept."""
    content = hub.lay().read_bytes()
    hub.run(files=machine("barn"))
    hub.lay("J.2024-03-01.1.impc.zip", content)
    hub.clock.advance(8 * DAY)
    hub.run(files=machine("byre"))
    hub.town.parameter("delivery_keep_days", "10")
    hub.clock.advance(3 * DAY)
    assert [one.file for one in expire(hub.town.system, files=machine("shed"))] == [NAME]
    assert len(list(store.list("deliveries"))) == 1
    hub.clock.advance(8 * DAY)
    assert len(expire(hub.town.system, files=machine("shed"))) == 1
    assert list(store.list("deliveries")) == []


def test_copies_that_stand_for_nothing_go(hub, machine, monkeypatch):
    """From a machine whose deliveries another removed; and beyond the room, those not used for longest."""
    hub.lay()
    hub.run(files=machine("barn"))
    monkeypatch.setattr(delivery_files, "_YOUNG", -1.0)
    kept = machine("barn").folder / "add" / NAME / "1" / "delivery.zip"
    assert machine("barn").tidy({f"add/{NAME}/1"}) == 0
    assert kept.is_file()
    assert replace(machine("barn"), most=0).tidy({f"add/{NAME}/1"}) == 1
    assert not kept.exists()
    row = Attempt.objects.get()
    assert machine("barn").archive(hub.place_of(row, machine("barn")), row.sha256) == kept
    assert machine("barn").tidy(set()) == 1
    assert not kept.exists()


def test_a_store_that_is_away_is_waited_for(hub, machine, store, monkeypatch):
    """As long as there is patience; then the session says what is missing, and the next one goes on."""
    hub.lay()
    store.away = True
    with pytest.raises(Unavailable):
        hub.run(files=machine("barn"))
    waited = []

    def back(self, seconds):
        waited.append(seconds)
        store.away = len(waited) < 3

    monkeypatch.setattr(DeliveryFiles, "_wait", back)
    hub.run(files=replace(machine("byre"), patience=60.0))
    assert waited == [1.0, 2.0, 4.0]
    assert hub.stands() == ("INTEGRITY", "DONE")


def test_an_archive_that_nobody_has(hub, machine, store):
    """The message names the object and what to do."""
    hub.lay()
    cut_off(hub, machine("barn"), Phase.UNPACK)
    for one in list(store.list("deliveries")):
        store.delete(one.key)
    with pytest.raises(Missing, match="fetched anew"):
        hub.run(files=machine("byre"))
