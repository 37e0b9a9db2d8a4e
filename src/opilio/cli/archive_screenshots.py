"""`opilio archive screenshots …`: take pictures of pages from the archive or the live site, list, save, compare."""

from pathlib import Path
from typing import Annotated

import typer

from opilio.archive.screenshots.archived_pages import archive_camera
from opilio.archive.screenshots.darkroom import side_by_side
from opilio.archive.screenshots.pictures import PictureKind, PictureSize
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.cli.bars import bars
from opilio.cli.command import command, noun_app
from opilio.cli.output import Answer, Fields, Rows
from opilio.crawl.plan_json import from_json
from opilio.kernel import config
from opilio.kernel.errors import InvalidInput, Missing
from opilio.kernel.files import reading, write_atomically
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.picture_page import picture_page, share_of
from opilio.works.screenshot_crawl import take_live
from opilio.works.take_screenshots import Pair, Taken, pair, take_from_archive

_FOLDER = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the crawl.", show_default=False)]
_URL = Annotated[str, typer.Argument(metavar="URL", help="The page.", show_default=False)]
_SUFFIXES = (".html", ".png")


def add_to(app: typer.Typer) -> None:
    """Add the verbs to those of `opilio archive`."""
    screenshots = noun_app("Pictures of pages: take, list, save and compare them.")
    command(screenshots, "take")(take)
    command(screenshots, "list")(list_pictures)
    command(screenshots, "save")(save)
    command(screenshots, "compare")(compare)
    app.add_typer(screenshots, name="screenshots")


def take(
    folder: _FOLDER,
    url: Annotated[
        list[str] | None, typer.Option("--url", help="Take this page; default: the seeds.", show_default=False)
    ] = None,
    live: Annotated[bool, typer.Option("--live", help="From the live site instead of the archive.")] = False,
    width: Annotated[int, typer.Option("--width", help="Pixels of the window.")] = 1280,
    height: Annotated[int, typer.Option("--height", help="Pixels of the window.")] = 1024,
    full: Annotated[bool, typer.Option("--full", help="Also all of the page, down to 16,384 pixels.")] = False,
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds for a page to load.", min=1, max=600)] = 30.0,
    result: Annotated[
        int | None, typer.Option("--result", help="Number of the result; default: the newest.", min=1)
    ] = None,
) -> Answer:
    """Take pictures of pages with Chromium. Newer pictures stand beside older ones."""
    size = PictureSize(width=width, height=height, full=full, timeout=timeout, thumbnail=min(320, width))
    program = config.load().settings.browser_program
    with bars() as told:
        if live:
            plan = from_json(_plan(folder))
            done = take_live(
                folder, plan, url or (), size=size, program=program, environ=config.environment(), told=told
            )
        else:
            done = take_from_archive(folder, url or (), size=size, result=result, program=program, told=told)
    return _taken(folder, done)


def list_pictures(folder: _FOLDER) -> Answer:
    """List the pictures of a crawl."""
    if not folder.is_dir():
        raise Missing("there is no such folder", where=str(folder), remedy="Give the folder of a crawl.")
    shown = list(PictureShelf(folder).all())
    document = [{"url": each.url, "kind": each.kind, "taken": each.at, "file": each.place.file} for each in shown]
    rows = [[each.url, each.kind, each.at] for each in shown]
    table = Rows(columns=["page", "kind", "taken"], rows=rows, empty="There are no pictures.")
    return Answer(document={"folder": str(folder), "pictures": document}, parts=[table])


def save(
    folder: _FOLDER,
    url: _URL,
    file: Annotated[Path, typer.Option("--output", metavar="FILE", help="Where it goes.", show_default=False)],
    kind: Annotated[PictureKind, typer.Option("--kind", help="Which picture.")] = PictureKind.VIEW,
) -> Answer:
    """Save the newest picture of a page as a file."""
    picture = PictureShelf(folder).newest(url, kind)
    write_atomically(file, picture.data)
    document = {"url": url, "kind": kind, "taken": picture.at, "file": str(file), "bytes": len(picture.data)}
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def compare(
    before: Annotated[Path, typer.Argument(metavar="A", help="The folder of a crawl.", show_default=False)],
    after: Annotated[Path, typer.Argument(metavar="B", help="The folder of another.", show_default=False)],
    url: _URL,
    file: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="FILE.html or FILE.png.", show_default=False)
    ] = None,
) -> Answer:
    """Compare the pictures of a page in two crawls; taken from the archive where there are none."""
    if file is not None and file.suffix.lower() not in _SUFFIXES:
        raise InvalidInput("the comparison is written as HTML or PNG", where=str(file), remedy="Name it .html or .png.")
    with archive_camera(config.load().settings.browser_program) as camera:
        found = pair(camera, before, after, url)
        if file is not None:
            png = file.suffix.lower() == ".png"
            data = side_by_side(camera.camera, *_beside(found)) if png else picture_page(found).encode()
            write_atomically(file, data)
    document = {
        "url": url, "before": found.before.at, "after": found.after.at, "share": found.difference.share,
        "width": found.difference.width, "height": found.difference.height, "file": str(file) if file else None,
    }  # fmt: skip
    pairs = [("page", url), ("before", found.before.at), ("after", found.after.at),
             ("pixels that differ", share_of(found.difference.share)), ("file", file or "")]  # fmt: skip
    return Answer(document=document, parts=[Fields(pairs=pairs)])


def _beside(found: Pair) -> tuple[list[bytes], list[str]]:
    captions = [f"Before: {found.before.at:%Y-%m-%d %H:%M} UTC", f"After: {found.after.at:%Y-%m-%d %H:%M} UTC",
                f"{share_of(found.difference.share)} of the pixels differ"]  # fmt: skip
    return [found.before.data, found.after.data, found.difference.picture], captions


def _plan(folder: Path) -> str:
    path = CrawlFolder(folder).plan
    with reading(path):
        return path.read_text("utf-8", "replace")


def _taken(folder: Path, done: list[Taken]) -> Answer:
    pages = [
        {"url": each.url, "pictures": each.pictures, "title": each.title, "missing": list(each.missing),
         "notes": list(each.notes), "problem": each.problem}
        for each in done
    ]  # fmt: skip
    rows = [[each.url, each.pictures, len(each.missing), each.problem or "; ".join(each.notes)] for each in done]
    columns = ["page", "pictures", "missing in the archive", "notes"]
    failed = any(each.problem for each in done)
    return Answer(
        document={"folder": str(folder), "pages": pages},
        parts=[Rows(columns=columns, rows=rows)],
        exit_code=Missing.exit_code if failed else 0,
    )
