"""Tables: uploaded, read, and shown with their bad rows before anything is made of them; and written."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.curation.bulk.actions import prepare_import
from opilio.curation.bulk.registry import noun_named
from opilio.curation.bulk.tables import reading, staging
from opilio.curation.bulk.tables.known import table_named
from opilio.curation.bulk.tables.table import Table
from opilio.people.actor import Actor
from opilio.people.errors import NotAllowed, NotFound
from opilio.web.forms.bulk import ImportForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.lists import tables
from opilio.web.requests import PageRequest
from opilio.web.views.bulk import PATH


def import_table(request: PageRequest, noun: str) -> HttpResponse:
    """Read a table, then show what would become of it."""
    table, words = table_named(noun), noun_named(noun)
    if not table.verb().open_to(request.actor):
        raise NotAllowed(
            f"{request.actor.username} may not import {words.words[1]}", where=request.path,
            remedy=f"It needs the privilege {' or '.join(table.privileges)}; ask an administrator.",
        )  # fmt: skip

    def save(data: dict[str, Any]) -> str:
        update = "yes" if data["update"] else "no"
        with closing(data["file"]) as file:
            run = prepare_import(
                request.actor, noun=noun, lines=_lines(request.actor, table, file), source=file.name,
                arguments={"update": update},
            )  # fmt: skip
        return f"{PATH}/{run.pk}"

    page = FormPage(
        title=f"Import {words.words[1]}", back=words.path, button="Read the table", template="web/bulk/import.html",
        intro="Every row is looked at first; nothing is made or changed before you say so.",
        context={"table": table, "noun": words},
    )  # fmt: skip
    return answer(request, ImportForm(request), page, save=save)


def _lines(actor: Actor, table: Table, file: Any) -> Iterator[staging.Line]:
    form = reading.format_of(file.name)
    raw = reading.read(file.file, form=form, where=file.name[:120], columns=table.names, required=table.required)
    return staging.lines(table, raw, actor)


def export_table(request: PageRequest, noun: str) -> HttpResponseBase:
    """All rows that the asker may see, as a table that can be imported again."""
    if request.GET.get("format", "table.csv") not in tables.FORMATS or not _sees(request.actor):
        raise NotFound("There is no such export", where=request.path, remedy="Ask for table.csv or table.json.")
    return tables.response(request, noun)


def _sees(actor: Actor) -> bool:
    return actor.is_system or any(True for _ in actor.grants)
