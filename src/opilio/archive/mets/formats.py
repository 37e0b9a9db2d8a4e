"""Which format and media type a file of a package has, told by its name: the packer wrote it, so the name is right."""

from dataclasses import dataclass

GROUPS = ("warcs", "index", "results", "logs", "reports", "screenshots", "documents")


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """A format."""

    name: str
    mime: str
    version: str = ""
    layers: int = 0  # of compression around it


_FORMATS = (
    (".warc.gz", Format(name="WARC", mime="application/warc+gzip", version="1.1", layers=1)),
    (".warc", Format(name="WARC", mime="application/warc", version="1.1")),
    (".arc.gz", Format(name="ARC", mime="application/x-arc", layers=1)),
    (".arc", Format(name="ARC", mime="application/x-arc")),
    (".cdxj", Format(name="CDXJ", mime="text/plain")),
    (".db", Format(name="SQLite", mime="application/vnd.sqlite3", version="3")),
    (".jsonl", Format(name="JSON lines", mime="application/jsonl")),
    (".json", Format(name="JSON", mime="application/json")),
    (".html", Format(name="HTML", mime="text/html", version="5")),
    (".xml", Format(name="XML", mime="application/xml", version="1.0")),
    (".png", Format(name="PNG", mime="image/png")),
    (".webp", Format(name="WebP", mime="image/webp")),
    (".csv", Format(name="CSV", mime="text/csv")),
    (".log", Format(name="Plain text", mime="text/plain")),
    (".txt", Format(name="Plain text", mime="text/plain")),
)
_UNKNOWN = Format(name="unknown", mime="application/octet-stream")


def format_of(path: str) -> Format:
    """The format of a file."""
    lower = path.lower()
    return next((kind for ending, kind in _FORMATS if lower.endswith(ending)), _UNKNOWN)


def group_of(path: str) -> str:
    """The group of files to which it belongs, of GROUPS."""
    parts = path.removeprefix("data/").split("/")
    if parts[-1].endswith(".cdxj"):
        return "index"
    if parts[-1].startswith("report"):
        return "reports"
    folder = {"archive": "warcs"}.get(parts[0], parts[0])
    return folder if len(parts) > 1 and folder in GROUPS else "documents"
