"""From an answer of the network to what is kept: the capture with its exact bytes, and the payload that is read."""

from dataclasses import dataclass

from opilio.crawl.fetch import decode
from opilio.crawl.fetch.exchange import Answer, Ask
from opilio.crawl.fetch.head import Head, parse
from opilio.crawl.fetch.hiding import without_secrets
from opilio.extract.kind import kind_of
from opilio.extract.page_types import PageType
from opilio.kernel.bodies import Body, FileBody, digest_of_body
from opilio.kernel.capture import Capture, Inexactness, Provenance
from opilio.kernel.digests import Algorithm, Digest

_SNIFFED = 65_536  # bytes of large pictures, sounds and films that are looked at
_UNREAD = frozenset({PageType.AUDIO, PageType.VIDEO})
_NO_HEAD = Head(status=200, version="0.9", reason="", headers=())


@dataclass(frozen=True, kw_only=True, slots=True)
class Payload:
    """What an answer holds, apart from how it was carried."""

    head: Head
    size: int  # bytes without transfer coding, content coding kept
    digest: Digest  # of those
    content: bytes  # without any coding; of a large body as much as is read
    fault: str = ""  # why the content is not whole

    @property
    def content_type(self) -> str:
        """The header as it was sent; empty without one."""
        return self.head.get("content-type") or ""


def payload_of(answer: Answer, algorithm: Algorithm, limits: decode.Limits) -> Payload:
    """Take the codings off."""
    head = parse(answer.head) or _NO_HEAD
    body, fault = _without_chunks(answer.body, head)
    codings = head.all("content-encoding")
    if isinstance(body, FileBody) and not codings and _is_unread(body[:_SNIFFED], head):
        content = decode.Decoded(body=body[:_SNIFFED])
    else:
        content = decode.decoded(body, codings, limits)
    return Payload(
        head=head,
        size=len(body),
        digest=digest_of_body(body, algorithm),
        content=content.body,
        fault=content.fault or fault,
    )


def _is_unread(begin: bytes, head: Head) -> bool:
    """Whether nothing but the beginning of a body is ever looked at."""
    kind = kind_of(begin, content_type=head.get("content-type") or "", url="")
    return kind.page_type in _UNREAD or (kind.page_type is PageType.IMAGE and kind.extension != "svg")


def digest_in(answer: Answer, algorithm: Algorithm) -> Digest:
    """The digest of the payload by another algorithm."""
    return digest_of_body(_without_chunks(answer.body, parse(answer.head) or _NO_HEAD)[0], algorithm)


def _without_chunks(body: Body, head: Head) -> tuple[Body, str]:
    """The body without transfer coding, and what is wrong with it."""
    if not any("chunked" in value.lower() for value in head.all("transfer-encoding")):
        return body, ""
    undone = decode.dechunked(body)
    return undone.body, undone.fault


def capture_of(ask: Ask, answer: Answer, payload: Payload, provenance: Provenance) -> Capture:
    """The exchange as it is kept."""
    return Capture(
        url=ask.url,
        method=ask.method,
        request=without_secrets(answer.request, ask.hidden) if ask.hidden else answer.request,
        head=answer.head,
        body=answer.body,
        started=answer.started,
        finished=answer.finished,
        address=answer.address,
        status=answer.status,
        http_version=answer.version,
        tls=answer.tls,
        payload_digest=payload.digest,
        truncated=answer.truncated,
        provenance=provenance,
        notes=(*answer.notes, Inexactness.HIDDEN_SECRETS) if ask.hidden else answer.notes,
    )
