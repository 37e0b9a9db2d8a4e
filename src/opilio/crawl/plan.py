"""What a crawl is asked to do: a frozen plan, made once from seeds, profile and overrides, and kept with the store.

`plan_json` writes and reads it. A limit of None or 0 means none. Rules about scope are carried out by `scope`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from opilio.crawl import proxies
from opilio.crawl.errors import BadPlan
from opilio.kernel.digests import Algorithm
from opilio.kernel.errors import OpilioError
from opilio.kernel.hosts import host_key, registrable_domain
from opilio.kernel.urls import KEEP_QUERY, QueryPolicy, canonical, parse

#: Raised whenever a field changes its meaning; a store keeps the plan it was made for.
PLAN_VERSION = 1
MOST_SEEDS = 1_000_000
MOST_EMBED_HOPS = 15


class ScopeKind(StrEnum):
    """How far from a seed without a root string a crawl may go."""

    PAGE = "page"  # the seed alone, with its embeds
    PREFIX = "prefix"  # the seed's folder
    HOST = "host"
    DOMAIN = "domain"  # the registrable domain with all its hosts
    ANY = "any"


class Order(StrEnum):
    """Which of a host's URLs comes first."""

    BREADTH = "breadth"
    DEPTH = "depth"


class RobotsPolicy(StrEnum):
    """What robots.txt means for a host."""

    OBEY = "obey"
    IGNORE = "ignore"


class Preset(StrEnum):
    """A manner of crawling by name; `manners` holds the values behind it."""

    GENTLE = "gentle"
    NORMAL = "normal"
    BRISK = "brisk"
    OWN_SITE = "own-site"


@dataclass(frozen=True, kw_only=True, slots=True)
class Seed:
    """Where the crawl starts, with limits of its own."""

    url: str
    root: str = ""  # prefix of the canonical URLs it admits; empty: the scope's kind decides
    depth: int | None = None  # link hops from here; None: no limit
    max_pages: int | None = None
    append: str = ""  # added to every request URL, after scope and seen checks
    credential: str = ""  # name of a credential; never the secret
    logout: str = ""  # RE2; URLs that would end the session of the credential; empty: common ones
    active: bool = True

    def __post_init__(self) -> None:
        _checked(self.url, "seeds")
        if self.root:
            _checked(self.root, "seeds")
        _not_negative(self.depth, "depth")
        _not_negative(self.max_pages, "max_pages")


@dataclass(frozen=True, kw_only=True, slots=True)
class Traps:
    """From where on a URL looks like a trap."""

    max_url: int = 4_000  # characters
    max_segments: int = 40  # of a path
    max_repeats: int = 3  # of one path segment
    max_calendar: int = 40  # months away from the crawl's day
    max_query_forms: int = 200  # orders and subsets of one path's parameters
    max_alike: int = 500  # pages in a row that hardly differ


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """Which URLs belong to the crawl; rules in this order, the last word wins."""

    kind: ScopeKind = ScopeKind.PREFIX
    schemes_alike: bool = False  # http and https under one root string
    www_alike: bool = False  # with and without www.
    surts: tuple[str, ...] = ()  # further SURT prefixes that are admitted
    include: tuple[str, ...] = ()  # RE2 expressions; exceptions, asked after the exclusions
    exclude: tuple[str, ...] = ()  # RE2 expressions
    excluded_urls: tuple[str, ...] = ()  # exactly these pages
    max_path_depth: int | None = None
    max_embed_hops: int = 3  # embeds of embeds
    offsite_embeds: bool = True  # a page's images come along from other hosts
    types: tuple[str, ...] = ()  # MIME types to keep, as `text/*`; empty: all
    excluded_types: tuple[str, ...] = ()
    max_size: int | None = None  # bytes of a body; larger ones are not kept
    widen_by_redirect: bool = False  # a redirected seed adds its new place to the scope
    query: QueryPolicy = KEEP_QUERY
    traps: Traps = field(default_factory=Traps)

    def __post_init__(self) -> None:
        if not 0 <= self.max_embed_hops <= MOST_EMBED_HOPS:
            raise _bad(f"max_embed_hops is {self.max_embed_hops}", f"Give 0 to {MOST_EMBED_HOPS}.", "scope")


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """When the crawl ends though there is more. Pages are counted exactly; bytes and seconds are overrun a little."""

    pages: int | None = None
    bytes: int | None = None  # received
    seconds: int | None = None  # with a worker at work
    pages_per_host: int | None = None
    bytes_per_host: int | None = None

    def __post_init__(self) -> None:
        for name in self.__slots__:
            _not_negative(getattr(self, name), name)


