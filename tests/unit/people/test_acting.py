"""How writes are done: asked first, versioned, audited, all or nothing."""

import pytest

from opilio.people.acting import ACTIONS, action
from opilio.people.actions.agencies import create_agency, update_agency
from opilio.people.actions.annotations import add_annotation
from opilio.people.actions.installation import prepare
from opilio.people.actions.lists import create_list_entry
from opilio.people.actions.roles import create_role, update_role
from opilio.people.actions.rows import delete_row, restore_row
from opilio.people.actions.users import create_user, deactivate_user, set_roles, update_user
from opilio.people.actions.views import save_view
from opilio.people.actions.webhooks import create_webhook
from opilio.people.errors import InUse, InvalidFields, NotAllowed, NotFound, Stale
from opilio.people.kinds import AGENCY, kinds
from opilio.people.models import Agency, AuditEntry, Role, User, UserRole
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries import people
from opilio.people.queries.account import actor_for
from opilio.people.queries.records import rows_of
from tests.people import PASSWORD, POLICY


def test_a_change_tells_the_audit_log_what_it_was_and_became(town):
    """Field by field, with the names copied, in the same transaction."""
    actor = town.holder(Privilege.MANAGE_AGENCIES, Scope.AGENCY)
    update_agency(actor, agency_id=town.library.id, version=1, name="City Library", phone="1234")
    entry = AuditEntry.objects.filter(action="agency.update").get()
    assert entry.before == {"name": "Library", "phone": ""}
    assert entry.after == {"name": "City Library", "phone": "1234"}
    assert (entry.username, entry.agency_id, entry.subject_id) == (actor.username, town.library.id, town.library.id)


def test_a_change_counts_the_version_and_names_who_made_it(town):
    """The metacolumns follow every change."""
    actor = town.holder(Privilege.MANAGE_AGENCIES, Scope.AGENCY)
    town.clock.advance(60)
    agency = update_agency(actor, agency_id=town.library.id, version=1, name="City Library")
    agency.refresh_from_db()
    assert (agency.version, agency.updated_by_id, agency.updated) == (2, actor.user, town.clock.now())
    assert agency.created < agency.updated


def test_saving_the_same_again_changes_and_tells_nothing(town):
    """No version, no audit entry for a save without a change."""
    before = AuditEntry.objects.count()
    agency = update_agency(town.system, agency_id=town.library.id, version=1, name="Library")
    assert (agency.version, AuditEntry.objects.count()) == (1, before)


def test_a_stale_save_is_refused_with_both_versions(town):
    """Nothing is lost: the error holds what both wanted and who came first."""
    first = town.holder(Privilege.MANAGE_AGENCIES, Scope.AGENCY)
    update_agency(first, agency_id=town.library.id, version=1, name="City Library")
    with pytest.raises(Stale) as caught:
        update_agency(town.system, agency_id=town.library.id, version=1, name="Town Library")
    assert caught.value.mine == {"name": "Town Library"}
    assert caught.value.theirs["name"] == "City Library"
    assert first.username in str(caught.value)
    assert Agency.objects.get(id=town.library.id).name == "City Library"


def test_bad_fields_are_named_and_nothing_is_written(town):
    """Each field has its message."""
    with pytest.raises(InvalidFields) as caught:
        create_agency(town.system, name="", email="no address")
    assert set(caught.value.messages) == {"name", "email"}
    assert not Agency.objects.filter(email="no address").exists()


def test_an_unknown_time_zone_is_refused(town):
    """The message shows how zones are written."""
    with pytest.raises(InvalidFields) as caught:
        update_agency(town.system, agency_id=town.library.id, version=1, time_zone="Atlantis")
    assert "Europe/Paris" in caught.value.messages["time_zone"][0]


def test_two_agencies_cannot_have_one_name(town):
    """Unless the other is deleted."""
    with pytest.raises(InvalidFields):
        create_agency(town.system, name="Library")
    delete_row(town.system, kind_name="agency", row_id=town.library.id)
    assert create_agency(town.system, name="Library").id != town.library.id


def test_an_action_that_did_not_ask_cannot_record(town):
    """The frame refuses an action that changes rows without asking whether it may."""

    @action("test.unasked", "Change without asking.")
    def unasked(act, /):
        act.update(act.fetch(AGENCY, town.library.id), {"name": "Taken over"})

    try:
        with pytest.raises(AssertionError, match="without having asked"):
            unasked(town.system)
    finally:
        del ACTIONS["test.unasked"]
    assert Agency.objects.get(id=town.library.id).name == "Library"


def test_a_new_agency_comes_with_the_ready_roles(town):
    """And each belongs to it."""
    agency = create_agency(town.system, name="Archive")
    assert Role.objects.filter(agency=agency).count() == 7


