"""Lists are read in their order instead of being sorted each time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0002_events_stay"),
        ("people", "0002_audit_append_only"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="abstracttarget",
            index=models.Index(fields=["name", "id"], name="abstract_target_by_name"),
        ),
        migrations.AddIndex(
            model_name="authorisation",
            index=models.Index(fields=["title", "id"], name="authorisation_order"),
        ),
        migrations.AddIndex(
            model_name="authorisingagent",
            index=models.Index(fields=["name", "id"], name="authorising_agent_order"),
        ),
    ]
