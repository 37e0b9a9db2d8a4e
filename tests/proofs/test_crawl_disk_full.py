"""A disk that is full for real, whoever meets it first: the captures, the crawl store or the log."""

import random

import pytest

from tests.proofs.almanacs import Almanacs, require_once, require_sealed, require_sound_warcs
from tests.proofs.crawl_lives import CrawlLives

pytestmark = [pytest.mark.proof, pytest.mark.timeout(7_200)]


def test_a_full_disk_stops_the_crawl_until_there_is_space(
    server, address, disk, proof_scale, random_number, tmp_path, record_property
):
    """The message names the folder and the remedy; after space was made, resuming makes the set whole."""
    chance = random.Random(random_number)
    record_property("disks", proof_scale)
    almanacs = Almanacs(server=server, hosts=4, pages=50)
    urls = almanacs.everything()
    for number in range(proof_scale):
        disk.make(chance.randrange(500_000, 1_000_000))
        folder = disk.path / f"out-{number}"
        crawl = CrawlLives(
            folder=folder, starts=almanacs.starts(), address=address, said=tmp_path / "said.txt",
            workers=chance.choice([1, 3]),
        )  # fmt: skip
        try:
            crawl.begin()
            assert crawl.exit_code() not in (0, None)
            assert str(folder) in crawl.errors()
            assert "The disk is full" in crawl.errors()
            assert "Free some space" in crawl.errors()
            assert "Traceback" not in crawl.errors()
            disk.grow()
            crawl.resume()
            assert crawl.exit_code() == 0, crawl.errors()
        finally:
            crawl.stop()
        require_once(folder, address, urls)
        require_sealed(folder, urls)
        require_sound_warcs(folder)
        disk.remove()
        disk.path.rmdir()
