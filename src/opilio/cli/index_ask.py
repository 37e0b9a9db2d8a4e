"""`opilio index page | word | links`: what the published index knows of a page, a word, and links."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from opilio.cli.command import command
from opilio.cli.index_options import AS_STAFF, home, reader_of
from opilio.cli.output import Answer, Fields, Rows
from opilio.works.search_values import LinkedPage, LinksStory, PageStory

_URL = Annotated[str, typer.Argument(metavar="URL", help="The page.", show_default=False)]
_SHOWN = 20  # of each list, for people
_LIMIT = Annotated[int, typer.Option(help="Most of each list.", min=1, max=1_000)]
_AFTER = Annotated[int, typer.Option(help="Go on behind the page with this number.", min=-1)]


def add_to(app: typer.Typer) -> None:
    """Add the verbs to those of `opilio index`."""
    command(app, "page")(page)
    command(app, "word")(word)
    command(app, "links")(links)


def page(url: _URL, as_staff: AS_STAFF = "") -> Answer:
    """Tell the story of a page: what it is, since when it is indexed or why not, its words, links and captures."""
    found = home().published().page(url, reader_of(as_staff))
    return Answer(document=asdict(found), parts=[Fields(pairs=_about(found)), *_lists(found)])


def word(
    word_: Annotated[str, typer.Argument(metavar="WORD", help="One word.", show_default=False)],
    limit: _LIMIT = 100,
    after: _AFTER = -1,
    as_staff: AS_STAFF = "",
) -> Answer:
    """Tell on which pages a word stands, how often and where; positions count every word from 0."""
    found = home().published().word(word_, reader_of(as_staff), after=after, most=limit)
    pairs: list[tuple[str, object]] = [
        ("word", found.word), ("number", found.number), ("stem", found.stem or ("a stop word" if found.stop else "")),
        ("pages", f"{found.pages:,}"), ("occurrences", f"{found.occurrences:,}"),
    ]  # fmt: skip
    rows = [(each.page, each.url, each.frequency, _positions(each.positions)) for each in found.shown]
    table = Rows(columns=("page", "URL", "times", "positions"), rows=rows)
    more = [f"There are more: --after {found.onward}"] if found.onward is not None else []
    return Answer(document=asdict(found), parts=[Fields(pairs=pairs), table, *more])


def links(url: _URL, limit: _LIMIT = 100, after: _AFTER = -1, as_staff: AS_STAFF = "") -> Answer:
    """Tell which pages link to a page, and where it links to."""
    found = home().published().links(url, reader_of(as_staff), after=after, most=limit)
    pairs = [("page", found.page), ("URL", found.url), *_counts(found)]
    tables = [_table("linked from", found.parents), _table("links to", found.children)]
    return Answer(document=asdict(found), parts=[Fields(pairs=pairs), *tables])


def _about(found: PageStory) -> list[tuple[str, object]]:
    indexed = f"yes, since {found.since}, anew in {found.changed}" if found.indexed else f"no. {found.why_not}"
    return [
        ("URL", found.url), ("page", found.page), ("title", found.title), ("indexed", indexed),
        ("kind", f"{found.page_type} ({found.type})" if found.type else found.page_type), ("language", found.language),
        ("bytes", f"{found.size:,}" if found.size else ""), ("status", found.status), ("depth", found.depth),
        ("captured", _time(found.captured)), ("last modified", _time(found.last_modified) or "never told"),
        ("link rank", f"{found.rank:.2f}"), *(_counts(found.links) if found.links else []),
        ("nearly the same", ", ".join(found.near)), ("in generation", found.generation),
    ]  # fmt: skip


def _lists(found: PageStory) -> list[Rows]:
    words = [(each.word, each.count) for each in found.words[:_SHOWN]]
    captures = [
        (_time(each.at), each.crawl, each.result, each.outcome, each.status, "indexed" if each.indexed else each.reason)
        for each in found.captures[:_SHOWN]
    ]
    tables = [Rows(columns=("word", "times"), rows=words, empty="It has no words.")]
    if found.metas:
        tables.append(Rows(columns=("meta tag", "content"), rows=found.metas[:_SHOWN]))
    if found.links is not None:
        tables += [_table("linked from", found.links.parents), _table("links to", found.links.children)]
    columns = ("captured", "crawl", "result", "outcome", "status", "note")
    return [*tables, Rows(columns=columns, rows=captures, empty="It was never captured.")]


def _counts(found: LinksStory) -> list[tuple[str, object]]:
    return [
        ("links to it", f"{found.backlinks:,} on {found.linking_pages:,} pages"),
        ("it links to", f"{found.outlinks:,} pages"),
    ]  # fmt: skip


def _table(name: str, pages: tuple[LinkedPage, ...]) -> Rows:
    rows = [(each.page, each.url, each.times) for each in pages[:_SHOWN]]
    return Rows(columns=("page", name, "times"), rows=rows, empty=f"Nothing is {name}." if name else "")


def _positions(positions: tuple[int, ...]) -> str:
    shown = " ".join(map(str, positions[:_SHOWN]))
    return f"{shown} …" if len(positions) > _SHOWN else shown


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S") if seconds else ""
