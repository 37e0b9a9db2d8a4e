"""Reading dumps of the Web Curator Tool: SQL of three databases, CSV, dates, numbers, switches."""

import datetime
import io
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.curation.wct import csv_reader, sql_reader, sql_scanner
from opilio.curation.wct.dump import opened
from opilio.curation.wct.errors import BadDump
from opilio.curation.wct.rows import BadLine, RawRow
from opilio.curation.wct.values import DAY, FLAG, MOMENT, NUMBER, TEXT

UTC, AUCKLAND = ZoneInfo("UTC"), ZoneInfo("Pacific/Auckland")


def sql(text):
    return list(sql_reader.read(io.StringIO(text, newline=""), file="dump.sql"))


def cells(text):
    return [dict(row.cells) for row in sql(text)]


def test_mysql_escapes_and_rows_without_column_names():
    """The order of the columns comes from CREATE TABLE, whose keys and defaults are no columns."""
    dump = r"""
    -- MySQL dump 10.13
    /*!40101 SET NAMES utf8 */;
    CREATE TABLE `TARGET` (`A` bigint(20) NOT NULL, `B` varchar(9) DEFAULT 'x,(y)', `C` bit(1), PRIMARY KEY (`A`),
      KEY `B` (`B`)) ENGINE=InnoDB;
    INSERT INTO `db`.`TARGET` VALUES (1,'it\'s; \"q\" \\ \n','1'),(2,NULL,_binary '\0'),(-3,'x''y',b'1');
    """
    assert cells(dump) == [
        {"A": "1", "B": 'it\'s; "q" \\ \n', "C": "1"}, {"A": "2", "B": None, "C": "\x00"},
        {"A": "-3", "B": "x'y", "C": "1"},
    ]  # fmt: skip


def test_postgres_blocks_and_standard_strings():
    """Words to psql are passed over; a backslash is a backslash unless the literal says otherwise."""
    dump = (
        "\\restrict it's\nSET x = on;\nCOPY public.seed (s_oid, s_seed) FROM stdin;\n"
        "1\ta\\tb\\\\c\n2\t\\N\n\\.\n\n"
        "INSERT INTO site (a, b) VALUES ('back\\slash ''q''', '2008-01-02'::timestamp without time zone),"
        " (E'e\\nx', true);"
    )
    assert cells(dump) == [
        {"S_OID": "1", "S_SEED": "a\tb\\c"}, {"S_OID": "2", "S_SEED": None},
        {"A": "back\\slash 'q'", "B": "2008-01-02"}, {"A": "e\nx", "B": "TRUE"},
    ]  # fmt: skip


def test_oracle_dates_and_long_texts():
    """Masks are read, parts are joined, words to SQL*Plus are passed over."""
    dump = """REM INSERTING into X's rows
    SET DEFINE OFF;
    Insert into DB."X" (A,B) values ('don''t'||chr(10)||'x',to_timestamp('29-JUL-08 10.11.12.123 PM','DD-MON-RR HH.MI.SSXFF AM'));
    Insert into X (A,B) values (TO_CLOB('a')||TO_CLOB('b'),TO_DATE('2008-07-29 10:11:12','YYYY-MM-DD HH24:MI:SS'));
    Insert into X (A,B) values (q'[it's]',EMPTY_CLOB());
    /
    commit;
    """  # noqa: E501 - as it is written
    assert cells(dump) == [
        {"A": "don't\nx", "B": "2008-07-29 22:11:12.123000"}, {"A": "ab", "B": "2008-07-29 10:11:12"},
        {"A": "it's", "B": ""},
    ]  # fmt: skip


def test_a_row_with_the_wrong_number_of_values_is_told():
    """With its line; the rows around it are read."""
    rows = ("(1, 2)", "(1)", "(3, 4)")
    found = sql("\n".join(f"INSERT INTO t (a, b) VALUES {values};" for values in rows))
    assert [type(row) for row in found] == [RawRow, BadLine, RawRow]
    assert (found[1].line, found[1].reason) == (2, "it has 1 values for 2 columns")


def test_rows_of_a_table_that_nobody_describes_are_told():
    """Without names, values mean nothing."""
    (found,) = sql("INSERT INTO t VALUES (1, 2);")
    assert found.reason == "the dump does not say which columns the table has"


@pytest.mark.parametrize("dump", ["INSERT INTO t (a) VALUES ('x", "COPY t (a) FROM stdin;\n1\n", "/* for ever"])
def test_a_dump_that_breaks_off_is_told(dump):
    """With the line where it began."""
    with pytest.raises(BadDump, match="never closed"):
        sql(dump)


def test_texts_longer_than_a_piece_are_whole(monkeypatch):
    """However small the pieces are in which the stream comes."""
    monkeypatch.setattr(sql_scanner, "PIECE", 7)
    long = "x''y\n" * 500
    both = f"INSERT INTO t (a, b) VALUES ('{long}', e'q'), ('z', n'w');"
    rows = sql(f"-- c\n{both}\n\\echo\nINSERT INTO t (a) VALUES (1);")
    assert [dict(row.cells) for row in rows] == [
        {"A": long.replace("''", "'"), "B": "q"}, {"A": "z", "B": "w"}, {"A": "1"}
    ]  # fmt: skip