@dataclass(frozen=True, kw_only=True, slots=True)
class Manners:
    """How the crawl behaves towards servers."""

    preset: Preset = Preset.NORMAL
    delay: float | None = None  # seconds between requests to a host; None: the preset's
    max_delay: float | None = None  # seconds; the most that factor and robots.txt together may ask for
    factor: float | None = None  # pause = factor × response time
    crawl_delay_cap: float | None = None  # seconds of Crawl-delay that are obeyed
    per_address: bool = False  # hosts at one IP address share a ledger
    bandwidth: int | None = None  # bytes per second, whole crawl
    host_bandwidth: int | None = None  # bytes per second, each host
    tries: int = 4  # of one URL
    breaker: int = 10  # errors in a row after which a host rests
    robots: RobotsPolicy = RobotsPolicy.OBEY
    robots_by_host: Mapping[str, RobotsPolicy] = field(default_factory=dict)
    forbidden_robots_deny: bool = False  # 401 and 403 for robots.txt mean: keep out
    obey_nofollow: bool = True  # meta robots and X-Robots-Tag
    obey_noindex: bool = True
    obey_noarchive: bool = True
    agent: str = "opilio"  # the product token that robots.txt groups are matched with
    user_agent: str = ""  # the whole header; empty: made of agent, version and contact
    contact: str = ""  # an address or URL; required for targets that are not private

    def __post_init__(self) -> None:
        for name in ("delay", "max_delay", "factor", "crawl_delay_cap", "bandwidth", "host_bandwidth"):
            _not_negative(getattr(self, name), name)
        if self.tries < 1 or self.breaker < 1:
            raise _bad("tries and breaker must be at least 1", "Correct them.", "manners")
        if any("\n" in text or "\r" in text for text in (self.agent, self.user_agent, self.contact)):
            raise _bad("the user agent holds a line break", "Write it on one line.", "manners")


@dataclass(frozen=True, kw_only=True, slots=True)
class Fetch:
    """How a URL is fetched."""

    connect_timeout: float = 20.0  # seconds
    first_byte_timeout: float = 60.0
    idle_timeout: float = 60.0
    total_timeout: float = 1200.0
    max_header: int = 256 * 1024  # bytes
    max_body: int = 1 << 30  # bytes kept; more is cut off and marked
    max_ratio: int = 200  # decoded ÷ encoded
    max_redirects: int = 20
    connections_per_host: int = 1
    http2: bool = False
    proxies: Mapping[str, str] = field(default_factory=dict)  # host (or `*`) → URL of a proxy, or `direct`
    proxy_dns: bool = False  # the proxy may resolve names, where our address check cannot see
    unverified_tls: tuple[str, ...] = ()  # hosts whose certificates are not checked
    allow_private: tuple[str, ...] = ()  # networks that may be fetched though private, as 10.1.0.0/16
    since: str = ""  # folder of an earlier crawl, for conditional requests

    def __post_init__(self) -> None:
        for name in ("connect_timeout", "first_byte_timeout", "idle_timeout", "total_timeout"):
            if not getattr(self, name) > 0:
                raise _bad(f"{name} is {getattr(self, name)}", "Give a number of seconds above 0.", "fetch")
        proxies.check(self.proxies, proxy_dns=self.proxy_dns)


