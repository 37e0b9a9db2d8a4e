"""Tables are imported row by row: what is exported reads back as it was, bad rows are told, good ones come through."""

import datetime
import io
import os

import pytest

from opilio.curation.bulk import actions as bulk
from opilio.curation.bulk.performing import counts
from opilio.curation.bulk.tables import reading, staging, writing
from opilio.curation.bulk.tables.known import TABLES
from opilio.curation.models import (
    AuthorisingAgent,
    BulkState,
    DublinCore,
    Group,
    Outcome,
    Permission,
    PermissionExclusion,
    PermissionStatus,
    Schedule,
    Seed,
    State,
    Target,
)
from opilio.people.models import AuditEntry
from opilio.people.privileges import Privilege, Scope

ODD = "=HYPERLINK(\"x\") <script>alert(1)</script> 'שלום' 🐢"
COUNT = 50_000 if float(os.environ.get("OPILIO_TEST_PROOF_SCALE", "1")) > 1 else 1_000


def exported(actor, noun, form="csv"):
    table = TABLES[noun]
    rows = table.exported(table.rows(actor))
    return b"".join((writing.as_json if form == "json" else writing.as_csv)(table.names, rows))


def imported(actor, noun, data, form="csv", *, update="no", dry_run=False):
    """Read, prepare and run an import."""
    table = TABLES[noun]
    raw = reading.read(io.BytesIO(data), form=form, where="file", columns=table.names, required=table.required)
    lines = staging.lines(table, raw, actor)
    run = bulk.prepare_import(actor, noun=noun, lines=lines, arguments={"update": update}, source="file.csv")
    run = bulk.start(actor, run_id=run.id, dry_run=dry_run)
    return bulk.run_now(actor, run)


def told(run, *outcomes):
    rows = run.items.filter(outcome__in=outcomes) if outcomes else run.items.all()
    return [(item.position, item.outcome, item.told) for item in rows.order_by("position")]


@pytest.fixture
def collection(desk, town):
    """One of everything, with something in every column."""
    owner = town.user("curator", privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})
    profile = desk.profile(name="Gentle")
    target = desk.approvable(
        name=ODD, owner=owner, profile=profile, description="one\ntwo, \"three\"", reference="'-1", display=False,
        access_zone=2, run_on_approval=True, selection_note="@note", embargo_days=30, prune_again=True,
    )  # fmt: skip
    core = DublinCore(title="Title", creator=ODD, created=desk.now, updated=desk.now)
    core.save()
    Target.objects.filter(id=target.id).update(dublin_core=core)
    desk.seed(target, "http://www.site.example/b", active=False, depth_limit=3, position=1)
    elsewhere = desk.target(agency=town.museum, name="Else@where")
    inner = desk.group(name="Inner", owner=owner)
    desk.group(
        target, elsewhere, inner, name="Outer", owner=owner, start_date=datetime.date(2020, 1, 1), harvest_as=1,
        ownership_metadata=ODD, embargo_days=7, follow_reference=True,
    )  # fmt: skip
    permission = desk.permission(
        "http://*.other.example/*", status=PermissionStatus.REQUESTED, notes=ODD, quick_pick=True, display_name="Pick"
    )
    PermissionExclusion(
        permission=permission, url="http://www.other.example/x/*", reason="not that", created=desk.now, updated=desk.now
    ).save()
    desk.schedule(target, end=desk.now + datetime.timedelta(days=900))
    desk.schedule(inner, paused=True)
    return target


@pytest.mark.parametrize("form", ["csv", "json"])
@pytest.mark.parametrize("noun", TABLES)
def test_an_export_read_back_changes_nothing(collection, town, noun, form):
    """Every row is found as it is, in either format, also when changes are allowed."""
    data = exported(town.system, noun, form)
    before = AuditEntry.objects.count()
    run = imported(town.system, noun, data, form, update="yes")
    assert told(run, "changed", "refused", "unreadable") == []
    assert counts(run)["unchanged"] == run.total > 0
    assert AuditEntry.objects.count() == before + 1  # that it was started


