"""What a patch brought: the outcome of each URL, and one that is to stand at another URL."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.values import Resource
from opilio.archive.results.view import ResultView
from opilio.archive.warc.reader import read_at
from opilio.crawl.exchange_to_capture import payload_of
from opilio.crawl.fetch.decode import Limits
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan_json import from_json
from opilio.kernel.errors import Missing
from opilio.works.added_files import LARGEST_FILE, Standing, write_standing
from opilio.works.added_pages import answer_of

_THERE = frozenset({Outcome.FETCHED.value, Outcome.UNCHANGED.value, Outcome.DUPLICATE.value,
                    Outcome.REDIRECTED.value, Outcome.UNPARSABLE.value})  # fmt: skip
_STANDING = "standing"


@dataclass(frozen=True, kw_only=True)
class PatchedUrl:
    """What became of a URL."""

    there: bool
    outcome: str  # a sentence or a word


def outcomes_of(folder: Path, urls: Iterable[str]) -> dict[str, PatchedUrl]:
    """By URL; of those that the crawl did not reach, that."""
    with ResultView(ResultsFolder(folder), 1) as view:
        return {url: _patched(view.resource(url)) for url in urls}


def _patched(found: Resource | None) -> PatchedUrl:
    if found is None:
        return PatchedUrl(there=False, outcome="It was not reached before the patch ended.")
    status = f" ({found.status})" if found.status else ""
    reason = f": {found.reason}" if found.reason else ""
    return PatchedUrl(there=found.outcome in _THERE, outcome=f"{found.outcome}{status}{reason}")


def stood_for(folder: Path, url: str, place: str) -> Path:
    """A WARC file in which the content of a fetched URL stands at another one; says where it came from."""
    aside = folder / _STANDING
    there = sorted(aside.glob("*.warc.gz")) if aside.is_dir() else []
    if there:
        return there[0]
    results = ResultsFolder(folder)
    with ResultView(results, 1) as view:
        found, plan = view.resource(url), from_json(view.plan)
    if found is None or found.place is None:
        raise Missing("the URL was not captured", where=url[:200], remedy="Look at its outcome.")
    record = read_at(results.warcs, found.place, most=LARGEST_FILE)
    payload = payload_of(answer_of(record, record.body), plan.warc.digest, Limits(ratio=plan.fetch.max_ratio))
    at = record.at.astimezone(UTC)
    standing = Standing(
        url=place, content=payload.content, content_type=payload.content_type, at=at,
        note=(("fetched-from", url), ("fetched-at", at.isoformat())),
    )  # fmt: skip
    return write_standing(aside, standing)
