"""Links between seeds and permissions, within an action under way."""

from datetime import date

import pytest

from opilio.curation.linking import WrongAgency, auto_link, explained_as_wct, link, unlink
from opilio.curation.mapping import remap
from opilio.curation.models import Linked, SeedPermission, UrlPattern
from opilio.people.acting import Act
from opilio.people.errors import NotFound
from opilio.people.models import AuditEntry

TODAY = date(2026, 1, 1)


@pytest.fixture
def act(town):
    under_way = Act(actor=town.system, name="test")
    under_way.require_that(True, "test", "")
    return under_way


@pytest.fixture
def seed(desk):
    return desk.target(seeds=["https://www.site.example/a"]).seeds.get()


def links_of(seed):
    return {(each.permission_id, each.linked) for each in SeedPermission.objects.filter(seed=seed)}


def test_auto_linking_takes_all_that_match(act, desk, seed):
    """Every permission whose pattern covers the URL is linked, once; others are not."""
    wide = desk.permission("http://*.example/*", domains=["example"])
    narrow = desk.permission("http://www.site.example/a", domains=["www.site.example"])
    desk.permission("http://site.example/*", domains=["site.example"])
    desk.permission("http://www.site.example/*", domains=["www.site.example"], end_date=date(2025, 1, 1))
    assert auto_link(act, seed) == 2
    assert auto_link(act, seed) == 2
    assert links_of(seed) == {(wide.id, "auto"), (narrow.id, "auto")}
    assert AuditEntry.objects.filter(subject_type="seed", message__startswith="Linked with").count() == 2


def test_a_link_by_hand_may_ignore_the_pattern(act, desk, seed):
    """Somebody who knows better links a seed with a permission that does not cover it, and takes the link away."""
    other = desk.permission("http://other.example/*", domains=["other.example"])
    link(act, seed, other.id, Linked.MANUAL)
    assert link(act, seed, other.id, Linked.QUICK_PICK).linked == Linked.MANUAL
    assert links_of(seed) == {(other.id, "manual")}
    assert unlink(act, seed, other.id)
    assert not unlink(act, seed, other.id)
    assert links_of(seed) == set()


def test_wrong_agencies_are_refused(act, desk, town, seed):
    """A seed relies on permissions of its own agency only; one that is gone cannot be linked."""
    with pytest.raises(WrongAgency, match="another agency"):
        link(act, seed, desk.permission("http://www.site.example/*", agency=town.museum).id, Linked.MANUAL)
    with pytest.raises(NotFound):
        link(act, seed, 1, Linked.MANUAL)


def test_the_look_up_follows_the_rows(desk):
    """The look-up has one entry for each pattern of each live permission, under its domain."""
    row = desk.permission("http://*.site.example/*", "http://site.example:8080/a", "http://*/x")
    assert remap(row.authorisation_id) == 3
    assert sorted(row.mappings.values_list("domain", flat=True)) == ["*", "site.example", "site.example"]
    UrlPattern.objects.filter(authorisation=row.authorisation, pattern="http://*/x").update(deleted=True)
    assert remap(row.authorisation_id) == 2


def test_what_the_web_curator_tool_would_have_linked(desk, town):
    """The old rules reach sub-domains by accident, and never across schemes."""
    desk.permission("http://site.example/*", domains=["site.example"], display_name="Old")
    asked = {"agency_id": town.library.id, "on": TODAY}
    assert explained_as_wct("http://www.site.example/", **asked) == ["Old"]
    assert explained_as_wct("https://site.example/", **asked) == []
