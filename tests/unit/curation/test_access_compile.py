"""Permissions and targets as rules of access, and patterns as expressions of a crawl's scope."""

from datetime import UTC, date, datetime

import pytest
import re2
from hypothesis import given, settings

from opilio.curation.access_compile import rules, says_of, where_of
from opilio.curation.models import AccessZone, PermissionExclusion, PermissionStatus
from opilio.curation.pattern_expressions import expression
from opilio.curation.pattern_reading import parse_pattern
from opilio.curation.places import place_of
from opilio.kernel import access
from opilio.kernel.access_index import Default, Rules
from opilio.kernel.access_rules import Says
from opilio.kernel.access_where import key_of
from tests.unit.curation.test_matching import PATTERNS, URLS

OPEN = "Open (unrestricted) access"
CAPTURED = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (OPEN, Says.OPEN), ("Limited to 3 concurrent users", Says.SEATS), ("Restricted by location", Says.ROOMS),
        ("Restricted by person", Says.PERSONS), ("Embargoed", Says.EMBARGO), ("", None),
        ("Whatever we invented", Says.PERSONS), ("  OPEN to all ", Says.OPEN),
    ],
)  # fmt: skip
def test_access_statuses(status, says):
    """Each status of the list means a kind of rule; one that is not understood closes."""
    assert says_of(status) is says


def test_available_without_a_status_opens():
    """The old flag “available” counts where no status was chosen."""
    assert says_of("", available=True) is Says.OPEN


def linked(desk, *permissions, **fields):
    target = desk.target(seeds=["http://site.example/"], **fields)
    for permission in permissions:
        desk.link(target.seeds.get(), permission)
    return target


def by_kind():
    return {rule.says: rule for rule in rules()}


def test_a_restriction_ends_with_the_open_access_date(desk, town):
    """Until the day the restriction holds, from its first moment in the agency's zone everybody may read."""
    town.library.time_zone = "Pacific/Auckland"
    town.library.save()
    status, day = "Limited to 3 concurrent users", date(2027, 1, 1)
    target = linked(desk, desk.permission("http://site.example/*", access_status=status, open_access_date=day))
    found = by_kind()
    opens = datetime(2026, 12, 31, 11, tzinfo=UTC)
    assert (found[Says.SEATS].seats, found[Says.SEATS].ends) == (3, opens)
    assert (found[Says.OPEN].starts, found[Says.OPEN].target) == (opens, str(target.id))


def test_statements_travel_with_the_rule(desk):
    """Copyright and special requirements are told beside the captures."""
    linked(desk, desk.permission(
        "http://site.example/*", access_status=OPEN, copyright_statement="© Publisher",
        copyright_url="https://site.example/terms", special_requirements="Name us."))  # fmt: skip
    statement = by_kind()[Says.OPEN].statement
    assert (statement.text, statement.link, statement.requirements) == (
        "© Publisher", "https://site.example/terms", "Name us.")  # fmt: skip


def test_only_granted_permissions_open(desk):
    """What was not granted opens nothing, but what it excludes stays hidden."""
    row = desk.permission("http://site.example/*", access_status=OPEN, status=PermissionStatus.REQUESTED)
    PermissionExclusion(permission=row, url="http://site.example/a*", created=desk.now, updated=desk.now).save()
    linked(desk, row)
    assert [rule.says for rule in rules()] == [Says.EXCLUDED]


def test_targets_say_something_too(desk):
    """The display flag and the access zone of a target become rules."""
    linked(desk, display=False, access_zone=AccessZone.ON_SITE)
    linked(desk, access_zone=AccessZone.RESTRICTED)
    linked(desk)
    assert sorted(rule.says for rule in rules()) == sorted([Says.HIDDEN, Says.ROOMS, Says.PERSONS])


def test_readers_meet_the_rules(desk):
    """An excluded page is not shown, its neighbour is; the most restrictive permission wins."""
    row = desk.permission("http://site.example/*", access_status=OPEN)
    PermissionExclusion(permission=row, url="http://site.example/private/*", created=desk.now, updated=desk.now).save()
    target = linked(desk, row)

    def allowed(url):
        return access.decide(
            Rules(list(rules()), default=Default.CLOSED), url=url, captured=CAPTURED, now=CAPTURED,
            agency=str(target.agency_id), target=str(target.id), reader=access.Reader(),
        ).allowed  # fmt: skip

    assert allowed("http://site.example/public")
    assert not allowed("http://site.example/private/a")
    desk.link(target.seeds.get(), desk.permission("http://site.example/*", access_status="Embargoed"))
    assert not allowed("http://site.example/public")


@settings(max_examples=200)
@given(pattern=PATTERNS, url=URLS)
def test_expressions_find_what_patterns_cover(pattern, url):
    """As an expression of a crawl's scope a pattern finds exactly what it covers."""
    parsed = parse_pattern(pattern)
    found = re2.search(expression(parsed), place_of(url).url) is not None
    assert found == parsed.covers(place_of(url))


@settings(max_examples=200)
@given(pattern=PATTERNS, url=URLS)
def test_rules_of_access_reach_as_far(pattern, url):
    """As a rule of access a pattern reaches exactly what it covers."""
    parsed = parse_pattern(pattern)
    where, (key, clean) = where_of(parsed), key_of(url)
    reached = key.startswith(where.keys) and where.matches(key, clean)
    assert reached == parsed.covers(place_of(url))


@pytest.mark.parametrize("url", ["http://192.0.2.7/a", "http://[2001:db8::1]:8080/a", "http://localhost/a"])
def test_addresses_can_be_excluded(url):
    """A host without a name is excluded like any other."""
    where, (key, clean) = where_of(parse_pattern(f"{url}*")), key_of(f"{url}b")
    assert key.startswith(where.keys)
    assert where.matches(key, clean)


def test_very_long_patterns_reach_the_whole_domain():
    """An expression that a rule cannot hold becomes the domain: more is hidden rather than less."""
    assert where_of(parse_pattern(f"http://*.site.example/{'a' * 1_500}*")).value == "site.example"
