"""Fills the reference tables; the numbers are codes that decide, so they are given, not taken from a block."""

from typing import Any

from django.db import migrations
from django.utils import timezone

_PROTOCOLS = (
    (1, "sftp", "Files over SSH; host keys are enrolled."),
    (2, "ftp", "Plain FTP."),
    (3, "ftps", "FTP over TLS, with a certificate that is checked."),
    (4, "https", "A listing on a web server."),
    (5, "http", "The same without TLS."),
    (6, "folder", "A folder of this machine."),
)
_STATES = (
    (1, "available", "It is visited."),
    (2, "maintenance", "It is left alone for a while."),
    (3, "removed", "It is not used any more."),
)
_ACTIONS = (
    (1, "add", "Records are added; those that are there already are superseded."),
    (2, "edit", "Records that are there are changed."),
    (3, "delete", "Records are removed."),
)
_PHASES = (
    (1, "name", "The name of the file is judged."),
    (2, "settle", "The file is written to its end at the source."),
    (3, "download", "The file is fetched."),
    (4, "checksum", "What came is compared with the checksum that the partner gave."),
    (5, "unpack", "The file is unpacked into a folder of its own."),
    (6, "document_name", "The names of its documents are judged."),
    (7, "schema", "Documents are validated."),
    (8, "load", "Records are loaded, one document after the other."),
    (9, "integrity", "Records are judged by the rules of the profile."),
    (10, "context", "A step of the profile, after each document."),
    (11, "overview", "A step of the profile, once at the end."),
    (12, "quality", "A step of the profile, once at the end."),
)
_STATUSES = (
    (1, "pending", "It waits.", "aaaaaa00"),
    (2, "running", "It is under way.", "0000ff00"),
    (3, "done", "It went well.", "00ff0000"),
    (4, "cancelled", "Somebody gave it up, for a reason.", "77007700"),
    (5, "failed", "It did not go well.", "ff000000"),
)


def fill(apps: Any, schema_editor: Any) -> None:
    """Write the rows."""
    now, alias = timezone.now(), schema_editor.connection.alias
    for name, rows in (
        ("Protocol", _PROTOCOLS), ("ResourceState", _STATES), ("ProcessingType", _ACTIONS), ("PhaseRow", _PHASES),
    ):  # fmt: skip
        model = apps.get_model("tracker", name)
        for number, short_name, description in rows:
            row = model(id=number, short_name=short_name, description=description, last_update=now)
            row.save(using=alias, force_insert=True)
    statuses = apps.get_model("tracker", "StatusRow")
    for number, short_name, description, rgba in _STATUSES:
        row = statuses(id=number, short_name=short_name, description=description, rgba=rgba, last_update=now)
        row.save(using=alias, force_insert=True)


class Migration(migrations.Migration):
    dependencies = [("tracker", "0001_initial")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
