"""A wall clock that is set back while processes crawl: no host waits until it has caught up, and none is crowded."""

import os
from pathlib import Path

import pytest

from tests.proofs.almanacs import Almanacs, closest, require_once, require_sealed
from tests.proofs.crawl_lives import CrawlLives

DELAY = 0.1  # seconds
BACK = 6 * 3600  # seconds
FAULT = Path(__file__).parent / "clock_fault"

pytestmark = pytest.mark.proof


class WallClock:
    """The clock of other processes."""

    def __init__(self, path):
        self._path = path
        self.env = {
            "OPILIO_TEST_CLOCK": str(path),
            "PYTHONPATH": f"{FAULT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        }
        self.set(0)

    def set(self, seconds):
        """Let it be off by so much."""
        fresh = self._path.with_suffix(".new")
        fresh.write_text(str(seconds))
        fresh.replace(self._path)


def test_a_clock_that_is_set_back(server, address, tmp_path):
    """Twice by hours, with three workers: the crawl ends as if nothing had happened, and keeps its delays."""
    almanacs, clock = Almanacs(server=server, hosts=4, pages=10), WallClock(tmp_path / "clock")
    crawl = CrawlLives(
        folder=tmp_path / "out", starts=almanacs.starts(), address=address, said=tmp_path / "said.txt",
        options=("--delay", str(DELAY)), env=clock.env,
    )  # fmt: skip
    urls = almanacs.everything()
    try:
        crawl.begin()
        crawl.wait_for(len(urls) // 4)
        clock.set(-BACK)
        crawl.wait_for(len(urls) // 2)
        clock.set(-2 * BACK)
        assert crawl.exit_code() == 0, crawl.errors()
    finally:
        crawl.stop()
    assert closest(server).seconds >= DELAY - 0.01
    require_once(tmp_path / "out", address, urls)
    require_sealed(tmp_path / "out", urls)
