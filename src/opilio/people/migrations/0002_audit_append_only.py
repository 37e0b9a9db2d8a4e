"""The audit log and its seals only grow: the database itself refuses to change or delete a row."""

from django.db import migrations

_TABLES = ("audit_entry", "audit_seal")


def _sqlite(cursor, table):
    for verb in ("UPDATE", "DELETE"):
        cursor.execute(
            f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'table {table} only grows: rows are never changed or deleted'); END"
        )


def _postgresql(cursor, table):
    cursor.execute(
        f"CREATE TRIGGER {table}_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION opilio_only_grows()"
    )


def add(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "postgresql":
            cursor.execute(
                "CREATE FUNCTION opilio_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                "RAISE EXCEPTION 'table % only grows: rows are never changed or deleted', TG_TABLE_NAME; END $$"
            )
        for table in _TABLES:
            (_postgresql if schema_editor.connection.vendor == "postgresql" else _sqlite)(cursor, table)


def remove(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        for table in _TABLES:
            if schema_editor.connection.vendor == "postgresql":
                cursor.execute(f"DROP TRIGGER {table}_only_grows ON {table}")
            else:
                cursor.execute(f"DROP TRIGGER {table}_no_update")
                cursor.execute(f"DROP TRIGGER {table}_no_delete")
        if schema_editor.connection.vendor == "postgresql":
            cursor.execute("DROP FUNCTION opilio_only_grows()")


class Migration(migrations.Migration):
    dependencies = [("people", "0001_initial")]
    operations = [migrations.RunPython(add, remove)]
