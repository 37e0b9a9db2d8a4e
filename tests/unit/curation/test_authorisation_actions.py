"""Authorisations, authorising agents and permissions through their actions."""

from datetime import date, timedelta

import pytest

from opilio.curation.actions.authorisations import (
    create_authorisation,
    set_agents,
    set_patterns,
    switch_authorisation,
    update_authorisation,
)
from opilio.curation.actions.authorising_agents import create_agent, update_agent
from opilio.curation.actions.permissions import (
    approve_permission,
    create_permission,
    log_communication,
    reject_permission,
    seek_permission,
    set_exclusions,
    transfer_seeds,
    update_permission,
)
from opilio.curation.linking import WrongAgency, matching
from opilio.curation.models import Linked, PatternMapping, PermissionStatus, SeedPermission, UrlPattern
from opilio.curation.queries import permissions as found
from opilio.curation.rights_of import approval_problems, exclusions_of, run_problems
from opilio.curation.workflow import NoSuchMove
from opilio.kernel.errors import Conflict
from opilio.people.actions.rows import delete_row, restore_row
from opilio.people.errors import InUse, InvalidFields, NotFound, Stale
from opilio.people.intray import Category
from opilio.people.models import AuditEntry, ListEntry, Notification, Task
from tests.unit.curation.rights_desk import everything

TODAY = date(2026, 1, 1)
HOSTILE = "<script>alert(1)</script> \u202eمرحبا 😀 '\"; DROP TABLE"


@pytest.fixture
def archivist(town):
    return town.actor(privileges=everything())


@pytest.fixture
def site(town, archivist):
    """An authorisation with two patterns and an authorising agent."""
    agent = create_agent(archivist, agency_id=town.library.id, name="Publisher", email="rights@publisher.example")
    return create_authorisation(
        archivist, agency_id=town.library.id, title="Site", agents=[agent.id],
        patterns=["www.Site.example/*", "http://*.site.example/*"],
    )  # fmt: skip


def patterns_of(site):
    return list(UrlPattern.objects.filter(authorisation=site).values_list("id", flat=True))


def permit(actor, site, **fields):
    fields.setdefault("start_date", date(2025, 1, 1))
    agent = site.agent_links.first().agent_id
    return create_permission(
        actor, authorisation_id=site.id, agent_id=agent, patterns=fields.pop("patterns", patterns_of(site)), **fields
    )


def test_patterns_are_kept_in_normal_form(site):
    """What people write is stored in one form, and each is there once."""
    texts = UrlPattern.objects.filter(authorisation=site).values_list("pattern", flat=True)
    assert sorted(texts) == ["http://*.site.example/*", "http://www.site.example/*"]


def test_patterns_with_faults_are_refused_line_by_line(archivist, site):
    """Every line that cannot be used is named; nothing is changed."""
    with pytest.raises(InvalidFields) as refused:
        set_patterns(archivist, authorisation_id=site.id, patterns=["good.example/*", "http://a*b.example/", "", "x y"])
    lines = refused.value.messages["patterns"]
    assert [line.split(":")[0] for line in lines] == ["Line 2", "Line 4"]
    assert len(patterns_of(site)) == 2


def test_a_pattern_that_a_permission_covers_stays(archivist, site):
    """A pattern can be removed once no permission covers it; the look-up follows."""
    row = permit(archivist, site)
    with pytest.raises(InUse, match="permissions cover it"):
        set_patterns(archivist, authorisation_id=site.id, patterns=["http://*.site.example/*"])
    keep = UrlPattern.objects.get(authorisation=site, pattern="http://*.site.example/*")
    update_permission(archivist, permission_id=row.id, version=1, patterns=[keep.id])
    set_patterns(archivist, authorisation_id=site.id, patterns=["http://*.site.example/*"])
    assert list(PatternMapping.objects.values_list("domain", flat=True)) == ["site.example"]


def test_an_agent_who_gave_a_permission_stays(archivist, site):
    """Who is asked can be changed, but not away from a permission."""
    permit(archivist, site)
    with pytest.raises(InUse, match="gave a permission"):
        set_agents(archivist, authorisation_id=site.id, agents=[])


def test_agents_of_another_agency_are_refused(town, desk, archivist, site):
    """Authorising agents belong to the agency of the authorisation."""
    stranger = desk.agent(agency=town.museum)
    with pytest.raises(InvalidFields, match="no authorising agent"):
        set_agents(archivist, authorisation_id=site.id, agents=[stranger.id])


def test_two_editors(archivist, site):
    """A save of an older version is refused with both versions."""
    update_authorisation(archivist, authorisation_id=site.id, version=1, notes="mine")
    with pytest.raises(Stale):
        update_authorisation(archivist, authorisation_id=site.id, version=1, notes="theirs")


