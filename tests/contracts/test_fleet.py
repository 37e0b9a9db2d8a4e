"""Workers that die are replaced; only one that dies again and again without a commit in between ends the crawl."""

import itertools
import subprocess
import sys

import pytest

from opilio.crawl.engine.brake import Brake
from opilio.crawl.engine.ending import Ending
from opilio.crawl.engine.fleet import Fleet, WorkersFell

#: A worker that has its own store: it is told how to live, and tells only its progress.
WORKER = """
import os, socket, sys
from opilio.crawl.engine.channel import Channel
from opilio.crawl.engine.ending import Ended, Ending
from opilio.crawl.engine.progress import Progress
channel = Channel(socket.socket(fileno=int(sys.argv[1])))
life = channel.call("job")
if "commit" in life:
    channel.call("progress", Progress(worker="0", pages=1, bytes=1, errors=0, hosts=1, found=0))
if "die" in life:
    os._exit(9)
channel.call("ended", Ended(ending=Ending.FINISHED))
"""


class NobodysStore:
    """Workers come with stores of their own."""

    def evict(self, owner):
        """Nothing is held here."""


def fleet(*lives, most_falls):
    """A fleet of one, whose worker lives these lives."""
    told, numbers = iter(lives), []

    def start(end):
        process = subprocess.Popen([sys.executable, "-c", WORKER, str(end.fileno())], pass_fds=[end.fileno()])
        numbers.append(process.pid)
        return process

    made = Fleet(
        store=NobodysStore(), size=1, start=start, job=lambda number, owner: next(told), brake=Brake(),
        watch=lambda progress: None, most_falls=most_falls,
    )  # fmt: skip
    return made, numbers


def test_a_worker_may_die_often_if_it_commits_in_between():
    """Its deaths are counted anew after each commit, wherever its store is."""
    made, numbers = fleet(*itertools.repeat("commit, die", 3), "end", most_falls=1)
    assert made.run().ending is Ending.FINISHED
    assert len(numbers) == 4


def test_a_worker_that_only_dies_ends_the_crawl():
    """After so many deaths in a row nobody tries again."""
    made, numbers = fleet(*itertools.repeat("die", 9), most_falls=1)
    with pytest.raises(WorkersFell) as caught:
        made.run()
    assert "died 2 times in a row" in caught.value.what
    assert len(numbers) == 2
