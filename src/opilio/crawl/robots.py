"""robots.txt by RFC 9309: raw bytes in, allowed or not out, with the line that decides.

Parsing is lenient where the big search engines are: any line end, common misspellings, a blank for a colon. How the
file is fetched, what its absence means and how long it holds is `robots_cache`; robots meta tags are `robots_tags`.
"""

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from opilio.crawl.robots_paths import Pattern, path_of

#: At least 500 KiB must be parsed (RFC 9309 §2.5); what lies beyond is cut at a line.
MOST_BYTES = 512 * 1024
_LONGEST_LINE = 16_664  # bytes; the rest of a longer line is ignored

_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\n|\r")
_TOKEN = re.compile(r"[A-Za-z_-]*")
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}")
_EVERYBODY = "*"

_AGENT = ("user-agent", "useragent", "user agent")
_DISALLOW = ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw", "diaslow")
_ALLOW = ("allow",)
_SITEMAP = ("sitemap", "site-map")
_DELAY = ("crawl-delay", "crawldelay", "crawl delay")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file as evidence."""

    number: int  # from 1
    text: str


@dataclass(frozen=True, slots=True)
class Rule:
    """An allow or disallow line."""

    allow: bool
    pattern: Pattern
    line: Line


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """Whether a URL may be fetched, and by which line."""

    allowed: bool
    reason: str
    line: Line | None = None  # None: no line matched, or no file decides

    def __bool__(self) -> bool:
        return self.allowed


@dataclass(kw_only=True, slots=True)
class _Group:
    """Lines that hold for the agents named above them."""

    agents: list[str] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    delays: list[tuple[str, float, Line]] = field(default_factory=list)  # agent, seconds


@dataclass(frozen=True, kw_only=True, slots=True)
class Robots:
    """A parsed robots.txt."""

    groups: tuple[_Group, ...]
    sitemaps: tuple[str, ...]
    truncated: bool  # whether the file was longer than what is parsed

    def for_agent(self, agent: str) -> "Ruleset":
        """The rules for a crawler: of all groups with the most specific name for it, else of all groups for `*`."""
        for name in names_of(agent):
            groups = [group for group in self.groups if name in group.agents]
            if groups:
                rules = [rule for group in groups for rule in group.rules]
                delays = [delay for group in groups for delay in group.delays if delay[0] == name]
                return Ruleset(agent=name, rules=rules, delay=delays[-1] if delays else None)
        return Ruleset(agent=_EVERYBODY, rules=(), delay=None)


_UNFORBIDDEN = Decision(allowed=True, reason="no line forbids it")


class Ruleset:
    """The rules of a file for one crawler, ready to be asked for many URLs."""

    def __init__(self, *, agent: str, rules: Iterable[Rule], delay: tuple[str, float, Line] | None) -> None:
        self.agent = agent  # the name in the file: a product token, or *
        self.crawl_delay = delay[1] if delay else None  # seconds
        self.crawl_delay_line = delay[2] if delay else None
        self._plain: dict[str, Rule] = {}
        self._wild: list[Rule] = []
        for rule in sorted(rules, key=_rank):
            if rule.pattern.plain is None:
                self._wild.append(rule)
            else:
                self._plain.setdefault(rule.pattern.plain, rule)
        self._lengths = sorted({len(text) for text in self._plain}, reverse=True)
        self._decisions: dict[int, Decision] = {}  # by line

    def decide(self, url: str) -> Decision:
        """The longest matching pattern decides; of two equally long ones, the one that allows."""
        path = path_of(url)
        if path.partition("?")[0] == "/robots.txt":
            return Decision(allowed=True, reason="robots.txt itself may always be fetched")
        rule = self._plain_match(path)
        if self._wild:
            rule = min(filter(None, (rule, self._wild_match(path))), key=_rank, default=None)
        return _UNFORBIDDEN if rule is None else self._decision(rule)

    def _decision(self, rule: Rule) -> Decision:
        found = self._decisions.get(rule.line.number)
        if found is None:
            verb = "allowed" if rule.allow else "disallowed"
            found = Decision(allowed=rule.allow, reason=f"{verb} by line {rule.line.number}", line=rule.line)
            self._decisions[rule.line.number] = found
        return found

    def _plain_match(self, path: str) -> Rule | None:
        for size in self._lengths:
            found = self._plain.get(path[:size])
            if found is not None:
                return found
        return None

    def _wild_match(self, path: str) -> Rule | None:
        return next((rule for rule in self._wild if rule.pattern.matches(path)), None)


def parse(data: bytes) -> Robots:
    """Read a robots.txt. Never fails: lines that make no sense are passed over."""
    body = data.removeprefix(_BOM)
    reader = _Reader()
    for number, raw in enumerate(_LINE_END.split(_cut(body)), 1):
        line = raw[:_LONGEST_LINE].decode("utf-8", "surrogateescape")
        for key, value in _pair(line):
            reader.take(key, value, Line(number, _shown(line)))
    return Robots(groups=tuple(reader.groups), sitemaps=tuple(reader.sitemaps), truncated=len(body) > MOST_BYTES)


def product_token(user_agent: str) -> str:
    """The name by which robots.txt addresses a crawler: `Opilio` of `Opilio/0.1 (+https://…)`."""
    found = _TOKEN.match(user_agent.strip())
    return found[0] if found else ""


@functools.lru_cache(maxsize=64)
def names_of(agent: str) -> tuple[str, ...]:
    """The names in a file that mean this crawler, most specific first: opilio-news, opilio, *."""
    token = product_token(agent).lower()
    names = []
    while token.strip("-_"):
        names.append(token)
        token = token[: max(token.rfind("-"), token.rfind("_"), 0)]
    return (*names, _EVERYBODY)


class _Reader:
    """Takes lines in their order and sorts them into groups."""

    def __init__(self) -> None:
        self.groups: list[_Group] = []
        self.sitemaps: list[str] = []
        self._naming = False  # whether the last rule-like line named an agent

    def take(self, key: str, value: str, line: Line) -> None:
        if key.startswith(_AGENT):
            self._name(value)
        elif key.startswith(_SITEMAP):
            if value:
                self.sitemaps.append(value)
        elif not self.groups:
            return  # a rule before any agent holds for nobody
        elif key.startswith((*_ALLOW, *_DISALLOW)):
            self._rule(key.startswith(_ALLOW), value, line)
        elif key.startswith(_DELAY) and _NUMBER.fullmatch(value):
            group = self.groups[-1]
            group.delays += [(agent, float(value), line) for agent in group.agents]

    def _name(self, value: str) -> None:
        if not self._naming:
            self.groups.append(_Group())
            self._naming = True
        everybody = value == _EVERYBODY or (value[:1] == _EVERYBODY and value[1:2].isspace())
        self.groups[-1].agents.append(_EVERYBODY if everybody else product_token(value).lower())

    def _rule(self, allow: bool, value: str, line: Line) -> None:
        self._naming = False
        if value:
            self.groups[-1].rules.append(Rule(allow, Pattern.of(value), line))


def _rank(rule: Rule) -> tuple[int, bool, int]:
    return -rule.pattern.weight, not rule.allow, rule.line.number


def _cut(body: bytes) -> bytes:
    """At most MOST_BYTES, and no half line at the end."""
    if len(body) <= MOST_BYTES:
        return body
    kept = body[:MOST_BYTES]
    return kept[: max(kept.rfind(b"\n"), kept.rfind(b"\r")) + 1]


def _pair(line: str) -> Iterator[tuple[str, str]]:
    """Key and value of a line; nothing when it has none."""
    text = line.partition("#")[0].strip()
    key, colon, value = text.partition(":")
    if not colon:
        words = text.split()
        if len(words) != 2:  # two words may stand without a colon
            return
        key, value = words
    if key.strip():
        yield key.strip().lower(), value.strip()


def _shown(line: str) -> str:
    text = line.strip().encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[:500])
