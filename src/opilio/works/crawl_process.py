"""One worker of a crawl in a process of its own, told over a socket what to do; `crawl_process_start` starts it."""

import functools
import socket
from dataclasses import dataclass
from pathlib import Path

from opilio.crawl.engine.channel import Channel, ParentGone, RemoteStore
from opilio.crawl.engine.ending import Ended
from opilio.crawl.engine.progress import Progress
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.worker import Post, Worker
from opilio.crawl.engine.worker_store import WorkerStore
from opilio.crawl.logins.book import EMPTY, CredentialBook
from opilio.crawl.plan_json import from_json
from opilio.kernel import logs
from opilio.kernel.errors import OpilioError
from opilio.works.crawl_folder import StoreAddress
from opilio.works.crawl_loop import run_loop
from opilio.works.crawl_sink import is_of, sink_of
from opilio.works.earlier_crawl import opened_earlier
from opilio.works.shared_stores import store_of_worker


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """What a worker process is told first."""

    plan: str  # as JSON
    warcs: str  # folder
    log: str  # file
    owner: str
    worker: str
    workers: int
    settings: EngineSettings
    store_url: str = ""  # empty: the parent has the store
    store_name: str = ""
    ca_file: str = ""
    book: CredentialBook = EMPTY


def main(number: int) -> int:
    """Work until the crawl ends or the parent hangs up."""
    logs.configure(level="warning")
    channel = Channel(socket.socket(fileno=number))
    try:
        job: Job = channel.call("job")
        try:
            ended = _work(job, channel)
        except OpilioError as error:
            if isinstance(error, ParentGone):
                raise
            channel.call("failed", error)
            return error.exit_code
        channel.call("ended", ended)
    except ParentGone:
        return ParentGone.exit_code
    return 0


def _work(job: Job, channel: Channel) -> Ended:
    plan = from_json(job.plan)
    post = Post(
        owner=job.owner,
        worker=job.worker,
        workers=job.workers,
        log=Path(job.log),
        ours=functools.partial(is_of, job.worker),
        ca_file=job.ca_file,
        book=job.book,
        spool=Path(job.warcs),
    )
    sink = sink_of(plan, Path(job.warcs), job.worker)

    def watch(progress: Progress) -> None:
        channel.call("progress", progress)

    with opened_earlier(plan, StoreAddress(url=job.store_url)) as earlier:

        async def work() -> Ended:
            worker = Worker(
                plan, store=_store(job, channel), sink=sink, post=post, settings=job.settings, watch=watch,
                earlier=earlier,
            )  # fmt: skip
            return await worker.run()

        ended = run_loop(work)
    sink.close()
    return ended


def _store(job: Job, channel: Channel) -> WorkerStore:
    if not job.store_url:
        return RemoteStore(channel)
    return store_of_worker(job.store_url, job.store_name, channel)
