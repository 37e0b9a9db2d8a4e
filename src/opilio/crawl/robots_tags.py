"""What a page itself asks of robots: meta elements and X-Robots-Tag headers, for one crawler, at one moment.

`extract.robots_tags` reads the directives; here is what they mean. The plan says which of them are obeyed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from opilio.crawl.robots import names_of
from opilio.extract.robots_tags import EVERYBODY

_AFTER = "unavailable_after"


@dataclass(frozen=True, kw_only=True, slots=True)
class PageDirectives:
    """What applies to a page."""

    noindex: bool = False
    nofollow: bool = False
    noarchive: bool = False
    expired: bool = False  # the page's own date of unavailability is past
    stated: tuple[str, ...] = ()  # all directives, for the record


_NOTHING = PageDirectives()


def page_directives(agent: str, *sources: Mapping[str, frozenset[str]], now: datetime) -> PageDirectives:
    """The sum of what is said to everybody and to this crawler; of its names, the most specific counts."""
    if not any(sources):
        return _NOTHING
    words = frozenset(word for source in sources for word in _for_agent(agent, source))
    return PageDirectives(
        noindex="noindex" in words,
        nofollow="nofollow" in words,
        noarchive="noarchive" in words,
        expired=_expired(words, now),
        stated=tuple(sorted(words)),
    )


def _for_agent(agent: str, source: Mapping[str, frozenset[str]]) -> frozenset[str]:
    own = next((source[name] for name in names_of(agent) if name in source), frozenset())
    return source.get(EVERYBODY, frozenset()) | own


def _expired(words: frozenset[str], now: datetime) -> bool:
    """A date may have been split at its comma, so its rest stands among the other words."""
    stated = [word.partition(":")[2].strip() for word in words if word.startswith(_AFTER)]
    if not stated:
        return False
    rests = [word for word in words if word[:1].isdigit()]
    return any(at <= now for at in _dates([*stated, *rests]))


def _dates(texts: Iterable[str]) -> list[datetime]:
    found = []
    for text in texts:
        at = _iso(text) or _mail(text)
        if at is not None:
            found.append(at if at.tzinfo is not None else at.replace(tzinfo=UTC))
    return found


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError:
        return None


def _mail(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
