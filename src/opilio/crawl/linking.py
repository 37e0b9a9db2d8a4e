"""Which links of a page are worth a request: judged by the scope under every way to the page, seen ones left out.

Links repeat on every page of a site; so a verdict is remembered, and a link that the store knows costs two look-ups.
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
_Key = tuple[str, Label, Hop]
_made = tuple.__new__  # of a named tuple with all its fields: in half the time of calling it
_Priority = Callable[[str, str], int | None]  # of a URL and its host; None: as usual
_REMEMBERED = 200_000  # verdicts
_REFUSED = Verdict(accepted=False, rule="nofollow", reason="the page asks not to follow it")
_TOO_MANY = Verdict(accepted=False, rule="redirects", reason="too many redirects in a row")
_RECORDED = Found("", 0, "", Label(0, 0, 0))  # stands for a link that the store has
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


class Linking:
    """Judges links for one worker."""

    def __init__(self, chain: ScopeChain, *, obey_nofollow: bool, max_redirects: int) -> None:
        self._chain = chain
        self._obey_nofollow = obey_nofollow
        self._max_redirects = min(max_redirects, LONGEST_PATH - 1)
        self._known: dict[_Key, Found | Verdict] = {}
        self._hashes: dict[str, int] = {}
        self._priority: _Priority = _as_usual

    def change(self, chain: ScopeChain, priority: _Priority | None = None) -> None:
        """Other rules from now on."""
        self._chain = chain
        self._priority = priority or _as_usual
        self._known.clear()

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
            steps: dict[tuple[Hop, str], Label] = {}
            for link in links:
                hop, kind, url, _, _ = link
                step = steps.get((hop, kind))
                if step is None:
                    step = steps[hop, kind] = after(label, hop, kind)
                key = (url, step, hop)
                found = self._known.get(key)
                if found is not _RECORDED:
                    self._one(judged, link, key, path, found, known, pending)
        return judged

    def _one(
        self, judged: Judged, link: PageLink, key: _Key, path: str, found: Found | Verdict | None, known: SeenCache,
        pending: Sequence[SeenCache],
    ) -> None:  # fmt: skip
        hop, kind, url, _, _ = link
        new = found is None
        if found is None:
            found = self._remembered(key, known)
            if found is _RECORDED:
                return
        if not isinstance(found, Verdict):
            if hop is Hop.REDIRECT and self._chain_too_long(path):
                found = _TOO_MANY
            elif self._obey_nofollow and kind.endswith(NOFOLLOW):
                found = _REFUSED
        if isinstance(found, Verdict):
            rule = rule_of(found)
            example, count = judged.denials.get(rule, (url, 0))
            judged.denials[rule] = (example, count + 1)
        elif not new and known.known(found):
            self._known[key] = _RECORDED  # the store never forgets
        else:
            for cache in pending:
                if cache.known(found):
                    return
            pending[-1].learn(found)
            host, hash64, _, label, _, priority = found
            way = f"{path}{hop.value}"[-LONGEST_PATH:]
            judged.found.append(_made(Found, (host, hash64, url, label, way, priority)))

    def _remembered(self, key: _Key, known: SeenCache) -> Found | Verdict:
        """What becomes of a link; the scope is asked only about what the store does not have."""
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        url, label, _ = key
        host = url.split("/", 3)[2]  # the host key of a canonical URL
        priority = EMBED if label.hops else self._priority(url, host) or 0
        target = Found(host, self._hash(url), url, label, "", priority)
        found = self._known[key] = _RECORDED if known.known(target) else self._judged(key, target)
        return found

    def _judged(self, key: _Key, target: Found) -> Found | Verdict:
        url, label, hop = key
        candidate = Candidate(url=url, seed=label.seed, depth=label.depth, embed_hops=label.hops, hop=hop)
        verdict = self._chain.judge(candidate)
        return target if verdict.accepted else verdict

    def _hash(self, url: str) -> int:
        found = self._hashes.get(url)
        if found is None:
            if len(self._hashes) >= _REMEMBERED:
                self._hashes.clear()
            found = self._hashes[url] = url_hash64(url)
        return found

    def _chain_too_long(self, path: str) -> bool:
        return len(path) - len(path.rstrip(Hop.REDIRECT.value)) >= self._max_redirects


def _as_usual(url: str, host: str) -> int | None:
    return None