_VALUES = st.lists(st.one_of(st.none(), st.text(st.characters(exclude_categories=["Cs"]), max_size=20)), min_size=1)


@given(_VALUES)
def test_whatever_is_quoted_comes_back(values):
    """Standard SQL: only the apostrophe is doubled."""
    texts = [value.replace("\x00", "") if value is not None else None for value in values]
    written = ", ".join("NULL" if text is None else "'" + text.replace("'", "''") + "'" for text in texts)
    names = ", ".join(f"c{number}" for number in range(len(texts)))
    assert cells(f"INSERT INTO t ({names}) VALUES ({written});") == [
        {f"C{number}": text for number, text in enumerate(texts)}
    ]


@given(st.text(max_size=200))
def test_no_text_makes_the_reader_stumble(text):
    """It gives rows, tells bad lines, or says that the dump breaks off."""
    try:
        sql(text)
    except BadDump as error:
        assert "never closed" in str(error)  # noqa: PT017 - any other way of ending is a fault


def test_a_dump_of_more_tables_than_files_can_be_open_is_whole(tmp_path):
    """Rows of all tables are there, in whatever order they came."""
    names = [f"T{number}" for number in range(150)]
    lines = [f"INSERT INTO {name} (a) VALUES ({turn});" for turn in range(3) for name in names]
    (tmp_path / "dump.sql").write_text("\n".join(lines), encoding="utf-8")
    with opened(tmp_path) as spool:
        assert [[row.cells["A"] for row in spool.rows(name)] for name in names] == [["0", "1", "2"]] * 150


def test_csv_knows_its_table_and_tells_bad_lines():
    """By the name of the file; quotes, line breaks and semicolons are read."""
    text = 'A;B\n1;"x\ny"\n2\n3;\\N\n"bad"x;3\n4;5\n'
    found = list(csv_reader.read(io.StringIO(text, newline=""), file="export/DB_WCT.Target.csv"))
    assert [row.table for row in found] == ["TARGET"] * 5
    assert [dict(row.cells) for row in found if isinstance(row, RawRow)] == [
        {"A": "1", "B": "x\ny"}, {"A": "3", "B": None}, {"A": "4", "B": "5"}
    ]  # fmt: skip
    assert [row.line for row in found if isinstance(row, BadLine)] == [4, 6]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2008-07-29 10:11:12", "2008-07-28T22:11:12"), ("2008-07-29T10:11:12.5", "2008-07-28T22:11:12.500000"),
        ("2008-07-29 10:11:12+00:00", "2008-07-29T10:11:12"), ("29-JUL-08 10.11.12.000 PM", "2008-07-29T10:11:12"),
        ("29-JUL-2008", "2008-07-28T12:00:00"), ("2008-07-29", "2008-07-28T12:00:00"),
    ],
)  # fmt: skip
def test_times_are_read_as_databases_write_them(text, moment):
    """Those without a zone are of the dump's zone."""
    assert MOMENT.read(text, AUCKLAND) == datetime.datetime.fromisoformat(moment).replace(tzinfo=datetime.UTC)


def test_times_are_written_as_they_were_read():
    """To the second, in the zone of the dump; days are whole."""
    assert MOMENT.write(MOMENT.read("2008-01-29 10:11:12", AUCKLAND), AUCKLAND) == "2008-01-29 10:11:12"
    assert DAY.write(DAY.read("2008-01-29 23:59:59", AUCKLAND), AUCKLAND) == "2008-01-29 00:00:00"
    assert MOMENT.read("0000-00-00 00:00:00", UTC) is None


@pytest.mark.parametrize("text", ["29/07/2008", "soon", "2008-13-01", "31-FEB-08", "99999-01-01"])
def test_what_is_no_date_is_refused(text):
    """Days and months are not guessed."""
    with pytest.raises(ValueError, match="is no date"):
        MOMENT.read(text, UTC)


@pytest.mark.parametrize(
    ("text", "flag"), [("1", True), ("t", True), ("Y", True), ("\x01", True), ("0", False), ("f", False), ("N", False)]
)
def test_switches_are_read_in_every_way(text, flag):
    """Of all databases."""
    assert FLAG.read(text, UTC) is flag


@pytest.mark.parametrize("text", ["1.5", "1e3", "x", "", str(2**63), "٣x"])
def test_what_is_no_number_is_refused(text):
    """And what does not fit into 64 bits."""
    with pytest.raises(ValueError, match="no whole number"):
        NUMBER.read(text, UTC)


def test_numbers_of_oracle_have_a_point():
    """With nothing behind it."""
    assert NUMBER.read("12.00", UTC) == 12


@pytest.mark.parametrize("text", ["a\x00b", "a\udce9b"])
def test_what_cannot_be_stored_is_refused(text):
    """NUL, and bytes of another encoding."""
    with pytest.raises(ValueError, match=r"NUL|encoding"):
        TEXT.read(text, UTC)
