"""`opilio node`: serves a published generation on this machine, and looks after the nodes of an installation."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from opilio.archive.store.s3_options import s3_options
from opilio.cli import output
from opilio.cli.command import command, noun_app
from opilio.cli.output import Answer, Fields, Rows
from opilio.kernel import config
from opilio.search.generations.pins import pinned
from opilio.search.generations.verify import verify as verify_generation
from opilio.search.nodes.reader_app import ReaderApp
from opilio.server import lifeline, ports
from opilio.works.node_access import NodeAccess, ruling
from opilio.works.node_server import NodeApplication, serve_node
from opilio.works.node_service import NodeService, NodeWishes
from opilio.works.node_token import TOKEN_FILE, make_token, read_token
from opilio.works.publish_generation import Publishing
from opilio.works.search_contents import GenerationContents
from opilio.works.search_setup import rules_of, search_home

app = noun_app("Serve a published generation; look after nodes.")

_Host = Annotated[str, typer.Option(help="Address to listen on.")]
_Port = Annotated[int, typer.Option(help="Port to listen on, 0 for a free one.", min=0, max=65535)]
_Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the node.", show_default=False)]
_Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder or link of the node.", show_default=False)]


@command(app, "serve")
def serve(
    folder: _Folder,
    host: _Host = "127.0.0.1",
    port: _Port = 8100,
    name: Annotated[str, typer.Option(help="Name shown at /health; default: that of FOLDER.")] = "",
    take: Annotated[
        bool, typer.Option("--take", help="Take generations over the network from whoever has the token.")
    ] = False,
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File with the token; default: node_token among the secrets.")
    ] = None,
    source: Annotated[
        str, typer.Option("--from", metavar="S3", help="Bucket to follow: s3://bucket/prefix; default: none.")
    ] = "",
    keep: Annotated[int, typer.Option(help="Generations kept when a bucket is followed.", min=1, max=1_000)] = 3,
    access: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Compiled rules of access; default: those of the settings.")
    ] = None,
    access_key: Annotated[Path | None, typer.Option(metavar="FILE", help="The public key of those rules.")] = None,
    access_source: Annotated[
        str, typer.Option(metavar="WHERE", help="File or address from which those rules are pulled.")
    ] = "",
    proxies: Annotated[
        int, typer.Option(help="Own proxies in front, whose X-Forwarded-For is believed.", min=0, max=10)
    ] = 0,
    with_parent: Annotated[bool, typer.Option("--with-parent", hidden=True)] = False,
) -> None:
    """Answer /search, /suggest, /health and /metrics from the generation of a node, until Ctrl-C or SIGTERM."""
    settings = config.load().settings
    token = read_token(token_file or settings.secrets_folder / TOKEN_FILE) if take else ""
    wishes = NodeWishes(folder=folder, name=name, token=token, source=source, keep=keep, proxies=proxies)
    known = token or read_token(settings.secrets_folder / TOKEN_FILE, needed=False) if access_source else ""
    with ruling(NodeAccess(file=access, key=access_key, source=access_source, token=known)) as rules:
        service = NodeService(wishes, GenerationContents(rules or rules_of(settings)), s3=s3_options(settings))
        _serve(service.app, f"node {name or folder.name}", host, port, follow=service.follow, with_parent=with_parent)


@command(app, "reader")
def reader(
    host: _Host = "127.0.0.1",
    port: _Port = 8080,
    with_parent: Annotated[bool, typer.Option("--with-parent", hidden=True)] = False,
) -> None:
    """Give readers one address: pass their requests to the primary, or to the backup while that is switched."""
    publishing = _publishing()
    application = ReaderApp(publishing.listed().nodes, publishing.reader_state())
    _serve(application, "reader endpoint", host, port, with_parent=with_parent)


@command(app, "status")
def status() -> Answer:
    """Say which generation is where, since when, and how far behind the newest."""
    found = _publishing().status()
    columns = ("node", "role", "generation", "since", "behind", "counts", "readers", "trouble")
    rows = [
        (
            each.node, each.role, each.generation or "none", each.since, each.behind,
            [f"{count} {kind}" for kind, count in sorted(each.counts.items())],
            f"kept away by {each.drained}" if each.drained else "", each.error or each.refused,
        )
        for each in found
    ]  # fmt: skip
    document = {"nodes": [asdict(each) for each in found]}
    return Answer(document=document, parts=[Rows(columns=columns, rows=rows, empty="There are no nodes.")])


@command(app, "drain")
def drain(name: _Name) -> Answer:
    """Keep readers away from a node until it is restored."""
    _publishing().drain(name)
    return Answer(document={"node": name, "drained": True}, parts=[f"Readers are kept away from {name}."])


@command(app, "restore")
def restore(name: _Name) -> Answer:
    """Let readers come back to a node."""
    _publishing().restore(name)
    return Answer(document={"node": name, "drained": False}, parts=[f"Readers may come back to {name}."])


@command(app, "token")
def token(
    path: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Where; default: node_token among the secrets.")
    ] = None,
) -> Answer:
    """Make the token by which nodes know their publisher; one that is there stays. It is never shown."""
    place = path or config.load().settings.secrets_folder / TOKEN_FILE
    made = make_token(place)
    words = f"A token was made in {place}." if made else f"There is a token in {place}; it stays."
    return Answer(document={"file": str(place), "made": made}, parts=[words])


@command(app, "verify")
def verify(folder: _Folder) -> Answer:
    """Read the generation of a node from end to end: digests, counts, and the answers to its probes."""
    place = folder / "current" if (folder / "current").is_symlink() else folder
    with output.steps() as step, pinned(place.resolve()) as found:
        manifest = verify_generation(found, GenerationContents(), step("Verify"))
    document = {
        "generation": manifest.id, "made": manifest.made, "counts": dict(manifest.counts), "files": len(manifest.files),
        "bytes": manifest.size, "probes": len(manifest.probes),
    }  # fmt: skip
    return Answer(document=document, parts=[f"{manifest.id} is sound.", Fields(pairs=list(document.items()))])


def _serve(
    application: NodeApplication, what: str, host: str, port: int, *, follow: Callable[[], object] | None = None,
    with_parent: bool,
) -> None:  # fmt: skip
    if with_parent:
        lifeline.end_with_parent()
    number = ports.free_port(host, port)
    address = ports.address(host, number)
    document = {"address": address, "port": number}
    serve_node(
        application,
        host=host,
        port=number,
        follow=follow,
        ready=lambda: ports.answers(host, number, seconds=1.0),
        when_ready=lambda: output.show(Answer(document=document, parts=[f"The {what} answers at {address}"])),
    )


def _publishing() -> Publishing:
    return search_home(config.load().settings).publishing
