"""`opilio archive extract URL PATH…`: one capture out of an archive."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from opilio.archive.verify.extracting import Extracted, Found, Part
from opilio.archive.verify.extracting import extract as extract_capture
from opilio.archive.verify.places import places
from opilio.cli import loading, output
from opilio.cli.archive_options import AGAINST_PATHS, ONLY_RESULT, PATHS
from opilio.cli.command import command
from opilio.cli.output import Answer, Fields, ReaderGone
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import writing

_DIGITS = 14


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio archive`."""
    command(app, "extract")(extract)


def extract(
    url: Annotated[str, typer.Argument(metavar="URL", help="What was captured.", show_default=False)],
    paths: PATHS,
    at: Annotated[str, typer.Option(help="The capture nearest to this time; default: the newest.")] = "",
    raw: Annotated[bool, typer.Option("--raw", help="The whole record, as it stands.")] = False,
    headers: Annotated[bool, typer.Option("--headers", help="The header of the record and the HTTP head.")] = False,
    payload: Annotated[bool, typer.Option("--payload", help="The body, content coding in place.")] = False,
    to: Annotated[Path | None, typer.Option("--output", metavar="FILE", help="Default: standard output.")] = None,
    result: ONLY_RESULT = None,
    against: AGAINST_PATHS = None,
) -> Answer | None:
    """Take one capture out of an archive: its body as a reader sees it, unless something else is asked for.

    Of a revisit, the body is that of the capture it refers to.
    """
    part = _part(raw=raw, headers=headers, payload=payload)
    wanted = part in (Part.CONTENT, Part.PAYLOAD)
    find = partial(extract_capture, url=url, at=_time(at), body=wanted, against=places(against) if against else None)
    if result is None:
        return _answer(find(places(paths)), part, to)
    with loading.part("opilio.works.chosen_result").chosen_result(paths, result) as chosen:
        return _answer(find(chosen.places, among=chosen.captures), part, to)


def _answer(found: Extracted, part: Part, to: Path | None) -> Answer | None:
    """What was found, written where it is wanted."""
    if to is None and not output.as_json():
        _print(found.pieces(part))
        return None
    size = _write(to, found.pieces(part)) if to is not None else sum(map(len, found.pieces(part)))
    document = {**_document(found), "part": part.value, "bytes": size, "output": str(to) if to else None}
    pairs = [("URL", found.capture.url), ("time", found.capture.at), ("bytes", size), ("output", to)]
    return Answer(document=document, parts=[Fields(pairs=pairs)])


def _part(*, raw: bool, headers: bool, payload: bool) -> Part:
    chosen = [part for part, wanted in ((Part.RAW, raw), (Part.HEADERS, headers), (Part.PAYLOAD, payload)) if wanted]
    if len(chosen) > 1:
        names = " and ".join(f"--{part.value}" for part in chosen)
        raise InvalidInput(f"{names} cannot be had together", where="extract", remedy="Choose one of them.")
    return chosen[0] if chosen else Part.CONTENT


def _time(text: str) -> datetime | None:
    """A time as digits, as many as are known, or as ISO 8601."""
    if not text:
        return None
    known = text.isascii() and text.isdigit() and 4 <= len(text) <= _DIGITS and len(text) % 2 == 0
    try:
        if known:
            return datetime.strptime(text + "00000101000000"[len(text) :], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        found = datetime.fromisoformat(text)
    except ValueError:
        remedy = "Write it as 20260131, 20260131235959 or 2026-01-31T23:59:59Z."
        raise InvalidInput(f"{text[:60]!r} is no time", where="--at", remedy=remedy) from None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _print(pieces: Iterator[bytes]) -> None:
    stream = sys.stdout.buffer
    try:
        for piece in pieces:
            stream.write(piece)
        stream.flush()
    except BrokenPipeError as error:
        raise ReaderGone("Nobody reads the output any more", where="standard output") from error


def _write(path: Path, pieces: Iterator[bytes]) -> int:
    size = 0
    with writing(path) as stream:
        for piece in pieces:
            size += stream.write(piece)
    return size


def _document(found: Extracted) -> dict[str, object]:
    original = found.original if found.original is not found.capture else None
    return {"capture": _place(found.capture), "original": _place(original) if original is not None else None}


def _place(found: Found) -> dict[str, object]:
    return {
        "url": found.url, "time": found.at, "type": found.scanned.header.kind, "file": str(found.path),
        "offset": found.scanned.offset, "id": found.scanned.header.id,
    }  # fmt: skip
