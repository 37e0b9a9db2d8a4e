"""`opilio robots`: what a robots.txt says about a URL."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli.command import command, noun_app
from opilio.cli.output import Answer, Fields
from opilio.crawl.robots import MOST_BYTES, Decision, Ruleset, parse
from opilio.kernel.errors import Missing, Unavailable
from opilio.kernel.urls import canonical

app = noun_app("Ask a robots.txt about a URL.")


@command(app, "check")
def check(
    address: Annotated[str, typer.Argument(metavar="URL", help="The URL, in full.", show_default=False)],
    file: Annotated[Path, typer.Option(help="The robots.txt; - for standard input.", show_default=False)],
    agent: Annotated[str, typer.Option(help="The crawler's name, or its whole User-Agent.")] = "opilio",
) -> Answer:
    """Say whether a crawler may fetch a URL, and which line of the file decides."""
    url = canonical(address)
    robots = parse(_read(file))
    rules = robots.for_agent(agent)
    document = {
        "url": url,
        "agent": agent,
        **_decided(rules, rules.decide(url)),
        "sitemaps": list(robots.sitemaps),
        "truncated": robots.truncated,
    }
    pairs = [(name.replace("_", " "), value) for name, value in document.items() if value not in (None, [])]
    return Answer(document=document, parts=[Fields(pairs=pairs)])


def _decided(rules: Ruleset, decision: Decision) -> dict[str, Any]:
    line = decision.line
    return {
        "allowed": decision.allowed,
        "reason": decision.reason,
        "line": line.number if line else None,
        "text": line.text if line else None,
        "group": rules.agent,
        "crawl_delay": rules.crawl_delay,
    }


def _read(file: Path) -> bytes:
    """As much of the file as is parsed, and a byte to see whether there is more."""
    most = MOST_BYTES + 4
    if str(file) == "-":
        return sys.stdin.buffer.read(most)
    try:
        with file.open("rb") as stream:
            return stream.read(most)
    except FileNotFoundError:
        raise Missing("the file is not there", where=str(file), remedy="Give the path of a robots.txt.") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unavailable(
            f"the file cannot be read: {reason}", where=str(file), remedy="Give a readable file."
        ) from error
