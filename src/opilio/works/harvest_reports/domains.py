"""The report on registered domains: how many URLs came from each, with all its hosts."""

from collections.abc import Iterator
from typing import Any

from opilio.kernel.hosts import registrable_domain
from opilio.works.harvest_reports.declared import Cells, Column, Form, HarvestReport, Part
from opilio.works.harvest_reports.links import bars

_HOSTS = 5  # of a domain that are named


def _grouped(part: Part) -> list[tuple[str, list[Any]]]:
    """The domains, those with the most URLs first; a host without one stands for itself."""
    found: dict[str, list[Any]] = {}
    for each in part["by_host"]["listed"]:
        name = each["host"].rpartition(":")[0] if each["host"].rpartition(":")[2].isdigit() else each["host"]
        found.setdefault(registrable_domain(name) or name, []).append(each)
    return sorted(found.items(), key=lambda one: (-_urls(one[1]), one[0]))


def _rows(part: Part, _: int) -> Iterator[Cells]:
    for domain, hosts in _grouped(part):
        named = tuple(each["host"] for each in hosts[:_HOSTS])
        yield domain, len(hosts), _urls(hosts), sum(each["bytes"] for each in hosts), ", ".join(named)


def _urls(hosts: list[Any]) -> int:
    return sum(int(each["pages"]) for each in hosts)


REPORTS = (
    HarvestReport(
        name="domains", label="Domains", counts=("domain", "domains"),
        sentence="How many URLs came from each registered domain, all its hosts together.",
        nothing="No URL has an outcome yet.", parts=("by_host",), rows=_rows,
        total=lambda part, _: len(_grouped(part)),
        plots=lambda part, _: bars("URLs by domain", [(name, _urls(hosts)) for name, hosts in _grouped(part)]),
        columns=(
            Column(name="domain", label="Domain"), Column(name="hosts", label="Hosts", form=Form.NUMBER),
            Column(name="urls", label="URLs", form=Form.NUMBER), Column(name="bytes", label="Bytes", form=Form.BYTES),
            Column(name="names", label="Some of them"),
        ),
    ),
)  # fmt: skip
