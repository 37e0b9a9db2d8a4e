"""Memento (RFC 7089): links between a URL, its captures, and the lists of them; and the time that a client asks for."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime

from opilio.archive.cdxj import CdxRow
from opilio.archive.replay.archive_paths import path_of
from opilio.archive.replay.finding import Around
from opilio.archive.replay.messages import Header

LINK_FORMAT = "application/link-format"


def http_date(at: datetime) -> str:
    """A time as HTTP writes it."""
    return format_datetime(at.astimezone(UTC).replace(microsecond=0), usegmt=True)


def accepted_datetime(value: str) -> datetime | None:
    """The time that an Accept-Datetime header names; None when it names none."""
    try:
        found = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found.astimezone(UTC) if found.tzinfo is not None else found.replace(tzinfo=UTC)


def memento_links(url: str, around: Around, origin: str) -> list[str]:
    """The links of a capture to its URL, its lists and its neighbours."""
    links = general_links(url, origin)
    chosen, first, last = around.chosen, around.first, around.last
    if chosen is None or first is None or last is None:
        return links
    rels: dict[datetime, list[str]] = {}
    for rel, at in (
        ("first", first.at), ("prev", around.neighbour(-1)), ("", chosen.at), ("next", around.neighbour(1)),
        ("last", last.at),
    ):  # fmt: skip
        if at is not None:
            rels.setdefault(at, []).extend([rel] if rel else [])
    for at, names in sorted(rels.items()):
        links.append(_memento(" ".join([*names, "memento"]), origin + path_of(at, url), at))
    return links


def general_links(url: str, origin: str) -> list[str]:
    """The links that every answer about a URL carries."""
    return [
        f'<{_safe(url)}>; rel="original"',
        f'<{origin}/timegate/{_safe(url)}>; rel="timegate"',
        f'<{origin}/timemap/link/{_safe(url)}>; rel="timemap"; type="{LINK_FORMAT}"',
    ]


def memento_headers(url: str, around: Around, origin: str, *, further: Iterable[str] = ()) -> list[Header]:
    """The headers of an archived answer."""
    at = around.chosen.at if around.chosen else around.at
    return [
        ("memento-datetime", http_date(at)),
        ("link", ", ".join([*memento_links(url, around, origin), *further])),
    ]


def link_timemap(url: str, rows: Iterable[CdxRow], origin: str) -> Iterator[bytes]:
    """The list of captures in the link format."""
    yield ",\n".join(general_links(url, origin)).replace('rel="timemap"', 'rel="self"').encode()
    held: CdxRow | None = None
    count = 0
    for row in rows:
        if held is not None:
            yield _line(held, origin, "first memento" if count == 1 else "memento")
        held = row
        count += 1
    if held is not None:
        yield _line(held, origin, "first last memento" if count == 1 else "last memento")
    yield b"\n"


def json_timemap(url: str, rows: Iterable[CdxRow], origin: str) -> Iterator[bytes]:
    """The same as JSON."""
    head = {
        "original_uri": url, "timegate_uri": f"{origin}/timegate/{url}",
        "timemap_uri": {"link_format": f"{origin}/timemap/link/{url}", "json_format": f"{origin}/timemap/json/{url}"},
    }  # fmt: skip
    yield json.dumps(head)[:-1].encode() + b', "mementos": {"list": ['
    lead = b"\n"
    for row in rows:
        entry = {"datetime": row.at.replace(microsecond=0).isoformat(), "uri": origin + path_of(row.at, row.url)}
        yield lead + json.dumps(entry).encode()
        lead = b",\n"
    yield b"\n]}}\n"


def _line(row: CdxRow, origin: str, rel: str) -> bytes:
    return b",\n" + _memento(rel, origin + path_of(row.at, row.url), row.at).encode("ascii", "replace")


def _memento(rel: str, place: str, at: datetime) -> str:
    return f'<{_safe(place)}>; rel="{rel}"; datetime="{http_date(at)}"'


def _safe(url: str) -> str:
    return url.replace("<", "%3C").replace(">", "%3E").replace('"', "%22")
