"""Which links of a page are worth a request: judged by the scope under every way to the page, seen ones left out.

Links repeat on every page of a site; so what became of a link is remembered for the way it was found in, and one that
the store knows costs one look-up. The memory is small and begins afresh when it is full: links that come once only
would fill any.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from opilio.crawl.frontier.batch import Denial
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.seen_cache import SeenCache
from opilio.crawl.frontier.values import EMBED, LONGEST_PATH, Found
from opilio.crawl.outcomes import Outcome
from opilio.crawl.scope.chain import ScopeChain
from opilio.crawl.scope.verdict import Candidate, Verdict
from opilio.extract.links import Link, LinkKind
from opilio.kernel.capture import Hop
from opilio.kernel.page_links import PageLink
from opilio.kernel.urls import url_hash64

#: Behind the kind of a link that its page asks not to follow.
NOFOLLOW = ".nofollow"
_made = tuple.__new__  # of a named tuple with all its fields: in half the time of calling it
_Priority = Callable[[str, str], int | None]  # of a URL and its host; None: as usual
_REMEMBERED = 50_000  # links
_MOST_WAYS = 5_000
_REFUSED = Verdict(accepted=False, rule="nofollow", reason="the page asks not to follow it")
_TOO_MANY = Verdict(accepted=False, rule="redirects", reason="too many redirects in a row")
_UNMET = Found("", 0, "", Label(0, 0, 0))  # stands for a link that was not met yet
_HOPS = {
    LinkKind.LINK: Hop.LINK,
    LinkKind.FORM: Hop.LINK,
    LinkKind.EMBED: Hop.EMBED,
    LinkKind.REDIRECT: Hop.REDIRECT,
    LinkKind.SPECULATIVE: Hop.SPECULATIVE,
    LinkKind.MANIFEST: Hop.MANIFEST,
}
_PARTS = frozenset({LinkKind.EMBED, LinkKind.MANIFEST})  # of a page: they come along whatever it asks
_ANCHORS = frozenset({"a", "area", "form"})
_SITEMAP = "sitemap"  # rel of a further sitemap
_EMBEDS = frozenset({Hop.EMBED, Hop.SPECULATIVE, Hop.MANIFEST})


@dataclass(slots=True)
class Judged:
    """What the links of a page come to."""

    found: list[Found] = field(default_factory=list)
    denials: dict[str, tuple[str, int]] = field(default_factory=dict)  # rule → an example, how many

    def denied(self, parent: str) -> list[Denial]:
        """The denials for the store."""
        return [Denial(rule=rule, url=url, parent=parent, count=count) for rule, (url, count) in self.denials.items()]


def outlinks_of(links: Iterable[Link], *, all_nofollow: bool = False) -> list[PageLink]:
    """The links of a page as the store keeps them; those not to be followed are marked."""
    found = []
    for url, kind, element, _, rel, text, times in links:
        hop = _HOPS[kind]
        if rel == _SITEMAP:
            hop = Hop.MANIFEST
        elif (all_nofollow or (rel and "nofollow" in rel.split())) and kind not in _PARTS:
            element += NOFOLLOW
        found.append(_made(PageLink, (hop, element, url, times, text)))
    return found


def after(label: Label, hop: Hop, kind: str) -> Label:
    """The way to a link's target: a link is one deeper, a part of a page one hop further, a redirect the same."""
    if hop is Hop.REDIRECT:
        return label
    if hop in _EMBEDS and kind.removesuffix(NOFOLLOW) not in _ANCHORS:
        return Label(label[0], label[1], label[2] + 1)
    return Label(label[0] + 1, label[1], 0)


def rule_of(verdict: Verdict) -> str:
    """The name under which denials are counted: `scope root`, `trap calendar`."""
    rule = verdict.rule.removeprefix("trap-")
    if verdict.outcome is Outcome.TRAP:
        return f"trap {rule}"
    return f"{'excluded' if verdict.outcome is Outcome.EXCLUDED else 'scope'} {rule}"


