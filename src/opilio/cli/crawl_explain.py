"""`opilio crawl explain DIR URL`: the story of one URL in words, one line for each fact."""

from pathlib import Path
from typing import Annotated

import typer

from opilio.cli.command import command
from opilio.cli.output import Answer, Fields
from opilio.works import crawl_story
from opilio.works.crawl_folder import StoreAddress
from opilio.works.story_words import facts

_FOLDER = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the crawl.", show_default=False)]
_STORE = Annotated[
    str, typer.Option("--store", help="PostgreSQL database of the crawl store; default: the file in DIR.")
]


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
