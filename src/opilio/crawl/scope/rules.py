"""The rules about where a URL lies and how it was reached. Each class answers one question."""

from collections.abc import Sequence
from dataclasses import dataclass

import re2

from opilio.crawl import expressions
from opilio.crawl.outcomes import Outcome
from opilio.crawl.scope.roots import Root
from opilio.crawl.scope.verdict import ACCEPT, PASS, Candidate, Said, Verdict, Word
from opilio.kernel.capture import Hop
from opilio.kernel.surt import surt

EXCLUDE, EXCLUDED_URL = "exclude", "excluded-url"
#: Where sites let their visitors sign out: a word of the path or the query, not of the host's name.
SIGN_OUT = (
    r"(?i)^https?://[^/]+/(.*[/=&?;._-])?(log[-_]?(out|off)|sign[-_]?(out|off)|abmelden|d[eé]connexion|uitloggen|cerrar[-_]?sesion)"
    r"([/?&=;.#_-]|$)"
)


@dataclass(frozen=True, kw_only=True)
class WithinRoot:
    """Does the URL lie under the root of the seed it was reached from?"""

    roots: Sequence[Sequence[Root]]  # by number of the seed
    name: str = "root"

    def judge(self, candidate: Candidate, so_far: Verdict) -> Said:
        roots = self.roots[candidate.seed]
        for root in roots:
            if root.admits(candidate):
                return ACCEPT
        return Said(word=Word.REJECT, reason=f"it lies outside {roots[0].spoken}")


@dataclass(frozen=True, kw_only=True)
class UnderSurt:
    """Does one of the further SURT prefixes admit it?"""

    prefixes: tuple[str, ...]
    name: str = "surt"

    def judge(self, candidate: Candidate, so_far: Verdict) -> Said:
        if so_far.accepted:
            return PASS
        return ACCEPT if surt(candidate.url).startswith(self.prefixes) else PASS


@dataclass(frozen=True, kw_only=True)
class PartOfPage:
    """Is it a part of a page that belongs to the crawl, such as an image?"""

    most_hops: int
    offsite: bool
    name: str = "embed"

    def judge(self, candidate: Candidate, so_far: Verdict) -> Said:
        if candidate.embed_hops == 0:
            return PASS
        if candidate.embed_hops > self.most_hops:
            return Said(word=Word.REJECT, reason=f"it is {candidate.embed_hops} embeds away from its page")
        if so_far.accepted or self.offsite:
            return ACCEPT
        return Said(word=Word.REJECT, reason="it is a part of a page, but lies elsewhere")


class Excluded:
    """Does one of the expressions exclude it?"""

    name = EXCLUDE

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = _Patterns(patterns, "exclude")

    def judge(self, candidate: Candidate, so_far: Verdict) -> Said:
        found = self._patterns.first(candidate.url)
        if found is None:
            return PASS
        return Said(word=Word.REJECT, reason=f"the expression {found} excludes it", outcome=Outcome.EXCLUDED)


@dataclass(frozen=True, kw_only=True)
class ExcludedUrl:
    """Is it one of the pages that are excluded by name?"""

    urls: frozenset[str]
    name: str = EXCLUDED_URL

    def judge(self, candidate: Candidate, so_far: Verdict) -> Said:
        if candidate.url in self.urls:
            return Said(word=Word.REJECT, reason="it is excluded by name", outcome=Outcome.EXCLUDED)
        return PASS


class TakenBack:
    """Does one of the include expressions take back an exclusion? It never widens the scope."""

    name = "include"

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = _Patterns(patterns, "include")

    def judge(self, candidate: Candidate, so_far: Verdict) -> Said:
        if so_far.accepted or so_far.rule not in (EXCLUDE, EXCLUDED_URL):
            return PASS
        found = self._patterns.first(candidate.url)
        return PASS if found is None else Said(word=Word.ACCEPT, reason=f"the expression {found} takes it back in")


class Forbidden:
    """Is it something that may not be collected? No include expression takes that back."""

    name = "forbidden"

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = _Patterns(patterns, "forbidden")

    def judge(self, candidate: Candidate, so_far: Verdict) -> Said:
        found = self._patterns.first(candidate.url)
        if found is None:
            return PASS
        return Said(word=Word.REJECT, reason=f"the expression {found} forbids it", outcome=Outcome.EXCLUDED)


class SignsOut:
    """Would it end the session of the seed's credential?"""

    name = "sign-out"

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = [_Patterns((pattern,) if pattern else (), "logout") for pattern in patterns]  # by seed

    def judge(self, candidate: Candidate, so_far: Verdict) -> Said:
        if not so_far.accepted or self._patterns[candidate.seed].first(candidate.url) is None:
            return PASS
        reason = "it would end the session of the seed's credential"
        return Said(word=Word.REJECT, reason=reason, outcome=Outcome.EXCLUDED)


@dataclass(frozen=True, kw_only=True)
class WithinDepth:
    """Is it at most so many links away from its seed? Parts of a page count as the page."""

    depths: Sequence[int | None]  # by number of the seed
    name: str = "depth"

    def judge(self, candidate: Candidate, so_far: Verdict) -> Said:
        most = self.depths[candidate.seed]
        if most is None or candidate.depth <= most or candidate.hop is Hop.PREREQUISITE:
            return PASS
        return Said(word=Word.REJECT, reason=f"it is {candidate.depth} links from the seed; the limit is {most}")


@dataclass(frozen=True, kw_only=True)
class WithinPathDepth:
    """Has its path at most so many segments?"""

    most: int
    name: str = "path-depth"

    def judge(self, candidate: Candidate, so_far: Verdict) -> Said:
        segments = sum(1 for part in candidate.path.split("/") if part)
        if segments <= self.most:
            return PASS
        return Said(word=Word.REJECT, reason=f"its path has {segments} segments; the limit is {self.most}")


class _Patterns:
    """Several expressions asked at once, in linear time whatever they are."""

    def __init__(self, patterns: Sequence[str], where: str) -> None:
        self._patterns = tuple(patterns)
        expressions.check(self._patterns, where)
        self._set = re2.Set.SearchSet(expressions.quiet())
        for pattern in self._patterns:
            self._set.Add(pattern)
        if self._patterns:
            self._set.Compile()

    def first(self, url: str) -> str | None:
        """The first expression that is found in the URL."""
        if not self._patterns:
            return None
        found = self._set.Match(url)
        return self._patterns[min(found)] if found else None
