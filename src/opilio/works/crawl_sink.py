"""The WARC files of one worker of a crawl."""

from pathlib import Path

from opilio.archive.warc.compression import Compression
from opilio.archive.warc.info import WarcInfo
from opilio.archive.warc.names import parse_name
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.plan_json import to_json
from opilio.crawl.user_agent import user_agent

_PREFIX = "opilio"
_LONGEST_PLAN = 1 << 20  # characters; a longer one is in plan.json only


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
        plan=_told(plan),
    )
    return WarcSink(folder, worker=worker, options=options, info=info)


def _told(plan: CrawlPlan) -> str:
    """The plan, which never holds a secret; not if it would swell every file."""
    text = to_json(plan)
    return text if len(text) <= _LONGEST_PLAN else ""


def is_of(worker: str, file: str) -> bool:
    """Whether a WARC file belongs to a worker's series."""
    found = parse_name(Path(file))
    return found is not None and found.series.prefix == _PREFIX and found.series.worker == worker
