"""A long crawl by one process: once it has warmed up, it takes no more memory and no more open files.

OPILIO_TEST_PROOF_SCALE multiplies the counts.
"""

from typing import NamedTuple

import psutil
import pytest

from tests.proofs.almanacs import Almanacs, require_once
from tests.proofs.crawl_lives import CrawlLives

HOSTS = 4
SMALL, STEP = 400, 2_000  # pages in the ordinary run; times the scale under `make prove`
GROWTH, SLACK = 1.2, 30 << 20  # memory of the end against that of the middle; known URLs take a little
FILES = 20  # more of them at the end

pytestmark = [pytest.mark.proof, pytest.mark.timeout(7_200)]


class Use(NamedTuple):
    """What a process takes."""

    memory: int  # bytes
    files: int


def used(pid):
    """What a process takes now."""
    process = psutil.Process(pid)
    return Use(process.memory_info().rss, process.num_fds())


def test_memory_and_open_files_stay(server, address, proof_scale, tmp_path, record_property):
    """The last quarter takes what the second took."""
    pages = SMALL if proof_scale == 1 else STEP * proof_scale
    almanacs = Almanacs(server=server, hosts=HOSTS, pages=pages // HOSTS)
    urls, uses = almanacs.everything(), []
    crawl = CrawlLives(
        folder=tmp_path / "out", starts=almanacs.starts(), address=address, said=tmp_path / "said.txt", workers=1
    )
    try:
        crawl.begin()
        for quarter in range(1, 5):
            crawl.wait_for(quarter * len(urls) * 9 // 40)
            uses.append(used(crawl.pid))
        crawl.end()
    finally:
        crawl.stop()
    require_once(tmp_path / "out", address, urls)
    record_property("pages", len(urls))
    record_property("MB in the middle and at the end", f"{uses[1].memory >> 20}, {uses[3].memory >> 20}")
    assert uses[3].memory <= GROWTH * uses[1].memory + SLACK
    assert uses[3].files <= uses[1].files + FILES
