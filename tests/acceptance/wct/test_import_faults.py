"""Dumps with bad rows, cells and texts: each is named, and what is sound comes."""

import pytest

from opilio.curation.actions.wct_import import import_dump
from opilio.curation.models import (
    Group,
    GroupMember,
    Seed,
    Target,
    WctIdentity,
)
from opilio.curation.wct.errors import BadDump
from opilio.curation.wct.report import What
from opilio.people.errors import InvalidFields
from opilio.people.models import Agency
from tests import wct_dump
from tests.acceptance.wct.imported import taken, told, totals

BAD = [
    ("ABSTRACT_TARGET", "AT_STATE", "9", "the state 9 is none of a target"),
    ("ABSTRACT_TARGET", "AT_NAME", None, "it is empty"),
    ("ABSTRACT_TARGET", "AT_OWNER_ID", "12345", "there is no row 12345 of WCTUSER that was taken over"),
    ("ABSTRACT_TARGET", "AT_OID", "seven", "'seven' is no whole number"),
    ("TARGET", "T_AT_OID", wct_dump.number("ABSTRACT_TARGET", 4), "the row of ABSTRACT_TARGET is of another kind"),
    ("SEED", "S_SEED", "http://a.example/" + "x" * 3000, "it has 3017 characters; here it has at most 2048"),
    ("SCHEDULE", "S_CRON", "every day", "the cron expression cannot be used"),
    ("SCHEDULE", "S_END", "2001-01-01 00:00:00", "it ends before it begins"),
    ("SCHEDULE", "S_START", "29/07/2008", "'29/07/2008' is no date"),
    ("PERMISSION", "PE_END_DATE", "1999-01-01 00:00:00", "it ends before it begins"),
    ("URL_PATTERN", "UP_PATTERN", "http://a*b.example/", "the pattern cannot be used"),
    ("PO_EXCLUSION_URI", "PEU_FILTER", r"(?<=a)b", "the expression is none that we can use"),
    ("ROLE_PRIVILEGE", "PRV_CODE", "FLY", "there is no privilege 'FLY' here"),
    ("ANNOTATIONS", "AN_OBJ_OID", "5", "it is pinned to nothing that was taken over"),
    ("TARGET_INSTANCE", "TI_STATE", "Dreaming", "'Dreaming' is none of"),
    ("ID_GENERATOR", "IG_VALUE", str(2**62), "is no number of a block"),
]


def spoilt(found, cases):
    """Adds for each case a copy of the table's first row, with one other cell; its line in the file."""
    lines = []
    for index, (table, column, value, _) in enumerate(cases, start=60):
        key = next(iter(found[table][0]))
        row = found[table][0] | {key: wct_dump.number(table, index)}
        if table == "TARGET_INSTANCE":
            row["TI_SCHEDULED_TIME"] = f"2009-01-01 00:00:{index - 30:02}"
        if (column, value) == ("PE_START_DATE", None):
            row["PE_END_DATE"] = None
        found[table].append(row | {column: value})
        lines.append(len(found[table]) + 1)
    return lines


def test_bad_rows_are_named_and_the_others_come(town, take, found):
    """Each with its file, line, column and reason; as many rows are made as without them."""
    made = sum(len(rows) for rows in found.values())
    for table in found:
        found[table] = [{name: value.replace("\n", " ") if value else value for name, value in row.items()}
                        for row in found[table]]  # fmt: skip
    lines = spoilt(found, BAD)
    report = take(found)
    refused = {(one.table, one.line): one for one in report.entries if one.what is What.ROW}
    for line, (table, column, _, reason) in zip(lines, BAD, strict=True):
        entry = refused[table, line]
        assert entry.file == f"{table}.csv"
        assert reason in entry.reason
        assert entry.column == column
    assert taken(report) == made
    assert totals(report)["refused"] == len(BAD)


def test_what_refers_to_a_bad_row_is_named_too(town, take, found):
    """A seed without its target does not come, and neither do its links; nothing dangles."""
    found["ABSTRACT_TARGET"][0]["AT_STATE"] = "99"
    report = take(found)
    refused = {entry.table for entry in report.entries if entry.what is What.ROW}
    assert {"ABSTRACT_TARGET", "TARGET", "SEED", "SEED_PERMISSION", "GROUP_MEMBER", "SCHEDULE"} <= refused
    assert Seed.objects.count() == 2


