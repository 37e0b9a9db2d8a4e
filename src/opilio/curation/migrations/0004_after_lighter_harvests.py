"""A planned harvest costs fewer indexes, and no question about rows that are never removed (decision 0067)."""

import django.db.models.deletion
from django.db import migrations, models

_MAY_LACK = {"blank": True, "null": True, "db_index": False}
_CHANGED_BY = "Who changed it last; empty means the system."


def _reference(to, on_delete=django.db.models.deletion.PROTECT, related_name="harvests", **more):
    return models.ForeignKey(db_constraint=False, on_delete=on_delete, related_name=related_name, to=to, **more)


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0003_orders_of_lists"),
        ("people", "0002_audit_append_only"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="harvest", name="harvest_planned_once"),
        migrations.RemoveIndex(model_name="harvest", name="harvest_schedule"),
        migrations.RemoveIndex(model_name="harvest", name="harvest_archived"),
        migrations.AlterField("harvest", "agency", _reference("people.agency", db_index=False)),
        migrations.AlterField("harvest", "owner", _reference("people.user")),
        migrations.AlterField(
            "harvest", "schedule", _reference("curation.schedule", django.db.models.deletion.SET_NULL, **_MAY_LACK)
        ),
        migrations.AlterField(
            "harvest",
            "overrides",
            models.OneToOneField(
                blank=True, null=True, db_constraint=False, on_delete=django.db.models.deletion.PROTECT,
                related_name="harvest", to="curation.overrides",
            ),
        ),
        migrations.AlterField("harvest", "profile", _reference("curation.profile", **_MAY_LACK)),
        migrations.AlterField(
            "harvest",
            "flag",
            _reference(
                "curation.flag", django.db.models.deletion.SET_NULL, help_text="Coloured mark of its agency.", **_MAY_LACK
            ),
        ),
        migrations.AlterField(
            "harvest",
            "updated_by",
            _reference("people.user", related_name="+", help_text=_CHANGED_BY, **_MAY_LACK),
        ),
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
