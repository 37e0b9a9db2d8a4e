"""Small pages of HTML for partners: one file, no scripts, readable without a style and on paper."""

from collections.abc import Iterable, Sequence
from html import escape

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1b1b1b;"
    "background:#fff}table{border-collapse:collapse;width:100%}th,td{border:1px solid #767676;padding:.3rem .5rem;"
    "text-align:left;vertical-align:top;overflow-wrap:anywhere}th{background:#f0f0f0}"
)


def page(title: str, body: str) -> str:
    """A whole page; the body is HTML already."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body><main><h1>{escape(title)}</h1>{body}</main></body></html>\n"
    )


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of plain values."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
