"""What an import of a dump does besides: repeats, dry runs, bad rows, numbers, names, secrets."""

import csv
import datetime
from zoneinfo import ZoneInfo

import pytest

from opilio.catalogue import identifiers
from opilio.curation import credentials
from opilio.curation.actions.wct_import import import_dump
from opilio.curation.models import (
    AbstractTarget,
    Authorisation,
    Credential,
    Group,
    GroupMember,
    Harvest,
    PatternMapping,
    Profile,
    Schedule,
    Seed,
    SeedPermission,
    Target,
    WctIdentity,
)
from opilio.curation.wct.errors import BadDump
from opilio.curation.wct.exporting import Format, export
from opilio.curation.wct.numbers import Originals
from opilio.curation.wct.report import What
from opilio.kernel.errors import Conflict
from opilio.people.errors import InvalidFields
from opilio.people.grants import grants_of
from opilio.people.models import Agency, AuditEntry, ListEntry, SignInSession, Task, User
from opilio.people.privileges import Privilege
from tests import wct_dump


@pytest.fixture
def found():
    """A dump that may be changed."""
    return wct_dump.tables()


@pytest.fixture
def take(town, tmp_path):
    """Imports tables; the clock goes on between imports."""
    folders = iter(range(1_000))

    def take(found, **more):
        town.clock.advance(60)
        folder = tmp_path / f"dump{next(folders)}"
        files = wct_dump.as_csv({name: rows for name, rows in found.items() if rows})
        return import_dump(town.system, path=wct_dump.write_folder(folder, files), **more)

    return take


def told(report, what=None, table=None):
    """Column and reason of the entries about a table."""
    return [
        (entry.column, entry.reason) for entry in report.entries
        if (what is None or entry.what is what) and (table is None or entry.table == table)
    ]  # fmt: skip


