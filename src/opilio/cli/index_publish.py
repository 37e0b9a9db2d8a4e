"""`opilio index publish | rollback | keep | verify`: which generation nodes serve."""

from typing import Annotated, Any

import typer

from opilio.cli import output
from opilio.cli.command import command
from opilio.cli.index_options import chosen, home
from opilio.cli.output import Answer, Fields, Rows
from opilio.kernel.errors import Unavailable
from opilio.search.generations.pins import pinned
from opilio.search.generations.verify import verify as verify_generation
from opilio.search.nodes.publishing import NodeReport
from opilio.works.publish_generation import PublishReport
from opilio.works.search_contents import GenerationContents

_NODES = Annotated[
    list[str] | None, typer.Option("--node", metavar="NAME", help="Only this node; may be repeated. Default: all.")
]
_WAIT = Annotated[
    float, typer.Option(help="Seconds to wait while another publishes; 0: not at all.", min=0, max=86_400)
]


def add_to(app: typer.Typer) -> None:
    """Add the verbs to those of `opilio index`."""
    command(app, "publish")(publish)
    command(app, "rollback")(rollback)
    command(app, "verify")(verify)
    command(app, "keep")(keep)


def publish(
    generation: Annotated[str, typer.Argument(metavar="[GENERATION]", help="Default: the newest.")] = "",
    nodes: _NODES = None,
    keep_: Annotated[
        int, typer.Option("--keep", help="Generations to keep afterwards; 0: all.", min=0, max=10_000)
    ] = 0,
    wait: _WAIT = 0.0,
) -> Answer:
    """Let nodes serve a generation: copied, verified and probed at each, then switched in one step."""
    with output.steps() as step:
        bar = step("copying and verifying")
        report = home().publishing.publish(generation, only=nodes or [], wait=wait, keep=keep_, progress=bar)
    return _answer(report)


def rollback(
    to: Annotated[str, typer.Option(help="Generation; default: the one before, at each node.")] = "",
    nodes: _NODES = None,
    wait: _WAIT = 0.0,
) -> Answer:
    """Let nodes serve an earlier generation that they have kept."""
    return _answer(home().publishing.roll_back(to=to, only=nodes or [], wait=wait))


def keep(count: Annotated[int, typer.Argument(metavar="N", help="How many.", min=1, show_default=False)]) -> Answer:
    """Remove all generations but the newest N and those that nodes serve."""
    return _answer(home().publishing.keep(count))


def verify(
    generation: Annotated[str, typer.Argument(metavar="[GENERATION]", help="Default: the newest.")] = "",
) -> Answer:
    """Read a generation from end to end: digests, counts, and the answers to its probes."""
    with output.steps() as step, pinned(chosen(home().generations, generation)) as folder:
        manifest = verify_generation(folder, GenerationContents(), step("verifying"))
    document = {
        "generation": manifest.id, "counts": dict(manifest.counts), "files": len(manifest.files),
        "bytes": manifest.size, "probes": len(manifest.probes),
    }  # fmt: skip
    return Answer(document=document, parts=[f"{manifest.id} is sound.", Fields(pairs=list(document.items()))])


def _answer(report: PublishReport) -> Answer:
    removed = {where: list(names) for where, names in report.removed}
    document: dict[str, Any] = {
        "generation": report.generation or None, "complete": report.complete, "removed": removed,
        "notes": list(report.notes), "nodes": [_node(each) for each in report.nodes],
    }  # fmt: skip
    parts: list[Rows | Fields | str] = []
    if report.nodes:
        columns = ("node", "role", "outcome", "generation", "before", "trouble")
        parts.append(Rows(columns=columns, rows=[tuple(_node(each).values()) for each in report.nodes]))
    parts += [f"Removed at {where}: {', '.join(names)}" for where, names in removed.items() if names]
    parts += report.notes
    return Answer(document=document, parts=parts, exit_code=0 if report.complete else Unavailable.exit_code)


def _node(report: NodeReport) -> dict[str, Any]:
    return {
        "node": report.node, "role": str(report.role), "outcome": str(report.outcome), "generation": report.after,
        "before": report.before, "trouble": "; ".join([*filter(None, [report.error]), *report.notes]),
    }  # fmt: skip
