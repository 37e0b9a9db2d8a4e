"""What an import of a dump does besides: repeats, dry runs, bad rows, numbers, names, secrets."""

import csv
import datetime
from zoneinfo import ZoneInfo

import pytest

from opilio.catalogue import identifiers
from opilio.curation import credentials
from opilio.curation.models import (
    AbstractTarget,
    Authorisation,
    Credential,
    Harvest,
    PatternMapping,
    Profile,
    Schedule,
    SeedPermission,
    Target,
    WctIdentity,
)
from opilio.curation.wct.exporting import Format, export
from opilio.curation.wct.numbers import Originals
from opilio.curation.wct.report import What
from opilio.kernel.errors import Conflict
from opilio.people.grants import grants_of
from opilio.people.models import Agency, AuditEntry, ListEntry, SignInSession, Task, User
from opilio.people.privileges import Privilege
from tests import wct_dump
from tests.acceptance.wct.imported import taken, told, totals


def read_csv(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


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
