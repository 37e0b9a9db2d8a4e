"""The HTML standard's prescan of a page's first 1,024 bytes for a charset.

https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
"""

import re

from opilio.extract.charset_labels import name_of

PRESCAN_BYTES = 1_024

_META = re.compile(rb"<meta[\t\n\f\r /]", re.IGNORECASE)
_TAG = re.compile(rb"</?[A-Za-z][^\t\n\f\r >]*+")
_SKIPPED = re.compile(rb"[\t\n\f\r /]*+")
_NAME = re.compile(rb"(?:[^=\t\n\f\r />]|(?<![\w])=)[^=\t\n\f\r />]*+")
_BLANKS = re.compile(rb"[\t\n\f\r ]*+")
_UNQUOTED = re.compile(rb"[^\t\n\f\r >]*+")
_IN_CONTENT = re.compile(
    rb"charset[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]*)\"|'([^']*)'|([^\"'\t\n\f\r ;][^\t\n\f\r ;]*+))", re.I
)


def prescan(body: bytes) -> str | None:
    """The name of the encoding that a meta element in the first bytes declares; None when none does."""
    head = body[:PRESCAN_BYTES]
    if b"charset" not in head.lower():
        return None
    position = head.find(b"<")
    while position != -1:
        position, found = _step(head, position)
        if found is not None:
            return found
        position = head.find(b"<", position)
    return None


def _step(head: bytes, position: int) -> tuple[int, str | None]:
    """What stands at one "<": where to go on, and the encoding it declares."""
    if head.startswith(b"<!--", position):
        end = head.find(b"-->", position + 2)
        return (end + 3 if end != -1 else len(head)), None
    meta = _META.match(head, position)
    if meta:
        attributes, end = _attributes(head, meta.end() - 1)
        return max(end, position + 1), _declared(attributes)
    tag = _TAG.match(head, position)
    if tag:
        return max(_attributes(head, tag.end())[1], position + 1), None
    if head[position + 1 : position + 2] in (b"!", b"/", b"?"):
        end = head.find(b">", position)
        return (end + 1 if end != -1 else len(head)), None
    return position + 1, None


def _attributes(head: bytes, position: int) -> tuple[dict[bytes, bytes], int]:
    """The attributes from `position` on, the first of each name, and where the tag ends."""
    found: dict[bytes, bytes] = {}
    while True:
        position = _end(_SKIPPED, head, position)
        if position >= len(head) or head[position : position + 1] == b">":
            return found, position + 1
        name_end = _end(_NAME, head, position) or position + 1
        name = head[position:name_end].lower()
        value, position = _value(head, max(name_end, position + 1))
        found.setdefault(name, value)


def _value(head: bytes, position: int) -> tuple[bytes, int]:
    after = _end(_BLANKS, head, position)
    if head[after : after + 1] != b"=":
        return b"", position
    start = _end(_BLANKS, head, after + 1)
    quote = head[start : start + 1]
    if quote in (b'"', b"'"):
        end = head.find(quote, start + 1)
        return (head[start + 1 : end].lower(), end + 1) if end != -1 else (b"", len(head))
    end = _end(_UNQUOTED, head, start)
    return head[start:end].lower(), end


def _end(pattern: re.Pattern[bytes], head: bytes, position: int) -> int:
    found = pattern.match(head, position)
    return found.end() if found else position


def _declared(attributes: dict[bytes, bytes]) -> str | None:
    """The encoding that a meta element's attributes declare, with the standard's two replacements."""
    label: bytes | None = attributes.get(b"charset")
    if label is None and attributes.get(b"http-equiv") == b"content-type":
        label = label_in_content(attributes.get(b"content", b""))
    name = name_of(label.decode("latin-1")) if label is not None else None
    if name in ("UTF-16BE", "UTF-16LE"):
        return "UTF-8"
    return "windows-1252" if name == "x-user-defined" else name


def label_in_content(content: bytes) -> bytes | None:
    """The charset in a value such as `text/html; charset=koi8-r`."""
    found = _IN_CONTENT.search(content)
    return next((group for group in found.groups() if group is not None), None) if found else None
