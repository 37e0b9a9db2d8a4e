"""Cuts HTML and XML into the pieces that rewriting cares about: tags, the content of style elements, and all the rest.

Bytes in, bytes out: every piece is a part of the document, and all pieces together are the document. One pass; what
cannot be a tag, because nothing closes it, is left as it is, since a browser drops it too.
"""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

#: Where markup begins that may matter; tags without attributes of elements that only arrange text are text here.
_MARK = re.compile(
    rb"<(?=[A-Za-z/!?])(?!/?(?:p|div|span|li|[uod]l|d[td]|t[rdh]|table|tbody|thead|b|i|em|strong|h[1-6]|a|code|section|nav"
    rb"|header|footer|main|article|figure|figcaption|picture|br)>)",
    re.IGNORECASE,
)
_TAG = re.compile(
    rb"<(/?)([A-Za-z][^\t\n\f\r />]*+)((?:[^>\"'=]++|=[\t\n\f\r ]*+(?:\"[^\"]*+\"|'[^']*+'|(?![\"']))|[\"'])*+)>"
)
_COMMENT = re.compile(rb"<!--(?:-?>|.*?--!?>)", re.DOTALL)
#: Elements whose content is no markup in HTML.
_RAW: Final = frozenset(b"script style textarea title xmp iframe noembed noframes".split())
_RAW_IN_XML: Final = frozenset(b"script style".split())
_FOREIGN: Final = frozenset(b"svg math".split())
#: A piece that is longer than this before its end is known is given up: it passes unread.
MOST_HELD = 4 << 20  # bytes
_TAIL = 32  # bytes that stay held when a piece is given up: its end mark may be cut in two


class Piece(Enum):
    """What a piece is."""

    OTHER = auto()  # text, comments, scripts
    START = auto()  # a start tag
    END = auto()  # an end tag
    STYLE = auto()  # the content of a style element
    INSTRUCTION = auto()  # <?…?>
    CUT = auto()  # a tag that the end of the document cut off; browsers drop it


class Token(NamedTuple):
    """A piece of a document; a tuple and not a dataclass, because a page has hundreds."""

    piece: Piece
    data: bytes
    name: bytes = b""  # of the element, lower case
    inside: bytes = b""  # of a start tag: what stands between name and ">"


