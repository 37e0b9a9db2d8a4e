"""Validates XML documents against a schema, in constant memory, with the exact place of each fault.

A fast pass reads in large blocks and finds whether there is a fault at all; only then a second pass reads tag by tag,
so that each fault belongs to the tag that was just given. Documents choose nothing: neither a schema nor entities.

lxml, told a schema, keeps quiet about documents that end too early and about what follows the root: so a document
counts as whole only when the end of its root was seen and nothing but space comes after it, and a plain parser is asked
where that is in doubt.
"""

import codecs
import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from xml.parsers import expat

from lxml import etree

from opilio.deliveries.errors import BadDeliveryProfile

_BLOCK = 1 << 18
_TAIL = 1 << 12  # bytes in which the end of the root is looked for
_LONGEST_PIECE = 1 << 20  # bytes without a ">"
MOST_FAULTS = 1_000
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class XmlFault:
    """Something that is wrong with a document; lines and columns count from 1, columns in characters."""

    kind: str  # shared by all faults of the sort
    message: str
    line: int | None = None
    column: int | None = None


class Schema:
    """A schema, compiled once."""

    def __init__(self, path: Path) -> None:
        try:
            self._schema = etree.XMLSchema(etree.parse(path, etree.XMLParser(no_network=True, resolve_entities=False)))
        except (etree.LxmlError, OSError) as error:
            raise BadDeliveryProfile(f"The schema cannot be used: {error}", where=str(path)) from error

    def faults(self, path: Path, most: int = MOST_FAULTS) -> list[XmlFault]:
        """What is wrong with a document, the first `most`; nothing, when it is valid."""
        with path.open("rb") as stream:
            if self._valid(stream):
                return []
            stream.seek(0)
            return self._located(stream, most)

    def _valid(self, stream: BinaryIO) -> bool:
        reader, encoding = _as_utf8(stream)
        followed = _Followed(reader)
        try:
            root = _skimmed(self._parsing(followed, encoding), followed)
        except (etree.XMLSyntaxError, _Forbidden):
            return False
        if followed.ends_with(root):
            return True
        stream.seek(0)
        return _not_well_formed(stream) is None

    def _located(self, stream: BinaryIO, most: int) -> list[XmlFault]:
        reader, encoding = _as_utf8(stream)
        pieces = _Pieces(reader, most)
        parsing = pieces.parsing = self._parsing(pieces, encoding)
        try:
            _read_through(parsing)
        except _Forbidden as error:
            return [*pieces.faults, XmlFault(kind="doctype", message=str(error), line=1, column=1)]
        except _Enough:
            return pieces.faults
        except etree.XMLSyntaxError:
            pass  # said better by a parser that knows no schema
        with contextlib.suppress(_Enough):
            pieces.gather()
        stream.seek(0)
        broken = _not_well_formed(stream)
        return [*pieces.faults, *([broken] if broken else [])][:most]

    def _parsing(self, reader: object, encoding: str | None) -> Any:
        return _parsing(reader, encoding, self._schema)


class _Forbidden(Exception):
    """What no document may have."""


class _Enough(Exception):
    """As many faults were found as anybody reads."""


class _Pieces:
    """Gives a parser one tag at a time, and says at which tag its faults came up."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self._stream = stream
        self._most = most
        self._waiting = b""
        self._at = 0  # how much of it was given
        self._line = 1  # of the end of what was given
        self._text = b""  # of that line so far
        self.tag = (1, 1)  # where the last tag began
        self.faults: list[XmlFault] = []
        self.parsing: Any = None
        self._seen = 0  # faults of the parser's log

    def read(self, _: int = -1) -> bytes:
        """Up to the end of the next tag."""
        self.gather()
        piece = self._next()
        self._follow(piece)
        return piece

    def gather(self) -> None:
        """Faults that are new belong to the tag that was given last."""
        if self.parsing is None:
            return
        log = self.parsing.error_log
        for entry in list(log)[self._seen :] if len(log) > self._seen else ():
            self.faults.append(self._fault(entry))
            self._seen += 1
            if len(self.faults) >= self._most:
                raise _Enough

    def _fault(self, entry: Any) -> XmlFault:
        line, column = (entry.line, entry.column) if entry.line else self.tag
        return XmlFault(kind=_kind(entry.type_name), message=entry.message, line=line, column=column or None)

    def _next(self) -> bytes:
        while (end := self._waiting.find(b">", self._at)) < 0 and len(self._waiting) - self._at < _LONGEST_PIECE:
            block = self._stream.read(_BLOCK)
            if not block:
                end = len(self._waiting) - 1
                break
            self._waiting, self._at = self._waiting[self._at :] + block, 0
        start = self._at
        self._at = end + 1 if end >= 0 else start + _LONGEST_PIECE
        return self._waiting[start : self._at]

    def _follow(self, piece: bytes) -> None:
        opened = piece.rfind(b"<")
        if opened >= 0:
            self._move(piece[:opened])
            self.tag = (self._line, len(self._text.decode("utf-8", "replace")) + 1)
            piece = piece[opened:]
        self._move(piece)

    def _move(self, text: bytes) -> None:
        lines = text.count(b"\n")
        self._line += lines
        self._text = text.rpartition(b"\n")[2] if lines else self._text + text


class _Followed:
    """A reader that remembers the last bytes, and how many blocks it gave."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._tail = b""
        self.blocks = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes: what the parser asks for, as the tree of a larger block leaves the processor's cache."""
        block: bytes = self._stream.read(size if size > 0 else _BLOCK)
        self.blocks += 1
        self._tail = (self._tail + block)[-_TAIL:] if len(block) < _TAIL else block[-_TAIL:]
        return block

    def ends_with(self, root: str) -> bool:
        """Whether nothing but space follows the end of the root; False also when that cannot be told."""
        tail = self._tail.rstrip(b" \t\r\n")
        start = tail.rfind(b"</")
        name = tail[start + 2 :].removesuffix(b">").rstrip().rpartition(b":")[2]
        return bool(root) and start >= 0 and tail.endswith(b">") and name == root.encode()