class _Way:
    """Links of one sort, found on pages that were reached in one way; with what became of those met so far."""

    __slots__ = ("hop", "label", "met", "nofollow")

    def __init__(self, page: Label, hop: Hop, kind: str) -> None:
        self.hop = hop
        self.label = after(page, hop, kind)
        self.nofollow = kind.endswith(NOFOLLOW)
        self.met: dict[str, Found | Verdict | None] = {}  # None: the store has it, and never forgets


class Linking:
    """Judges links for one worker."""

    def __init__(self, chain: ScopeChain, *, obey_nofollow: bool, max_redirects: int) -> None:
        self._chain = chain
        self._obey_nofollow = obey_nofollow
        self._max_redirects = min(max_redirects, LONGEST_PATH - 1)
        self._ways: dict[tuple[Label, Hop, str], _Way] = {}
        self._remembered = 0  # links, in all ways
        self._priority: _Priority = _as_usual

    def change(self, chain: ScopeChain, priority: _Priority | None = None) -> None:
        """Other rules from now on."""
        self._chain = chain
        self._priority = priority or _as_usual
        self._forget()

    def judge(
        self,
        links: Sequence[PageLink],
        labels: Sequence[Label],
        path: str,
        known: SeenCache,
        pending: Sequence[SeenCache],
    ) -> Judged:
        """The links that are new: neither recorded (`known`) nor about to be; the last of `pending` learns them."""
        judged = Judged()
        for label in labels:
            way, kind = None, ""
            for link in links:
                if way is None or link[1] != kind or link[0] is not way.hop:
                    kind = link[1]
                    way = self._way(label, link[0], kind)
                url = link[2]
                found = way.met.get(url, _UNMET)
                if found is not None:
                    self._one(judged, way, url, path, found, known, pending)
        return judged

    def _way(self, label: Label, hop: Hop, kind: str) -> _Way:
        key = (label, hop, kind)
        way = self._ways.get(key)
        if way is None:
            if len(self._ways) >= _MOST_WAYS:
                self._forget()
            way = self._ways[key] = _Way(label, hop, kind)
        return way

    def _one(
        self, judged: Judged, way: _Way, url: str, path: str, found: Found | Verdict, known: SeenCache,
        pending: Sequence[SeenCache],
    ) -> None:  # fmt: skip
        new = found is _UNMET
        if new:
            met = self._meet(way, url, known)
            if met is None:
                return
            found = met
        if not isinstance(found, Verdict):
            if way.hop is Hop.REDIRECT and self._chain_too_long(path):
                found = _TOO_MANY
            elif self._obey_nofollow and way.nofollow:
                found = _REFUSED
        if isinstance(found, Verdict):
            rule = rule_of(found)
            example, count = judged.denials.get(rule, (url, 0))
            judged.denials[rule] = (example, count + 1)
        elif not new and known.known(found):
            way.met[url] = None
        else:
            for cache in pending:
                if cache.known(found):
                    return
            pending[-1].learn(found)
            host, hash64, _, label, _, priority = found
            steps = f"{path}{way.hop.value}"[-LONGEST_PATH:]
            judged.found.append(_made(Found, (host, hash64, url, label, steps, priority)))

    def _meet(self, way: _Way, url: str, known: SeenCache) -> Found | Verdict | None:
        """What becomes of a link; the scope is asked only about what the store does not have."""
        if self._remembered >= _REMEMBERED:
            self._forget()
        self._remembered += 1
        label = way.label
        host = url.split("/", 3)[2]  # the host key of a canonical URL
        priority = EMBED if label[2] else self._priority(url, host) or 0
        target = _made(Found, (host, url_hash64(url), url, label, "", priority))
        met = way.met[url] = None if known.known(target) else self._judged(target, way.hop)
        return met

    def _judged(self, target: Found, hop: Hop) -> Found | Verdict:
        depth, seed, hops = target.label
        verdict = self._chain.judge(_made(Candidate, (target.url, seed, depth, hops, hop)))
        return target if verdict.accepted else verdict

    def _forget(self) -> None:
        self._ways.clear()
        self._remembered = 0

    def _chain_too_long(self, path: str) -> bool:
        return len(path) - len(path.rstrip(Hop.REDIRECT.value)) >= self._max_redirects


def _as_usual(url: str, host: str) -> int | None:
    return None
