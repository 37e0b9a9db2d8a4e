"""An event of a harvest stays as it was written: the database itself refuses to change one."""

from django.db import migrations

_SAID = "table harvest_event only grows: rows are never changed"


def add(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "postgresql":
            cursor.execute(
                "CREATE TRIGGER harvest_event_stays BEFORE UPDATE ON harvest_event "
                "FOR EACH STATEMENT EXECUTE FUNCTION opilio_only_grows()"
            )
        else:
            cursor.execute(
                "CREATE TRIGGER harvest_event_stays BEFORE UPDATE ON harvest_event "
                f"BEGIN SELECT RAISE(ABORT, '{_SAID}'); END"
            )


def remove(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        table = " ON harvest_event" if schema_editor.connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER harvest_event_stays{table}")


class Migration(migrations.Migration):
    dependencies = [("curation", "0001_initial"), ("people", "0002_audit_append_only")]
    operations = [migrations.RunPython(add, remove)]
