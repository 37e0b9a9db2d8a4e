"""What was measured of a result. Everything is bounded, so that it can be kept as JSON whatever the crawl's size."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Lines:
    """Something that was counted, with the first examples."""

    total: int = 0
    listed: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class MissingEmbed:
    """A URL that a page needs and the result lacks."""

    url: str
    page: str
    why: str  # the outcome, or that it was never asked for


@dataclass(frozen=True, kw_only=True, slots=True)
class PageCompleteness:
    """What a page embeds, and how much of it is there."""

    url: str
    wanted: int
    captured: int
    missing: Sequence[str] = ()  # some

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.captured / self.wanted if self.wanted else 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Completeness:
    """Of all pages together, and the worst of them."""

    wanted: int = 0
    captured: int = 0
    withheld: int = 0  # embeds that robots.txt, an exclusion or a limit kept out: nobody asked for them
    incomplete: int = 0  # pages that lack something
    worst: Sequence[PageCompleteness] = ()
    missing: Sequence[MissingEmbed] = ()
    missing_total: int = 0

    @property
    def share(self) -> float | None:
        """From 0 to 1; None where no page embeds anything."""
        return self.captured / self.wanted if self.wanted else None


@dataclass(frozen=True, kw_only=True, slots=True)
class RiskyPage:
    """A page that a person might look at, and why."""

    url: str
    title: str
    cluster: str
    risk: float  # 0: nothing is known against it
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Cluster:
    """Pages that are alike: by the shape of their address, or because they say the same."""

    key: str
    label: str
    pages: int
    risk: float = 0.0  # of its riskiest page
    examples: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class HostCount:
    """How much came from one host."""

    host: str
    urls: int
    bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Differential:
    """A result against that of another harvest: captured URLs of both."""

    matching: int
    changed: int  # of the matching
    missing: Lines
    new: Lines

    @property
    def before(self) -> int:
        """URLs of the other harvest."""
        return self.matching + self.missing.total


@dataclass(frozen=True, kw_only=True, slots=True)
class PageCheck:
    """An important page, replayed in a browser."""

    url: str
    title: str = ""
    failed: Lines = field(default_factory=Lines)  # requests that the result could not answer
    problem: str = ""  # why it could not be shown
    picture: float | None = None  # share of pixels that differ from the earlier harvest, 0 to 1
    live_text: float | None = None  # how alike its text is to the live page's, 0 to 1
    live_picture: float | None = None  # share of pixels that differ from the live page's


@dataclass(frozen=True, kw_only=True, slots=True)
class Checks:
    """The replay check; `why_not` is empty when it was done."""

    why_not: str = ""
    pages: Sequence[PageCheck] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """The numbers of a result."""

    bytes: int = 0
    urls: int = 0  # answers that were kept
    pages: int = 0
    seconds: float = 0.0  # that the crawl took
    finished: bool = False  # the crawl ended by itself, with nothing waiting
    seeds: int = 0
    seeds_well: int = 0  # seeds that were answered with a page
    errors: int = 0
    long_urls: int = 0
    unknown_types: int = 0
    robots_denied: int = 0
    off_scope: int = 0
    hosts: int = 0
    repeating: int = 0
    blocked: int = 0
    soft_404: int = 0
    sign_in: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class NearDuplicates:
    """Pages that say nearly the same, among those whose text was looked at."""

    looked_at: int = 0
    alike: int = 0  # in groups of at least ten
    largest: Lines = field(default_factory=Lines)

    @property
    def percent(self) -> float:
        """Of those that were looked at."""
        return 100.0 * self.alike / self.looked_at if self.looked_at else 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """All that is known of a result."""

    figures: Figures
    evidence: Mapping[str, Lines]  # by the name of the figure
    completeness: Completeness
    duplicates: NearDuplicates
    clusters: Sequence[Cluster]
    clusters_total: int
    risky: Sequence[RiskyPage]  # the riskiest first
    hosts: Sequence[HostCount]
    important: Sequence[str]  # seed pages, then those that most pages link to
    differential: Differential | None = None
    not_compared: str = ""  # why there is no differential
    before: Figures | None = None  # of the other harvest
    checks: Checks = field(default_factory=Checks)


def document(value: Any) -> dict[str, Any]:
    """A value as JSON carries it."""
    found: dict[str, Any] = asdict(value)
    return found
