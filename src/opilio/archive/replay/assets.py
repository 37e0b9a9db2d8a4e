"""The few files that replay brings to the browser: two scripts, a service worker, two style sheets."""

from functools import lru_cache
from pathlib import Path

from opilio.archive.replay.messages import Header, Response

_FOLDER = Path(__file__).with_name("static")
_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
NAMES = frozenset({"shim.js", "sw.js", "open.js", "banner.css", "page.css"})


@lru_cache(maxsize=len(NAMES))
def asset(name: str) -> Response | None:
    """One of the files; None when there is none of that name."""
    if name not in NAMES:
        return None
    headers: list[Header] = [
        ("content-type", _TYPES[Path(name).suffix]),
        ("cache-control", "no-cache"),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "same-origin"),
    ]
    if name == "sw.js":
        headers.append(("service-worker-allowed", "/"))
        headers.append(("content-security-policy", "default-src 'none'; connect-src 'self'"))
    return Response(status=200, headers=tuple(headers), body=(_FOLDER / name).read_bytes())
