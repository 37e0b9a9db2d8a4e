"""All seventeen tables of a tracker go out and come in again, cell by cell."""

import csv
import json

import pytest

from opilio.catalogue import identifiers
from opilio.catalogue.models import IdBlock
from opilio.cli.main import main
from opilio.deliveries.profile import profile
from opilio.tracker.actions.dump import import_tables
from opilio.tracker.dump_export import NULL, exported
from opilio.tracker.dump_tables import TABLES
from opilio.tracker.errors import BadTrackerDump
from opilio.tracker.models import Centre, Delivery, DeliverySession, Source, XmlDocument
from opilio.tracker.source_values import engine_source
from tests.people import Town

AT = "2013-12-17 10:20:30"
NAMED = ("source_protocol", "resource_state", "processing_type", "an_exception")
#: A tracker with a row or two in each table, every column filled.
ROWS = {
    "centre": [
        (7, "J", "JAX", "The laboratory", "j@example.org", "12345", "A street 1", "1", "2012-01-02 03:04:05", AT),
        (8, "H", "HAR", "The centre", "h@example.org", "54321", "A lane 2", "0", "2012-01-02 03:04:06", AT),
    ],
    "source_protocol": [(1, "ftp", "Plain", AT), (2, "sftp", "Over SSH", AT), (3, "http", "The web", AT)],
    "resource_state": [(1, "available", "a", AT), (2, "maintenance", "b", AT), (3, "removed", "c", AT)],
    "processing_type": [(1, "add", "a", AT), (2, "edit", "b", AT), (3, "delete", "c", AT)],
    "phase": [
        (number, name, f"step {number}", AT)
        for number, name in enumerate(
            ("download", "zip_name", "zip_md5", "unzip", "xml_name", "xsd", "upload", "data", "context", "overview",
             "qc"), 1)
    ],
    "a_status": [
        (1, "pending", "a", AT, "aaaaaa00"), (2, "running", "b", AT, "0000ff00"), (3, "done", "c", AT, "00ff0000"),
        (4, "cancelled", "d", AT, "77007700"), (5, "failed", "e", AT, "ff000000"),
    ],
    "an_exception": [(1, "SAXParseException", "The document", AT), (2, "ZipException", "The archive", AT)],
    "file_source": [(3, 7, 2, "ftp.example.org", "hub", "a secret", "/out", 1, "2012-02-03 04:05:06", AT)],
    "zip_file": [(4_000_000_000, "J.2013-06-01.1.impc.zip", 7, "2013-06-01", 1, 1_234, "0" * 32, AT)],
    "zip_action": [(5_000_000_000, 4_000_000_000, 1, 6, 5, AT)],
    "file_source_has_zip": [(60, 5_000_000_000, 3, 2, AT)],
    "zip_download": [(70, 60, "2013-06-02 00:00:00", "2013-06-02 00:00:09", 1_234, 6, 5, AT)],
    "xml_file": [
        (80, 70, "J.2013-06-01.1.specimen.impc.xml", 7, "2013-06-01", 1, 99, "1" * 32, 8, 3, AT),
        (81, 70, "J.2013-06-01.1.experiment.impc.xml", 7, "2013-06-01", 1, 98, "2" * 32, 6, 5, AT),
    ],
    "zip_log": [(90, 70, 2, "It is broken, \"they\" said\nand more", AT)],
    "xml_log": [(100, 81, 1, "Not valid", 12, 34, AT)],
    "crawling_session": [(110, "2013-06-02 00:00:00", "2013-06-02 01:00:00", 121, "2013-06-01 00:00:00", AT)],
    "session_task": [
        (120, 110, 1, "fetched", "2013-06-02 00:00:00", "2013-06-02 00:10:00", 0, "2013-06-02 00:00:00", AT),
        (121, 110, 6, "not valid", "2013-06-02 00:10:00", "2013-06-02 00:20:00", 1, "2013-06-02 00:10:00", AT),
    ],
}  # fmt: skip


@pytest.fixture
def town(db):
    return Town()


def write(folder, rows):
    """The dump as files."""
    folder.mkdir()
    for table in TABLES:
        with (folder / f"{table.name}.csv").open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(table.columns)
            writer.writerows(rows[table.name])
    return folder


def read(folder, table):
    """The cells of a table."""
    with (folder / f"{table}.csv").open(newline="") as stream:
        return list(csv.reader(stream))


