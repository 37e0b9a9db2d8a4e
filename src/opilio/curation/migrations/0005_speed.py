"""Fewer indexes on harvests, so that planning writes less, and one for targets by their last change.

An index of a single reference goes where a longer one begins with it, or where most rows have none. The indexes are
dropped by name: to alter the fields would make SQLite copy the table five times.
"""

import django.db.models.deletion
from django.db import migrations, models

_INDEXES = {
    "harvest_abstract_target_id_9ac4609c": "abstract_target_id",
    "harvest_agency_id_8090ad0c": "agency_id",
    "harvest_profile_id_eb599584": "profile_id",
    "harvest_schedule_id_aa8266ea": "schedule_id",
    "harvest_since_id_e5964872": "since_id",
}


def _reference(to, *, on_delete=django.db.models.deletion.PROTECT, related_name="harvests", **more):
    return models.ForeignKey(db_index=False, on_delete=on_delete, related_name=related_name, to=to, **more)


_EMPTY = {"blank": True, "null": True}
_FIELDS = {
    "abstract_target": _reference("curation.abstracttarget"),
    "agency": _reference("people.agency"),
    "profile": _reference("curation.profile", **_EMPTY),
    "schedule": _reference("curation.schedule", on_delete=django.db.models.deletion.SET_NULL, **_EMPTY),
    "since": _reference(
        "curation.harvest", on_delete=django.db.models.deletion.SET_NULL, related_name="followers",
        help_text="Earlier harvest whose pages it asks for only if they changed.", **_EMPTY,
    ),
}  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("curation", "0004_live"), ("people", "0003_outbox_envelope")]
    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(f"DROP INDEX {name}", f"CREATE INDEX {name} ON harvest ({column})")
                for name, column in _INDEXES.items()
            ],
            state_operations=[
                migrations.AlterField(model_name="harvest", name=name, field=field) for name, field in _FIELDS.items()
            ],
        ),
        migrations.AddIndex(
            model_name="abstracttarget",
            index=models.Index(fields=["object_type", "-updated", "-id"], name="abstract_target_updated"),
        ),
        migrations.AddIndex(
            model_name="harvest",
            index=models.Index(fields=["since"], condition=models.Q(since__isnull=False), name="harvest_since"),
        ),
        migrations.AddIndex(
            model_name="harvest",
            index=models.Index(fields=["profile"], condition=models.Q(profile__isnull=False), name="harvest_profile"),
        ),
    ]
