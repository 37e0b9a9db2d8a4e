"""Generated sites for a crawl on top of a full store: the pages that will be fetched, as files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.names import address
from benchmarks.nginx import Site
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.values import Found, found
from opilio.kernel.urls import canonical
from tests.servers.large_site import LargeSite, picture

HOSTS = 16
NEW = 8  # links of each page that nobody else has
_ASIDE = "</main>"


@dataclass(frozen=True, kw_only=True, slots=True)
class Sites:
    """Sixteen sites that together have so many pages."""

    known: int
    port: int

    def site(self, host: int) -> LargeSite:
        """The site of a host, counted from 1."""
        return LargeSite(pages=self.known // HOSTS, seed=host + 1)

    def url(self, host: int, path: str) -> str:
        """A URL at a host."""
        return f"http://{address(host)}:{self.port}{path}"

    def starts(self) -> list[str]:
        """The front pages."""
        return [self.url(host, self.site(host).path(0)) for host in range(1, HOSTS + 1)]

    def finds(self) -> Iterator[Found]:
        """Every page but the front pages, one link away from them; hosts in turn, as links would bring them."""
        sites = {host: self.site(host) for host in range(1, HOSTS + 1)}
        for number in range(1, self.known // HOSTS):
            for host, site in sites.items():
                yield found(canonical(self.url(host, site.path(number))), Label(1, host - 1, 0), "L")

    def write(self, root: Path, per_host: int) -> list[Site]:
        """Write the first pages of each site with what they embed."""
        return [self._written(host, root / str(host), per_host) for host in range(1, HOSTS + 1)]

    def _written(self, host: int, root: Path, count: int) -> Site:
        site = self.site(host)
        for number in range(count):
            _write(root, site.path(number), self._markup(site, number).encode())
        for path in site.asset_paths():
            _write(root, path, _asset(site, path))
        return Site(number=host, root=root, start=site.path(0))

    def _markup(self, site: LargeSite, number: int) -> str:
        links = " ".join(f'<a href="{site.base}/new/{number}-{each}.html">New</a>' for each in range(NEW))
        return site.markup(number).replace(_ASIDE, f"<p>{links}</p>{_ASIDE}")


def _asset(site: LargeSite, path: str) -> bytes:
    if path.endswith(".png"):
        return picture(int(Path(path).stem))
    return f'main {{ background: url("{site.base}/assets/0.png") }}\n'.encode() if path.endswith(".css") else b"\n"


def _write(root: Path, path: str, body: bytes) -> None:
    place = root / (path.lstrip("/") + ("index.html" if path.endswith("/") else ""))
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(body)