def test_deleting_hides_and_restoring_brings_back(town):
    """A deleted role gives nothing any more; restored, it gives what it gave."""
    role = town.role({Privilege.MANAGE_USERS: Scope.AGENCY})
    user = town.user(roles=[role])
    delete_row(town.system, kind_name="role", row_id=role.id)
    assert not town.actor(user).holds(Privilege.MANAGE_USERS)
    with pytest.raises(NotFound):
        people.role(town.system, role.id)
    restore_row(town.system, kind_name="role", row_id=role.id)
    assert town.actor(user).holds(Privilege.MANAGE_USERS)


def test_an_agency_with_users_cannot_be_deleted(town):
    """The message says how many stand in the way."""
    town.user()
    with pytest.raises(InUse, match="1 users"):
        delete_row(town.system, kind_name="agency", row_id=town.library.id)


def test_a_deleted_user_cannot_act(town):
    """Neither can one whom nobody lets sign in."""
    user = town.user()
    delete_row(town.system, kind_name="user", row_id=user.id)
    assert actor_for(user.id, via=town.system.via) is None


def test_nobody_can_deactivate_or_delete_themselves(town):
    """So that an installation keeps somebody who can get in."""
    actor = town.holder(Privilege.MANAGE_USERS, Scope.AGENCY)
    with pytest.raises(NotAllowed):
        deactivate_user(actor, user_id=actor.user)
    with pytest.raises(NotAllowed):
        delete_row(actor, kind_name="user", row_id=actor.user)


def test_changing_a_role_marks_its_holders_dirty_and_asking_cleans_them(town):
    """Grants are derived anew only for those whom the change concerns."""
    role = town.role({Privilege.MANAGE_USERS: Scope.AGENCY})
    holder, other = town.user(roles=[role]), town.user()
    town.actor(holder), town.actor(other)
    assert not User.objects.filter(dirty=True).exists()
    update_role(town.system, role_id=role.id, version=1, name="x", privileges={"MANAGE_ROLES": Scope.AGENCY})
    assert list(User.objects.filter(dirty=True)) == [holder]
    assert town.actor(holder).holds(Privilege.MANAGE_ROLES)
    assert not town.actor(holder).holds(Privilege.MANAGE_USERS)
    assert not User.objects.filter(dirty=True).exists()


def test_roles_in_several_agencies_add_up_each_for_its_own(town):
    """A user of the library with a role in the museum reaches museum things by that role alone."""
    role = town.role({Privilege.MANAGE_USERS: Scope.AGENCY}, agency=town.museum)
    actor = town.actor(roles=[role])
    visitor, colleague = town.user(agency=town.museum), town.user()
    assert [user.id for user in people.users(actor)] == [visitor.id]
    with pytest.raises(NotAllowed):
        deactivate_user(actor, user_id=colleague.id)


def test_nobody_gives_away_more_than_they_hold(town):
    """A privilege over everything can be given only by who holds it over everything."""
    actor = town.holder(Privilege.MANAGE_ROLES, Scope.AGENCY)
    with pytest.raises(NotAllowed, match="over everything"):
        create_role(actor, agency_id=town.library.id, name="Too much", privileges={"MANAGE_USERS": Scope.ALL})
    create_role(actor, agency_id=town.library.id, name="Enough", privileges={"MANAGE_USERS": Scope.AGENCY})


def test_a_role_over_everything_can_be_handed_on_only_by_its_equal(town):
    """Managing users of the agency is not enough to make somebody a system administrator."""
    role = town.role({Privilege.MANAGE_AGENCIES: Scope.ALL})
    user, actor = town.user(), town.holder(Privilege.MANAGE_USERS, Scope.AGENCY)
    with pytest.raises(NotAllowed, match="MANAGE_AGENCIES"):
        set_roles(actor, user_id=user.id, roles=[role.id])
    assert not UserRole.objects.filter(user=user, role=role).exists()


def test_a_role_of_another_agency_needs_that_agencys_word(town):
    """GRANT_CROSS_AGENCY_USER_ADMIN of the role's agency is asked, not of the user's."""
    role, user = town.role({Privilege.VIEW_PROFILES: Scope.AGENCY}, agency=town.museum), town.user()
    held = [row.role_id for row in UserRole.objects.filter(user=user)]
    own = {Privilege.MANAGE_USERS: Scope.AGENCY, Privilege.GRANT_CROSS_AGENCY_USER_ADMIN: Scope.AGENCY}
    with pytest.raises(NotAllowed):
        set_roles(town.actor(privileges=own), user_id=user.id, roles=[*held, role.id])
    theirs = town.role({Privilege.GRANT_CROSS_AGENCY_USER_ADMIN: Scope.AGENCY}, agency=town.museum)
    actor = town.actor(roles=[theirs], privileges={Privilege.MANAGE_USERS: Scope.AGENCY})
    set_roles(actor, user_id=user.id, roles=[*held, role.id])
    assert UserRole.objects.filter(user=user, role=role).exists()


