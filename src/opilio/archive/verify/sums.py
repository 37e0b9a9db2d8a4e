"""The digests of blocks and payloads, and whether the HTTP message in a block fits together."""

import hashlib
from collections.abc import Sequence

from opilio.archive.verify.chunks import Pieces
from opilio.archive.verify.faults import Code
from opilio.archive.verify.header import Found, Header
from opilio.archive.verify.http_block import HttpBlock
from opilio.archive.verify.values import Label, digest_or_none
from opilio.archive.warc.records import PAYLOAD_DIGEST_FIELD

_MESSAGE = "application/http"
_OUR_FIELD = PAYLOAD_DIGEST_FIELD.lower()
_MAKERS = {"md5": hashlib.md5, "sha1": hashlib.sha1, "sha256": hashlib.sha256, "sha512": hashlib.sha512}
_HTTP = frozenset({"response", "request"})
_ELSEWHERE = frozenset({"revisit", "continuation"})  # types whose payload is not, or not all, in their block


class BlockCheck:
    """Takes the block of one record; afterwards says what is wrong with it."""

    size = 0
    _only: tuple[memoryview, Pieces, Pieces] | None = None  # a block that came in one piece
    _sums: "list[hashlib._Hash | None] | None" = None  # block, payload, body: when it came in several
    _block: Label | None = None
    _payload: Label | None = None

    def __init__(self, header: Header, *, digests: bool = True) -> None:
        self._named = header.named
        self.http = _http(header)
        if digests:
            text = header.named.get("warc-block-digest")
            self._block = digest_or_none(text) if text else None
            self._payload = _payload_digest(header)

    def feed(self, piece: memoryview) -> None:
        """The next bytes of the block."""
        payload, body = self.http.feed(piece) if self.http is not None else ([piece], [])
        self.size += piece.nbytes
        if self._sums is not None:
            self._update(piece, payload, body)
        elif self._only is None:
            self._only = (piece, payload, body)
        else:
            self._sums = [_hash(self._block), _hash(self._payload), _hash(self._payload)]
            self._update(*self._only)
            self._update(piece, payload, body)
            self._only = None

    def mismatches(self) -> Sequence[Found]:
        """The digests that are not as recorded, once the block is over."""
        if self._sums is not None:
            return self._compare([one.digest() if one else None for one in self._sums])
        piece, payload, body = self._only or (memoryview(b""), [], [])
        block, wanted = self._block, self._payload
        first = _MAKERS[block[0]](piece, usedforsecurity=False).digest() if block is not None else None
        second = _summed(wanted, payload) if wanted is not None else None
        if (block is None or first == block[1]) and (wanted is None or second == wanted[1]):
            return ()
        return self._compare((first, second, _summed(wanted, body) if wanted is not None else None))

    def http_faults(self) -> Sequence[Found]:
        """What is wrong with the HTTP message."""
        http = self.http
        if http is None or http.usual:
            return ()
        cut = "warc-truncated" in self._named or "warc-segment-number" in self._named
        headless = not self.size or self._named.get("warc-protocol") == "http/0.9"
        found = [
            (Code.HTTP_HEAD, "" if headless else http.head_problem()),
            (Code.HTTP_LENGTH, http.length_problem(cut=cut)),
            (Code.HTTP_CHUNKS, http.chunks_problem(cut=cut)),
        ]
        return [(code, sentence) for code, sentence in found if sentence]

    def _update(self, piece: memoryview, payload: Pieces, body: Pieces) -> None:
        for one, pieces in zip(self._sums or (), ([piece], payload, body), strict=False):
            if one is not None:
                for each in pieces:
                    one.update(each)

    def _compare(self, found: Sequence[bytes | None]) -> Sequence[Found]:
        faults: list[Found] = []
        if self._block is not None and found[0] != self._block[1]:
            faults.append((Code.BLOCK_DIGEST, _differs("block", self._block, found[0])))
        known = self.http is None or self.http.known
        if self._payload is not None and known and found[1] != self._payload[1]:
            if found[2] == self._payload[1]:
                words = "the payload digest is that of the body with its chunks"
                faults.append((Code.PAYLOAD_DIGEST_RAW, words))
            else:
                faults.append((Code.PAYLOAD_DIGEST, _differs("payload", self._payload, found[1])))
        return faults


def _http(header: Header) -> HttpBlock | None:
    """The message in the block, where there is one."""
    kind = header.kind
    if kind not in _HTTP:
        return None
    if header.arc is not None:
        return HttpBlock() if header.url.lower().startswith(("http:", "https:")) else None
    content = header.named.get("content-type", "")
    if not content.startswith(_MESSAGE) and not content.lower().startswith(_MESSAGE):
        return None
    return HttpBlock(response=kind == "response")


def _payload_digest(header: Header) -> Label | None:
    """The digest that was recorded for a payload that is here."""
    named = header.named
    text = named.get("warc-payload-digest") or named.get(_OUR_FIELD)
    if text is None or header.kind in _ELSEWHERE or "warc-segment-number" in named:
        return None
    return digest_or_none(text)


def _hash(label: Label | None) -> "hashlib._Hash | None":
    return _MAKERS[label[0]](usedforsecurity=False) if label is not None else None


def _summed(label: Label, pieces: Pieces) -> bytes:
    if len(pieces) == 1:
        return _MAKERS[label[0]](pieces[0], usedforsecurity=False).digest()
    one = _MAKERS[label[0]](usedforsecurity=False)
    for piece in pieces:
        one.update(piece)
    return one.digest()


def _differs(what: str, recorded: Label, found: bytes | None) -> str:
    return f"the {what} has {recorded[0]}:{(found or b'').hex()}, where {recorded[1].hex()} was recorded"
