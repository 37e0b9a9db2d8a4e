"""The handbook: the documentation as pages, made by `make docs` and shown by the server under /docs/.

It lies inside the package, so that a wheel brings it along. Where it was not made, nothing links to it.
"""

import base64
import hashlib
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "handbook_pages"
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


def is_made() -> bool:
    """Whether there is a handbook to show."""
    return (FOLDER / "index.html").is_file()


def policy(page: bytes) -> str:
    """What a browser may load for a page of the handbook: our own files, and exactly the scripts that stand in it."""
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(each).digest()).decode()}'"
                      for each in dict.fromkeys(_INLINE.findall(page)))  # fmt: skip
    return "; ".join(
        (
            "default-src 'none'", f"script-src 'self' {hashes}".rstrip(), "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:", "font-src 'self'", "connect-src 'self'", "form-action 'self'",
            "frame-ancestors 'none'", "base-uri 'none'",
        )
    )  # fmt: skip
