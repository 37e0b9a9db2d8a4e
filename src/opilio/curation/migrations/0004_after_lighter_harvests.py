"""A planned harvest costs fewer indexes, and no question about rows that are never removed (decision 0070)."""

from django.db import migrations, models
from django.db.migrations.operations.base import Operation
from django.db.models.deletion import PROTECT, SET_NULL

_MAY_LACK = {"blank": True, "null": True, "db_constraint": False}
_REFERENCES = {
    "agency": models.ForeignKey(
        "people.agency", on_delete=PROTECT, related_name="harvests", db_index=False, db_constraint=False
    ),
    "owner": models.ForeignKey("people.user", on_delete=PROTECT, related_name="harvests", db_constraint=False),
    "schedule": models.ForeignKey(
        "curation.schedule", on_delete=SET_NULL, related_name="harvests", db_index=False, **_MAY_LACK
    ),
    "overrides": models.OneToOneField("curation.overrides", on_delete=PROTECT, related_name="harvest", **_MAY_LACK),
    "profile": models.ForeignKey(
        "curation.profile", on_delete=PROTECT, related_name="harvests", db_index=False, **_MAY_LACK
    ),
    "flag": models.ForeignKey(
        "curation.flag", on_delete=SET_NULL, related_name="harvests", db_index=False,
        help_text="Coloured mark of its agency.", **_MAY_LACK,
    ),
    "updated_by": models.ForeignKey(
        "people.user", on_delete=PROTECT, related_name="+", db_index=False,
        help_text="Who changed it last; empty means the system.", **_MAY_LACK,
    ),
}  # fmt: skip


class AlterFields(Operation):
    """Several columns of a table at once: SQLite copies the table for it, which may be large, once and not for each."""

    def __init__(self, model_name, fields):
        self.model_name, self.fields = model_name, fields

    def state_forwards(self, app_label, state):
        state.__dict__.pop("apps", None)  # made anew once it is asked for, not after each column
        for name, field in self.fields.items():
            state.alter_field(app_label, self.model_name, name, field, preserve_default=True)

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        old, new = (state.apps.get_model(app_label, self.model_name)._meta for state in (from_state, to_state))
        changes = [(old.get_field(name), new.get_field(name)) for name in self.fields]
        if schema_editor.connection.vendor == "sqlite":
            schema_editor._remake_table(old.model, alter_fields=changes)
            return
        for before, after in changes:
            schema_editor.alter_field(old.model, before, after)

    database_backwards = database_forwards

    def describe(self):
        return f"Alter {', '.join(self.fields)} of {self.model_name}"


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0003_orders_of_lists"),
        ("people", "0002_audit_append_only"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="harvest", name="harvest_planned_once"),
        migrations.RemoveIndex(model_name="harvest", name="harvest_schedule"),
        migrations.RemoveIndex(model_name="harvest", name="harvest_archived"),
        AlterFields("harvest", _REFERENCES),
        migrations.AddIndex(
            model_name="harvest",
            index=models.Index(
                fields=["state", "archived_at"], condition=models.Q(archived_at__isnull=False), name="harvest_archived"
            ),
        ),
        migrations.AddConstraint(
            model_name="harvest",
            constraint=models.UniqueConstraint(
                fields=["schedule", "abstract_target", "planned_for"], condition=models.Q(deleted=False),
                name="harvest_planned_once", violation_error_message="This time of the schedule is planned already.",
            ),
        ),
    ]  # fmt: skip
