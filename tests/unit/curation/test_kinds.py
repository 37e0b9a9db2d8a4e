"""Every kind of curation's rows can be deleted and restored, or says why not."""

import datetime

import pytest

from opilio.curation.models import (
    AgentRule,
    BandwidthRestriction,
    Credential,
    Deposit,
    Depository,
    DublinCore,
    ExcludedUrl,
    Flag,
    Harvest,
    Indicator,
    MissingUrl,
    Nomination,
    Overrides,
    PageVerdict,
    PermissionExclusion,
    PermissionTemplate,
    ReadingRoom,
    RejectionReason,
    ReviewPolicy,
    SchedulePattern,
    Takedown,
)
from opilio.people.actions.rows import delete_row, restore_row
from opilio.people.errors import InUse, NotAllowed
from opilio.people.kinds import kind_named, kinds
from opilio.people.models import AuditEntry
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries.records import rows_of
from tests.curation import Desk
from tests.review_desk import ReviewDesk

#: What goes only with what it is part of, and what stays for good: the words in which it is refused.
STAYS = {
    "dublin-core": "part of", "overrides": "part of", "result": "part of", "review-policy": "part of",
    "deposit": "stays", "takedown": "legal record",
}  # fmt: skip


@pytest.fixture
def rows(db):
    """One plain row of each kind, and the town that it is in."""
    desk = ReviewDesk()
    agency, now = desk.town.library, desk.now
    moments = {"created": now, "updated": now}
    target, permission = desk.target(), desk.permission("http://www.site.example/*")
    overrides = _saved(Overrides(**moments))
    target.overrides, target.dublin_core = overrides, _saved(DublinCore(title="Tides", **moments))
    target.save()
    free = desk.target()
    made = {
        "target": desk.target(), "group": desk.group(), "seed": desk.seed(free), "excluded-url": _saved(
            ExcludedUrl(target=free, url="http://www.site.example/a", **moments)
        ),
        "dublin-core": target.dublin_core, "overrides": overrides,
        "rejection-reason": _saved(RejectionReason(agency=agency, name="Too large", **moments)),
        "nomination": _saved(Nomination(agency=agency, url="http://www.site.example/", **moments)),
        "authorisation": desk.authorisation("http://a.example/*"), "authorising-agent": desk.agent(),
        "url-pattern": desk.authorisation("http://b.example/*").patterns.get(),
        "permission": desk.permission("http://c.example/*"),
        "permission-exclusion": _saved(PermissionExclusion(permission=permission, url="http://a.example/b", **moments)),
        "permission-template": _saved(PermissionTemplate(agency=agency, name="Letter", text="Dear", **moments)),
        "profile": desk.profile(), "schedule": desk.schedule(free),
        "credential": _saved(Credential(overrides=overrides, kind="basic", domain="site.example", **moments)),
        "schedule-pattern": _saved(SchedulePattern(number=7, name="Mondays", cron="0 0 21 ? * MON *", **moments)),
        "agent-rule": _saved(AgentRule(name="harvester", **moments)),
        "bandwidth-restriction": _saved(
            BandwidthRestriction(day=0, start=datetime.time(8), end=datetime.time(18), limit=100, **moments)
        ),
        "harvest": _saved(
            Harvest(abstract_target_id=free.pk, owner_id=free.owner_id, agency=agency, state_since=now,
                    scheduled_at=now + datetime.timedelta(days=1), **moments)
        ),
        **_reviewed(desk, moments),
    }  # fmt: skip
    return desk.town, made


def _reviewed(desk, moments):
    """Rows of review and archive."""
    agency, harvest = desk.town.library, desk.harvested()
    shelf = _saved(Depository(name="Shelf", place="shelf", **moments))
    page = {"harvest": harvest, "result": 1, "url": "http://www.site.example/a", "key": "k", **moments}
    return {
        "result": harvest.results.get(), "missing-url": _saved(MissingUrl(noticed="reviewer", **page)),
        "page-verdict": _saved(PageVerdict(by_id=harvest.owner_id, **page)),
        "indicator": _saved(Indicator(agency=agency, code="urls", **moments)),
        "review-policy": _saved(ReviewPolicy(agency=agency, **moments)),
        "flag": _saved(Flag(agency=agency, name="Ask", colour="#e65100", **moments)),
        "depository": _saved(Depository(name="Archive", place="archive", **moments)),
        "deposit": _saved(Deposit(harvest=harvest, result=1, depository=shelf, begun_at=desk.now, **moments)),
        "takedown": _saved(Takedown(
            agency=agency, level="hide", reach="url", value="http://www.site.example/a", authority="Court",
            reason="Ordered.", ordered_at=desk.now, **moments,
        )),
        "reading-room": _saved(ReadingRoom(agency=agency, name="Room 1", networks="192.0.2.0/24", **moments)),
    }  # fmt: skip


def _saved(row):
    row.save()
    return row


@pytest.mark.parametrize(
    ("kind", "of_groups", "of_targets"),
    [
        ("schedule", Privilege.MANAGE_GROUP_SCHEDULE, Privilege.ADD_SCHEDULE_TO_TARGET),
        ("credential", Privilege.MANAGE_GROUP_OVERRIDES, Privilege.MODIFY_TARGET),
    ],
)
def test_what_belongs_to_a_group_follows_the_privileges_of_groups(db, kind, of_groups, of_targets):
    """Deleting it, and finding it among what can be deleted."""
    desk = Desk()
    group, target = desk.group(), desk.target()
    made = {
        holder.pk: desk.schedule(holder) if kind == "schedule" else _credential(desk, holder)
        for holder in (group, target)
    }
    for privilege, reached, other in ((of_groups, group, target), (of_targets, target, group)):
        actor = desk.town.actor(privileges={privilege: Scope.ALL})
        assert [row.pk for row in rows_of(actor, kind_named(kind))] == [made[reached.pk].pk]
        with pytest.raises(NotAllowed):
            delete_row(actor, kind_name=kind, row_id=made[other.pk].pk, version=None)
        delete_row(actor, kind_name=kind, row_id=made[reached.pk].pk, version=None)
        restore_row(actor, kind_name=kind, row_id=made[reached.pk].pk)


def _credential(desk, holder):
    moments = {"created": desk.now, "updated": desk.now}
    holder.overrides = _saved(Overrides(**moments))
    holder.save()
    return _saved(Credential(overrides=holder.overrides, kind="basic", domain="site.example", **moments))


def test_every_kind_of_curation_can_be_deleted_and_restored(rows):
    """Hidden, listed as deleted, audited, restored as it was; parts go only with the whole, legal records never."""
    town, made = rows
    own = {kind.name: kind for kind in kinds() if kind.model._meta.app_label == "curation"}
    assert set(made) == set(own)
    for name, kind in own.items():
        row = made[name]
        if name in STAYS:
            with pytest.raises(InUse, match=STAYS[name]):
                delete_row(town.system, kind_name=name, row_id=row.pk)
            continue
        delete_row(town.system, kind_name=name, row_id=row.pk)
        assert not kind.model.objects.filter(pk=row.pk).exists(), name
        assert row.pk in {found.pk for found in rows_of(town.system, kind, deleted=True)}
        restore_row(town.system, kind_name=name, row_id=row.pk)
        assert kind.model.objects.filter(pk=row.pk).exists(), name
        entries = AuditEntry.objects.filter(subject_type=name, subject_id=row.pk)
        assert entries.filter(action="row.restore").count() == 1
