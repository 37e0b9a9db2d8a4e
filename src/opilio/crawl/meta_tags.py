"""The meta tags of a page as a crawl store keeps them: a JSON list of name and content, in the order of the page."""

import json
from collections.abc import Sequence

from opilio.extract import Meta

MOST = 64 * 1024  # characters that are kept of one page


def kept_metas(metas: Sequence[Meta]) -> str:
    """The tags as JSON; of more than can be kept, each that still fits, whole."""
    if not metas:
        return ""
    text = _json([[meta.name, meta.content] for meta in metas])
    return text if len(text) <= MOST else _fitting(metas)


def _fitting(metas: Sequence[Meta]) -> str:
    kept, left = [], MOST - len("[]")
    for meta in metas:
        text = _json([meta.name, meta.content])
        needed = len(text) + len(", ")
        if needed <= left:
            kept.append(text)
            left -= needed
    return f"[{', '.join(kept)}]" if kept else ""


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
