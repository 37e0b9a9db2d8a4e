"""`opilio archive index PATH…`: the sorted index by which captures are found, from files, folders and crawls."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli.archive_options import ONLY_RESULT, PATHS
from opilio.cli.bars import bars
from opilio.cli.command import command
from opilio.cli.loading import part
from opilio.cli.output import Answer, Fields, Rows
from opilio.kernel.errors import Damaged, InvalidInput
from opilio.works.index_warcs import Form, Indexed, Order, default_output, is_crawl, is_sealed, make_index

_MOST = 20  # flaws that are shown to people


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio archive`."""
    command(app, "index")(index)


def index(
    paths: PATHS,
    to: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Default: `index` with its ending, in the folder given."),
    ] = None,
    form: Annotated[
        Form, typer.Option("--format", help="cdxj; cdx11 with columns; zipnum, compressed, whose name ends in .idx.")
    ] = Form.CDXJ,
    digits: Annotated[int, typer.Option("--digits", help="Of times: 14, or 17 with milliseconds.")] = 14,
    result: ONLY_RESULT = None,
    from_warcs: Annotated[
        bool, typer.Option("--from-warcs", help="Read the WARC files of a crawl instead of its result.")
    ] = False,
) -> Answer:
    """Make the index by which captures are found; lines of other indexes are merged into it.

    For the folder of a sealed crawl alone, the indexes of its results are made anew, each in its place; with
    --output one is made, of the newest result or of the one that --result names.
    """
    if from_warcs and result is not None:
        raise InvalidInput("--from-warcs and --result exclude each other", where="index", remedy="Choose one.")
    orders = _orders(paths, to, form, digits, result, from_warcs)
    with bars() as told:
        made = [(number, make_index(order, told)) for number, order in orders]
    return _answer(made, form)


def _orders(
    paths: Sequence[Path], to: Path | None, form: Form, digits: int, result: int | None, from_warcs: bool
) -> Iterator[tuple[int | None, Order]]:
    """What is to be made, with the number of the result that it is made of."""
    crawls = not from_warcs and any(map(is_crawl, paths))
    if to is None and len(paths) == 1 and not from_warcs and (result is not None or is_sealed(paths[0])):
        yield from part("opilio.works.remade_indexes").index_orders(paths[0], result, form, digits)
        return
    rows = partial(part("opilio.works.crawl_rows").rows_of, number=result) if crawls else None
    output = to or default_output(paths, form)
    yield result, Order(paths=paths, output=output, form=form, digits=digits, crawl_rows=rows)


def _answer(made: Sequence[tuple[int | None, Indexed]], form: Form) -> Answer:
    flaws = [flaw for _, each in made for flaw in each.flaws]
    document = {
        "format": form.value, "indexes": [_document(number, each) for number, each in made],
        "flaws": [{"file": each.file, "offset": each.offset, "what": each.what} for each in flaws],
    }  # fmt: skip
    parts: list[Fields | Rows | str] = [Fields(pairs=_pairs(*each)) for each in made]
    if flaws:
        shown = [(each.file, each.offset, each.what) for each in flaws[:_MOST]]
        parts.append(Rows(columns=("file", "offset", "left out because"), rows=shown))
        parts.append(f"{len(flaws)} places hold nothing that can be found. Look at them: opilio archive verify")
    return Answer(document=document, parts=parts, exit_code=Damaged.exit_code if flaws else 0)


def _document(number: int | None, made: Indexed) -> dict[str, Any]:
    return {
        "output": str(made.output), "result": number, "lines": made.lines, "bytes": made.bytes, "files": made.files,
        "crawls": made.crawls, "indexes": made.indexes,
    }  # fmt: skip


def _pairs(number: int | None, made: Indexed) -> list[tuple[str, object]]:
    """What people are told: of what it was made only where there was something of the kind."""
    read = [
        ("of result", number), ("of crawls", made.crawls), ("of files", made.files), ("of indexes", made.indexes)
    ]  # fmt: skip
    told = [(name, count) for name, count in read if count]
    return [("index", made.output), *told, ("lines", made.lines), ("bytes", made.bytes)]
