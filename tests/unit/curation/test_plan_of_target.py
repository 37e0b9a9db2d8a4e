"""The plan of a target is made of its rows: profile, overrides, seeds, credentials, exclusions."""

import datetime

import pytest

from opilio.crawl.errors import BadPlan
from opilio.curation import harvest_plan
from opilio.curation.actions.credentials import create_credential
from opilio.curation.actions.overrides import update_overrides
from opilio.curation.models import AbstractTarget, ExcludedUrl, Harvest, HarvestAs, PermissionExclusion, Seed, State
from opilio.curation.queries import plans
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege, Scope

TODAY = datetime.date(2026, 1, 1)


def _plan(row):
    return harvest_plan.plan_of(AbstractTarget.objects.get(pk=row.pk), TODAY)


def test_everything_of_a_target_comes_together(town, desk):
    """Seeds with their limits, the profile's settings, overrides that are on, excluded pages, exclusions."""
    profile = desk.profile(settings={"version": 1, "limits": {"pages": 7, "bytes": 9}})
    target = desk.approvable(profile=profile)
    Seed.objects.filter(target=target).update(depth_limit=2, page_limit=3, append="?a=1")
    permission = Seed.objects.get(target=target).links.get().permission
    moments = {"created": desk.now, "updated": desk.now}
    PermissionExclusion(permission=permission, url="http://www.site.example/private/*", **moments).save()
    ExcludedUrl(target=target, url="http://www.site.example/old", **moments).save()
    update_overrides(town.system, holder_id=target.pk, version=1, max_documents=5, overrides_max_documents=True)
    plan = _plan(target)
    assert (plan.seeds[0].depth, plan.seeds[0].max_pages, plan.seeds[0].append) == (2, 3, "?a=1")
    assert (plan.limits.pages, plan.limits.bytes) == (5, 9)
    assert plan.scope.excluded_urls == ("http://www.site.example/old",)
    assert any("private" in expression for expression in plan.scope.forbidden)
    assert "http://www.site.example/private/*" in plans.barred_for(town.system, target.pk).values()


def test_without_a_profile_the_agencys_default_counts(desk):
    """And without a default, the crawler's own settings."""
    target = desk.target(seeds=["http://www.site.example/"])
    assert _plan(target).limits.pages is None
    desk.profile(is_default=True, settings={"version": 1, "limits": {"pages": 8}})
    assert _plan(target).limits.pages == 8


def test_credentials_are_opened_for_the_crawl_only(town, desk):
    """The plan names them, the book holds them; over http only where the seed itself is."""
    target = desk.target(seeds=["http://www.site.example/", "https://safe.example/"])
    for domain, url in (("www.site.example", "http://www.site.example/"), ("safe.example", "https://safe.example/")):
        row = create_credential(
            town.system, holder_id=target.pk, kind="basic", domain=domain, username="a", secret=f"secret of {domain}"
        )
        Seed.objects.filter(url=url).update(credential=row)
    plan = _plan(target)
    assert all(seed.credential.startswith("credential-") for seed in plan.seeds)
    assert "secret of" not in repr(plan)
    book = harvest_plan.book_for(plan)
    book.require(plan)
    found = {one.way.password: one.reach.https_only for one in book.credentials.values()}
    assert found == {"secret of www.site.example": False, "secret of safe.example": True}


def test_a_group_is_crawled_from_the_seeds_of_its_members(town, desk):
    """Those that are collected, of its own agency."""
    members = [desk.target(state=State.APPROVED, seeds=[f"http://{name}.example/"]) for name in ("one", "two")]
    pending = desk.target(seeds=["http://three.example/"])
    foreign = desk.target(agency=town.museum, state=State.APPROVED, seeds=["http://four.example/"])
    group = desk.group(*members, pending, foreign, harvest_as=HarvestAs.COMBINED, state=State.GROUP_ACTIVE)
    assert {seed.url for seed in _plan(group).seeds} == {"http://one.example/", "http://two.example/"}


def test_a_target_without_seeds_has_no_plan(town, desk):
    """The message names what is missing; others' targets are not there."""
    with pytest.raises(BadPlan):
        plans.plan_of(town.system, desk.target().pk)
    reader = town.holder(Privilege.MODIFY_TARGET, Scope.AGENCY)
    with pytest.raises(NotFound):
        plans.plan_of(reader, desk.target(agency=town.museum).pk)


def test_a_harvest_is_planned_by_the_same_rules(town, desk):
    """Credentials of its own overrides count, and exclusions are those of the permissions, as expressions."""
    target = desk.approvable(state=State.APPROVED)
    permission = Seed.objects.get(target=target).links.get().permission
    moments = {"created": desk.now, "updated": desk.now}
    PermissionExclusion(permission=permission, url="http://www.site.example/private/*", **moments).save()
    row = create_credential(
        town.system, holder_id=target.pk, kind="basic", domain="www.site.example", username="a", secret="x"
    )
    target.refresh_from_db()
    update_overrides(town.system, holder_id=target.pk, version=target.overrides.version, overrides_credentials=True)
    target.refresh_from_db()
    harvest = Harvest(abstract_target_id=target.pk, agency_id=target.agency_id)
    network = harvest_plan.Network(allow_private=("127.0.0.0/8",), contact="curator@library.example")
    plan = harvest_plan.plan_for(harvest, [target], TODAY, network)
    assert plan.seeds[0].credential == f"credential-{row.pk}"
    assert plan.scope.forbidden == _plan(target).scope.forbidden
    assert plan.scope.forbidden[0] != "http://www.site.example/private/*"
    assert (plan.fetch.allow_private, plan.manners.contact) == (("127.0.0.0/8",), "curator@library.example")