def read_csv(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def totals(report):
    return report.as_json()["totals"]


def taken(report):
    """Rows that were made, or changed: counters of identifiers that were there before are."""
    return totals(report)["made"] + totals(report)["changed"]


def row_of(found, table, index):
    return next(row for row in found[table] if wct_dump.number(table, index) in row.values())


def test_the_same_dump_twice_changes_nothing(town, take, found):
    """All rows are known the second time, and no row is touched."""
    first = take(found)
    before = list(AbstractTarget.everything.order_by("id").values())
    second = take(found)
    assert taken(first) > 80
    assert totals(second) | {"not yet": 0} == {
        "made": 0, "changed": 0, "unchanged": taken(first), "refused": 0, "not yet": 0
    }  # fmt: skip
    assert list(AbstractTarget.everything.order_by("id").values()) == before


def test_a_dry_run_says_the_same_and_keeps_nothing(town, take, found):
    """Its counts are those of the import, but no row, number or audit entry stays."""
    agencies, entries = Agency.objects.count(), AuditEntry.objects.count()
    dry = take(found, dry_run=True)
    assert (Agency.objects.count(), AuditEntry.objects.count()) == (agencies, entries)
    assert not WctIdentity.objects.exists()
    assert totals(take(found)) == totals(dry)


def test_a_row_that_changed_over_there_is_changed_here(town, take, found):
    """Only that row, with the next version."""
    take(found)
    found["ABSTRACT_TARGET"][0]["AT_NAME"] = "Another name"
    found["TARGET"][1]["T_SELECTION_NOTE"] = "Another note"
    report = take(found)
    changed = Target.objects.get(name="Another name")
    assert (totals(report)["changed"], changed.version) == (2, 2)
    assert Target.objects.filter(selection_note="Another note").count() == 1


def test_a_row_that_was_changed_here_is_left_alone(town, take, found):
    """Whoever worked on it meanwhile keeps their work, and the report says so."""
    take(found)
    target = Target.objects.order_by("id").first()
    town.clock.advance(60)
    Target.objects.filter(pk=target.pk).update(name="Ours", updated=town.clock.now(), version=2)
    found["ABSTRACT_TARGET"][0]["AT_NAME"] = "Theirs"
    report = take(found)
    assert told(report, What.ROW) == [("", "it was changed here since it was taken over; left as it is")]
    assert Target.objects.get(pk=target.pk).name == "Ours"


def test_users_come_without_their_passwords(town, take, found):
    """Nobody can sign in with a password of the Web Curator Tool; a new one must be chosen."""
    report = take(found)
    users = User.objects.filter(username__startswith="Curator").order_by("username")
    assert [user.has_usable_password() for user in users] == [False] * 3
    assert [user.force_password_change for user in users] == [True, True, False]  # the last one signs in elsewhere
    assert [column for column, _ in told(report, What.CELL, "WCTUSER")].count("USR_PASSWORD") == 3


def test_roles_give_their_holders_what_they_allow(town, take, found):
    """Without anybody saving them again."""
    take(found)
    assert grants_of(User.objects.get(username="Curator3")).everywhere(Privilege.MANAGE_USERS)


def test_crawl_passwords_are_sealed_and_open_at_their_place(town, take, found):
    """The table holds no readable password, the box gives each back."""
    take(found)
    rows = list(Credential.objects.order_by("id"))
    given = [row["PC_PASSWORD"] for row in found["PROFILE_CREDENTIALS"]]
    assert [credentials.opened(row) for row in rows] == given
    assert all(secret not in row.secret for row, secret in zip(rows, given, strict=True))
    assert [row.kind for row in rows] == ["basic", "basic", "form", "form"]


def test_an_export_leaves_crawl_passwords_out_unless_asked(town, take, found, tmp_path):
    """Other columns of the table are there."""
    take(found)
    export(tmp_path / "out", form=Format.CSV, zone=ZoneInfo("UTC"))
    lines = read_csv(tmp_path / "out/PROFILE_CREDENTIALS.csv")
    assert {line["PC_PASSWORD"] for line in lines} == {""}
    assert all(line["PC_USERNAME"] for line in lines)


def test_an_export_goes_to_an_empty_folder_only(db, tmp_path):
    """What lies there is not mixed with it."""
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(Conflict):
        export(tmp_path, form=Format.CSV, zone=ZoneInfo("UTC"))


def test_heritrix_profiles_are_kept_and_named(town, take, found):
    """The document is there, the settings are the defaults, the report says so."""
    report = take(found)
    profile = Profile.objects.get(pk=int(wct_dump.number("PROFILE", 1)))
    assert profile.foreign_document == found["PROFILE"][0]["P_PROFILE_STRING"]
    assert profile.settings == {}
    assert [column for column, _ in told(report, What.CELL, "PROFILE")] == ["P_PROFILE_STRING"] * 3


def test_tables_without_a_place_are_named_with_their_rows(town, take, found):
    """Tables and columns of later versions, for instance."""
    found["HEATMAP_CONFIG"] = [{"HM_OID": "1"}]
    for row in found["TARGET"]:
        row["T_AUTO_PRUNE"] = "1"
    report = take(found)
    assert {entry.table for entry in report.entries if entry.what is What.TABLE} == {"HEATMAP_CONFIG"}
    assert report.counts["HARVEST_RESULT"] == {"made": 3}
    assert told(report, What.COLUMN) == [
        ("T_AUTO_PRUNE", "3 values: the data dictionary of version 1.4 knows no such column")
    ]


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


def test_numbers_are_kept_where_they_are_free(town, take, found):
    """And the blocks that hold them are never handed out afterwards."""
    take(found)
    assert Target.objects.filter(pk=int(wct_dump.number("ABSTRACT_TARGET", 1))).exists()
    assert identifiers.reserve_block(identifiers.GENERAL) >= 6
    assert identifiers.reserve_block("Authorisation") >= 6


def test_a_number_that_is_taken_becomes_another(town, take, found, tmp_path):
    """References follow it, and an export gives each its old number without giving one twice."""
    taken = town.library.id
    renamed = {wct_dump.number("AGENCY", 1): str(taken)}
    for rows in found.values():
        for row in rows:
            row |= {name: renamed[value] for name, value in row.items() if value in renamed}
    take(found)
    here = Agency.objects.get(name=found["AGENCY"][0]["AGC_NAME"])
    assert here.id != taken
    assert Authorisation.objects.get(pk=int(wct_dump.number("SITE", 1))).agency_id == here.id
    numbers = Originals("AGENCY")
    assert numbers.of(here.id) == taken
    assert numbers.of(taken) == here.id
    export(tmp_path / "out", form=Format.CSV, zone=ZoneInfo("UTC"))
    lines = read_csv(tmp_path / "out/AGENCY.csv")
    assert len({line["AGC_OID"] for line in lines}) == len(lines)


def test_agencies_and_users_of_the_same_name_are_the_same(town, take, found):
    """They are joined, not doubled, and their rows here are left as they are."""
    curator = town.user("CURATOR1")
    found["AGENCY"][0]["AGC_NAME"] = "Library"
    report = take(found)
    assert Agency.objects.filter(name="Library").count() == 1
    assert [entry.table for entry in report.entries if entry.what is What.SAME] == ["AGENCY", "WCTUSER"]
    assert Target.objects.get(pk=int(wct_dump.number("ABSTRACT_TARGET", 1))).owner_id == curator.id


def test_a_name_that_is_taken_becomes_another(town, take, found):
    """Two targets of one name in an agency, two profiles, two sign-ins of one session."""
    found["ABSTRACT_TARGET"][1] |= {"AT_NAME": found["ABSTRACT_TARGET"][0]["AT_NAME"],
                                    "AT_OWNER_ID": found["ABSTRACT_TARGET"][0]["AT_OWNER_ID"]}  # fmt: skip
    found["WCT_LOGON_DURATION"][1]["LOGDUR_SESSION_ID"] = found["WCT_LOGON_DURATION"][0]["LOGDUR_SESSION_ID"]
    report = take(found)
    number = wct_dump.number("ABSTRACT_TARGET", 2)
    assert Target.objects.get(pk=int(number)).name.endswith(f" (WCT {number})")
    assert SignInSession.objects.filter(session_key__contains="(WCT ").count() == 1
    assert any(column == "AT_NAME" and "is taken here" in reason for column, reason in told(report))


def test_lists_offer_the_values_that_came(town, take, found):
    """So that a row can be saved with the value that it has."""
    take(found)
    for name, column in (("selection-type", "T_SELECTION_TYPE"), ("harvest-type", "T_HARVEST_TYPE")):
        offered = set(ListEntry.objects.filter(list_name=name).values_list("value", flat=True))
        assert {row[column] for row in found["TARGET"]} <= offered


def test_permissions_are_found_by_domain_even_without_the_derived_table(town, take, found):
    """Patterns of active authorisations are looked up, those of others are not."""
    del found["URL_PERMISSION_MAPPING"]
    take(found)
    assert sorted(PatternMapping.objects.values_list("domain", flat=True)) == ["site2.example", "site3.example"]


def test_links_that_our_rules_would_not_make_are_kept_and_named(town, take, found):
    """A host that only ends like the pattern's is no host of the pattern."""
    found["URL_PATTERN"][0]["UP_PATTERN"] = "http://www1.site.example/*"
    found["URL_PATTERN"][1]["UP_PATTERN"] = "http://site.example/*"
    found["URL_PATTERN"][2]["UP_PATTERN"] = "http://*.site.example/b"
    del found["URL_PERMISSION_MAPPING"]
    report = take(found)
    said = [reason for _, reason in told(report, What.CELL, "SEED_PERMISSION")]
    assert [reason.rpartition(": ")[2] for reason in said] == [row["S_SEED"] for row in found["SEED"][1:]]
    assert SeedPermission.objects.count() == 3


def test_times_are_read_in_the_zone_of_the_dump(town, take, found):
    """Stored in UTC; schedules keep the zone."""
    take(found, time_zone="Pacific/Auckland")
    schedule = Schedule.objects.get(pk=int(wct_dump.number("SCHEDULE", 1)))
    assert schedule.start == datetime.datetime(2008, 7, 4, 22, 11, 1, tzinfo=datetime.UTC)
    assert schedule.time_zone == "Pacific/Auckland"
    assert Harvest.objects.get(pk=int(wct_dump.number("TARGET_INSTANCE", 1))).planned_for is not None


def test_the_audit_trail_comes_along_and_the_import_is_told(town, take, found):
    """Old entries keep their time and user; the import has an entry for each table."""
    take(found)
    old = AuditEntry.objects.filter(action="wct.APPROVE_PERMISSION").get()
    assert (old.subject_type, old.at.year) == ("permission", 2008)
    told_tables = set(AuditEntry.objects.filter(action="wct.import").values_list("subject_name", flat=True))
    assert {"AGENCY", "TARGET", "WCTAUDIT"} <= told_tables


def test_tasks_are_of_our_kinds(town, take, found):
    """Words of the Web Curator Tool become ours; unknown ones stay."""
    take(found)
    assert sorted(Task.objects.values_list("kind", "resource_type")) == [
        ("approve-target", "target"), ("other", "target"), ("request-approval", "target")
    ]  # fmt: skip


def test_the_report_file_has_every_entry_and_no_formula(town, take, found, tmp_path):
    """More than the summary keeps, with cells that no spreadsheet runs."""
    template = found["AGENCY"][0]
    found["AGENCY"] += [template | {"AGC_OID": f"x{number}"} for number in range(700)]
    found["=cmd"] = [{"A": "1"}]
    report = take(found, report_file=tmp_path / "report.csv")
    lines = read_csv(tmp_path / "report.csv")
    assert len(lines) == report.told > len(report.entries) == 500
    assert not any(cell.startswith("=") for line in lines for cell in line.values())


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