def test_what_was_deleted_comes_back_by_an_import(collection, town):
    """A table makes what is not there: targets with seeds and description, groups with members."""
    targets, groups = exported(town.system, "target"), exported(town.system, "group")
    Schedule.objects.all().delete()
    Target.objects.update(deleted=True)
    Group.objects.update(deleted=True)
    assert told(imported(town.system, "target", targets), "refused", "unreadable") == []
    assert told(imported(town.system, "group", groups), "refused", "unreadable") == []
    assert exported(town.system, "target") == targets
    assert exported(town.system, "group") == groups


def test_permissions_come_with_what_they_need(town):
    """An authorisation, its patterns and the authorising agent are made if they are not there."""
    data = (
        b"agency,authorisation,agent,start_date,status,patterns,exclusions\n"
        b'Library,Town pages,Town council,2026-01-01,Approved,"http://www.town.example/*\nhttp://*.town.example/*",'
        b"http://www.town.example/private/* not for us\n"
        b"Library,Town pages,Town council,2026-01-01,Requested,http://www.town.example/*,\n"
    )
    run = imported(town.system, "permission", data)
    made = Permission.objects.get()
    assert made.status == PermissionStatus.APPROVED
    assert made.authorisation.patterns.count() == 2
    assert AuthorisingAgent.objects.get().name == "Town council"
    assert made.exclusions.get().reason == "not for us"
    (refused,) = told(run, "refused")
    assert "status" in refused[2]  # and nothing of its row stays
    assert made.authorisation.permissions.count() == 1


def test_rows_are_changed_only_when_that_is_allowed(collection, town):
    """A row that is there with other values is refused, or changed where the table says so."""
    data = f'agency,name,description,seeds\nLibrary,"{ODD.replace(chr(34), chr(34) * 2)}",New,http://new.example\n'
    data = data.replace('"=HYPER', "\"'=HYPER").encode()
    refused = imported(town.system, "target", data)
    assert "description, seeds" in told(refused)[0][2]
    done = imported(town.system, "target", data, update="yes")
    assert told(done)[0][1] == Outcome.CHANGED
    collection.refresh_from_db()
    assert collection.description == "New"
    assert Seed.objects.filter(target=collection).count() == 3
    assert collection.reference == "'-1"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("Nowhere,A,,,", "There is no agency 'Nowhere'"),
        (",A,,,", "agency: This is needed"),
        ("Library,,,,", "name: This is needed"),
        (f"Library,{'x' * 300},,,", "300 characters"),
        ("Library,A,nobody,,", "There is no user 'nobody'"),
        ("Library,A,,Rough,", "no profile 'Rough'"),
        ("Library,A,,,perhaps", "Write yes or no"),
        ("Library,A,,,yes,ftp://x", "6 cells under 5 columns"),
        ("Library,=A,,,", "formula"),
    ],
)
def test_bad_rows_are_told_before_anything_is_run(town, row, words):
    """Each with its line, while the next row comes through."""
    data = f"agency,name,owner,profile,display\n{row}\nLibrary,Good,curator,,\n".encode()
    town.user("curator", privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})
    run = imported(town.system, "target", data)
    ((line, outcome, reason),) = told(run, "unreadable")
    assert (line, outcome) == (2, Outcome.UNREADABLE)
    assert words in reason
    assert Target.objects.get().name == "Good"


@pytest.mark.parametrize(
    ("noun", "header", "row", "words"),
    [
        ("seed", "agency,target,url", "Library,T,http://", "url"),
        ("seed", "agency,target,url,depth_limit", "Library,T,http://a.example/,-3", "formula"),
        ("seed", "agency,target,url,depth_limit", "Library,T,http://a.example/,three", "whole number"),
        ("group", "agency,name,start_date", "Library,G,31.1.2026", "2026-01-31"),
        ("permission", "agency,authorisation,agent,start_date,patterns", "Library,A,B,2026-01-01,a*b/", "patterns"),
        ("permission", "agency,authorisation,agent,start_date", "Library,A,B,", "start_date: This is needed"),
        ("schedule", "agency,name,cron,start", "Library,T,0 0 0 * * ?,2026-01-31", "2026-01-31T12:00:00Z"),
    ],
)
def test_wrong_values_in_the_other_tables(town, noun, header, row, words):
    """They are told with the column."""
    run = imported(town.system, noun, f"{header}\n{row}\n".encode())
    ((_, outcome, reason),) = told(run)
    assert outcome == Outcome.UNREADABLE
    assert words in reason


