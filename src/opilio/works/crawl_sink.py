"""The WARC files of one worker of a crawl."""

from pathlib import Path

from opilio.archive.warc.compression import Compression
from opilio.archive.warc.info import WarcInfo
from opilio.archive.warc.names import parse_name
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.user_agent import user_agent

_PREFIX = "opilio"


def sink_of(plan: CrawlPlan, folder: Path, worker: str) -> WarcSink:
    """Where a worker writes its captures."""
    options = WarcOptions(
        prefix=_PREFIX,
        size=plan.warc.size,
        algorithm=plan.warc.digest,
        compression=Compression(level=plan.warc.gzip_level),
        provenance=plan.warc.outlinks,  # seed, way and parent are in the store; here only for who wants records of them
    )
    info = WarcInfo(
        operator=plan.manners.contact,
        is_part_of=folder.parent.name,
        robots=plan.manners.robots.value,
        user_agent=user_agent(plan.manners),
    )
    return WarcSink(folder, worker=worker, options=options, info=info)


def is_of(worker: str, file: str) -> bool:
    """Whether a WARC file belongs to a worker's series."""
    found = parse_name(Path(file))
    return found is not None and found.series.prefix == _PREFIX and found.series.worker == worker
