"""Streaming XML under limits: no entities, no internal DOCTYPE, bounded depth and text; whatever was read counts.

expat is linear and keeps no tree; external things are never loaded.
"""

from collections.abc import Callable, Iterable
from xml.parsers import expat

from opilio.kernel.errors import InvalidInput

_MAX_TEXT = 1_000_000  # characters of one element


class XmlRefused(InvalidInput):
    """The document breaks a limit; the reading stops."""


class XmlReader:
    """Calls `start(name, attributes)` and `end(name, text)` for each element; names are without namespace prefix.

    `text` holds the character data directly inside an element, up to a limit; nothing where `data` takes it instead.
    """

    def __init__(
        self,
        *,
        start: Callable[[str, dict[str, str]], None],
        end: Callable[[str, str], None],
        max_depth: int,
        doctype: bool = False,
        data: Callable[[str, str], None] | None = None,
    ) -> None:
        self._start, self._end = start, end
        self._max_depth = max_depth
        self._doctype = doctype  # whether a DOCTYPE without declarations of its own is let pass
        self._data = data  # called with an element's name and each piece of its text, in document order
        self._names: list[str] = []
        self._texts: list[list[str]] = []
        self._lengths: list[int] = []

    def read(self, pieces: Iterable[bytes], encoding: str | None = "utf-8") -> str:
        """Read a document given in pieces; returns why it was not read to its end, or an empty text."""
        parser = expat.ParserCreate(encoding)
        parser.buffer_text = True
        parser.StartElementHandler = self._on_start
        parser.EndElementHandler = self._on_end
        parser.CharacterDataHandler = self._on_text
        parser.StartDoctypeDeclHandler = self._on_doctype
        parser.EntityDeclHandler = _on_entity
        try:
            for piece in pieces:
                parser.Parse(piece, False)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            return f"not well-formed XML: {expat.ErrorString(error.code)} in line {error.lineno}"
        except XmlRefused as refusal:
            return refusal.what
        return ""

    def _on_start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._texts) >= self._max_depth:
            raise XmlRefused(f"elements are nested more than {self._max_depth} deep")
        self._names.append(_local(name))
        self._texts.append([])
        self._lengths.append(0)
        self._start(self._names[-1], attributes)

    def _on_end(self, _name: str) -> None:
        self._lengths.pop()
        self._end(self._names.pop(), "".join(self._texts.pop()))

    def _on_text(self, data: str) -> None:
        if self._data is not None and self._names:
            self._data(self._names[-1], data)
        elif self._texts and self._lengths[-1] < _MAX_TEXT:
            self._texts[-1].append(data[:_MAX_TEXT])
            self._lengths[-1] += len(data)

    def _on_doctype(self, _name: str, _system: str | None, _public: str | None, internal: int) -> None:
        if internal or not self._doctype:
            raise XmlRefused("it has a DOCTYPE with declarations" if internal else "it has a DOCTYPE")


def _on_entity(*_: object) -> None:
    raise XmlRefused("it declares entities")


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()


def attribute(attributes: dict[str, str], wanted: str) -> str:
    """The value of an attribute, whatever its namespace prefix; empty when there is none."""
    if wanted in attributes:
        return attributes[wanted]
    return next((value for name, value in attributes.items() if _local(name) == wanted), "")
