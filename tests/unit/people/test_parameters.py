"""Parameters of the installation: versions that never come again, and saves that are whole."""

import pytest

from opilio.people.actions.parameters import reset_parameter, set_parameters
from opilio.people.actions.rows import restore_row
from opilio.people.errors import InvalidFields, Stale
from opilio.people.models import AuditEntry, Parameter
from opilio.people.parameters import in_force, values
from opilio.people.privileges import Privilege, Scope

NAME = "institution"


def _version(name=NAME):
    return in_force()[name].version


def test_the_version_grows_with_every_change(town):
    """Set, put back, set anew, restored: no version is ever met twice, so that no old page can pass for a new one."""
    met = [_version()]
    first = town.parameter(NAME, "Town")
    met.append(_version())
    reset_parameter(town.system, name=NAME)
    met.append(_version())
    town.parameter(NAME, "City")
    met.append(_version())
    reset_parameter(town.system, name=NAME)
    met.append(_version())
    restore_row(town.system, kind_name="parameter", row_id=first.id)
    met.append(_version())
    assert met == [1, 2, 3, 4, 5, 6]
    assert values()[NAME] == "Town"


def test_a_save_of_the_same_is_no_change(town):
    """Neither version nor audit entry."""
    town.parameter(NAME, "Town")
    version, entries = _version(), AuditEntry.objects.count()
    town.parameter(NAME, "Town")
    assert (_version(), AuditEntry.objects.count()) == (version, entries)


def test_a_stale_save_is_refused_with_both_versions(town):
    """The error holds what both wanted and who came first."""
    first = town.holder(Privilege.CONFIGURE_PARAMETERS, Scope.NONE)
    set_parameters(first, texts={NAME: "Theirs"}, versions={NAME: 1})
    with pytest.raises(Stale) as caught:
        set_parameters(town.system, texts={NAME: "Mine"}, versions={NAME: 1})
    assert (caught.value.mine, caught.value.theirs) == ({NAME: "Mine"}, {NAME: "Theirs"})
    assert f"Parameter Name of the institution was changed by {first.username}" in str(caught.value)


def test_all_or_nothing(town):
    """When one of several is stale, or cannot be used, none is written; only the stale ones are told."""
    town.parameter(NAME, "Theirs")
    versions = {NAME: 1, "rows_per_page": 1}
    with pytest.raises(Stale) as caught:
        set_parameters(town.system, texts={"rows_per_page": "25", NAME: "Mine"}, versions=versions)
    assert caught.value.mine == {NAME: "Mine"}
    with pytest.raises(InvalidFields):
        set_parameters(town.system, texts={NAME: "Mine", "rows_per_page": "1"}, versions={NAME: 2, "rows_per_page": 1})
    assert (values()[NAME], values()["rows_per_page"]) == ("Theirs", 50)


def test_a_parameter_put_back_meanwhile_is_stale(town):
    """A save over a value that somebody put back to its default is refused and shows the default."""
    town.parameter(NAME, "Town")
    version = _version()
    reset_parameter(town.system, name=NAME)
    with pytest.raises(Stale) as caught:
        set_parameters(town.system, texts={NAME: "Mine"}, versions={NAME: version})
    assert caught.value.theirs == {NAME: "Opilio"}


def test_put_back_from_an_old_version_is_refused(town):
    """Somebody else's value is not taken away unseen; without a version it is."""
    town.parameter(NAME, "Theirs")
    with pytest.raises(Stale):
        reset_parameter(town.system, name=NAME, version=1)
    assert values()[NAME] == "Theirs"
    reset_parameter(town.system, name=NAME, version=2)
    assert values()[NAME] == "Opilio"
    reset_parameter(town.system, name=NAME)
    assert Parameter.everything.get(name=NAME).version == 2