SOFT = [
    ("ABSTRACT_TARGET", "AT_DESC", "x" * 5000, "cut from 5000 characters to 4000"),
    ("ABSTRACT_TARGET", "AT_PROFILE_ID", "77", "there is no row 77 of PROFILE that was taken over; left empty"),
    ("PERMISSION", "PE_START_DATE", "2008-01-11 13:00:00", "the time of day was dropped"),
    ("PERMISSION", "PE_START_DATE", None, "it holds from the day on which it was made"),
    ("PERMISSION", "PE_AVAILABLE_YN", "perhaps", "'perhaps' is neither yes nor no; left empty"),
    ("PROFILE", "P_PROFILE_LEVEL", "9", "the level 9 became 3"),
    ("PROFILE_OVERRIDES", "PO_MAX_DOCS", "0", "0 means no limit; left empty"),
    ("TARGET_INSTANCE", "TI_STATE", "Running", "it was running over there; here it is aborted"),
    ("TARGET_INSTANCE", "TI_REFERENCE", "other", "it differs from TI_ARCHIVE_ID, which is kept"),
    ("ROLE_PRIVILEGE", "PRV_SCOPE", "500", "the scope 500 is not offered for APPROVE_TARGET; it became owner"),
    ("SEED", "S_SEED", "not a url", "the URL cannot be harvested"),
]


def test_cells_that_do_not_fit_are_named_and_their_rows_come(town, take, found):
    """The rows are there, with something else in that column."""
    spoilt(found, SOFT)
    report = take(found)
    assert totals(report)["refused"] == 0, told(report, What.ROW)
    said = [(entry.table, entry.column, entry.reason) for entry in report.entries if entry.what is What.CELL]
    for table, column, _, reason in SOFT:
        assert any(where == (table, column) and reason in words for *where_, words in said
                   for where in [tuple(where_)]), (table, column)  # fmt: skip


def test_a_group_that_would_contain_itself_is_refused(town, take, found):
    """The last link of the circle is named."""
    groups = [wct_dump.number("ABSTRACT_TARGET", index) for index in (4, 5, 6)]
    circle = zip(groups, groups[1:] + groups[:1], strict=True)
    for row, (parent, child) in zip(found["GROUP_MEMBER"], circle, strict=True):
        row |= {"GM_PARENT_ID": parent, "GM_CHILD_ID": child}
    report = take(found)
    assert told(report, What.ROW, "GROUP_MEMBER") == [("GM_CHILD_ID", "the group would contain itself")]
    assert GroupMember.objects.count() == 2


def test_both_ways_of_writing_the_kind_of_group_harvest_are_read(town, take, found):
    """1 is together; 0 and 2 are each by itself."""
    for row, written in zip(found["TARGET_GROUP"], ("0", "1", "2"), strict=True):
        row["TG_SIP_TYPE"] = written
    take(found)
    assert list(Group.objects.order_by("id").values_list("harvest_as", flat=True)) == [2, 1, 2]


def test_texts_in_another_encoding_are_named_or_read(town, tmp_path):
    """Latin-1 read as UTF-8 is told cell by cell; named, it is read."""
    data = "AGC_OID,AGC_NAME,AGC_ADDRESS\r\n1,Agence,Rue de l'Été\r\n".encode("latin-1")
    (tmp_path / "AGENCY.csv").write_bytes(data)
    report = import_dump(town.system, path=tmp_path / "AGENCY.csv", dry_run=True)
    assert told(report) == [("AGC_ADDRESS", "it is not written in the encoding of the dump; left empty")]
    import_dump(town.system, path=tmp_path / "AGENCY.csv", encoding="latin-1")
    assert Agency.objects.get(name="Agence").address == "Rue de l'Été"


def test_hostile_texts_are_texts(town, take, found):
    """Quotes, markup, right-to-left and emoji stay what they are; NUL is refused."""
    name = "<script>alert(1)</script> '\"; DROP TABLE target; -- \u202eabc 🕷"
    found["ABSTRACT_TARGET"][0]["AT_NAME"] = name
    found["ABSTRACT_TARGET"][1]["AT_DESC"] = "a\x00b"
    report = take(found)
    assert Target.objects.filter(name=name).exists()
    assert ("AT_DESC", "it holds a NUL character; left empty") in told(report)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("dump.txt", b"hello", "there is no table of the Web Curator Tool in it"),
        ("dump.sql", b"INSERT INTO agency (agc_oid) VALUES ('1", "never closed"),
        ("dump.sql", b"COPY agency (agc_oid) FROM stdin;\n1\n", "never closed"),
        ("dump.zip", b"PK\x03\x04broken", "there is no table"),
    ],
)
def test_what_is_no_dump_is_said(town, tmp_path, name, content, reason):
    """And nothing is changed."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadDump, match=reason):
        import_dump(town.system, path=tmp_path / name)
    assert not WctIdentity.objects.exists()


def test_a_zone_or_encoding_that_is_none_is_said(town, tmp_path):
    """Before anything is read."""
    (tmp_path / "AGENCY.csv").write_text("AGC_OID\n", encoding="utf-8")
    with pytest.raises(InvalidFields):
        import_dump(town.system, path=tmp_path / "AGENCY.csv", time_zone="Mars/Olympus")
    with pytest.raises(BadDump):
        import_dump(town.system, path=tmp_path / "AGENCY.csv", encoding="ebcdic")