def test_hostile_texts_are_kept_as_they_are(town, archivist, site):
    """Quotes, markup, right-to-left and emoji are text like any other; too much of it is refused."""
    update_authorisation(archivist, authorisation_id=site.id, version=1, title=HOSTILE, description="x" * 4_000)
    site.refresh_from_db()
    assert site.title == HOSTILE
    with pytest.raises(InvalidFields):
        update_authorisation(archivist, authorisation_id=site.id, version=2, description="x" * 4_001)
    with pytest.raises(InvalidFields):
        create_agent(archivist, agency_id=town.library.id, name="Agent", email="no address")


def test_agents_can_be_changed(town, archivist):
    """Details of an authorising agent are saved and audited."""
    agent = create_agent(archivist, agency_id=town.library.id, name="Publisher")
    update_agent(archivist, agent_id=agent.id, version=1, contact="The editor")
    agent.refresh_from_db()
    assert (agent.contact, agent.version) == ("The editor", 2)
    assert AuditEntry.objects.filter(action="authorising_agent.update", after__contact="The editor").exists()


def test_a_new_permission_is_pending_and_found_by_url(archivist, site, town):
    """A permission starts pending; seeds match it by host and path."""
    row = permit(archivist, site, seek=True)
    assert row.status == PermissionStatus.PENDING
    (match,) = matching("https://www.site.example/a", agency_id=town.library.id, on=TODAY)
    assert (match.permission, match.allows) == (row.id, False)
    assert "Pending" in match.reason
    assert matching("https://www.site.example/a", agency_id=town.museum.id, on=TODAY) == ()
    task = Task.objects.get(kind="request-approval", resource_id=row.id)
    assert (task.privilege, task.agency_id) == ("CONFIRM_PERMISSION", town.library.id)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"end_date": date(2024, 12, 31)}, "end_date"),
        ({"start_date": None}, "start_date"),
        ({"quick_pick": True}, "display_name"),
        ({"display_name": "x" * 33}, "display_name"),
        ({"copyright_url": "javascript:alert(1)"}, "copyright_url"),
        ({"access_status": "Whatever"}, "access_status"),
        ({"special_requirements": "x" * 2_049}, "special_requirements"),
        ({"response": "x" * 32_001}, "response"),
        ({"patterns": []}, "patterns"),
        ({"patterns": [1]}, "patterns"),
        ({"exclusions": [{"url": "http://a*b/"}]}, "exclusions"),
        ({"exclusions": [{"url": "http://a.example/", "reason": "x" * 1_025}]}, "reason"),
    ],
)
def test_permissions_that_cannot_be_meant(archivist, site, fields, field):
    """Faulty fields are named, and nothing is kept."""
    with pytest.raises(InvalidFields) as refused:
        permit(archivist, site, **fields)
    assert field in refused.value.messages
    assert not site.permissions.exists()


def test_the_agent_must_be_one_of_the_authorisation(archivist, site, desk):
    """A permission is given by somebody whom the authorisation names."""
    with pytest.raises(InvalidFields, match="agent"):
        create_permission(
            archivist, authorisation_id=site.id, agent_id=desk.agent().id, patterns=patterns_of(site), start_date=TODAY
        )


def test_a_retired_access_status_may_be_kept(archivist, site):
    """A value that the list no longer offers stays until somebody chooses another."""
    entry = ListEntry(list_name="access-status", value="Open", label="Open", created=archivist.clock.now(),
                      updated=archivist.clock.now())  # fmt: skip
    entry.save()
    row = permit(archivist, site, access_status="Open")
    entry.active = False
    entry.save()
    update_permission(archivist, permission_id=row.id, version=1, access_status="Open", notes="kept")
    with pytest.raises(InvalidFields, match="access_status"):
        update_permission(archivist, permission_id=row.id, version=2, access_status="Other")


def test_approving_tells_the_owners_of_linked_targets(archivist, site, desk):
    """Granting sets status and date, removes the task, and each owner of a linked target hears of it once."""
    row = permit(archivist, site, seek=True)
    target = desk.target(seeds=["http://www.site.example/", "http://a.site.example/"])
    for seed in target.seeds.all():
        desk.link(seed, row)
    approve_permission(archivist, permission_id=row.id, response="Yes, by letter.")
    row.refresh_from_db()
    assert (row.status, row.decided_at, row.response) == (2, archivist.clock.now(), "Yes, by letter.")
    assert not Task.objects.filter(kind="request-approval").exists()
    told = Notification.objects.get(kind="permission-approved")
    assert (told.user_id, told.category, told.resource_id) == (target.owner_id, Category.GENERAL, row.id)
    reject_permission(archivist, permission_id=row.id)
    assert Notification.objects.filter(kind="permission-denied", user_id=target.owner_id).count() == 1


