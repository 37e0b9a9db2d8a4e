"""`opilio index status`: which generation lies where, since when, and what the next one would bring."""

from dataclasses import asdict
from datetime import UTC, datetime

import typer

from opilio.cli.command import command
from opilio.cli.index_options import home
from opilio.cli.output import Answer, Rows
from opilio.works.search_values import IndexStatus


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio index`."""
    command(app, "status")(status)


def status() -> Answer:
    """Say which generations there are, which nodes serve them, and which crawls changed since."""
    found = home().status()
    return Answer(document=asdict(found), parts=[*_generations(found), *_sources(found)])


def _generations(found: IndexStatus) -> list[Rows | str]:
    made = [
        (each.id, _time(each.made), f"{each.documents:,}", f"{each.known:,}", f"{each.bytes:,}", ", ".join(each.nodes))
        for each in found.generations
    ]
    nodes = [
        (
            each.name, each.role, each.generation or "none", _time(each.since), each.behind,
            "here" if each.name == found.readers else "", each.trouble,
        )
        for each in found.nodes
    ]  # fmt: skip
    columns = ("generation", "made", "documents", "URLs known", "bytes", "served by")
    empty = "No generation yet. Build one from a crawl: opilio index build DIR"
    return [
        Rows(columns=columns, rows=made, empty=empty),
        Rows(columns=("node", "role", "generation", "since", "behind", "readers", "trouble"), rows=nodes),
    ]


def _sources(found: IndexStatus) -> list[Rows | str]:
    rows = [
        (each.name, each.result or "newest", each.change or "as indexed", _time(each.since)) for each in found.sources
    ]
    parts: list[Rows | str] = [
        Rows(
            columns=("crawl", "result", "since the newest generation", "since"),
            rows=rows,
            empty="No crawl is searched.",
        )
    ]
    if found.followed:
        followed = [(each.name, f"{each.pages:,}", each.folder) for each in found.followed]
        parts.append(Rows(columns=("followed by the working index", "pages", "folder"), rows=followed))
    return parts


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S") if seconds else ""
