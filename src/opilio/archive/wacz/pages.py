"""The pages of a result as a WACZ lists them (json-pages-1.0): seeds in one list, all others in a second.

A page is what a reader would open: HTML, PDF and the like that was fetched, and no part of another page.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from opilio.archive.packing.parcel import Pages
from opilio.archive.results.values import Resource

_KINDS = frozenset({"html", "pdf", "office"})
_KEPT = frozenset({"fetched", "unchanged", "duplicate", "soft-404", "unparsable"})


def is_page(resource: Resource) -> bool:
    """Whether readers are shown it in the list."""
    return (
        resource.place is not None
        and resource.hops == 0
        and resource.type in _KINDS
        and resource.outcome in _KEPT
        and bool(resource.at)
    )


def is_seed(resource: Resource) -> bool:
    """Whether the crawl began there; a seed's redirect leads to a page that counts as one."""
    return resource.depth == 0


def page_lines(result: Pages, pages: Iterable[Resource], *, title: str, name: str, text: bool) -> Iterator[bytes]:
    """A list of pages, a line at a time."""
    head: dict[str, Any] = {"format": "json-pages-1.0", "id": name, "title": title}
    yield _line({**head, "hasText": True} if text else head)
    for resource in pages:
        told: dict[str, Any] = {"id": _id(resource), "url": resource.url, "ts": _time(resource.at)}
        if resource.title:
            told["title"] = resource.title
        if is_seed(resource):
            told["seed"] = True
        told |= {"depth": resource.depth, "status": resource.status, "size": resource.size}
        if text and resource.digest:
            told["text"] = result.text(resource.digest) or ""
        yield _line(told)


def _id(resource: Resource) -> str:
    """The same for the same page, whoever packs it."""
    return hashlib.blake2b(f"{resource.at} {resource.url}".encode("utf-8", "replace"), digest_size=12).hexdigest()


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _line(told: dict[str, Any]) -> bytes:
    return f"{json.dumps(told, ensure_ascii=False)}\n".encode("utf-8", "replace")