class _Transcoded:
    """A document as UTF-8, whatever wide encoding it was written in."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        while block := self._stream.read(_BLOCK):
            if text := self._decoder.decode(block):
                return text.encode("utf-8")
        return self._decoder.decode(b"", final=True).encode("utf-8")


def _as_utf8(stream: BinaryIO) -> tuple[Any, str | None]:
    """A reader, and the encoding that the parser must assume; None: what the document says."""
    start = stream.read(4)
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            stream.seek(len(mark))
            return _Transcoded(stream, encoding), "utf-8"
    stream.seek(0)
    return stream, None


def _parsing(reader: object, encoding: str | None, schema: etree.XMLSchema | None = None) -> Any:
    return etree.iterparse(
        reader, events=("end",), schema=schema, resolve_entities=False, no_network=True, load_dtd=False,
        huge_tree=False, remove_comments=True, remove_pis=True, encoding=encoding,
    )  # fmt: skip


def _skimmed(parsing: Any, followed: _Followed) -> str:
    """As `_read_through`, but what came before is dropped only with each block, which is much quicker."""
    blocks, element = 0, None
    for _, element in parsing:
        if blocks != followed.blocks:
            if not blocks:
                _refuse_declaration(element)
            blocks = followed.blocks
            _drop_before(element)
    ended = element is not None and element.getparent() is None
    return str(etree.QName(element).localname) if ended else ""


def _drop_before(element: Any) -> None:
    while (around := element.getparent()) is not None:
        del around[: around.index(element)]
        element = around


def _refuse_declaration(element: Any) -> None:
    if element.getroottree().docinfo.internalDTD is not None:
        raise _Forbidden("A document type declaration is not allowed")


def _read_through(parsing: Any) -> str:
    """Let the parser see the whole document, and keep nothing of it; the name of the root, if it came to its end."""
    first, ended = True, ""
    for _, element in parsing:
        if first:
            first = False
            _refuse_declaration(element)
        around = element.getparent()
        if around is None:
            ended = etree.QName(element).localname
        element.clear()
        while element.getprevious() is not None:
            del around[0]
    return ended


def _not_well_formed(stream: BinaryIO) -> XmlFault | None:
    """The fault of a document that is no XML at all."""
    reader, encoding = _as_utf8(stream)
    try:
        _read_through(_parsing(reader, encoding))
    except _Forbidden as error:
        return XmlFault(kind="doctype", message=str(error), line=1, column=1)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        if line:
            return XmlFault(kind="syntax", message=str(error.msg), line=line, column=column or 1)
        return _by_another_parser(stream)
    return None


def _by_another_parser(stream: BinaryIO) -> XmlFault:
    """Where a document goes wrong, when lxml does not say: undefined entities, nothing at all."""
    stream.seek(0)
    parser = expat.ParserCreate()
    try:
        parser.ParseFile(_as_utf8(stream)[0])
    except expat.ExpatError as error:
        message = expat.errors.messages[error.code]
        return XmlFault(kind="syntax", message=message.capitalize(), line=error.lineno, column=error.offset + 1)
    return XmlFault(kind="syntax", message="It is no XML document", line=1, column=1)


def _kind(name: str) -> str:
    """`SCHEMAV_ELEMENT_CONTENT` as `element-content`."""
    return name.removeprefix("SCHEMAV_").removeprefix("ERR_").lower().replace("_", "-")
