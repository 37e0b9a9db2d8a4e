"""Every migration is what its name says: one that is not named `after` takes nothing away from the older version."""

import importlib
import pkgutil

import pytest
from django.db import migrations, models
from django.db.models import Q

from opilio.server.errors import NewerDatabase, NotMigrated
from opilio.server.migration_phases import Phase, of_phase, phase_of, spoken
from opilio.server.migrations_state import State, misfit

APPS = ("catalogue", "jobs", "people", "curation", "tracker")
#: What the first version is made of: nothing older has ever run beside it.
FIRST = {
    ("catalogue", "0001_initial"), ("jobs", "0001_initial"), ("people", "0001_initial"),
    ("people", "0002_audit_append_only"), ("curation", "0001_initial"), ("curation", "0002_events_stay"),
    ("tracker", "0001_initial"), ("tracker", "0002_reference"),
}  # fmt: skip
_ADDS = (
    migrations.CreateModel, migrations.AddIndex, migrations.RemoveIndex, migrations.RemoveConstraint,
    migrations.AlterModelOptions, migrations.AlterModelManagers,
)  # fmt: skip


def harms_older(operation):
    """Whether an older version could stumble over what an operation does; what cannot be told, counts as harm."""
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        return any(map(harms_older, operation.database_operations))
    if isinstance(operation, migrations.AddField):
        field = operation.field
        return not (field.null or field.db_default is not models.NOT_PROVIDED or field.many_to_many)
    if isinstance(operation, migrations.RunPython | migrations.RunSQL):
        return not getattr(operation, "elidable", False)  # `elidable=True` states that older code is not concerned
    return not isinstance(operation, _ADDS)


def every_migration():
    for app in APPS:
        package = importlib.import_module(f"opilio.{app}.migrations")
        for found in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package.__name__}.{found.name}")
            yield (app, found.name), module.Migration


def test_migrations_named_before_only_add():
    """Whatever takes away, renames or tightens carries `after` in its name."""
    wrong = [
        f"{spoken([name])}: {type(operation).__name__}"
        for name, migration in every_migration()
        if name not in FIRST and phase_of(name) is Phase.BEFORE
        for operation in migration.operations
        if harms_older(operation)
    ]
    assert not wrong, "name them NNNN_after_…, or let them only add (docs/howto/upgrade.md)"


def test_the_first_version_is_still_there():
    """The list above names migrations that exist."""
    assert {name for name, _ in every_migration()} >= FIRST


_TEXT = models.CharField(max_length=5)


@pytest.mark.parametrize(
    ("operation", "harm"),
    [
        (migrations.RemoveField("job", "tag"), True),
        (migrations.DeleteModel("job"), True),
        (migrations.RenameField("job", "tag", "label"), True),
        (migrations.AlterField("job", "tag", _TEXT), True),
        (migrations.AddField("job", "note", _TEXT), True),
        (migrations.AddField("job", "note", models.CharField(max_length=5, default="")), True),
        (migrations.AddField("job", "note", models.CharField(max_length=5, null=True)), False),
        (migrations.AddField("job", "note", models.CharField(max_length=5, db_default="")), False),
        (migrations.AddConstraint("job", models.CheckConstraint(condition=Q(id__gt=0), name="c")), True),
        (migrations.AddIndex("job", models.Index(fields=["tag"], name="i")), False),
        (migrations.CreateModel("note", [("id", models.IntegerField(primary_key=True))]), False),
        (migrations.RunSQL("DROP TABLE job"), True),
        (migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("job")]), False),
        (migrations.SeparateDatabaseAndState(database_operations=[migrations.DeleteModel("job")]), True),
    ],
)
def test_harm_is_recognised(operation, harm):
    """Adding is harmless only where the older version's INSERT still works."""
    assert harms_older(operation) is harm


@pytest.mark.parametrize(
    ("missing", "unknown", "refusal"),
    [
        ((), (), None),
        ((("jobs", "0002_after_drop"),), (), None),
        ((("jobs", "0002_note"),), (), NotMigrated),
        ((), (("jobs", "0002_note"),), None),
        ((), (("jobs", "0002_note"), ("jobs", "0003_after_drop")), NewerDatabase),
    ],
)
def test_who_can_work_with_what(missing, unknown, refusal):
    """A version lives with what a newer one added, and without what is left for after the upgrade."""
    error = misfit(State(applied=(("jobs", "0001_initial"),), missing=missing, unknown=unknown), "here")
    assert (None if error is None else type(error)) is refusal
    if error is not None:
        assert error.remedy


def test_the_name_tells_the_phase():
    """Only a name that begins with `after` behind its number."""
    names = [("jobs", name) for name in ("0001_initial", "0002_after_x", "0003_look_after_x", "0004_after")]
    assert [phase_of(name).value for name in names] == ["before", "after", "before", "before"]
    assert of_phase(names, Phase.AFTER) == (("jobs", "0002_after_x"),)
