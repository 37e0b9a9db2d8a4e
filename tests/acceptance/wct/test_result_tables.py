"""Results, their notes, files, resources and parts of packages in a dump: what comes over, and what is refused."""

import pytest

from opilio.curation import snapshots
from opilio.curation.actions.wct_import import import_dump
from opilio.curation.models import Harvest, HarvestFile, ImportedResource, ModificationNote, Result, ResultState
from opilio.curation.wct.report import What
from tests import wct_dump

CASES = [
    ("HARVEST_RESULT", "HR_HARVEST_NO", "0"), ("HARVEST_RESULT", "HR_HARVEST_NO", None),
    ("HARVEST_RESULT", "HR_TARGET_INSTANCE_ID", "424242"), ("HARVEST_RESOURCE", "HRC_NAME", None),
    ("SIP_PART_ELEMENT", "SPE_KEY", "k" * 61), ("SIP_PART_ELEMENT", "SPE_TARGET_INSTANCE_OID", "424242"),
    ("SIP_PART_ELEMENT", "SPE_TARGET_INSTANCE_OID", "x"), ("ARC_HARVEST_FILE", "AHF_ARC_HARVEST_RESULT_ID", "424242"),
]  # fmt: skip


@pytest.fixture
def found():
    return wct_dump.tables()


@pytest.fixture
def take(town, tmp_path):
    folders = iter(range(100))

    def take(found):
        town.clock.advance(60)
        return import_dump(
            town.system, path=wct_dump.write_folder(tmp_path / f"dump{next(folders)}", wct_dump.as_csv(found))
        )

    return take


def refused(report, table):
    return [entry.column for entry in report.entries if entry.table == table and entry.what is What.ROW]


def test_results_come_with_all_that_belongs_to_them(take, found):
    """Without files; what was under way over there is settled here, and that is told."""
    for index, state in enumerate(("3", "5", "6")):
        found["HARVEST_RESULT"][index]["HR_STATE"] = state
    report = take(found)
    rows = list(Result.objects.order_by("number"))
    assert [row.state for row in rows] == [ResultState.UNASSESSED, ResultState.ABORTED, ResultState.ABORTED]
    assert all(row.imported and row.made_by_id for row in rows)
    assert sum(entry.column == "HR_STATE" for entry in report.entries) == 3
    assert ModificationNote.objects.filter(result=rows[0], position=0).exists()
    assert HarvestFile.objects.get(harvest=rows[1].harvest_id).result == 2
    assert ImportedResource.objects.get(result=rows[0]).status == 200


def test_parts_of_packages_join_the_seeds_in_the_snapshot(take, found):
    """Under names of their own and one digest; the same dump again changes nothing, another value does."""
    take(found)
    harvest = Harvest.objects.order_by("id").first()
    parts = snapshots.sections(harvest.pk)
    key = found["SIP_PART_ELEMENT"][0]["SPE_KEY"]
    assert parts[f"sip.{key}"] == found["SIP_PART_ELEMENT"][0]["SPE_VALUE"]
    assert "seeds" in parts
    assert take(found).counts["SIP_PART_ELEMENT"] == {"unchanged": 3}
    found["SIP_PART_ELEMENT"][0]["SPE_VALUE"] = "<mets/>"
    assert take(found).counts["SIP_PART_ELEMENT"]["changed"] == 1
    assert snapshots.sections(harvest.pk)[f"sip.{key}"] == "<mets/>"


def test_what_cannot_be_used_is_refused_and_named(take, found):
    """Row by row, with the column; the rest comes over."""
    for index, (table, column, value) in enumerate(CASES):
        found[table][index % 3][column] = value
    report = take(found)
    assert set(refused(report, "HARVEST_RESULT")) == {"HR_HARVEST_NO", "HR_TARGET_INSTANCE_ID"}
    assert "HRC_NAME" in refused(report, "HARVEST_RESOURCE")
    assert set(refused(report, "SIP_PART_ELEMENT")) == {"SPE_KEY", "SPE_TARGET_INSTANCE_OID"}
    assert "AHF_ARC_HARVEST_RESULT_ID" in refused(report, "ARC_HARVEST_FILE")