def test_only_moves_of_the_table_exist(archivist, site):
    """What was granted cannot be granted again, and only a pending permission can be sought."""
    row = permit(archivist, site)
    approve_permission(archivist, permission_id=row.id)
    with pytest.raises(NoSuchMove):
        approve_permission(archivist, permission_id=row.id)
    with pytest.raises(Conflict, match="not Pending"):
        seek_permission(archivist, permission_id=row.id)


def test_seeking_twice_makes_one_task(archivist, site):
    """A permission waits once in the in-tray, however often it is put there."""
    row = permit(archivist, site, seek=True)
    seek_permission(archivist, permission_id=row.id)
    assert Task.objects.filter(kind="request-approval", resource_id=row.id).count() == 1


def test_disabling_hides_from_matching_and_keeps_links(archivist, site, desk, town):
    """Seeds are not matched with a disabled authorisation; those linked before stay allowed."""
    row = permit(archivist, site)
    approve_permission(archivist, permission_id=row.id)
    target = desk.target(seeds=["http://www.site.example/"])
    desk.link(target.seeds.get(), row)
    switch_authorisation(archivist, authorisation_id=site.id, active=False)
    assert matching("http://www.site.example/", agency_id=town.library.id, on=TODAY) == ()
    assert run_problems(target.id, TODAY) == ()
    explanation = found.explain(archivist, "http://www.site.example/", town.library.id)
    assert "“Site” is disabled" in explanation.sentence
    switch_authorisation(archivist, authorisation_id=site.id, active=True)
    assert len(matching("http://www.site.example/", agency_id=town.library.id, on=TODAY)) == 1


def test_exclusions_count_at_once(archivist, site, desk):
    """What a permission excludes later is out of the scope of targets that were linked before."""
    row = permit(archivist, site, exclusions=[{"url": "www.site.example/a*", "reason": "asked"}])
    target = desk.target(seeds=["http://www.site.example/"])
    desk.link(target.seeds.get(), row)
    assert [(each.pattern, each.reason) for each in exclusions_of(target.id)] == [
        ("http://www.site.example/a*", "asked")
    ]
    set_exclusions(archivist, permission_id=row.id, exclusions=[{"url": "https://*.site.example/", "reason": ""}])
    assert [each.pattern for each in exclusions_of(target.id)] == ["https://*.site.example/"]
    assert exclusions_of(target.id, on=date(2024, 1, 1)) == ()


def test_problems_of_a_target(archivist, site, desk):
    """Why a target cannot be approved or harvested is told by seed."""
    target = desk.target()
    assert approval_problems(target.id) == ("The target has no active seed; add one, or switch one on.",)
    seed = desk.seed(target, "http://www.site.example/")
    desk.seed(target, "http://other.example/", active=False)
    assert approval_problems(target.id)[0].startswith("http://www.site.example/ is linked to no permission")
    row = permit(archivist, site)
    desk.link(seed, row)
    assert approval_problems(target.id) == ()
    assert "is Pending, not Approved" in run_problems(target.id, TODAY)[0]
    approve_permission(archivist, permission_id=row.id)
    assert run_problems(target.id, TODAY) == ()


def test_transfer(archivist, site, desk):
    """All seeds move to the other permission; one that relied on both relies on it once."""
    old, new = permit(archivist, site), permit(archivist, site, display_name="New")
    target = desk.target(seeds=["http://www.site.example/", "http://a.site.example/"])
    first, second = target.seeds.order_by("url")
    desk.link(first, old), desk.link(second, old), desk.link(second, new)
    assert transfer_seeds(archivist, permission_id=old.id, into_id=new.id) == 2
    links = SeedPermission.objects.filter(seed__target=target)
    assert {(link.seed_id, link.permission_id) for link in links} == {(first.id, new.id), (second.id, new.id)}
    assert links.get(seed=first).linked == Linked.TRANSFER
    with pytest.raises(InvalidFields, match="another permission"):
        transfer_seeds(archivist, permission_id=new.id, into_id=new.id)


def test_transfer_stays_within_an_agency(town, desk):
    """Seeds do not move to a permission of another agency, nor to one that was refused."""
    source, into = desk.permission("http://a.example/*"), desk.permission("http://a.example/*", agency=town.museum)
    with pytest.raises(WrongAgency):
        transfer_seeds(town.system, permission_id=source.id, into_id=into.id)
    refused = desk.permission("http://b.example/*", status=PermissionStatus.REJECTED)
    with pytest.raises(InvalidFields, match="was refused"):
        transfer_seeds(town.system, permission_id=source.id, into_id=refused.id)


