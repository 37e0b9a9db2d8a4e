"""A dump with a value in every column of all 46 tables comes in, and goes out again cell by cell."""

from zoneinfo import ZoneInfo

import pytest

from opilio.curation.actions.wct_import import import_dump
from opilio.curation.wct import id_blocks, original_seeds, sip_parts
from opilio.curation.wct.all_tables import TABLES, columns_of
from opilio.curation.wct.dump import opened
from opilio.curation.wct.exporting import Format, export
from opilio.curation.wct.report import Done
from opilio.kernel.clock import ManualClock
from opilio.people.actor import system
from tests import wct_dump

ZONE = "Pacific/Auckland"
#: Never taken over: no password that another program made is kept.
LOST = {("WCTUSER", "USR_PASSWORD")}
WAYS = {
    "folder": lambda found, path: wct_dump.write_folder(path / "dump", wct_dump.as_csv(found)),
    "semicolons": lambda found, path: wct_dump.write_folder(path / "dump", wct_dump.as_csv(found, delimiter=";")),
    "zip": lambda found, path: wct_dump.write_zip(path / "dump.zip", wct_dump.as_csv(found)),
    "mysql": lambda found, path: wct_dump.write_folder(path / "dump", {"wct.sql": wct_dump.as_mysql(found)}),
    "postgres": lambda found, path: wct_dump.write_folder(path / "dump", {"wct.sql": wct_dump.as_postgres(found)}),
    "oracle": lambda found, path: wct_dump.write_folder(path / "dump", {"wct.sql": wct_dump.as_oracle(found)}),
}
CASES = [*((way, Format.CSV) for way in WAYS), ("folder", Format.SQL)]


def given_back(folder, form):
    """All rows of an export, by table and key."""
    export(folder, form=form, zone=ZoneInfo(ZONE), secrets=True)
    with opened(folder) as spool:
        return {
            name: {wct_dump.key_of(name, row.cells): row.cells for row in spool.rows(name)} for name in spool.counts
        }


def differing(found, back):
    """Cells that did not come back as they were."""
    for table, rows in found.items():
        for row in rows:
            there = back.get(table, {}).get(wct_dump.key_of(table, row))
            for column, value in row.items():
                told = "no such row" if there is None else there.get(column)
                if (table, column) not in LOST and (told or "") != (value or ""):
                    yield table, column, value, told


@pytest.mark.parametrize(("way", "form"), CASES, ids=[f"{way}-{form}" for way, form in CASES])
def test_every_cell_comes_back(db, tmp_path, way, form):
    """Whatever program wrote the dump, what is exported holds each cell as it was."""
    found = wct_dump.tables()
    report = import_dump(system(clock=ManualClock()), path=WAYS[way](found, tmp_path), time_zone=ZONE)
    assert report.total(Done.REFUSED) == 0, report.entries
    assert list(differing(found, given_back(tmp_path / "out", form))) == []


def test_every_column_of_the_data_dictionary_has_a_place():
    """Each of the 46 tables is taken over column by column."""
    placed = {table.name: set(columns_of(table)) for table in TABLES}
    placed |= {each.NAME: set(each.COLUMNS) for each in (id_blocks, original_seeds, sip_parts)}
    assert placed == {table: set(columns) for table, columns in wct_dump.SCHEMA.items()}
    assert len(placed) == 46


def test_every_column_of_the_dump_has_a_value_of_its_own(db):
    """No column is compared by the value that a row would have anyway."""
    plain = {}
    for table in TABLES:
        row = table.model()
        for column in table.columns:
            if column.field and not column.ref and column.show is None:
                value = getattr(row, column.field)
                plain[table.name, column.name] = "" if value is None else column.kind.write(value, ZoneInfo(ZONE))
    for table, rows in wct_dump.tables().items():
        for column in wct_dump.SCHEMA[table]:
            values = {row[column] for row in rows} - {None, "", plain.get((table, column))}
            assert values, f"{table}.{column} has no telling value"
