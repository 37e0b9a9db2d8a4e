"""Every page opens to whom the table says, and objects of another agency stay hidden."""

import pytest
from django.urls import get_resolver

from opilio.people.actions import installation
from opilio.people.privilege_list import BY_PRIVILEGE
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.pages.conftest import Visitor
from tests.people import Town
from tests.permissions import (
    pages_access,
    pages_bulk,
    pages_care,
    pages_deliveries,
    pages_deposits,
    pages_groups,
    pages_harvests,
    pages_looking,
    pages_profiles,
    pages_quality,
    pages_results,
    pages_rights,
    pages_targets,
    pages_tools,
    pages_webhooks,
)
from tests.permissions.page_table import Page
from tests.security.headers import require_headers

PEOPLE = (Privilege.MANAGE_AGENCIES, Privilege.MANAGE_USERS, Privilege.MANAGE_ROLES)
ROLES = (Privilege.MANAGE_ROLES, Privilege.MANAGE_USERS, Privilege.GRANT_CROSS_AGENCY_USER_ADMIN)
USERS = (Privilege.MANAGE_USERS,)
SYSTEM = (Privilege.CONFIGURE_PARAMETERS,)
OWN = (Privilege.MODIFY_OWN_CREDENTIALS,)
EVERYBODY: tuple[Privilege, ...] = ()

pytestmark = pytest.mark.only_on("sqlite")  # who may do what is tried on both databases in test_actions


#: Name of the address → who may open it. Addresses that only take forms are covered by the table of actions.
PAGES: dict[str, Page] = {
    "help": Page(opens_to=EVERYBODY),
    "search": Page(opens_to=EVERYBODY),
    "search-pages": Page(opens_to=EVERYBODY),
    "search-pages-suggest": Page(opens_to=EVERYBODY),
    "search-pages-page": Page(opens_to=EVERYBODY),
    "search-pages-word": Page(opens_to=EVERYBODY),
    "search-pages-links": Page(opens_to=EVERYBODY),
    "search-pages-similar": Page(opens_to=EVERYBODY),
    "index": Page(opens_to=(Privilege.PUBLISH_INDEX,)),
    "account": Page(opens_to=EVERYBODY),
    "own-sessions": Page(opens_to=EVERYBODY),
    "in-tray": Page(opens_to=EVERYBODY),
    "notifications": Page(opens_to=EVERYBODY),
    "deleted": Page(opens_to=EVERYBODY),
    "agencies": Page(opens_to=PEOPLE),
    "agency": Page(opens_to=PEOPLE, object_of="agency"),
    "users": Page(opens_to=USERS),
    "user": Page(opens_to=USERS, object_of="user"),
    "user-roles": Page(opens_to=USERS, object_of="user"),
    "user-access": Page(opens_to=USERS, object_of="user"),
    "user-notes": Page(opens_to=USERS, object_of="user"),
    "roles": Page(opens_to=ROLES),
    "role": Page(opens_to=ROLES, object_of="role"),
    "sessions": Page(opens_to=USERS),
    "audit": Page(opens_to=(Privilege.VIEW_AUDIT,)),
    "lists": Page(opens_to=SYSTEM),
    "parameters": Page(opens_to=SYSTEM),
    "outbox": Page(opens_to=SYSTEM),
    **pages_rights.PAGES,
    **pages_targets.PAGES,
    **pages_groups.PAGES,
    **pages_harvests.PAGES,
    **pages_results.PAGES,
    **pages_tools.PAGES,
    **pages_looking.PAGES,
    **pages_deposits.PAGES,
    **pages_deliveries.PAGES,
    **pages_profiles.PAGES,
    **pages_quality.PAGES,
    **pages_bulk.PAGES,
    **pages_care.PAGES,
    **pages_webhooks.PAGES,
    **pages_access.PAGES,
}
#: Addresses that need no row: open to the world, only redirects, or forms whose actions have their own table.
ELSEWHERE = {
    "home", "handbook", "handbook-page", "tour", "tour-stop", "favicon", "theme", "language", "sign-in",
    "oidc_start", "oidc_return", "sign-out", "password", "tokens", "end-token",
    "end-session", "all-tasks", "new-task", "announce", "task-action", "notification-action", "save-view", "delete-row",
    "restore-row", "add-note", "note", "new-agency", "new-user", "user-history", "user-switch", "new-role",
    "new-list-entry", "list-entry", "audit-entry", "deleted-kind", "find", "find-suggest", "find-opensearch",
    "find-page", "find-word", "find-links", "find-similar",
    *pages_rights.ELSEWHERE, *pages_targets.ELSEWHERE, *pages_groups.ELSEWHERE, *pages_profiles.ELSEWHERE,
    *pages_quality.ELSEWHERE, *pages_looking.ELSEWHERE,
    *pages_bulk.ELSEWHERE, *pages_harvests.ELSEWHERE, *pages_results.ELSEWHERE, *pages_tools.ELSEWHERE,
    *pages_webhooks.ELSEWHERE,
    *pages_access.ELSEWHERE, *pages_care.ELSEWHERE, *pages_deposits.ELSEWHERE,
    *pages_deliveries.ELSEWHERE,
}  # fmt: skip


def _routes():
    for pattern in get_resolver("opilio.web.urls").url_patterns:
        yield pattern.name, f"/{pattern.pattern}"


ROUTES = dict(_routes())


@pytest.fixture
def town(db):
    town = Town()
    installation.prepare(town.system)
    return town


def _browser(town, privilege):
    scope = (
        None if privilege is None else (Scope.AGENCY if Scope.AGENCY in BY_PRIVILEGE[privilege].scopes else Scope.NONE)
    )
    user = town.user(privileges={} if privilege is None else {privilege: scope})
    browser = Visitor()
    assert browser.sign_in(user.username).status_code == 302
    return browser


def _path(town, name, agency):
    page = PAGES[name]
    objects = {
        "": lambda: 0,
        "agency": lambda: agency.id,
        "user": lambda: town.user(agency=agency).id,
        "role": lambda: town.role({}, agency=agency).id,
    }
    made = page.object_of
    route, identifier = ROUTES[name], made(town, agency) if callable(made) else objects[made]()
    start, bracket, rest = route.partition("<")
    return f"{start}{identifier}{rest.partition('>')[2]}" if bracket else route


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_to_whom_the_table_says(town, name):
    """Holders of a privilege of the agency see it, but no object of another agency; others are told why not."""
    own, other = _path(town, name, town.library), _path(town, name, town.museum)
    for privilege in (*PAGES[name].opens_to, None):
        browser = _browser(town, privilege)
        answer = browser.get(own)
        require_headers(answer)
        status = answer.status_code
        allowed = privilege is not None or not PAGES[name].opens_to
        assert status == 200 if allowed else status in (403, 404), privilege
        if PAGES[name].object_of:
            assert browser.get(other).status_code in (403, 404), privilege


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_strangers_to_sign_in(town, name):
    """And brings them back afterwards."""
    answer = Visitor().get(_path(town, name, town.library))
    require_headers(answer)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in")


def test_every_address_has_a_row():
    """A page that is added without a row fails."""
    assert set(ROUTES) == set(PAGES) | ELSEWHERE