class Tokens:
    """Reads a document that comes in parts."""

    def __init__(self, *, xml: bool = False) -> None:
        self._xml = xml
        self._held = b""
        self._raw = b""  # the element whose content is being read, if that is no markup
        self._comment = False  # whether a comment was given up and still waits for its end
        self._foreign = 0  # open drawings
        self._over = False  # plaintext: all that follows is text

    @property
    def unfinished(self) -> bytes:
        """What must be written to close what the document left open: the end of a comment or of a raw element."""
        if self._comment:
            return b"-->"
        return b"</" + self._raw + b">" if self._raw else b""

    def feed(self, data: bytes, *, final: bool = False) -> Iterator[Token]:
        """The pieces that are whole now."""
        data = self._held + data
        self._held = b""
        position = 0
        while position < len(data):
            token, position = self._next(data, position)
            if token is not None:
                yield token
                continue
            yield from self._left_over(data[position:], final=final)
            return

    def _left_over(self, rest: bytes, *, final: bool) -> Iterator[Token]:
        """What has no end yet: held, or at the end of the document and beyond the limit given up."""
        if not final and len(rest) < MOST_HELD:
            self._held = rest
            return
        comment = self._comment or (not self._raw and rest.startswith(b"<!--"))
        kept = len(rest) if final else len(rest) - _TAIL
        self._held = rest[kept:]
        cut = final and not comment and not self._raw and rest.startswith(b"<")
        self._comment = comment
        yield Token(piece=Piece.CUT if cut else Piece.OTHER, data=rest[:kept])

    def _next(self, data: bytes, position: int) -> tuple[Token | None, int]:
        """The next piece and where it ends; None when its end has not come yet."""
        if self._over:
            return Token(piece=Piece.OTHER, data=data[position:]), len(data)
        if self._comment:
            return self._rest_of_comment(data, position)
        if self._raw:
            return self._content(data, position)
        mark = _MARK.search(data, position)
        if mark is None or mark.start() > position:
            end = mark.start() if mark else _before_cut(data, position)
            return (Token(piece=Piece.OTHER, data=data[position:end]) if end > position else None), end
        return self._markup(data, position)

    def _markup(self, data: bytes, position: int) -> tuple[Token | None, int]:
        after = data[position + 1 : position + 2]
        if after in (b"!", b"?"):
            return self._declared(data, position, after)
        if after == b"/" and not data[position + 2 : position + 3].isalpha():
            return _until(b">", data, position, Piece.OTHER)
        found = _TAG.match(data, position)
        return (self._tag(found), found.end()) if found is not None else (None, position)

    def _declared(self, data: bytes, position: int, after: bytes) -> tuple[Token | None, int]:
        """Comments, declarations and instructions."""
        if after == b"?":
            return _until(b"?>" if self._xml else b">", data, position, Piece.INSTRUCTION)
        if data.startswith(b"<!--", position):
            return _matched(_COMMENT, data, position)
        if len(data) < position + 9:  # it may become one of the two kinds that end otherwise
            return None, position
        cdata = data.startswith(b"<![CDATA[", position) and (self._xml or self._foreign > 0)
        return _until(b"]]>" if cdata else b">", data, position, Piece.OTHER)

    def _tag(self, found: re.Match[bytes]) -> Token:
        name = found[2].lower()
        closed = found[3].endswith(b"/")
        if found[1]:
            self._foreign -= name in _FOREIGN and self._foreign > 0
            return Token(piece=Piece.END, data=found[0], name=name)
        if name in _FOREIGN and not closed:
            self._foreign += 1
        raw = _RAW_IN_XML if self._xml or self._foreign else _RAW
        if name in raw and not (closed and (self._xml or self._foreign)):
            self._raw = name
        elif name == b"plaintext" and not self._xml:
            self._over = True
        return Token(piece=Piece.START, data=found[0], name=name, inside=found[3])

    def _content(self, data: bytes, position: int) -> tuple[Token | None, int]:
        """The content of a raw element, up to its end tag."""
        end = _raw_end(data, self._raw, position)
        if end is None:
            return None, position
        piece = Piece.STYLE if self._raw == b"style" else Piece.OTHER
        self._raw = b""
        return Token(piece=piece, data=data[position:end]), end

    def _rest_of_comment(self, data: bytes, position: int) -> tuple[Token, int]:
        end = data.find(b"-->", position)
        self._comment = end < 0
        end = end + 3 if end >= 0 else len(data)
        return Token(piece=Piece.OTHER, data=data[position:end]), end


def _before_cut(data: bytes, position: int) -> int:
    """The end of a text; a "<" at the very end may begin a tag."""
    return len(data) - 1 if data.endswith(b"<") and len(data) - 1 >= position else len(data)


def _matched(pattern: re.Pattern[bytes], data: bytes, position: int) -> tuple[Token | None, int]:
    found = pattern.match(data, position)
    return (Token(piece=Piece.OTHER, data=found[0]), found.end()) if found else (None, position)


def _until(mark: bytes, data: bytes, position: int, piece: Piece) -> tuple[Token | None, int]:
    end = data.find(mark, position)
    if end < 0:
        return None, position
    return Token(piece=piece, data=data[position : end + len(mark)]), end + len(mark)


def _raw_end(data: bytes, name: bytes, position: int) -> int | None:
    """Where the end tag of a raw element begins; None when it is not there."""
    pattern = _RAW_ENDS[name]
    found = pattern.search(data, position)
    return found.start() if found else None


_RAW_ENDS: Final = {name: re.compile(rb"</" + name + rb"(?=[\t\n\f\r />])", re.IGNORECASE) for name in _RAW}