@dataclass(frozen=True, kw_only=True, slots=True)
class Extract:
    """What is taken out of a page."""

    text: bool = True
    boilerplate: bool = True  # keep navigation and footers in the text
    forms: bool = False  # follow GET forms with few options
    scripts: bool = False  # strings in scripts that look like URLs, as speculative links
    sitemaps: bool = True
    feeds: bool = True
    documents: bool = True  # text and links of PDF and office files
    detect_language: bool = False  # where a page declares none; costs 0.4 ms a page and 100 MB in each worker


@dataclass(frozen=True, kw_only=True, slots=True)
class Warc:
    """How captures are written."""

    size: int = 1 << 30  # bytes after which the next file is begun
    digest: Algorithm = Algorithm.SHA1
    gzip_level: int = 2
    outlinks: bool = False  # a metadata record with the links of each page
    revisits: bool = True  # a body that is kept already is not written again
    duplicates: bool = True  # nor is that of another URL of this crawl
    duplicate_size: int = 1_024  # bytes from which on such duplicates are looked for

    def __post_init__(self) -> None:
        _not_negative(self.duplicate_size, "duplicate_size")


@dataclass(frozen=True, kw_only=True, slots=True)
class CrawlPlan:
    """All a crawl needs to know. Two plans are the same if and only if they are equal."""

    seeds: tuple[Seed, ...]
    scope: Scope = field(default_factory=Scope)
    limits: Limits = field(default_factory=Limits)
    manners: Manners = field(default_factory=Manners)
    fetch: Fetch = field(default_factory=Fetch)
    extract: Extract = field(default_factory=Extract)
    warc: Warc = field(default_factory=Warc)
    order: Order = Order.BREADTH

    def __post_init__(self) -> None:
        if not any(seed.active for seed in self.seeds):
            raise _bad("the plan has no active seed", "Give at least one URL to start from.", "seeds")
        if len(self.seeds) > MOST_SEEDS:
            raise _bad(f"the plan has {len(self.seeds)} seeds", f"Give at most {MOST_SEEDS}.", "seeds")


def admissions(plan: CrawlPlan) -> tuple[int, ...]:
    """For each seed the number of the first seed that admits exactly the same URLs at the same depths.

    Paths from such seeds can stand for each other, so the store follows the shortest of them only.
    """
    first: dict[tuple[str, int | None, bool, str], int] = {}
    return tuple(
        first.setdefault((_reach(seed, plan.scope.kind), seed.depth, bool(seed.credential), seed.logout), number)
        for number, seed in enumerate(plan.seeds)
    )


def _reach(seed: Seed, kind: ScopeKind) -> str:
    """What a seed admits, as a text that is equal for equal reach."""
    if seed.root:
        return f"root {seed.root}"
    if kind is ScopeKind.ANY:
        return "any"
    url = canonical(seed.url)
    if kind is ScopeKind.HOST:
        return f"host {host_key(url)}"
    if kind is ScopeKind.DOMAIN:
        host = parse(url).host
        return f"domain {registrable_domain(host) or host}"
    if kind is ScopeKind.PREFIX:
        path = url.partition("?")[0]
        return f"prefix {path[: path.rindex('/') + 1]}"
    return f"page {url}"


def limit(value: int | None) -> int | None:
    """A limit as it counts: 0 and None both mean that there is none."""
    return value or None


def _checked(url: str, where: str) -> None:
    try:
        canonical(url)
    except OpilioError as error:
        raise BadPlan(
            error.what, where=f"{where}: {error.where}" if error.where else where, remedy=error.remedy
        ) from None


def _not_negative(value: float | None, name: str) -> None:
    if value is not None and not value >= 0:
        raise _bad(f"{name} is {value}", "Give 0 or more; leave it out for no limit.", "")


def _bad(what: str, remedy: str, where: str) -> BadPlan:
    return BadPlan(what, where=where, remedy=remedy)
