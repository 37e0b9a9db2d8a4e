"""Which hosts of a result link to which; from its files on this machine."""

from datetime import datetime
from typing import Any

from opilio.curation.models import Result
from opilio.curation.queries.result_tree import AT_ONCE, BeingPrepared, folder_here
from opilio.curation.result_jobs import tree_soon
from opilio.kernel.errors import Conflict
from opilio.works.host_graph import HostGraph, HostLink, host_graph, is_counted

COLUMNS = ("source", "target", "links")


def graph(row: Result, now: datetime) -> HostGraph:
    """The graph; `BeingPrepared` while the links of a large result are counted."""
    results = folder_here(row)
    if row.resources > AT_ONCE and not is_counted(results, row.number):
        tree_soon(row.pk, now)
        raise _not_ready(row)
    try:
        return host_graph(results, row.number)
    except Conflict:
        raise _not_ready(row) from None


def link(one: HostLink) -> dict[str, Any]:
    """Links between two hosts, by the names of columns."""
    return {"source": one.source, "target": one.target, "links": one.links}


def _not_ready(row: Result) -> BeingPrepared:
    remedy = "Look again in a moment; an agent where the files lie does it."
    return BeingPrepared("The links of the result are being counted", where=str(row), remedy=remedy)
