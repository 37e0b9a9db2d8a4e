"""`opilio replay DIR`: a small server on this machine that shows the pages of a crawl as a reader would see them."""

import secrets
import sys
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.archive.cdx.searching import Searchable
from opilio.archive.cdx.server import CdxServer
from opilio.archive.replay.application import Replay
from opilio.archive.replay.asgi import Mounted
from opilio.archive.replay.holdings import Holding, open_to_all
from opilio.archive.replay.hosts import HostNames
from opilio.cli import output
from opilio.cli.command import command, single_app
from opilio.cli.output import Answer, Rows
from opilio.kernel import config
from opilio.server import lifeline, ports
from opilio.works.crawl_folder import StoreAddress
from opilio.works.node_token import TOKEN_FILE, read_token
from opilio.works.replay_access import ANYBODY, AccessWishes, RuledAccess, pulling, ruled_access
from opilio.works.replay_crawl import opened_holdings
from opilio.works.replay_seats import SeatedReplay
from opilio.works.replay_server import serve

app = single_app()


@command(app, "replay")
def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the crawl.", show_default=False)],
    result: Annotated[int | None, typer.Option(help="Number of the result to show; default: all.", min=1)] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on, 0 for a free one.", min=0, max=65535)] = 0,
    open_browser: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open a browser; default: on a terminal.")
    ] = None,
    store: Annotated[
        str,
        typer.Option("--store", help="PostgreSQL database of a crawl that is not sealed; default: the file in DIR."),
    ] = "",
    access: Annotated[
        Path | None, typer.Option("--access", metavar="FILE", help="Compiled rules of access; default: all is open.")
    ] = None,
    access_key: Annotated[
        Path | None, typer.Option("--access-key", metavar="FILE", help="The public key of those rules.")
    ] = None,
    access_source: Annotated[
        str,
        typer.Option(
            "--access-source",
            metavar="SOURCE",
            help="File or http(s) address that renews --access all along.",
        ),
    ] = "",
    agency: Annotated[str, typer.Option("--agency", help="Whose captures these are, for those rules.")] = "",
    target: Annotated[str, typer.Option("--target", help="Number of their target, for those rules.")] = "",
    harvest: Annotated[str, typer.Option("--harvest", help="Number of their harvest, for those rules.")] = "",
    reader: Annotated[
        str, typer.Option("--reader", help="Who looks, for those rules: public, staff (of --agency), or an IP address.")
    ] = ANYBODY,
    with_parent: Annotated[bool, typer.Option("--with-parent", hidden=True)] = False,
) -> None:
    """Look at a crawl in the browser, until Ctrl-C or SIGTERM. Nothing of it is asked of the live web."""
    if with_parent:
        lifeline.end_with_parent()
    settings = config.load().settings
    names = HostNames(base=settings.replay_host.lower())
    wishes = AccessWishes(
        access=access, access_key=access_key, source=access_source, agency=agency, target=target, harvest=harvest,
        reader=reader, token=read_token(settings.secrets_folder / TOKEN_FILE, needed=False) if access_source else "",
    )  # fmt: skip
    ruled = ruled_access(wishes)
    number = ports.free_port(host, port)
    opened = opened_holdings(folder, result=result, address=StoreAddress(url=store), access=ruled or open_to_all)
    with pulling(wishes), opened as holdings:
        shown = Replay(
            holdings=holdings, key=secrets.token_bytes(32), names=names, title=f"Results of {folder.resolve().name}"
        )
        address = _address(shown, number, https=settings.server_behind_tls)

        def when_ready() -> None:
            output.show(_answer(folder, shown, address, number, ruled))
            if sys.stdout.isatty() if open_browser is None else open_browser:
                webbrowser.open(address)

        _serve(shown, host, number, when_ready, https=settings.server_behind_tls)


def _serve(shown: Replay, host: str, port: int, when_ready: Callable[[], None], *, https: bool) -> None:
    application = SeatedReplay(shown, https=https, cdx=lambda each: _cdx(shown.holdings, each))
    ready = partial(ports.answers, host, port, seconds=1.0)
    serve(application, host=host, port=port, ready=ready, when_ready=when_ready)


def _cdx(holdings: Mapping[int, Holding], number: int) -> Mounted:
    index = holdings[number].source.index
    assert isinstance(index, Searchable)  # noqa: S101 - open_index gives nothing else
    return CdxServer(index, holdings[number].access)


def _address(shown: Replay, port: int, *, https: bool) -> str:
    """The list of results, with the key to it; a public name stands behind a proxy on the usual port."""
    place = f"{shown.names.base}:{port}" if shown.names.local else shown.names.base
    return f"{'https' if https else 'http'}://{place}/?key={shown.entry_token()}"


def _answer(folder: Path, shown: Replay, address: str, port: int, ruled: RuledAccess | None) -> Answer:
    results: list[dict[str, Any]] = [
        {
            "number": number,
            "title": holding.title,
            "host": shown.names.name_of(number),
            "seeds": list(holding.seeds),
            "token": shown.session_token(number),
            "patch_list": [asdict(wish) for wish in holding.patches.wishes()],
        }
        for number, holding in sorted(shown.holdings.items())
    ]
    shut = ruled.shut if ruled is not None else ""
    document = {"folder": str(folder), "address": address, "port": port, "results": results}
    if ruled is not None:
        document["closed"] = shut
    rows = [(each["number"], each["host"], len(each["seeds"]), len(each["patch_list"])) for each in results]
    table = Rows(columns=("result", "host name", "seeds", "on the patch list"), rows=rows)
    return Answer(
        document=document,
        parts=[table, *([f"Everything is closed: {shut}"] if shut else []), f"Open {address}", "Ctrl-C ends it."],
    )
