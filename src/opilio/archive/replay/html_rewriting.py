"""Rewrites an archived page for replay: its tags and styles, our script before all of its own, our banner at its end.

Bytes stay in the page's own charset and unchanged wherever no reference stands. Scripts are not rewritten: what they
ask for is caught in the browser.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from opilio.archive.replay.css_rewriting import rewrite_css
from opilio.archive.replay.html_tokens import Piece, Token, Tokens
from opilio.archive.replay.references import References
from opilio.archive.replay.tag_rewriting import TagRewriting

_DEEPEST = 3  # documents inside attributes of documents
_WINDOW = 1 << 18  # bytes that are read at a time
_SHEET = re.compile(rb"<\?xml-stylesheet\b")
_PSEUDO = re.compile(rb"(\bhref\s*=\s*)(\"[^\"]*\"|'[^']*')")
_ENDS = frozenset((b"body", b"html"))
_BEFORE_HEAD = frozenset((b"html", b"head"))


class HtmlRewriting:
    """One document. Feed it, then finish it."""

    def __init__(
        self, references: References, *, xml: bool = False, top: bool = False, first: bytes = b"", last: bytes = b"",
        depth: int = 0,
    ) -> None:  # fmt: skip
        """`first` goes before every script of the page, `last` behind its content."""
        self._tokens = Tokens(xml=xml)
        self._references = references
        self._tags = TagRewriting(references, top=top, nested=self._nested)
        self._first = first
        self._last = last
        self._depth = depth
        self._started = False  # whether a tag behind which `first` can stand was seen

    def feed(self, data: bytes, *, final: bool = False) -> bytes:
        """What can be served of it now."""
        return b"".join(self._piece(token) for token in self._tokens.feed(data, final=final))

    def finish(self, data: bytes = b"") -> bytes:
        """The end of the document."""
        rest = self.feed(data, final=True)
        if not self._last:
            return rest + self._pending()
        return rest + self._tokens.unfinished + self._pending() + self._ending()

    def _piece(self, token: Token) -> bytes:
        match token.piece:
            case Piece.START:
                return self._start(token)
            case Piece.STYLE:
                return rewrite_css(token.data, self._references.plain)
            case Piece.END:
                return self._ending() + token.data if token.name in _ENDS else token.data
            case Piece.INSTRUCTION:
                return self._instruction(token.data)
            case Piece.CUT:
                return b"" if self._last else token.data
            case _:
                return token.data

    def _start(self, token: Token) -> bytes:
        tag = self._tags.rewrite(token.data, token.name, token.inside)
        if self._started or not self._first:
            return tag
        if token.name == b"html":
            return tag
        return tag + self._pending() if token.name == b"head" else self._pending() + tag

    def _pending(self) -> bytes:
        """Our script, unless it stands already."""
        started, self._started = self._started, True
        return b"" if started else self._first

    def _ending(self) -> bytes:
        """Our banner, unless it stands already."""
        last, self._last = self._last, b""
        return last

    def _instruction(self, data: bytes) -> bytes:
        if _SHEET.match(data) is None:
            return data
        return _PSEUDO.sub(lambda found: found[1] + found[2][:1] + self._path(found[2][1:-1]) + found[2][-1:], data)

    def _path(self, value: bytes) -> bytes:
        return self._references.attribute(value)

    def _nested(self, document: bytes) -> bytes:
        """A document inside an attribute; too deep ones are emptied."""
        if self._depth >= _DEEPEST:
            return b""
        inner = References(
            stamp=self._references.stamp, url=self._references.base, encoding=self._references.encoding
        )  # fmt: skip
        return HtmlRewriting(inner, first=self._first, depth=self._depth + 1).finish(document)


def rewritten(pieces: Iterable[bytes], rewriting: HtmlRewriting) -> Iterator[bytes]:
    """A document that comes in pieces of any size, rewritten in larger ones."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= _WINDOW:
            yield rewriting.feed(b"".join(held))
            held, size = [], 0
    yield rewriting.finish(b"".join(held))


def transcoded(data: bytes, encoding: str, rewrite: Callable[[bytes], bytes]) -> bytes:
    """Rewrite a document whose charset is no superset of ASCII: as UTF-8, then back; what cannot go back is escaped."""
    text = data.decode(encoding, "surrogatepass" if encoding.startswith("utf-16") else "replace")
    changed = rewrite(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")
    if encoding.startswith("utf-16"):
        return changed.encode(encoding, "surrogatepass")
    return changed.encode(encoding, "xmlcharrefreplace")
