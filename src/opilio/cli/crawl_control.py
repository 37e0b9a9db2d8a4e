"""Verbs that steer a crawl while it runs: `opilio crawl pause DIR` and its like. They only write orders down."""

from pathlib import Path
from typing import Annotated

import typer

from opilio.cli.command import command
from opilio.cli.output import Answer
from opilio.works.crawl_folder import StoreAddress
from opilio.works.crawl_orders import Ordered, Orders

_BY = "operator"
_FOLDER = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the crawl.", show_default=False)]
_STORE = Annotated[
    str, typer.Option("--store", help="PostgreSQL database of the crawl store; default: the file in DIR.")
]
#: -5 is a number that is refused, not an option that does not exist.
_NUMBERS = {"context_settings": {"ignore_unknown_options": True}}
_MOST = "; 0: no limit. Counted from the beginning."


def add_to(app: typer.Typer) -> None:
    """Add the verbs to those of `opilio crawl`."""
    for name, verb in (
        ("pause", pause), ("go-on", go_on), ("stop", stop), ("abort", abort), ("limit", limit), ("delay", delay),
        ("bandwidth", bandwidth), ("exclude", exclude), ("priority", priority),
    ):  # fmt: skip
        command(app, name, **(_NUMBERS if verb in (delay, bandwidth, priority) else {}))(verb)


def pause(folder: _FOLDER, store: _STORE = "") -> Answer:
    """Let a running crawl ask for nothing until it is told to go on; requests under way end."""
    return _answer(folder, _orders(folder, store).pause())


def go_on(folder: _FOLDER, store: _STORE = "") -> Answer:
    """End a pause. A crawl that was stopped goes on with `opilio crawl resume`."""
    return _answer(folder, _orders(folder, store).go_on())


def stop(folder: _FOLDER, store: _STORE = "") -> Answer:
    """Stop a running crawl once its requests under way have ended; it can be resumed."""
    return _answer(folder, _orders(folder, store).stop())


def abort(folder: _FOLDER, store: _STORE = "") -> Answer:
    """Stop a running crawl at once: requests under way are given up. It can be resumed."""
    return _answer(folder, _orders(folder, store).abort())


def limit(
    folder: _FOLDER,
    pages: Annotated[int | None, typer.Option(help=f"Pages{_MOST}", min=0)] = None,
    bytes_: Annotated[int | None, typer.Option("--bytes", help=f"Bytes{_MOST}", min=0)] = None,
    seconds: Annotated[int | None, typer.Option(help=f"Seconds{_MOST}", min=0)] = None,
    store: _STORE = "",
) -> Answer:
    """Change limits of a crawl that runs, or before it is resumed."""
    return _answer(folder, _orders(folder, store).limit(pages=pages, bytes_=bytes_, seconds=seconds))


def delay(
    folder: _FOLDER,
    seconds: Annotated[float, typer.Argument(metavar="SECONDS", help="Between requests to a host.", min=0)],
    store: _STORE = "",
) -> Answer:
    """Change the delay of a crawl that runs, or before it is resumed."""
    return _answer(folder, _orders(folder, store).delay(seconds))


def bandwidth(
    folder: _FOLDER,
    number: Annotated[int, typer.Argument(metavar="BYTES", help="Per second, of the whole crawl; 0: no limit.", min=0)],
    store: _STORE = "",
) -> Answer:
    """Change the bandwidth of a crawl that runs, or before it is resumed."""
    return _answer(folder, _orders(folder, store).bandwidth(number))


def exclude(
    folder: _FOLDER,
    patterns: Annotated[
        list[str] | None, typer.Argument(metavar="PATTERN", help="Exclude URLs that match (RE2).", show_default=False)
    ] = None,
    url: Annotated[list[str] | None, typer.Option("--url", help="Exclude exactly this URL; repeatable.")] = None,
    store: _STORE = "",
) -> Answer:
    """Exclude URLs from a crawl that runs, or before it is resumed; those that wait are recorded as excluded."""
    return _answer(folder, _orders(folder, store).exclude(patterns=patterns or (), urls=url or ()))


def priority(
    folder: _FOLDER,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Below 0: sooner than others; above 0: later.")],
    patterns: Annotated[
        list[str] | None, typer.Argument(metavar="PATTERN", help="Move URLs that match (RE2).", show_default=False)
    ] = None,
    url: Annotated[list[str] | None, typer.Option("--url", help="Move exactly this URL; repeatable.")] = None,
    host: Annotated[list[str] | None, typer.Option("--host", help="Move all of this host; repeatable.")] = None,
    store: _STORE = "",
) -> Answer:
    """Move pages of a crawl ahead or back in their host's queue; those found later keep to it too."""
    ordered = _orders(folder, store).prioritise(number, patterns=patterns or (), urls=url or (), hosts=host or ())
    return _answer(folder, ordered)


def _orders(folder: Path, store: str) -> Orders:
    return Orders(folder=folder, by=_BY, address=StoreAddress(url=store))


def _answer(folder: Path, ordered: Ordered) -> Answer:
    crawler = str(ordered.crawler) if ordered.crawler else None
    document = {
        "folder": str(folder), "order": ordered.what, "number": ordered.number, "arguments": dict(ordered.arguments),
        "crawler": crawler,
    }  # fmt: skip
    who = f"Obeyed by {crawler}." if crawler else f"Obeyed once it is resumed: opilio crawl resume {folder}"
    return Answer(document=document, parts=[f"Order {ordered.number} was written: {ordered.what}.", who])
