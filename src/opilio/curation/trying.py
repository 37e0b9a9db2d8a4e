"""“Try it on these URLs”: which pattern decides about each, before anything is saved. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import re2

from opilio.crawl import expressions
from opilio.kernel.errors import OpilioError
from opilio.kernel.urls import canonical

MOST_URLS = 200
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Tried:
    """What becomes of one URL."""

    url: str  # as it was typed
    canonical: str = ""  # as the crawl knows it; patterns are asked about this
    kept: bool = True
    pattern: str = ""  # the pattern that had the last word; empty: none matches
    sentence: str = ""
    fault: str = ""  # why it is no URL


def try_patterns(
    urls: Iterable[str], *, exclude: Sequence[str], include: Sequence[str], barred: Mapping[str, str] = _NOTHING
) -> tuple[Tried, ...]:
    """For each URL whether these patterns leave it out, and which of them decides; `BadPlan` for a bad pattern.

    `barred` are exclusions of permissions, expression → as people wrote it: nothing takes those back.
    """
    expressions.check(exclude, "overrides: exclusions")
    expressions.check(include, "overrides: inclusions")
    lines = [url.strip() for url in urls if url.strip()]
    return tuple(_tried(url, exclude, include, barred) for url in lines[:MOST_URLS])


def _tried(url: str, exclude: Sequence[str], include: Sequence[str], barred: Mapping[str, str]) -> Tried:
    try:
        name = canonical(url)
    except OpilioError as error:
        return Tried(url=url[:2_048], kept=False, fault=str(error))
    if law := _first(name, tuple(barred)):
        sentence = f"A permission excludes {barred[law]}."
        return Tried(url=url, canonical=name, kept=False, pattern=barred[law], sentence=sentence)
    out = _first(name, exclude)
    if not out:
        return Tried(url=url, canonical=name, sentence="No pattern leaves it out.")
    back = _first(name, include)
    if back:
        sentence = f"{out} leaves it out, and {back} keeps it nevertheless."
        return Tried(url=url, canonical=name, pattern=back, sentence=sentence)
    return Tried(url=url, canonical=name, kept=False, pattern=out, sentence=f"{out} leaves it out.")


def _first(url: str, patterns: Sequence[str]) -> str:
    return next((one for one in patterns if re2.search(one, url, expressions.quiet())), "")
