"""A page of hundreds of megabytes is kept whole, by a worker that stays small."""

import asyncio
import hashlib
import json
import subprocess
import sys

import pytest

from opilio.archive.warc.fast import ArchiveIterator
from opilio.crawl.engine.worker import Post, Worker
from opilio.crawl.frontier.memory import MemoryStore
from opilio.kernel.capture import MemorySink
from opilio.kernel.digests import Algorithm, Digest
from opilio.kernel.errors import NotWritable
from tests.acceptance.crawl.crawls import pages_of, plan_for
from tests.servers.http_server import HttpServer
from tests.servers.misbehave.bodies import long_piece
from tests.unit.archive.warcs import assert_valid

MIB = 200
MOST = 400  # MiB of memory; a body that is kept in memory alone would need as much
CRAWL = """
import json, sys
from pathlib import Path
from opilio.works.crawl_to_archive import crawl
from tests.acceptance.crawl.crawls import plan_for

crawl(plan_for(sys.argv[1]), Path(sys.argv[2]))
status = Path("/proc/self/status").read_text().splitlines()
print(json.dumps(next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))))
"""


def test_a_large_page_is_kept_whole_without_much_memory(tmp_path):
    """The digest is that of what the server sent; other programs verify the file; the peak of memory stays low."""
    with HttpServer() as server:
        url = server.url(f"/long?mib={MIB}&chunked=1")
        done = subprocess.run(
            [sys.executable, "-c", CRAWL, url, str(tmp_path / "out")], capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) < MOST
    sent = hashlib.sha1(usedforsecurity=False)
    for number in range(MIB * 16):
        sent.update(long_piece(number))
    [page] = [page for page in pages_of(tmp_path / "out") if page.url == url]
    assert (page.outcome, page.size, page.digest) == (
        "fetched", MIB << 20, Digest(Algorithm.SHA1, sent.digest()).base32,
    )  # fmt: skip
    files = assert_valid(tmp_path / "out" / "warcs")
    assert _longest(files) >= MIB << 20
    assert [path.name for path in (tmp_path / "out" / "warcs").iterdir() if ".warc" not in path.name] == []


def _longest(files):
    with files[0].open("rb") as stream:
        return max(record.content_length for record in ArchiveIterator(stream, parse_http=False))


def test_a_crawl_without_room_for_a_large_page_stops_and_says_why(tmp_path):
    """Nothing is recorded of the page, which is still in the queue."""
    with HttpServer() as server:
        plan = plan_for(server.url("/long?mib=3"))
        store = MemoryStore(plan)
        post = Post(owner="one", worker="w0", spool=tmp_path / "missing")

        async def work():
            await Worker(plan, store=store, sink=MemorySink(), post=post).run()

        with pytest.raises(NotWritable, match="cannot write"):
            asyncio.run(work())
    assert list(store.pages()) == []
