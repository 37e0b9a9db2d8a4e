"""Resources and what they gave, as bytes for the pipe between a process and its helper.

JSON and not pickle: the helper reads hostile files, and nothing it answers may run code here.
"""

import json
import struct
from dataclasses import fields
from typing import Any

from opilio.extract.extracted import Extracted, Heading, Meta
from opilio.extract.links import Link, LinkKind
from opilio.extract.options import from_values, to_values
from opilio.extract.page_types import PageType
from opilio.extract.reading import Resource
from opilio.kernel.errors import Damaged

_LENGTHS = struct.Struct(">IQ")  # of the head (JSON) and of the body that follows it
HEADER_BYTES = _LENGTHS.size
READY = b"ready\n"  # what a helper says once, when its modules are loaded
_KINDS = {kind.value: kind for kind in LinkKind}


class BadAnswer(Damaged):
    """The helper process answered something that is no extraction."""


def lengths(header: bytes) -> tuple[int, int]:
    """The lengths of head and body that a frame's header announces."""
    head, body = _LENGTHS.unpack(header)
    return head, body


def frame(head: bytes, body: bytes = b"") -> bytes:
    """A frame: header, head, body."""
    return _LENGTHS.pack(len(head), len(body)) + head + body


def resource_frame(resource: Resource, cpu_seconds: int) -> bytes:
    """What a process sends to its helper."""
    head = {
        "url": resource.url,
        "content_type": resource.content_type,
        "options": to_values(resource.options),
        "expect": resource.expect,
        "cpu_seconds": cpu_seconds,
    }
    return frame(json.dumps(head).encode(), resource.body)


def resource_of(head: bytes, body: bytes) -> tuple[Resource, int]:
    """What the helper was sent: the resource and its limit of CPU seconds."""
    values = json.loads(head)
    expect = values["expect"]
    resource = Resource(
        body=body,
        url=values["url"],
        content_type=values["content_type"],
        options=from_values(values["options"]),
        expect=None if expect is None else PageType(expect),
    )
    return resource, int(values["cpu_seconds"])


def answer(extracted: Extracted) -> bytes:
    """What the helper answers."""
    values = {field.name: getattr(extracted, field.name) for field in fields(Extracted)}
    values["robots"] = {agent: sorted(words) for agent, words in extracted.robots.items()}
    values["schemes"] = dict(extracted.schemes)
    return json.dumps(values, ensure_ascii=True).encode()


def answer_of(data: bytes) -> Extracted:
    """What an answer says."""
    try:
        values = json.loads(data)
        return Extracted(**{name: _decoded(name, value) for name, value in values.items()})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise BadAnswer("the helper process answered nonsense", remedy="Report it with the URL of the page.") from None


def _decoded(name: str, value: Any) -> Any:
    decode = _DECODERS.get(name)
    return value if decode is None else decode(value)


_DECODERS: dict[str, Any] = {
    "page_type": PageType,
    "metas": lambda rows: tuple(Meta(*row) for row in rows),
    "headings": lambda rows: tuple(Heading(*row) for row in rows),
    "boilerplate": lambda rows: tuple((start, end) for start, end in rows),
    "robots": lambda by_agent: {agent: frozenset(words) for agent, words in by_agent.items()},
    "links": lambda rows: tuple(Link(url, _KINDS[kind], *rest) for url, kind, *rest in rows),
    "malformed_samples": tuple,
    "notes": tuple,
}