def cells(folder, table):
    """Each row of a table by its columns; reference rows by name, as their numbers are a tracker's own."""
    head, *rows = read(folder, table.name)
    found = [dict(zip(head, row, strict=True)) for row in rows]
    for name, column in table.columns.items():
        if column.refers in NAMED:
            refer_head, *referred = read(folder, column.refers)
            names = {row[refer_head.index("id")]: row[refer_head.index("short_name")] for row in referred}
            found = [{**row, name: names[row[name]]} for row in found]
    if table.name in NAMED:
        return {row.pop("short_name"): {name: cell for name, cell in row.items() if name != "id"} for row in found}
    return {row["id"]: row for row in found}


def test_every_table_and_column_comes_back_as_it_was(town, tmp_path):
    """Seventeen tables, no cell empty, none changed; secrets only if they are asked for."""
    given = write(tmp_path / "given", ROWS)
    assert len(TABLES) == 17
    for table in TABLES:
        assert all(cell not in ("", NULL) for row in read(given, table.name) for cell in row), table.name
    counts = import_tables(town.system, folder=given, agency_id=town.library.id)
    assert counts == {name: len(rows) for name, rows in ROWS.items()}
    made = exported(tmp_path / "made", profile("impc"), secrets=True)
    for table in TABLES:
        before, after = cells(given, table), cells(tmp_path / "made", table)
        assert {key: after[key] for key in before} == before, table.name
        assert table.name in NAMED or len(after) == len(before), table.name
    assert made.rows["phase"] == 11
    exported(tmp_path / "open", profile("impc"))
    assert dict(zip(*read(tmp_path / "open", "file_source"), strict=True))["accesskey"] == NULL


def test_what_is_imported_can_be_used(town, tmp_path):
    """A source with its secret, standings in our phases, kinds of documents, the failed task of a session."""
    import_tables(town.system, folder=write(tmp_path / "given", ROWS), agency_id=town.library.id)
    source = Source.objects.get()
    assert (source.protocol.short_name, engine_source(source).password) == ("sftp", "a secret")
    delivery = Delivery.objects.get()
    assert (delivery.phase.short_name, delivery.status.short_name) == ("schema", "failed")
    assert [row.kind for row in XmlDocument.objects.order_by("id")] == ["specimen", "experiment"]
    assert DeliverySession.objects.get().tasks.get(pk=DeliverySession.objects.get().status).status == 1
    assert not Centre.objects.get(short_name="H").active
    assert IdBlock.objects.get(kind=Delivery.id_kind()).value > 5_000_000_000 // identifiers.BLOCK


@pytest.mark.parametrize(
    ("table", "change", "said"),
    [
        ("centre", {"short_name": ""}, "short_name is empty"),
        ("zip_action", {"phase_id": 12}, "no phase 12"),
        ("phase", {"short_name": "other"}, "no phase 1 'other'"),
        ("a_status", {"short_name": "odd"}, "no 'odd'"),
        ("zip_file", {"created": "2013-02-31"}, "created cannot be read"),
        ("file_source", {"protocol_id": 9}, "protocol_id cannot be read"),
        ("zip_log", {"zip_id": 71}, "The download 71 is not there"),
        ("session_task", {"start_time": "soon"}, "start_time cannot be read"),
    ],
)
def test_what_cannot_be_read_is_named_and_nothing_stays(town, tmp_path, table, change, said):
    """Table, line and column."""
    columns = list(next(one for one in TABLES if one.name == table).columns)
    first = list(ROWS[table][0])
    for name, value in change.items():
        first[columns.index(name)] = value
    folder = write(tmp_path / "given", {**ROWS, table: [tuple(first), *ROWS[table][1:]]})
    with pytest.raises(BadTrackerDump) as caught:
        import_tables(town.system, folder=folder, agency_id=town.library.id)
    assert said in str(caught.value)
    assert f"{table}.csv" in str(caught.value)
    assert not Centre.objects.exists()


def test_tables_that_are_missing_or_there_already(town, tmp_path):
    """No file, no column; a second import of the same rows."""
    folder = write(tmp_path / "given", ROWS)
    import_tables(town.system, folder=folder, agency_id=town.library.id)
    with pytest.raises(BadTrackerDump, match="already"):
        import_tables(town.system, folder=folder, agency_id=town.library.id)
    (folder / "xml_log.csv").write_text("id,message\n")
    (folder / "centre.csv").unlink()
    with pytest.raises(BadTrackerDump, match="centre"):
        import_tables(town.system, folder=folder, agency_id=town.library.id)


def test_by_command(town, tmp_path, capsys):
    """Import and export, with the numbers of rows."""
    given = write(tmp_path / "given", ROWS)
    assert main(["delivery", "import", str(given), "--agency", "Library", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"]["xml_file"] == 2
    assert main(["delivery", "export", str(tmp_path / "out"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"]["session_task"] == 2
    assert main(["delivery", "import", str(given), "--agency", "Library"]) == 2