@pytest.mark.parametrize(
    ("noun", "header", "row", "words"),
    [
        ("seed", "agency,target,url", "Library,T,http://a.example/", "no target 'T'"),
        ("group", "agency,name,owner,targets", "Library,G,curator,T", "no such member: 'T'"),
        ("permission", "id,agency,authorisation,agent,start_date", "9,Library,A,B,2026-01-01", "no permission 9"),
        ("schedule", "agency,name,cron", "Library,T,0 0 0 * * ?", "no target 'T'"),
    ],
)
def test_rows_that_the_catalogue_refuses(town, noun, header, row, words):
    """They are told when they are run, and nothing of them stays."""
    town.user("curator", privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})
    run = imported(town.system, noun, f"{header}\n{row}\n".encode())
    ((_, outcome, reason),) = told(run)
    assert outcome == Outcome.REFUSED
    assert words in reason
    assert not Group.objects.exists()


def test_privileges_are_asked_for_each_row(desk, town):
    """Somebody who may make targets in one agency makes none in another, nor gives them away."""
    other = town.user("other", privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})
    actor = town.actor(privileges={Privilege.CREATE_TARGET: Scope.AGENCY, Privilege.MODIFY_TARGET: Scope.AGENCY})
    data = f"agency,name,owner\nLibrary,A,\nMuseum,B,\nLibrary,C,{other.username}\n".encode()
    run = imported(actor, "target", data)
    assert [item[1] for item in told(run)] == ["changed", "refused", "refused"]
    assert [row.name for row in Target.objects.all()] == ["A"]


def test_states_are_moved_by_their_actions(desk, town):
    """A table can nominate; what needs a reason, or a permission, is refused."""
    town.user("curator", privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})
    states = {"A": "nominated", "B": "Rejected", "C": "Approved"}
    rows = "".join(f"Library,{name},curator,{state}\n" for name, state in states.items())
    run = imported(town.system, "target", f"agency,name,owner,state\n{rows}".encode())
    assert [item[1] for item in told(run)] == ["changed", "refused", "refused"]
    assert Target.objects.get().state == State.NOMINATED


def test_the_same_row_twice(town):
    """The second is told with the line of the first."""
    town.user("curator", privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})
    run = imported(town.system, "target", b"agency,name,owner\nLibrary,A,curator\nLibrary,A,curator\n")
    assert told(run, "unreadable") == [(3, "unreadable", "the same target stands at 2 already")]


def test_a_dry_run_makes_nothing(town):
    """But tells what it would make."""
    town.user("curator", privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})
    run = imported(town.system, "target", b"agency,name,owner\nLibrary,A,curator\n", dry_run=True)
    assert "name: A" in told(run)[0][2]
    assert not Target.objects.exists()
    bulk.run_now(town.system, bulk.start(town.system, run_id=run.id))
    assert Target.objects.get().name == "A"


def test_a_large_table_is_prepared_with_its_bad_rows(town):
    """Of many thousand rows the bad ones wait with line and reason, the good ones to be run."""
    bad = sorted({2 + number * (COUNT // 17) for number in range(17)})
    lines = [
        "Nowhere,X,http://x.example/" if line in bad else f"Library,Target {line},http://host{line}.example/"
        for line in range(2, COUNT + 2)
    ]
    table = TABLES["target"]
    data = "\r\n".join(["agency,name,seeds", *lines]).encode()
    raw = reading.read(io.BytesIO(data), form="csv", where="file", columns=table.names, required=table.required)
    run = bulk.prepare_import(
        town.system, noun="target", lines=staging.lines(table, raw, town.system), arguments={}, source="file.csv"
    )
    assert (run.state, run.total) == (BulkState.DRAFT, COUNT)
    assert counts(run)["waiting"] == COUNT - 17
    assert [place for place, _, _ in told(run, "unreadable")] == bad
    assert all("Nowhere" in reason for _, _, reason in told(run, "unreadable"))
