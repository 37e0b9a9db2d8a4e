"""From a list to the pages of bulk work: which rows were chosen is kept, then they are looked at."""

from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponseRedirect

from opilio.curation.bulk.actions import MOST, prepare_rows
from opilio.curation.bulk.errors import NothingSelected
from opilio.web.lists.bulk import Bulk
from opilio.web.requests import PageRequest

PATH = "/bulk"


def prepared(request: PageRequest, bulk: Bulk, rows: QuerySet[Any], back: str) -> HttpResponseRedirect:
    """The page that shows what would happen to the rows."""
    ids = list(dict.fromkeys(rows.values_list("pk", flat=True)[: MOST + 1]))
    try:
        run = prepare_rows(request.actor, noun=bulk.noun, verb=bulk.name, ids=ids, source=back)
    except NothingSelected as error:
        messages.error(request, f"Nothing is selected. {error.remedy}")
        return HttpResponseRedirect(back)
    return HttpResponseRedirect(f"{PATH}/{run.id}")
