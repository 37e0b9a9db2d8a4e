"""`opilio crawl explain DIR URL`: the story of one URL in words, one line for each fact."""

from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli.command import command
from opilio.cli.output import Answer, Fields
from opilio.kernel.capture import Hop
from opilio.works import crawl_story
from opilio.works.crawl_folder import StoreAddress

_FOLDER = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the crawl.", show_default=False)]
_STORE = Annotated[
    str, typer.Option("--store", help="PostgreSQL database of the crawl store; default: the file in DIR.")
]
_NAMES = {"milliseconds": "took", "path": "hops", "robots_line": "line of robots.txt", "robots_txt": "robots.txt"}
_HOPS = {hop.value: hop.name.lower() for hop in Hop}
_LISTS = ("ways", "parents", "scope")


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio crawl`."""
    command(app, "explain")(explain)


def explain(
    folder: _FOLDER,
    url: Annotated[str, typer.Argument(metavar="URL", help="The URL, in full.", show_default=False)],
    store: _STORE = "",
) -> Answer:
    """Tell the whole story of one URL: how it was reached, what was decided and why."""
    story = crawl_story.explain(folder, url, StoreAddress(url=store))
    return Answer(document=story, parts=[Fields(pairs=facts(story))])


def facts(story: dict[str, Any]) -> list[tuple[str, object]]:
    """The story as lines: what it is, how it was reached, what the scope says."""
    told = [
        (_NAMES.get(name, name.replace("_", " ")), _worded(name, value))
        for name, value in story.items()
        if name not in _LISTS and value is not None
    ]
    told += [("reached from", _way(way)) for way in story.get("ways", ())]
    told += [("linked from", parent) for parent in story.get("parents", ())]
    told += [("scope", _verdict(verdict)) for verdict in story.get("scope", ())]
    return told


def _worded(name: str, value: Any) -> object:
    if name == "milliseconds":
        return f"{value:,} ms"
    if name == "size":
        return f"{value:,} bytes"
    if name == "path":
        return ", then ".join(_HOPS.get(letter, letter) for letter in value)
    return value


def _way(way: dict[str, Any]) -> str:
    embeds = f" and {_number(way['embed_hops'], 'embed')}" if way["embed_hops"] else ""
    return f"the seed {way['seed']}, {_number(way['depth'], 'link')}{embeds} away"


def _verdict(verdict: dict[str, Any]) -> str:
    word = "admits it" if verdict["accepted"] else "denies it"
    reason = f": {verdict['reason']}" if verdict["reason"] else ""
    return f"from the seed {verdict['seed']}, the rule {verdict['rule']} {word}{reason}"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
