"""`opilio archive index PATH…`: the sorted index by which captures are found, from files, folders and crawls."""

from pathlib import Path
from typing import Annotated

import typer

from opilio.cli.bars import bars
from opilio.cli.command import command
from opilio.cli.loading import part
from opilio.cli.output import Answer, Fields, Rows
from opilio.kernel.errors import Damaged
from opilio.works.index_warcs import Form, Indexed, Order, default_output, is_crawl, make_index

_PATHS = Annotated[
    list[Path],
    typer.Argument(
        metavar="PATH...",
        help="WARC and ARC files, folders of them, folders of crawls, other indexes.",
        show_default=False,
    ),
]
_MOST = 20  # flaws that are shown to people


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio archive`."""
    command(app, "index")(index)


def index(
    paths: _PATHS,
    to: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Default: `index` with its ending, in the folder given."),
    ] = None,
    form: Annotated[
        Form, typer.Option("--format", help="cdxj; cdx11 with columns; zipnum, compressed, whose name ends in .idx.")
    ] = Form.CDXJ,
    digits: Annotated[int, typer.Option("--digits", help="Of times: 14, or 17 with milliseconds.")] = 14,
    from_warcs: Annotated[
        bool, typer.Option("--from-warcs", help="Read the WARC files of a crawl instead of its result.")
    ] = False,
) -> Answer:
    """Make the index by which captures are found; lines of other indexes are merged into it."""
    target = to or default_output(paths, form)
    crawls = None if from_warcs or not any(map(is_crawl, paths)) else part("opilio.works.crawl_rows").rows_of
    order = Order(paths=paths, output=target, form=form, digits=digits, crawl_rows=crawls)
    with bars() as told:
        made = make_index(order, told)
    return _answer(made, form)


def _answer(made: Indexed, form: Form) -> Answer:
    document = {
        "output": str(made.output), "format": form.value, "lines": made.lines, "files": made.files,
        "bytes": made.bytes,
        "flaws": [{"file": each.file, "offset": each.offset, "what": each.what} for each in made.flaws],
    }  # fmt: skip
    pairs = [("index", made.output), ("lines", made.lines), ("files", made.files), ("bytes", made.bytes)]
    parts: list[Fields | Rows | str] = [Fields(pairs=pairs)]
    if made.flaws:
        shown = [(each.file, each.offset, each.what) for each in made.flaws[:_MOST]]
        parts.append(Rows(columns=("file", "offset", "left out because"), rows=shown))
        parts.append(f"{len(made.flaws)} places hold nothing that can be found. Look at them: opilio archive verify")
    return Answer(document=document, parts=parts, exit_code=Damaged.exit_code if made.flaws else 0)
