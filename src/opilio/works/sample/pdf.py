"""Sets plain paragraphs as a small PDF 1.4 file: one font, uncompressed text, a correct cross-reference table."""

from collections.abc import Sequence
from itertools import accumulate
from textwrap import wrap

_LINES_PER_PAGE = 44
_COLUMNS = 84  # characters of 11 point Helvetica on an A4 line, with room to spare
_HEADER = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"


def typeset(text: str) -> bytes:
    """A PDF of `text`: the first line is the title, blank lines part the paragraphs."""
    title, _, rest = text.strip().partition("\n")
    lines = [line for paragraph in rest.strip().split("\n\n") for line in [*wrap(paragraph, _COLUMNS), ""]]
    sheets = [lines[start : start + _LINES_PER_PAGE] for start in range(0, len(lines), _LINES_PER_PAGE)]
    return _assemble(_objects(title, sheets or [[]]))


def _objects(title: str, sheets: Sequence[Sequence[str]]) -> list[bytes]:
    """Objects 1 to 4 are catalogue, page tree, font and information; then each sheet's page and its content."""
    kids = " ".join(f"{5 + 2 * number} 0 R" for number in range(len(sheets)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Title (" + _literal(title) + b") /Author (The Harbour Museum of Tidewick) >>",
    ]
    for number, lines in enumerate(sheets):
        objects.append(_page(content=6 + 2 * number))
        objects.append(_content(title if number == 0 else "", lines))
    return objects


def _page(*, content: int) -> bytes:
    resources = "/Resources << /Font << /F1 3 0 R >> >>"
    return f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] {resources} /Contents {content} 0 R >>".encode()


def _content(title: str, lines: Sequence[str]) -> bytes:
    heading = [b"/F1 18 Tf 72 770 Td (" + _literal(title) + b") Tj", b"/F1 11 Tf 0 -34 Td 15 TL"]
    body = [b"(" + _literal(line) + b") Tj T*" for line in lines]
    stream = b"\n".join([b"BT", *heading, *body, b"ET"])
    return b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream)


def _literal(text: str) -> bytes:
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return escaped.encode("cp1252", "replace")


def _assemble(objects: Sequence[bytes]) -> bytes:
    parts = [b"%d 0 obj\n%b\nendobj\n" % (number, content) for number, content in enumerate(objects, 1)]
    *offsets, end = accumulate((len(part) for part in parts), initial=len(_HEADER))
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, end)
    return _HEADER + b"".join(parts) + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + trailer