def test_log(archivist, site):
    """What was said is kept, with who noted it; an unknown way of saying it is refused."""
    row = permit(archivist, site)
    log_communication(archivist, permission_id=row.id, channel="phone", outgoing=True, text=HOSTILE)
    (said,) = found.communications(archivist, row.id)
    assert (said.text, said.by_id, said.at) == (HOSTILE, archivist.user, archivist.clock.now())
    with pytest.raises(InvalidFields):
        log_communication(archivist, permission_id=row.id, channel="pigeon", outgoing=True, text="?")
    with pytest.raises(InvalidFields):
        log_communication(archivist, permission_id=row.id, channel="phone", outgoing=True, text="  ")
    assert found.communications(archivist, row.id).count() == 1


def test_standing_follows_the_calendar(archivist, site, town):
    """An approved permission is shown as future, current or expired by the asker's day."""
    row = permit(archivist, site, start_date=date(2026, 1, 1), end_date=date(2026, 1, 31))
    approve_permission(archivist, permission_id=row.id)
    shown = []
    for day in (-1, 0, 30, 31):
        town.clock.at = town.clock.at.replace(year=2026, month=1, day=1) + timedelta(days=day)
        shown.append(found.STANDINGS[found.permission(archivist, row.id).standing])
    assert shown == ["Approved (future)", "Approved", "Approved", "Approved (expired)"]


def test_others_see_nothing(town, archivist, site):
    """People of another agency, and people without a role in collecting, do not see permissions."""
    row = permit(archivist, site)
    stranger = town.actor(agency=town.museum, privileges=everything())
    nobody = town.actor()
    for actor in (stranger, nobody):
        assert not found.permissions(actor).exists()
        with pytest.raises(NotFound):
            found.permission(actor, row.id)
        with pytest.raises(NotFound):
            found.explain(actor, "http://www.site.example/", town.library.id)


def test_wider_permissions_are_named(archivist, site, desk, town):
    """Somebody who asks for a part of what is permitted already is told which permission covers it."""
    row = permit(archivist, site)
    (alert,) = found.wider(archivist, agency_id=town.library.id, patterns=["http://a.site.example/news*"])
    assert (alert.permission, alert.pattern, alert.status) == (row.id, "http://*.site.example/*", "Pending")
    assert found.wider(archivist, agency_id=town.library.id, patterns=["http://*.site.example/*"]) == []
    assert found.wider(archivist, agency_id=town.library.id, patterns=["http://a.site.example/"], but=row.id) == []
    reject_permission(archivist, permission_id=row.id)
    assert found.wider(archivist, agency_id=town.library.id, patterns=["http://a.site.example/"]) == []


def test_quick_picks_and_forecast(archivist, site, town):
    """Quick picks are offered by name; the forecast lists what expires within some days."""
    soon = permit(archivist, site, quick_pick=True, display_name="Zeta", end_date=date(2026, 1, 20))
    late = permit(archivist, site, quick_pick=True, display_name="Alpha", end_date=date(2026, 6, 1))
    gone = permit(archivist, site, quick_pick=True, display_name="Gone", end_date=date(2025, 6, 1))
    for row in (soon, late, gone):
        approve_permission(archivist, permission_id=row.id)
    assert [row.display_name for row in found.quick_picks(archivist, town.library.id)] == ["Alpha", "Zeta"]
    assert [row.id for row in found.expiring(archivist, 30)] == [soon.id]


def test_compatible_matching_is_a_switch(archivist, site, town):
    """With the switch of the installation, seeds are matched as the Web Curator Tool did."""
    permit(archivist, site)
    assert matching("http://a.www.site.example/x", agency_id=town.library.id, on=TODAY)
    assert len(matching("https://www.site.example/", agency_id=town.library.id, on=TODAY)) == 1
    town.parameter("wct_matching", "on")
    assert matching("https://www.site.example/", agency_id=town.library.id, on=TODAY) == ()
    assert len(matching("http://www.site.example/", agency_id=town.library.id, on=TODAY)) == 1
    town.parameter("wct_matching", "off")
    town.parameter("strict_scheme", "on")
    assert matching("https://www.site.example/", agency_id=town.library.id, on=TODAY) == ()


def test_deleting_and_restoring_follows_through(archivist, site, town):
    """A deleted permission is not matched and its task is gone; restored, it is matched again."""
    row = permit(archivist, site, seek=True)
    delete_row(archivist, kind_name="permission", row_id=row.id)
    assert matching("http://www.site.example/", agency_id=town.library.id, on=TODAY) == ()
    assert not Task.objects.filter(kind="request-approval").exists()
    restore_row(archivist, kind_name="permission", row_id=row.id)
    assert len(matching("http://www.site.example/", agency_id=town.library.id, on=TODAY)) == 1
    delete_row(archivist, kind_name="authorisation", row_id=site.id)
    assert matching("http://www.site.example/", agency_id=town.library.id, on=TODAY) == ()
    restore_row(archivist, kind_name="authorisation", row_id=site.id)
    assert len(matching("http://www.site.example/", agency_id=town.library.id, on=TODAY)) == 1
