"""How a worker works; none of it changes what a crawl finds."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineSettings:
    """The rhythm of a worker. Times are seconds."""

    commit_every: float = 0.5
    commit_pages: int = 100  # results after which a commit does not wait for its time
    batch: int = 200  # results that are not committed, at most: a kill costs no more, and what is under way
    hosts: int = 256  # that are asked at the same time
    per_host: int = 64  # entries of one host that are taken in advance
    ttl: float = 60.0  # of the leases
    claim_every: float = 2.0
    look_every: float = 0.5  # how often a worker without entries looks for leases
    steer_every: float = 0.1  # how often orders are looked for
    pause: float = 0.25  # with nothing to do
    quiet: float = 5.0  # without any change, after which a worker leaves its buckets to others
    longest_wait: float = 15.0  # for a host's turn; entries of slower hosts go back
    robots_retry: float = 60.0  # after which an unreachable robots.txt is asked for again
    large_body: int = 512 * 1024  # bytes from which on codings are undone in a thread
    decoded_body: int = 50 * 1024 * 1024  # bytes of content that are read: as many as a sitemap may have
    seen: int = 500_000  # URLs that a worker remembers as known
    recalled: int = 2_000_000  # URLs that it takes up from the store with their hosts, eight bytes each
    helpers: int = 1  # processes that read what must not be read here


DEFAULTS = EngineSettings()
