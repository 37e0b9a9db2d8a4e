"""What a crawl is asked to do: a frozen plan, made once from seeds, profile and overrides, and kept with the store.

`plan_json` writes and reads it, `plan_checks` refuses what makes no sense. A limit of None or 0 means none. Rules about
scope are carried out by `scope`. The comments of the fields are the text of docs/reference/plan.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum

from opilio.crawl import expressions, plan_checks, proxies
from opilio.kernel.digests import Algorithm
from opilio.kernel.hosts import host_key, registrable_domain
from opilio.kernel.urls import KEEP_QUERY, QueryPolicy, canonical, parse

#: Raised whenever a field changes its meaning; a store keeps the plan it was made for.
PLAN_VERSION = 1
MOST_SEEDS = 1_000_000
MOST_EMBED_HOPS = 15
MOST_CONNECTIONS = 256  # to one host
MOST_AGENTS = 64  # at one harvest
_PATIENCE = 1_000_000.0  # seconds; libcurl counts no further


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

    url: str  # where the crawl starts
    root: str = ""  # prefix of the canonical URLs it admits; empty: the scope's kind decides
    depth: int | None = None  # link hops from here; 0: the seed with its embeds, None: no limit
    max_pages: int | None = None  # pages that this seed leads to; embeds do not count
    append: str = ""  # added to every request URL, after scope and seen checks
    credential: str = ""  # name of a credential; never the secret
    logout: str = ""  # RE2; URLs that would end the session of the credential; empty: common ones
    active: bool = True  # a seed that is not is kept in the plan and left alone

    def __post_init__(self) -> None:
        for url in (self.url, self.root) if self.root else (self.url,):
            plan_checks.url(url, "seeds")
        plan_checks.whole(self.depth, "depth", "seeds")
        plan_checks.whole(self.max_pages, "max_pages", "seeds")
        if self.append:
            plan_checks.one_line((self.append,), "the append string", "seeds")
        if self.logout:
            expressions.check((self.logout,), "seeds: logout")


@dataclass(frozen=True, kw_only=True, slots=True)
class Traps:
    """From where on a URL looks like a trap."""

    max_url: int = 4_000  # characters
    max_segments: int = 40  # of a path
    max_repeats: int = 3  # of one path segment
    max_calendar: int = 40  # months away from the crawl's day
    max_query_forms: int = 200  # orders and subsets of one path's parameters
    max_alike: int = 500  # pages in a row that hardly differ

    def __post_init__(self) -> None:
        for item in fields(self):
            plan_checks.whole(getattr(self, item.name), item.name, "traps", low=int(item.name != "max_calendar"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """Which URLs belong to the crawl; rules in this order, the last word wins."""

    kind: ScopeKind = ScopeKind.PREFIX  # for seeds without a root string
    schemes_alike: bool = False  # http and https under one root string
    www_alike: bool = False  # with and without www.
    surts: tuple[str, ...] = ()  # further SURT prefixes that are admitted
    include: tuple[str, ...] = ()  # RE2 expressions; exceptions, asked after the exclusions
    exclude: tuple[str, ...] = ()  # RE2 expressions
    excluded_urls: tuple[str, ...] = ()  # exactly these pages
    forbidden: tuple[str, ...] = ()  # RE2 expressions; what may not be collected, whatever is included
    max_path_depth: int | None = None  # segments of a path
    max_embed_hops: int = 3  # embeds of embeds
    offsite_embeds: bool = True  # a page's images come along from other hosts
    types: tuple[str, ...] = ()  # MIME types to keep, as `text/*`; empty: all
    excluded_types: tuple[str, ...] = ()  # MIME types to leave out
    max_size: int | None = None  # bytes of a body; larger ones are not kept
    widen_by_redirect: bool = False  # a redirected seed adds its new place to the scope
    query: QueryPolicy = KEEP_QUERY  # what of a URL's query counts
    traps: Traps = field(default_factory=Traps)  # from where on a URL looks like a trap

    def __post_init__(self) -> None:
        plan_checks.whole(self.max_embed_hops, "max_embed_hops", "scope", high=MOST_EMBED_HOPS)
        plan_checks.whole(self.max_path_depth, "max_path_depth", "scope")
        plan_checks.whole(self.max_size, "max_size", "scope")
        plan_checks.surts(self.surts, "scope: surts")
        plan_checks.types((*self.types, *self.excluded_types), "scope: types")
        expressions.check(self.exclude, "scope: exclude")
        expressions.check(self.include, "scope: include")
        expressions.check(self.forbidden, "scope: forbidden")
        for url in self.excluded_urls:
            plan_checks.url(url, "scope: excluded_urls")


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """When the crawl ends though there is more. Pages are counted exactly; bytes and seconds are overrun a little."""

    pages: int | None = None  # of the whole crawl; embeds do not count
    bytes: int | None = None  # received
    seconds: int | None = None  # with a worker at work
    pages_per_host: int | None = None  # embeds do not count
    bytes_per_host: int | None = None  # received

    def __post_init__(self) -> None:
        for item in fields(self):
            plan_checks.whole(getattr(self, item.name), item.name, "limits")


@dataclass(frozen=True, kw_only=True, slots=True)
class Manners:
    """How the crawl behaves towards servers."""

    preset: Preset = Preset.NORMAL  # the values of what is not given here
    delay: float | None = None  # seconds between requests to a host; None: the preset's
    max_delay: float | None = None  # seconds; the most that factor and robots.txt together may ask for
    factor: float | None = None  # pause = factor × response time
    crawl_delay_cap: float | None = None  # seconds of Crawl-delay that are obeyed
    per_address: bool = False  # hosts at one IP address share a ledger
    bandwidth: int | None = None  # bytes per second, whole crawl; 0: no limit
    host_bandwidth: int | None = None  # bytes per second, each host; None: the preset's, 0: no limit
    tries: int = 4  # of one URL
    breaker: int = 10  # errors in a row after which a host rests
    robots: RobotsPolicy = RobotsPolicy.OBEY  # what robots.txt means
    robots_by_host: Mapping[str, RobotsPolicy] = field(default_factory=dict)  # host → what its robots.txt means
    forbidden_robots_deny: bool = False  # 401 and 403 for robots.txt mean: keep out
    obey_nofollow: bool = True  # meta robots and X-Robots-Tag
    obey_noindex: bool = True  # no text of such a page is kept for the index
    obey_noarchive: bool = True  # such a page is not kept
    agent: str = "opilio"  # the product token that robots.txt groups are matched with
    user_agent: str = ""  # the whole header; empty: made of agent, version and contact
    contact: str = ""  # an address or URL; required for targets that are not private

    def __post_init__(self) -> None:
        for name in ("delay", "max_delay", "factor", "crawl_delay_cap"):
            plan_checks.seconds(getattr(self, name), name, "manners")
        for name, low in (("bandwidth", 0), ("host_bandwidth", 0), ("tries", 1), ("breaker", 1)):
            plan_checks.whole(getattr(self, name), name, "manners", low=low)
        plan_checks.hosts(self.robots_by_host, "manners: robots_by_host", ports=True)
        plan_checks.one_line((self.agent, self.user_agent, self.contact), "the user agent", "manners")


@dataclass(frozen=True, kw_only=True, slots=True)
class Fetch:
    """How a URL is fetched."""

    connect_timeout: float = 20.0  # seconds
    first_byte_timeout: float = 60.0  # seconds
    idle_timeout: float = 60.0  # seconds without a byte
    total_timeout: float = 1200.0  # seconds
    max_header: int = 256 * 1024  # bytes
    max_body: int = 1 << 30  # bytes kept; more is cut off and marked
    max_ratio: int = 200  # decoded ÷ encoded
    max_redirects: int = 20  # in a row
    connections_per_host: int = 1  # at the same time
    agents: int = 1  # that do a harvest together, where crawl stores are in PostgreSQL and there is a work store
    http2: bool = False  # where the server has it; headers are then not kept byte by byte
    proxies: Mapping[str, str] = field(default_factory=dict)  # host (or `*`) → URL of a proxy, or `direct`
    proxy_dns: bool = False  # the proxy may resolve names, where our address check cannot see
    unverified_tls: tuple[str, ...] = ()  # hosts whose certificates are not checked
    allow_private: tuple[str, ...] = ()  # networks that may be fetched though private, as 10.1.0.0/16
    since: str = ""  # folder of an earlier crawl, for conditional requests

    def __post_init__(self) -> None:
        for name in ("connect_timeout", "first_byte_timeout", "idle_timeout", "total_timeout"):
            plan_checks.seconds(getattr(self, name), name, "fetch", above=True, most=_PATIENCE)
        for name, low in (("max_header", 1), ("max_body", 1), ("max_ratio", 1), ("max_redirects", 0)):
            plan_checks.whole(getattr(self, name), name, "fetch", low=low)
        plan_checks.whole(self.connections_per_host, "connections_per_host", "fetch", low=1, high=MOST_CONNECTIONS)
        plan_checks.whole(self.agents, "agents", "fetch", low=1, high=MOST_AGENTS)
        plan_checks.hosts(self.unverified_tls, "fetch: unverified_tls")
        plan_checks.networks(self.allow_private, "fetch: allow_private")
        proxies.check(self.proxies, proxy_dns=self.proxy_dns)


@dataclass(frozen=True, kw_only=True, slots=True)
class Extract:
    """What is taken out of a page."""

    text: bool = True  # the words of a page, for the index
    boilerplate: bool = True  # keep navigation and footers, marked, behind the text
    forms: bool = False  # follow GET forms with few options
    scripts: bool = False  # strings in scripts that look like URLs, as speculative links
    sitemaps: bool = True  # that robots.txt names
    feeds: bool = True  # links of RSS and Atom
    documents: bool = True  # text and links of PDF and office files
    detect_language: bool = False  # where a page declares none; costs 0.4 ms a page and 100 MB in each worker


@dataclass(frozen=True, kw_only=True, slots=True)
class Warc:
    """How captures are written."""

    size: int = 1 << 30  # bytes after which the next file is begun
    digest: Algorithm = Algorithm.SHA1  # sha1 or sha256
    gzip_level: int = 2  # 0 to 3
    outlinks: bool = False  # a metadata record with the links of each page
    revisits: bool = True  # a body that is kept already is not written again
    duplicates: bool = True  # nor is that of another URL of this crawl
    duplicate_size: int = 1_024  # bytes from which on such duplicates are looked for

    def __post_init__(self) -> None:
        plan_checks.whole(self.size, "size", "warc", low=1)
        plan_checks.whole(self.gzip_level, "gzip_level", "warc", high=3)
        plan_checks.whole(self.duplicate_size, "duplicate_size", "warc")
        if self.digest not in (Algorithm.SHA1, Algorithm.SHA256):
            raise plan_checks.bad(f"WARC digests are not made with {self.digest}", "Choose sha1 or sha256.", "warc")


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """What people are told and shown of the crawl beyond its report."""

    broken_links: int | None = None  # broken URLs from which on it is told; 0: never; None: as the installation says
    screenshots: bool = False  # pictures of the seeds, taken with Chromium as soon as each was fetched

    def __post_init__(self) -> None:
        plan_checks.whole(self.broken_links, "broken_links", "report")


@dataclass(frozen=True, kw_only=True, slots=True)
class CrawlPlan:
    """All a crawl needs to know. Two plans are the same if and only if they are equal."""

    seeds: tuple[Seed, ...]  # where the crawl starts; at least one is active
    scope: Scope = field(default_factory=Scope)  # which URLs belong to the crawl
    limits: Limits = field(default_factory=Limits)  # when it ends though there is more
    manners: Manners = field(default_factory=Manners)  # how it behaves towards servers
    fetch: Fetch = field(default_factory=Fetch)  # how a URL is fetched
    extract: Extract = field(default_factory=Extract)  # what is taken out of a page
    warc: Warc = field(default_factory=Warc)  # how captures are written
    report: Report = field(default_factory=Report)  # what people are told of it
    order: Order = Order.BREADTH  # which of a host's URLs comes first

    def __post_init__(self) -> None:
        if not any(seed.active for seed in self.seeds):
            raise plan_checks.bad("the plan has no active seed", "Give at least one URL to start from.", "seeds")
        if len(self.seeds) > MOST_SEEDS:
            raise plan_checks.bad(f"the plan has {len(self.seeds)} seeds", f"Give at most {MOST_SEEDS}.", "seeds")


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
