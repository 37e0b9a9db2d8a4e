"""Figures of harvests, limits of the line and original seeds in a dump: what comes over, and what is refused."""

import datetime
from zoneinfo import ZoneInfo

import pytest

from opilio.curation import snapshots
from opilio.curation.actions.wct_import import import_dump
from opilio.curation.models import BandwidthRestriction, Harvest, HarvestFigures, Snapshot
from opilio.curation.wct.report import What
from opilio.curation.wct.values import CLOCK, DECIMAL
from tests import wct_dump

UTC = ZoneInfo("UTC")


@pytest.fixture
def found():
    return wct_dump.tables()


@pytest.fixture
def take(town, tmp_path):
    folders = iter(range(100))

    def take(found):
        town.clock.advance(60)
        files = wct_dump.as_csv({name: rows for name, rows in found.items() if rows})
        return import_dump(town.system, path=wct_dump.write_folder(tmp_path / f"dump{next(folders)}", files))

    return take


def told(report, table):
    return [(entry.column, entry.reason) for entry in report.entries if entry.table == table]


def refused(report, table):
    return [entry.column for entry in report.entries if entry.table == table and entry.what is What.ROW]


def test_figures(take, found):
    """Belong to the harvest of their number; milliseconds become seconds, and what is lost is told."""
    found["HARVEST_STATUS"][0]["HS_ELAPSED_TIME"] = "61250"
    report = take(found)
    figures = HarvestFigures.objects.order_by("elapsed").first()
    assert (figures.elapsed, figures.average_kb, figures.data_amount, figures.alerts) == (61, 12.5, 10**12 + 1, 91)
    assert told(report, "HARVEST_STATUS") == [("HS_ELAPSED_TIME", "61250 ms became whole seconds")]


def test_changed_figures(take, found):
    """Are changed, and a harvest never has two rows of them."""
    take(found)
    found["HARVEST_STATUS"][0]["HS_URLS_DOWN"] = "5"
    take(found)
    assert HarvestFigures.objects.count() == 3
    assert HarvestFigures.objects.filter(urls_down=5).count() == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [("HS_OID", "999999"), ("HS_OID", "x"), ("HS_OID", None)],
)
def test_figures_of_nothing(take, found, column, value):
    """Are refused."""
    found["HARVEST_STATUS"][0][column] = value
    assert refused(take(found), "HARVEST_STATUS") == [column]
    assert HarvestFigures.objects.count() == 2


def test_limits_of_the_line(take, found):
    """Come with day and times; the last second of a day or minute stands for its end."""
    found["BANDWIDTH_RESTRICTIONS"][1]["BR_END_TIME"] = "08:59:59"
    report = take(found)
    rows = BandwidthRestriction.objects.order_by("day", "start").values_list("day", "start", "end", "limit")
    assert list(rows) == [
        (1, datetime.time(8, 30), datetime.time(18), 30),
        (1, datetime.time(18), datetime.time(0), 100),
        (6, datetime.time(0), datetime.time(9), 2000),
    ]
    assert [column for column, _ in told(report, "BANDWIDTH_RESTRICTIONS")] == ["BR_END_TIME"]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("BR_DAY", "Someday"),
        ("BR_BANDWIDTH", "-1"),
        ("BR_BANDWIDTH", "999999999999"),
        ("BR_BANDWIDTH", None),
        ("BR_START_TIME", "25:00"),
        ("BR_END_TIME", "1970-01-01 17:00:00"),
        ("BR_END_TIME", "<b>"),
    ],
)
def test_limits_that_cannot_be_used(take, found, column, value):
    """Are refused, one row each, and named by their column."""
    found["BANDWIDTH_RESTRICTIONS"][0][column] = value
    assert refused(take(found), "BANDWIDTH_RESTRICTIONS") == [column]


def test_limits_that_overlap(take, found):
    """Are refused, with rows of the dump and with those that are here."""
    found["BANDWIDTH_RESTRICTIONS"][2]["BR_END_TIME"] = "1970-01-01 20:00:00"
    assert refused(take(found), "BANDWIDTH_RESTRICTIONS") == ["BR_START_TIME"]
    assert BandwidthRestriction.objects.count() == 2


def test_original_seeds(take, found):
    """Become the snapshot of their harvest, under a digest that holds; again they change nothing."""
    take(found)
    snapshot = Snapshot.objects.order_by("harvest_id").first()
    urls = [seed["url"] for seed in snapshots.sections(snapshot.harvest_id)["seeds"]]
    assert urls == ["http://www1.site.example/é'\"<b>", "http://www3.site.example/é'\"<b>"]
    before = snapshot.pk
    report = take(found)
    assert Snapshot.objects.order_by("harvest_id").first().pk == before
    assert report.as_json()["totals"]["refused"] == 0


def test_another_original_seed(take, found):
    """Is added to those that came before."""
    take(found)
    found["TARGET_INSTANCE_ORIG_SEED"].append(
        {"TIOS_TI_OID": wct_dump.number("TARGET_INSTANCE", 1), "TIOS_SEED": "http://more.example/"}
    )
    take(found)
    harvest = Snapshot.objects.order_by("harvest_id").first().harvest_id
    assert len(snapshots.sections(harvest)["seeds"]) == 3


def test_a_snapshot_that_was_taken_here_stays(take, found, town):
    """What a harvest was run with here is not changed by a dump."""
    take({**found, "TARGET_INSTANCE_ORIG_SEED": [], "SIP_PART_ELEMENT": []})
    harvest = Harvest.objects.order_by("id").first()
    parts = {"seeds": snapshots.canonical([{"url": "http://ours.example/"}]), "software": "{}"}
    made = Snapshot(harvest=harvest, made_at=town.clock.now(), digest=snapshots.digest(parts))
    made.save()
    for key, value in parts.items():
        made.parts.create(key=key, value=value)
    report = take(found)
    assert refused(report, "TARGET_INSTANCE_ORIG_SEED") == ["TIOS_SEED", "TIOS_SEED"]
    assert refused(report, "SIP_PART_ELEMENT") == ["SPE_KEY", "SPE_KEY"]
    assert len(snapshots.sections(harvest.pk)["seeds"]) == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [("TIOS_TI_OID", "424242"), ("TIOS_TI_OID", "x"), ("TIOS_TI_OID", None), ("TIOS_SEED", None)],
)
def test_original_seeds_of_nothing(take, found, column, value):
    """Are refused, and named."""
    found["TARGET_INSTANCE_ORIG_SEED"][0][column] = value
    assert refused(take(found), "TARGET_INSTANCE_ORIG_SEED") == [column]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("9:05", (9, 5)),
        ("21:05:07", (21, 5, 7)),
        ("1970-01-01 21:05:07.0", (21, 5, 7)),
        ("01-JAN-70 09.05.00.000000 PM", (21, 5)),
        ("1970-01-01T08:00:00+00:00", (8,)),
    ],
)
def test_times_of_the_day(text, time):
    """Are read as databases write them."""
    assert CLOCK.read(text, UTC) == datetime.time(*time)


@pytest.mark.parametrize("text", ["nan", "inf", "1e999", "", "x", "٣", "0x10"])
def test_numbers_that_are_none(text):
    """Are refused."""
    with pytest.raises(ValueError, match="is no number"):
        DECIMAL.read(text, UTC)
