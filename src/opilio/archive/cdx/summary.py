"""The summary of a compressed index: one line for each block of lines, with the key and time of its first one.

Two forms are known: that of pywb and Common Crawl, with tabs and a `.loc` file that says where shards lie, and that of
WACZ files, with JSON and one shard that the first line names.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from opilio.archive.cdx.seeking import Line
from opilio.kernel.errors import Damaged
from opilio.kernel.files import reading

WACZ_FORMAT = "cdxj-gzip-1.0"
_MOST_PLACES = 16 << 20  # bytes of a .loc file
_NOTE = b"!meta 0 "


class Style(StrEnum):
    """The forms of a summary."""

    PYWB = "pywb"  # key time⇥shard⇥offset⇥length⇥number
    WACZ = "wacz"  # key time {"offset": …, "length": …}


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A block of lines, compressed by itself."""

    begin: bytes  # key and time of the first line
    shard: str
    offset: int
    length: int
    where: str  # of the line that tells it


def summary_line(block: Block, number: int, style: Style) -> bytes:
    """A line of the summary."""
    if style is Style.WACZ:
        return block.begin + f' {{"offset": {block.offset}, "length": {block.length}}}\n'.encode()
    return block.begin + f"\t{block.shard}\t{block.offset}\t{block.length}\t{number}\n".encode()


def first_line(shard: str, style: Style) -> bytes:
    """What a summary begins with."""
    if style is Style.PYWB:
        return b""
    return _NOTE + json.dumps({"format": WACZ_FORMAT, "filename": shard}).encode() + b"\n"


def shard_in(head: bytes) -> str:
    """The shard that the first line of a summary names; empty in the form that needs none."""
    if not head.startswith(_NOTE):
        return ""
    try:
        note = json.loads(head.partition(b"\n")[0][len(_NOTE) :])
        return str(note["filename"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""


def block_of(line: Line, only_shard: str) -> Block:
    """The block that a line tells; `Damaged` when it tells none."""
    try:
        begin, shard, offset, length = _with_tabs(line.text) if b"\t" in line.text else _with_json(line.text)
        if not (shard or only_shard) or not 0 <= offset < 1 << 62 or not 0 < length < 1 << 40:
            raise ValueError
        return Block(begin=begin, shard=shard or only_shard, offset=offset, length=length, where=line.where)
    except (ValueError, KeyError, TypeError, RecursionError):
        shown = line.text[:120].decode("utf-8", "replace")
        remedy = "Make the index again."
        raise Damaged(f"{shown!r} is no line of a summary", where=line.where, remedy=remedy) from None


def places(summary: Path) -> dict[str, list[str]]:
    """What the file of shards beside a summary says: the paths of each, as they are written there."""
    path = summary.with_suffix(".loc")
    if not path.is_file():
        return {}
    with reading(path), path.open("rb") as stream:
        text = stream.read(_MOST_PLACES).decode("utf-8", "surrogateescape")
    words = [line.rstrip("\r").split("\t") for line in text.split("\n") if line.strip()]
    return {each[0]: each[1:] for each in words}


def _with_tabs(text: bytes) -> tuple[bytes, str, int, int]:
    begin, shard, offset, length, *_ = text.split(b"\t")
    return begin, shard.decode("utf-8"), int(offset), int(length)


def _with_json(text: bytes) -> tuple[bytes, str, int, int]:
    key, time, rest = text.split(b" ", 2)
    fields = json.loads(rest)
    return key + b" " + time, "", int(fields["offset"]), int(fields["length"])
