"""How many links of a sealed harvest are broken."""

import contextlib
from dataclasses import dataclass

from opilio.works.run_harvest import HarvestFolder
from opilio.works.sealed_crawl import SealedCrawl, results_of

_EXAMPLES = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Broken:
    """Broken URLs, and links that lead to them."""

    urls: int
    links: int
    examples: tuple[str, ...] = ()  # those that most pages link to


def broken_links(folder: HarvestFolder) -> Broken:
    """What the sealed report says."""
    with contextlib.closing(SealedCrawl(results_of(folder.crawl).result)) as sealed:
        found = sealed.report()["broken_links"]
    examples = tuple(str(each["url"]) for each in found["listed"][:_EXAMPLES])
    return Broken(urls=int(found["total"]), links=int(found["links"]), examples=examples)
