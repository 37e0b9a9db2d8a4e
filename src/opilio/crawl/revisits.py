"""Whether the body of an answer is kept already: by the server's word, by the digest of the earlier crawl, or of a page
that this worker wrote before. Then the capture is written without it.

A page of this crawl is referred to only by captures that the same worker wrote later, into the same file or a later one
of its series: whatever is cut off after a crash or a fence, what refers goes before what is referred to.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from opilio.crawl.earlier import EarlierContent, EarlierPage
from opilio.crawl.exchange_to_capture import Payload, digest_in
from opilio.crawl.fetch.exchange import Answer
from opilio.crawl.frontier.batch import PageResult
from opilio.crawl.frontier.values import Kept
from opilio.crawl.judging import Judgement
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import Warc
from opilio.kernel.capture import Capture, Original, Position, RecordSink, Revisit, RevisitProfile
from opilio.kernel.digests import Digest

NOT_MODIFIED = 304
_REMEMBERED = 65_536  # bodies


@dataclass(frozen=True, kw_only=True, slots=True)
class Same:
    """The body of an answer is in an earlier capture."""

    judgement: Judgement
    profile: RevisitProfile
    kept: Kept
    digest: Digest  # of the body, as the earlier capture has it
    record: str | None = None  # id of the earlier capture, where known


class Revisits:
    """Compares answers for one worker, and remembers what it wrote."""

    def __init__(self, options: Warc, *, remembered: int = _REMEMBERED) -> None:
        self._options = options
        self._most = remembered
        self._written: OrderedDict[bytes, tuple[Kept, str | None]] = OrderedDict()  # digest → capture, id

    def compare(
        self, judgement: Judgement, answer: Answer, payload: Payload, earlier: EarlierPage | None
    ) -> Same | None:
        """The capture that has the body of an answer; None where this one has to keep it."""
        if judgement.outcome is Outcome.UNCHANGED and earlier is not None:
            return Same(
                judgement=judgement, profile=RevisitProfile.NOT_MODIFIED, kept=earlier.kept, digest=earlier.digest,
                record=earlier.record,
            )  # fmt: skip
        if judgement.outcome is not Outcome.FETCHED or answer.status != 200 or answer.truncated is not None:
            return None
        return self._unchanged(judgement, answer, payload, earlier) or self._duplicate(judgement, payload)

    def write(self, sink: RecordSink, capture: Capture, outcome: Outcome, same: Same | None) -> Position:
        """Write a capture, with its body where that is not kept already."""
        if same is None:
            place = sink.append(capture)
            if outcome is Outcome.FETCHED and capture.status == 200 and capture.truncated is None:
                kept = Kept(capture.started.timestamp(), capture.url)
                self._learn(capture.payload_digest, kept, sink.record_of(place))
            return place
        if not self._options.revisits:
            return sink.append(capture)
        self._learn(capture.payload_digest, same.kept, same.record)
        original = Original(
            url=same.kept.url, captured=datetime.fromtimestamp(same.kept.at, UTC), digest=same.digest,
            record=same.record,
        )  # fmt: skip
        named = replace(capture, payload_digest=same.digest)
        return sink.append_revisit(Revisit(capture=named, profile=same.profile, original=original))

    def result(
        self, result: PageResult, same: Same, earlier: EarlierPage | None, content: EarlierContent | None
    ) -> PageResult:
        """A result with what the earlier capture tells of it."""
        original = same.kept if self._options.revisits and result.place is not None else None
        result = replace(result, digest=same.digest.base32, original=original)
        if result.text is not None:
            result = replace(result, text=replace(result.text, digest=result.digest))
        if earlier is None or content is None:
            return result
        return replace(
            result, size=earlier.size, received=0, type=earlier.type, extension=earlier.extension, title=earlier.title,
            language=earlier.language, meta=earlier.meta, text=content.text, etag=result.etag or earlier.etag,
            last_modified=result.last_modified or earlier.last_modified,
        )  # fmt: skip

    def forget(self) -> None:
        """What was written last was cut off again."""
        self._written.clear()

    def _unchanged(
        self, judgement: Judgement, answer: Answer, payload: Payload, earlier: EarlierPage | None
    ) -> Same | None:
        if earlier is None:
            return None
        algorithm = earlier.digest.algorithm
        found = payload.digest if payload.digest.algorithm is algorithm else digest_in(answer, algorithm)
        if found != earlier.digest:
            return None
        reason = _joined("the digest is that of the earlier crawl", judgement.reason)
        return Same(
            judgement=Judgement(outcome=Outcome.UNCHANGED, reason=reason), profile=RevisitProfile.IDENTICAL,
            kept=earlier.kept, digest=earlier.digest, record=earlier.record,
        )  # fmt: skip

    def _duplicate(self, judgement: Judgement, payload: Payload) -> Same | None:
        if not self._options.duplicates or payload.size < self._options.duplicate_size:
            return None
        found = self._written.get(payload.digest.value)
        if found is None:
            return None
        kept, record = found
        reason = _joined(f"the content is that of {kept.url}", judgement.reason)
        return Same(
            judgement=Judgement(outcome=Outcome.DUPLICATE, reason=reason), profile=RevisitProfile.IDENTICAL,
            kept=kept, digest=payload.digest, record=record,
        )  # fmt: skip

    def _learn(self, digest: Digest, kept: Kept, record: str | None) -> None:
        if self._options.duplicates and digest.value not in self._written:
            self._written[digest.value] = kept, record
            if len(self._written) > self._most:
                self._written.popitem(last=False)


def _joined(reason: str, before: str) -> str:
    return f"{reason}; {before}" if before else reason
