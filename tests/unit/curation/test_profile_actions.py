"""Profiles: made, changed with every version kept, switched, made the default, transferred, locked."""

import pytest

from opilio.curation import profiling
from opilio.curation.actions.profiles import (
    copy_profile,
    create_profile,
    set_default_profile,
    switch_profile,
    transfer_profile,
    update_profile,
)
from opilio.curation.kinds import TARGET
from opilio.curation.models import Profile, ProfileStatus, ProfileVersion, Target
from opilio.curation.queries import profiles as queries
from opilio.curation.workflow import NoSuchMove
from opilio.kernel.errors import Conflict
from opilio.people.acting import action
from opilio.people.actions.rows import delete_row
from opilio.people.errors import InUse, InvalidFields, NotAllowed, NotFound, Stale
from opilio.people.models import AuditEntry
from opilio.people.privileges import Privilege, Scope


@pytest.fixture
def manager(town):
    return town.holder(Privilege.MANAGE_PROFILES, Scope.AGENCY)


def _made(actor, town, name="Weekly", **more):
    return create_profile(actor, agency_id=town.library.id, name=name, settings=more.pop("settings", {}), **more)


def _choose(actor, target, profile):
    """What the form of a target does."""

    @action("test.choose", "Choose a profile.")
    def choose(act, /):
        act.require(Privilege.MODIFY_TARGET, TARGET.subject(target), "choose")
        profiling.check_choice(act, profile, target.agency_id)

    choose(actor)


def test_a_profile_keeps_every_version_of_its_settings(town, manager):
    """Each save of other settings adds a version; a new name alone does not."""
    row = _made(manager, town, settings={"limits": {"pages": 5}})
    update_profile(manager, profile_id=row.id, version=1, name="Monthly")
    update_profile(manager, profile_id=row.id, version=2, settings={"limits": {"pages": 9}})
    kept = queries.versions(manager, row.id)
    assert [(one.number, one.settings["limits"]["pages"]) for one in kept] == [(3, 9), (1, 5)]
    assert kept[0].by_id == manager.user


def test_wrong_settings_are_refused_field_by_field(town, manager):
    """Nothing is stored, and each message has its place."""
    with pytest.raises(InvalidFields) as refused:
        _made(manager, town, settings={"limits": {"pages": -1}, "scope": {"exclude": ["(?=x)"]}})
    assert set(refused.value.messages) == {"limits.pages", "scope.exclude"}
    assert not Profile.objects.exists()


def test_an_old_version_does_not_win(town, manager):
    """Two editors at once: the second is told."""
    row = _made(manager, town)
    update_profile(manager, profile_id=row.id, version=1, name="One")
    with pytest.raises(Stale):
        update_profile(manager, profile_id=row.id, version=1, name="Two")


def test_the_first_profile_is_the_default_and_another_takes_over(town, manager):
    """An agency has one default; it cannot be deactivated or deleted."""
    first, second = _made(manager, town), _made(manager, town, name="Other")
    assert profiling.default_profile(town.library.id) == first
    with pytest.raises(Conflict):
        switch_profile(manager, profile_id=first.id, verb="deactivate")
    with pytest.raises(InUse):
        delete_row(manager, kind_name="profile", row_id=first.id)
    set_default_profile(manager, profile_id=second.id)
    assert profiling.default_profile(town.library.id) == second
    assert not Profile.objects.get(id=first.id).is_default
    switch_profile(manager, profile_id=first.id, verb="deactivate")
    with pytest.raises(Conflict):
        set_default_profile(manager, profile_id=first.id)
    with pytest.raises(NoSuchMove):
        switch_profile(manager, profile_id=first.id, verb="deactivate")


def test_a_profile_in_use_is_not_deleted(town, desk, manager):
    """Its targets can be moved to another; then it goes."""
    used, other = desk.profile(settings={"version": 1}), desk.profile()
    target = desk.target(profile=used)
    group = desk.group(profile=used)
    with pytest.raises(InUse):
        delete_row(manager, kind_name="profile", row_id=used.id)
    assert transfer_profile(manager, profile_id=used.id, into_id=other.id) == 2
    assert Target.objects.get(pk=target.pk).profile_id == other.id
    assert queries.profile(manager, other.id).use_count == 2
    told = AuditEntry.objects.get(action="profile.transfer")
    assert target.name in told.message
    assert group.name in told.message
    delete_row(manager, kind_name="profile", row_id=used.id)


