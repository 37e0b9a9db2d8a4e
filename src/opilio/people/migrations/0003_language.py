"""Which language somebody reads in."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0002_audit_append_only"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="language",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Language of the pages, as de; empty: as the browser asks.",
                max_length=16,
            ),
        ),
    ]
