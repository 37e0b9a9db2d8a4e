"""Opilio collects what others publish, and makes the copies reviewable, searchable and replayable.

As a library: `crawl_site`, `Archive`, `Index` and `check_delivery`. Each name is imported when it is first used:
`import opilio` costs nothing, and none of them needs a database server or Django.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opilio.deliveries.checking import Checked as Checked
    from opilio.deliveries.checking import Found as Found
    from opilio.kernel.errors import OpilioError as OpilioError
    from opilio.works.library.archive import Archive as Archive
    from opilio.works.library.archive import Capture as Capture
    from opilio.works.library.archive import Checkup as Checkup
    from opilio.works.library.crawling import BrokenLink as BrokenLink
    from opilio.works.library.crawling import Crawled as Crawled
    from opilio.works.library.crawling import crawl_site as crawl_site
    from opilio.works.library.crawling import resume_crawl as resume_crawl
    from opilio.works.library.deliveries import check_delivery as check_delivery
    from opilio.works.library.index import Built as Built
    from opilio.works.library.index import Hit as Hit
    from opilio.works.library.index import Hits as Hits
    from opilio.works.library.index import Index as Index

__version__ = "0.1.0"

_LIBRARY = "opilio.works.library"
_HOMES = {
    "Archive": f"{_LIBRARY}.archive",
    "BrokenLink": f"{_LIBRARY}.crawling",
    "Built": f"{_LIBRARY}.index",
    "Capture": f"{_LIBRARY}.archive",
    "Checked": "opilio.deliveries.checking",
    "Checkup": f"{_LIBRARY}.archive",
    "Crawled": f"{_LIBRARY}.crawling",
    "Found": "opilio.deliveries.checking",
    "Hit": f"{_LIBRARY}.index",
    "Hits": f"{_LIBRARY}.index",
    "Index": f"{_LIBRARY}.index",
    "OpilioError": "opilio.kernel.errors",
    "check_delivery": f"{_LIBRARY}.deliveries",
    "crawl_site": f"{_LIBRARY}.crawling",
    "resume_crawl": f"{_LIBRARY}.crawling",
}

__all__ = [
    "Archive",
    "BrokenLink",
    "Built",
    "Capture",
    "Checked",
    "Checkup",
    "Crawled",
    "Found",
    "Hit",
    "Hits",
    "Index",
    "OpilioError",
    "__version__",
    "check_delivery",
    "crawl_site",
    "resume_crawl",
]


def __getattr__(name: str) -> Any:
    """The public names, imported at their first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
