"""Folders served as sites, each under a host name, with the right types and validators."""

import mimetypes
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from tests.servers.answers import Response, redirect
from tests.servers.caching import validated
from tests.servers.request import Request

_TYPES = mimetypes.MimeTypes()  # Python's own table; the machine's is not read
_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_MORE = {
    ".atom": "application/atom+xml", ".docx": _DOCX, ".gz": "application/gzip", ".js": "text/javascript",
    ".md": "text/markdown", ".rss": "application/rss+xml", ".webp": "image/webp", ".woff2": "font/woff2",
    ".xml": "application/xml",
}  # fmt: skip


def type_of(path: Path, body: bytes) -> str:
    """The media type by the name; texts that are UTF-8 say so, others leave the charset open."""
    kind = (
        _MORE.get(path.suffix.lower()) or _TYPES.guess_type(f"x{path.suffix.lower()}")[0] or "application/octet-stream"
    )
    if not kind.startswith("text/"):
        return kind
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return kind
    return f"{kind}; charset=utf-8"


def file_for(root: Path, path: str) -> Path | None:
    """The file or folder that a decoded path names inside the root; None when there is none, or outside."""
    if "\0" in path:
        return None
    place = (root / path.lstrip("/")).resolve()
    inside = place == root.resolve() or root.resolve() in place.parents
    if not inside or not os.path.exists(place):  # noqa: PTH110 - unlike Path.exists, also for names that are too long
        return None
    return None if place.is_file() and path.endswith("/") else place


@dataclass(frozen=True, kw_only=True)
class Sites:
    """Which folder answers for which host."""

    hosts: Mapping[str, Path] = field(default_factory=dict)
    others: Path | None = None  # for all other hosts
    collection: Path | None = None  # its subfolder NAME answers for NAME.localhost

    @classmethod
    def parsed(cls, texts: Sequence[str], collection: Path | None) -> "Sites":
        """From the command line: `DIR` or `HOST=DIR`; a folder that is not there is an error."""
        hosts, others = {}, None
        for text in texts:
            host, named, folder = text.rpartition("=")
            if named:
                hosts[host.lower()] = Path(folder)
            else:
                others = Path(folder)
        for place in (*hosts.values(), *filter(None, (others, collection))):
            if not place.is_dir():
                raise SystemExit(f"{place} is no folder; give an existing one to --site or --sites")
        return cls(hosts=hosts, others=others, collection=collection)

    def root(self, host: str) -> Path | None:
        """The folder of a host; in the collection, `a-b.localhost` is also found as `a_b`."""
        name = host.removesuffix(".localhost")
        if host in self.hosts:
            return self.hosts[host]
        if self.collection and name != host and "/" not in name and not name.startswith("."):
            candidates = (self.collection / spelling for spelling in (name, name.replace("-", "_")))
            found = next((place for place in candidates if place.is_dir()), None)
            return found or self.others
        return self.others

    def answer(self, request: Request) -> Response | None:
        """The file that a request names, or None."""
        root = self.root(request.host)
        place = file_for(root, request.path) if root else None
        if place is None:
            return None
        if place.is_dir():
            return _folder(request, place)
        return _file(request, place)


def _folder(request: Request, place: Path) -> Response | None:
    """The index page of a folder, or the way to it."""
    if not (place / "index.html").is_file():
        return None
    if not request.path.endswith("/"):
        query = request.local_target.partition("?")[2]
        target = quote(request.path, errors="surrogateescape") + "/" + (f"?{query}" if query else "")
        return redirect(target, status=301)
    return _file(request, place / "index.html")


def _file(request: Request, place: Path) -> Response:
    body = place.read_bytes()
    modified = datetime.fromtimestamp(place.stat().st_mtime, tz=UTC)
    return validated(request, Response(body=body, type=type_of(place, body)), modified=modified)
