"""The verbs `bulk`, `runs`, `import` and `export`, which several nouns of the command line have in common."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from opilio.cli import output
from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.output import Answer, Rows
from opilio.curation.bulk import actions
from opilio.curation.bulk.performing import counts
from opilio.curation.bulk.registry import noun_named
from opilio.curation.bulk.tables import reading, staging, writing
from opilio.curation.bulk.tables.known import TABLES, table_named
from opilio.curation.bulk.tables.raw import LARGEST
from opilio.curation.bulk.verbs import narrowed
from opilio.curation.queries import bulk as query
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import write_atomically

_REFUSED = ("refused", "unreadable")
_MOST_TOLD = 1_000  # refused rows that are listed
_DRY = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and change nothing.")]
_FORMAT = Annotated[str, typer.Option("--format", help="csv or json; unless given, the file's name tells.")]


def add_bulk(app: typer.Typer, noun: str, *, prefix: str = "") -> None:
    """Give a noun of the command line its verbs of bulk work, and those of its table if it has one."""
    _add_work(app, noun, prefix)
    if noun in TABLES:
        _add_import(app, noun, prefix)
        _add_export(app, noun, prefix)


def _add_work(app: typer.Typer, noun: str, prefix: str) -> None:
    one, many = noun_named(noun).words
    verbs = ", ".join(verb.name for verb in noun_named(noun).verbs if verb.offered)
    filters = ", ".join(noun_named(noun).filters)

    def work(
        verb: Annotated[str, typer.Argument(metavar="VERB", help=f"One of {verbs}.", show_default=False)],
        number: Annotated[list[int] | None, typer.Option("--id", help=f"Number of a {one}; repeatable.")] = None,
        where: Annotated[list[str] | None, typer.Option(help=f"FILTER=TEXT; filters are {filters}.")] = None,
        every: Annotated[bool, typer.Option("--all", help=f"All {many}.")] = False,
        tell: Annotated[list[str] | None, typer.Option("--set", help="ARGUMENT=TEXT of the verb; repeatable.")] = None,
        dry_run: _DRY = False,
    ) -> Answer:
        me, found = operator(), noun_named(noun)
        ids = list(number or [])
        if where or every:
            rows = narrowed(found, found.rows(me), _pairs("--where", where)).order_by("pk")
            ids += list(rows.values_list("pk", flat=True)[: actions.MOST + 1])
        if not ids:
            raise InvalidInput(f"No {one} is chosen", where="--id", remedy="Give --id, --where or --all.")
        run = actions.prepare_rows(me, noun=noun, verb=verb, ids=ids, source="command line")
        return _done(actions.start(me, run_id=run.pk, arguments=_pairs("--set", tell), dry_run=dry_run))

    def runs(
        stop: Annotated[int | None, typer.Option(help="Stop this one; what is done stays done.")] = None,
    ) -> Answer:
        if stop is not None:
            actions.stop(operator(), run_id=stop)
        rows = [
            (str(run.pk), run.noun, run.verb, run.total, run.state, run.made_at) for run in query.runs(operator())[:50]
        ]
        columns = ("number", "noun", "verb", "rows", "state", "prepared (UTC)")
        document = [dict(zip(("id", "noun", "verb", "total", "state", "made_at"), row, strict=True)) for row in rows]
        return Answer(document={"runs": document}, parts=[Rows(columns=columns, rows=rows, empty="No bulk work yet.")])

    _add(app, f"{prefix}bulk", work, f"Do one thing to many {many}, each in a transaction of its own.")
    if not prefix:
        _add(app, "runs", runs, "List the operator's bulk work, or stop one.")


def _add_import(app: typer.Typer, noun: str, prefix: str) -> None:
    many = noun_named(noun).words[1]

    def import_table(
        file: Annotated[Path, typer.Argument(metavar="FILE", help="A .csv or .json file.", show_default=False)],
        dry_run: _DRY = False,
        update: Annotated[bool, typer.Option("--update", help="Change what is there already.")] = False,
        form: _FORMAT = "",
    ) -> Answer:
        me, table = operator(), table_named(noun)
        with _opened(file) as stream:
            raw = reading.read(
                stream, form=_form(form, file), where=str(file), columns=table.names, required=table.required
            )
            run = actions.prepare_import(
                me, noun=noun, lines=staging.lines(table, raw, me), source=file.name,
                arguments={"update": "yes" if update else "no"},
            )  # fmt: skip
        return _done(actions.start(me, run_id=run.pk, dry_run=dry_run))

    _add(
        app, f"{prefix}import", import_table, f"Make and change {many} from a table; bad rows are told, good ones done."
    )


def _add_export(app: typer.Typer, noun: str, prefix: str) -> None:
    found = noun_named(noun)

    def export_table(
        file: Annotated[Path | None, typer.Argument(metavar="FILE", help="Where to; unless given, here.")] = None,
        form: _FORMAT = "",
        where: Annotated[list[str] | None, typer.Option(help=f"FILTER=TEXT; {', '.join(found.filters)}.")] = None,
    ) -> Answer | None:
        me, table = operator(), table_named(noun)
        chosen = narrowed(found, found.rows(me), _pairs("--where", where))
        rows = table.rows(me).filter(pk__in=chosen.order_by().values("pk"))
        pieces = _written(_form(form or ("" if file else "csv"), file), table.names, table.exported(rows))
        if file is None:
            for piece in pieces:
                typer.echo(piece.decode("utf-8").removeprefix("\ufeff"), nl=False)
            return None
        write_atomically(file, b"".join(pieces), mode=0o600)
        total = rows.count()
        return Answer(
            document={"file": str(file), "rows": total}, parts=[f"Wrote {total:,} {found.words[1]} to {file}."]
        )

    _add(app, f"{prefix}export", export_table, f"Write {found.words[1]} to a table that can be imported again.")


def _add(app: typer.Typer, name: str, body: Callable[..., Answer | None], sentence: str) -> None:
    body.__doc__ = sentence
    catalogue_command(app, name)(body)


def _done(run: Any) -> Answer:
    """Do it here, with a bar, and say what became of it; refused rows make the command fail."""
    with output.steps() as begin:
        run = actions.run_now(operator(), run, report=begin("Rows"))
    found = counts(run)
    refused = [
        (item.position, item.name, item.told) for item in query.items(operator(), run.pk, *_REFUSED)[:_MOST_TOLD]
    ]
    words = ", ".join(f"{count:,} {word}" for word, count in found.items() if count) or "nothing to do"
    summary = f"Dry run, nothing was changed: {words}." if run.dry_run else f"{words}."
    document = {
        "run": str(run.pk), "dry_run": run.dry_run, "total": run.total, **found,
        "rows": [{"place": place, "name": name, "reason": reason} for place, name, reason in refused],
    }  # fmt: skip
    parts: list[Any] = [Rows(columns=("place", "row", "reason"), rows=refused)] if refused else []
    return Answer(document=document, parts=[*parts, summary], exit_code=1 if refused else 0)


def _pairs(option: str, texts: list[str] | None) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts or []:
        name, mark, value = text.partition("=")
        if not mark:
            raise InvalidInput(f"{text[:60]!r} has no equals sign", where=option, remedy="Write NAME=TEXT.")
        found[name.strip()] = value
    return found


def _form(form: str, file: Path | None) -> str:
    if form and form not in reading.FORMATS:
        raise InvalidInput(f"There is no format {form[:20]!r}", where="--format", remedy="Choose csv or json.")
    return form or reading.format_of(file.name if file else "")


def _written(form: str, columns: tuple[str, ...], rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    return (writing.as_json if form == "json" else writing.as_csv)(columns, rows)


def _opened(file: Path) -> BinaryIO:
    try:
        if file.stat().st_size > LARGEST:
            raise InvalidInput(f"The file has more than {LARGEST:,} bytes", where=str(file), remedy="Split it.")
        return file.open("rb")
    except OSError as error:
        raise InvalidInput(f"Cannot be read: {error.strerror}", where=str(file), remedy="Name a file.") from error
