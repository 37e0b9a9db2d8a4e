"""Indexing many files in several processes: the same lines as in one, and an end when one of them dies."""

import os

import pytest

from opilio.archive.cdxj import cdxj
from opilio.archive.indexing import runs
from opilio.kernel.errors import Unavailable
from tests.unit.archive.indexing.records import packed, warc_record


def die(row):
    """A line that cannot be made."""
    os._exit(9)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Files of different sizes, one of them torn; each is worth a process."""
    monkeypatch.setattr(runs, "_WORTH_IT", 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1})
    paths = [tmp_path / f"{number}.warc.gz" for number in range(5)]
    for number, path in enumerate(paths):
        urls = [b"http://example.org/%d/%d" % (each, number) for each in range(3 + 4 * number)]
        path.write_bytes(packed(*(warc_record(url=url) for url in urls))[: -9 if number == 2 else None])
    return paths


def test_processes_give_the_same_lines(files, tmp_path, monkeypatch):
    """Merged in order; what is broken and how far they came is told by all together."""
    flaws, told = [], []
    assert [len(part) for part in runs.shares(files, 2)] == [2, 3]
    apart = list(runs.lines_of(files, cdxj, flaws, folder=tmp_path, memory=1 << 20, told=told.append))
    monkeypatch.setattr(runs, "_WORTH_IT", 1 << 40)
    alone = []
    one = list(runs.lines_of(files, cdxj, alone, folder=tmp_path, memory=1 << 20, told=lambda at: None))
    assert apart == one == sorted(one)
    assert [each.file for each in flaws] == [each.file for each in alone] == [str(files[2])]
    assert told[-1] == sum(path.stat().st_size for path in files)
    assert sorted(tmp_path.iterdir()) == files


def test_a_process_that_dies_is_told(files, tmp_path):
    """No lines, a sentence, and nothing left on the disk."""
    with pytest.raises(Unavailable, match="was ended"):
        list(runs.lines_of(files, die, [], folder=tmp_path, memory=1 << 20, told=lambda at: None))
    assert sorted(tmp_path.iterdir()) == files