def test_targets_are_not_transferred_elsewhere(town, desk, manager):
    """Not to itself, not to an inactive one, not to another agency's."""
    one, inactive = desk.profile(), desk.profile(status=ProfileStatus.INACTIVE)
    foreign = desk.profile(agency=town.museum)
    for into in (one, inactive):
        with pytest.raises(InvalidFields):
            transfer_profile(manager, profile_id=one.id, into_id=into.id)
    with pytest.raises(NotAllowed):
        transfer_profile(manager, profile_id=one.id, into_id=foreign.id)
    with pytest.raises(InvalidFields):
        transfer_profile(town.system, profile_id=one.id, into_id=foreign.id)


def test_a_copy_is_a_profile_of_its_own(town, manager):
    """It has the same settings, another name, and no users."""
    row = _made(manager, town, settings={"limits": {"pages": 5}}, level=2)
    made = copy_profile(manager, profile_id=row.id, name="Copy")
    assert (made.settings, made.level, made.is_default, made.original_id) == (row.settings, 2, False, None)
    with pytest.raises(InvalidFields) as refused:
        copy_profile(manager, profile_id=row.id, name="Copy")
    assert "this name already" in str(refused.value.messages)


def test_a_locked_copy_is_made_once_for_each_version(town, manager):
    """Harvests of one version share it; it cannot be changed, and later edits do not touch it."""
    row = _made(manager, town, settings={"limits": {"pages": 5}})

    @action("test.lock", "Lock.")
    def lock(act, /):
        act.require_that(True, "lock", "")
        return profiling.locked_copy(act, Profile.objects.get(id=row.id))

    first = lock(town.system)
    assert lock(town.system).id == first.id
    assert (first.status, first.original_version) == (ProfileStatus.LOCKED, 1)
    update_profile(manager, profile_id=row.id, version=1, settings={"limits": {"pages": 9}})
    second = lock(town.system)
    assert second.id != first.id
    assert Profile.objects.get(id=first.id).settings["limits"]["pages"] == 5
    with pytest.raises(Conflict):
        update_profile(manager, profile_id=first.id, version=1, name="Changed")
    assert [found.id for found in queries.profiles(manager)] == [row.id]


def test_levels_decide_who_may_choose(town, desk):
    """Somebody with level 2 chooses levels 1 and 2, of the target's own agency, while they are active."""
    levels = [desk.profile(level=level) for level in (1, 2, 3)]
    inactive = desk.profile(status=ProfileStatus.INACTIVE)
    foreign = desk.profile(agency=town.museum)
    actor = town.actor(
        privileges={Privilege.SET_HARVEST_PROFILE_LV2: Scope.AGENCY, Privilege.MODIFY_TARGET: Scope.AGENCY}
    )
    target = desk.target()
    assert list(profiling.choosable(actor, town.library.id)) == levels[:2]
    assert not profiling.choosable(actor, town.museum.id)
    _choose(actor, target, levels[1])
    _choose(actor, target, None)
    with pytest.raises(NotAllowed) as refused:
        _choose(actor, target, levels[2])
    assert "SET_HARVEST_PROFILE_LV3" in refused.value.remedy
    for wrong in (inactive, foreign):
        with pytest.raises(InvalidFields):
            _choose(actor, target, wrong)


def test_profiles_of_other_agencies_are_not_seen(town, desk, manager):
    """They are as if they were not there."""
    foreign = desk.profile(agency=town.museum)
    with pytest.raises(NotFound):
        queries.profile(manager, foreign.id)
    with pytest.raises(NotFound):
        queries.versions(manager, foreign.id)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "x" * 255, "اسم 😀 ‮", 'O\'Brien "q"'])
def test_odd_names_are_kept_as_they_are(town, manager, name):
    """A name is text, whatever it holds."""
    assert Profile.objects.get(id=_made(manager, town, name=name).id).name == name


@pytest.mark.parametrize(
    "fields", [{"name": ""}, {"name": "x" * 256}, {"level": 4}, {"level": 0}, {"description": "x" * 4_001}]
)
def test_fields_that_do_not_fit_are_refused(town, manager, fields):
    """Too long, empty, or a level that there is not."""
    with pytest.raises(InvalidFields):
        _made(manager, town, **{"name": "Fine", **fields})
    assert not ProfileVersion.objects.exists()