@pytest.mark.parametrize("privileges", [{"FLY": 0}, {"LOGIN": 7}, {"LOGIN": Scope.ALL}])
def test_a_privilege_or_scope_that_does_not_exist_is_refused(town, privileges):
    """Also a scope that this privilege cannot have."""
    with pytest.raises(InvalidFields):
        create_role(town.system, agency_id=town.library.id, name="Odd", privileges=privileges)


@pytest.mark.parametrize("username", ["", "two words", "semi;colon", "x" * 151, "new\nline", "\x00"])
def test_a_username_must_be_usable(town, username):
    """The message names the letters that are."""
    with pytest.raises(InvalidFields) as caught:
        create_user(town.system, username=username, agency_id=town.library.id, password=PASSWORD, policy=POLICY)
    assert "username" in caught.value.messages


def test_usernames_differ_by_more_than_case(town):
    """Also from those of deleted users, whose audit entries stand for ever."""
    user = town.user("curator")
    delete_row(town.system, kind_name="user", row_id=user.id)
    with pytest.raises(InvalidFields):
        create_user(town.system, username="Curator", agency_id=town.library.id, password=PASSWORD, policy=POLICY)


def test_moving_a_user_needs_the_privilege_in_both_agencies(town):
    """Else an administrator could take users away from, or push them into, another agency."""
    user, actor = town.user(), town.holder(Privilege.MANAGE_USERS, Scope.AGENCY)
    with pytest.raises(NotAllowed):
        update_user(actor, user_id=user.id, version=user.version, agency_id=town.museum.id)
    both = town.role({Privilege.MANAGE_USERS: Scope.AGENCY}, agency=town.museum)
    actor = town.actor(roles=[both], privileges={Privilege.MANAGE_USERS: Scope.AGENCY})
    version = User.objects.get(id=user.id).version
    assert update_user(actor, user_id=user.id, version=version, agency_id=town.museum.id).agency_id == town.museum.id


def test_a_title_comes_from_the_list(town):
    """A value outside the constrained list is refused, with what the list offers."""
    prepare(town.system)
    user = town.user(title="Dr")
    with pytest.raises(InvalidFields) as caught:
        update_user(town.system, user_id=user.id, version=user.version, title="Baron")
    assert "Prof" in caught.value.messages["title"][0]


def _example_rows(town):
    """One row of every kind."""
    user = town.user()
    manager = town.holder(Privilege.MANAGE_USERS, Scope.AGENCY)
    return {
        "agency": create_agency(town.system, name="Archive"),
        "user": user,
        "role": town.role({}),
        "list-entry": create_list_entry(town.system, list_name="user-title", value="Sir"),
        "parameter": town.parameter("institution", "Town"),
        "annotation": add_annotation(manager, kind_name="user", row_id=user.id, note="Back in May."),
        "saved-view": save_view(manager, page="users", name="Mine", query="q=1"),
        "webhook": create_webhook(town.system, name="Notes", url="https://hooks.example.org/", events=["task.created"])[
            0
        ],
    }


def test_every_curated_kind_can_be_deleted_and_restored(town):
    """One test over all kinds of people: hidden, listed as deleted, audited, restored as it was."""
    rows, own = _example_rows(town), [kind for kind in kinds() if kind.model._meta.app_label == "people"]
    assert set(rows) == {kind.name for kind in own}
    for kind in own:
        row = rows[kind.name]
        delete_row(town.system, kind_name=kind.name, row_id=row.id)
        assert not kind.model.objects.filter(id=row.id).exists()
        assert row.id in {found.id for found in rows_of(town.system, kind, deleted=True)}
        restore_row(town.system, kind_name=kind.name, row_id=row.id)
        back = kind.model.objects.get(id=row.id)
        assert back.version >= row.version + 2
        assert AuditEntry.objects.filter(subject_type=kind.name, subject_id=row.id, action="row.restore").count() == 1


def test_roles_chosen_over_an_older_version_are_refused(town):
    """Two people give roles at once: the second sees both sets."""
    first, second, user = town.role({}, name="First"), town.role({}, name="Second"), town.user()
    version = User.objects.get(id=user.id).version
    held = [row.role_id for row in UserRole.objects.filter(user=user)]
    set_roles(town.system, user_id=user.id, roles=[*held, first.id], version=version)
    with pytest.raises(Stale) as caught:
        set_roles(town.system, user_id=user.id, roles=[*held, second.id], version=version)
    assert "Second" in caught.value.mine["roles"]
    assert "First" in caught.value.theirs["roles"]


def test_an_entry_about_another_agency_keeps_its_name(town):
    """Copied, so that it survives the agency."""
    user = town.user(agency=town.museum)
    update_user(town.system, user_id=user.id, version=user.version, phone="1")
    assert AuditEntry.objects.filter(action="user.update").get().agency_name == "Museum"
