"""The errors of the crawl engine.

InvalidInput
├── BadPlan               a crawl plan that cannot be read or carried out
└── NotACrawlStore        a file or database that is no crawl store
Missing
└── NoCrawlStore          there is no crawl store in that place
Conflict
├── CrawlStoreExists      there is one already
├── AnotherPlan           the crawl store belongs to another plan
├── NewerCrawlStore       the crawl store was written by a newer Opilio
├── OneWorkerOnly         another worker does a crawl that one worker does alone
├── RewoundFile           a WARC file whose end was given up was written to
├── SealedCrawlStore      the crawl ended and its store was sealed
└── CrawlStoreBusy        another process holds the file
Unavailable
└── CrawlStoreUnavailable the database cannot be reached
Damaged
└── CorruptCrawlStore     the crawl store does not hold what it should
"""

from opilio.kernel.errors import Conflict, Damaged, InvalidInput, Missing, Unavailable


class BadPlan(InvalidInput):
    """A crawl plan that cannot be read or carried out."""


class NotACrawlStore(InvalidInput):
    """A file or database that is no crawl store."""


class NoCrawlStore(Missing):
    """There is no crawl store in that place."""


class CrawlStoreExists(Conflict):
    """There is a crawl store in that place already."""


class AnotherPlan(Conflict):
    """The crawl store belongs to another plan."""


class NewerCrawlStore(Conflict):
    """The crawl store was written by a newer Opilio."""


class OneWorkerOnly(Conflict):
    """Another worker does a crawl that one worker does alone."""


class RewoundFile(Conflict):
    """A WARC file whose end was given up was written to."""


class SealedCrawlStore(Conflict):
    """The crawl ended and its store was sealed."""


class CrawlStoreBusy(Conflict):
    """Another process holds the file for longer than we wait."""


class CrawlStoreUnavailable(Unavailable):
    """The database of the crawl store cannot be reached."""


class CorruptCrawlStore(Damaged):
    """The crawl store does not hold what it should."""
