"""Imports from the Web Curator Tool, for whoever may change the installation."""

from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet

from opilio.curation.models import ImportState, WctImport
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import visible

UNFINISHED = (ImportState.WAITING, ImportState.RUNNING)


def imports(actor: Actor) -> QuerySet[WctImport]:
    """All imports, newest first."""
    return visible(WctImport.objects.select_related("asked_by"), actor, Privilege.CONFIGURE_PARAMETERS)


def report_file(import_id: int) -> Path | None:
    """The file with every entry of the report; None when it is not on this machine."""
    path: Path = settings.OPILIO.home / "imports" / ".reports" / f"import-{import_id}.csv"
    return path if path.is_file() else None
