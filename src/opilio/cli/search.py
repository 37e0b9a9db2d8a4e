"""`opilio search WORDS…`: finds pages of the published generation, or of the working index."""

from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from opilio.cli.command import command, single_app
from opilio.cli.index_options import AS_STAFF, home, reader_of
from opilio.cli.output import Answer, Part, Rows
from opilio.search.answer import Answer as Found
from opilio.search.answer import Explanation, Hit
from opilio.search.nodes.index_contents import told_answer
from opilio.search.request import Request, Sort
from opilio.search.snippets import Snippet
from opilio.works.search_service import PublishedSearch
from opilio.works.working_search import WorkingSearch

app = single_app()


@command(app, "search", context_settings={"ignore_unknown_options": True})
def search(
    context: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="WORDS…", help="What to look for.", show_default=False)],
    site: Annotated[str, typer.Option(help="Only pages of this site.")] = "",
    kind: Annotated[str, typer.Option("--type", help="Only pages of this kind: html, pdf, text/plain …")] = "",
    language: Annotated[str, typer.Option(help="Only pages in this language: en, de …")] = "",
    since: Annotated[str, typer.Option(help="Only pages from this day, month or year on: 2025-03.")] = "",
    until: Annotated[str, typer.Option(help="Only pages up to this day, month or year.")] = "",
    sort: Annotated[Sort, typer.Option(help="The best first, or the newest.")] = Sort.RELEVANCE,
    every: Annotated[bool, typer.Option("--every", help="Only pages with all the words.")] = False,
    duplicates: Annotated[bool, typer.Option("--duplicates", help="Show near-duplicates one by one.")] = False,
    limit: Annotated[int, typer.Option(help="Most hits.", min=1, max=100)] = 10,
    begin: Annotated[int, typer.Option("--from", help="Leave so many hits out.", min=0)] = 0,
    working: Annotated[bool, typer.Option("--working", help="Search crawls that run or wait for review.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say of what each score is made.")] = False,
    as_staff: AS_STAFF = "",
) -> Answer:
    """Find pages. WORDS may hold "phrases", AND OR NOT, -word, site: title: url: type: lang: since:, wor* and word~."""
    _refuse_options(context, words)
    filters = (("site", site), ("type", kind), ("lang", language), ("since", since), ("until", until))
    named = " ".join(f"{name}:{_quoted(value)}" for name, value in filters if value)
    typed = " ".join(words)
    query = f"({typed}) {named}" if named else typed
    place, reader = home(), reader_of(as_staff)
    service: PublishedSearch | WorkingSearch = (
        place.working(of_everybody=not as_staff) if working else place.published()
    )
    request = Request(
        query=query, offset=begin, limit=limit, sort=sort, every=every, collapse=not duplicates
    )  # fmt: skip
    found = service.ask(request, reader)
    parts = {hit.page: service.explain(hit.page, query, reader) for hit in found.hits} if explain else {}
    return Answer(document=_document(found, parts), parts=_shown(found, parts))


def _refuse_options(context: typer.Context, words: list[str]) -> None:
    """`-word` is a word that must not be there; what begins with two is an option, and this is none."""
    for word in words:
        if word.startswith("--"):
            raise typer.BadParameter(f"there is no option {word}", ctx=context)


def _quoted(value: str) -> str:
    return '"' + value.replace('"', " ") + '"' if " " in value else value


def _document(found: Found, parts: dict[int, Explanation]) -> dict[str, Any]:
    told = told_answer(found)
    for hit in told["results"]:
        if hit["page"] in parts:
            hit["explanation"] = _explained(parts[hit["page"]])
    return told


def _explained(why: Explanation) -> dict[str, Any]:
    return {
        "score": why.score, "text": why.text, "link_rank": why.link_rank, "freshness": why.freshness,
        "parts": [
            {"field": each.field, "text": each.text, "weight": each.weight, "bm25": each.bm25, "value": each.value}
            for each in why.parts
        ],
    }  # fmt: skip


def _shown(found: Found, parts: dict[int, Explanation]) -> list[Part]:
    lines: list[Part] = list(found.notes)
    if found.did_you_mean:
        lines.append(f"Did you mean: {found.did_you_mean}")
    for place, hit in enumerate(found.hits, found.offset + 1):
        lines += _lines(place, hit)
        if hit.page in parts:
            lines.append(_table(parts[hit.page]))
    more = f" Go on with --from {found.offset + len(found.hits)}." if found.further else ""
    count = f"{found.total:,} pages" if found.total != 1 else "1 page"
    empty = "" if found.total else " Try fewer or other words; opilio index status says what is searched."
    return [*lines, f"{count} in {found.seconds * 1000:.1f} ms.{more}{empty}"]


def _lines(place: int, hit: Hit) -> list[Part]:
    about = [
        hit.site, hit.page_type, hit.language,
        datetime.fromtimestamp(hit.date, UTC).strftime("%Y-%m-%d") if hit.date else "",
        f"{hit.more} more nearly the same" if hit.more else "", hit.copyright,
    ]  # fmt: skip
    lines = [f"{place}. {_marked(hit.title) or '(no title)'}", f"   {hit.url}"]
    if hit.snippet.text:
        lines.append(f"   {_marked(hit.snippet)}")
    return [*lines, f"   {' · '.join(part for part in about if part)}", *(f"   {note}" for note in hit.notes)]


def _marked(snippet: Snippet) -> str:
    """The text on one line, what was asked between stars."""
    pieces, at = [], 0
    for start, end in snippet.marks:
        pieces += [snippet.text[at:start], f"*{snippet.text[start:end]}*"]
        at = end
    return " ".join("".join([*pieces, snippet.text[at:]]).split())


def _table(why: Explanation) -> Rows:
    rows = [
        (each.field, each.text, f"{each.weight:.2f}", f"{each.bm25:.3f}", f"{each.value:.3f}") for each in why.parts
    ]
    rows.append(("link rank", "", "", "", f"+{why.link_rank:.1%}"))
    rows.append(("freshness", "", "", "", f"+{why.freshness:.1%}"))
    rows.append(("score", "", "", "", f"{why.score:.3f}"))
    return Rows(columns=("field", "term", "weight", "BM25", "adds"), rows=rows)
