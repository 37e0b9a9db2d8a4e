"""Dying at any moment while a result is derived or undone leaves all of it or nothing."""

import json
import os
import shutil
from pathlib import Path

import pytest

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.manifest import wrong_files
from opilio.archive.results.undoing import undo
from opilio.archive.results.view import ResultView
from tests.unit.archive.derived import AT, Page, derived, first_result

PAGES = [Page(f"http://a.example/{name}", name, ("http://a.example/1",), f"text {name}") for name in "12345"]
MORE = [Page("http://b.example/new", "new", ("http://a.example/2",), "new"), Page("http://a.example/1", "again")]


@pytest.fixture
def results(tmp_path):
    return first_result(tmp_path / "crawl", PAGES)


def undone(results):
    return undo(results, why="It was wrong.", by="curator", at=AT)


class Dead(BaseException):
    """The process is no more."""


class Death:
    """Ends everything at the n-th moment at which something reaches the disk; from then on nothing does."""

    def __init__(self, monkeypatch, moment):
        self.count, self.moment = 0, moment
        for owner, name in ((os, "fsync"), *((Path, name) for name in ("replace", "unlink", "hardlink_to", "chmod"))):
            monkeypatch.setattr(owner, name, self._counting(getattr(owner, name)))

    def _counting(self, function):
        def call(*args, **more):
            self.count += 1
            if self.count > self.moment:
                raise Dead
            return function(*args, **more)

        return call


def kills(monkeypatch, folder, work, check):
    """Do the work in fresh copies of a folder, dying a moment later each time, until it lives."""
    for moment in range(1_000):
        copy = folder.with_name(f"copy-{moment}")
        shutil.copytree(folder, copy)
        with monkeypatch.context() as patch:
            death = Death(patch, moment)
            try:
                work(copy)
            except Dead:
                lived = False
            else:
                lived = death.count <= moment
        check(copy, lived)
        shutil.rmtree(copy)
        if lived:
            return moment
    raise AssertionError("it never came to an end")


def at(folder):
    return ResultsFolder(folder)


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_dying_while_deriving(results, monkeypatch):
    """There is the whole result or none; the next one cleans up, and works."""
    whole = names(results.crawl)

    def check(folder, lived):
        copy = at(folder)
        assert copy.numbers() in ([1], [1, 2])
        assert not lived or copy.numbers() == [1, 2]
        finished = copy.numbers() == [1, 2]
        if finished:
            assert list(wrong_files(folder, copy.manifest(2))) == []
            with ResultView(copy) as view:
                assert len(list(view.resources())) == 5
        copy.tidy()
        assert copy.numbers() == ([1, 2] if finished else [1])
        assert finished or names(folder) == whole
        assert derived(copy, urls=("http://a.example/3",)).parent == copy.numbers()[-2]

    moments = kills(
        monkeypatch, results.crawl, lambda folder: derived(at(folder), urls=("http://a.example/2",), pages=MORE), check
    )
    assert moments > 15


def test_dying_while_undoing(results, monkeypatch):
    """There is the whole result or none of it, and the record is never lost nor written twice."""
    derived(results, urls=("http://a.example/2",), pages=MORE)

    def check(folder, lived):
        copy = at(folder)
        assert copy.numbers() in ([1], [1, 2])
        assert not lived or copy.numbers() == [1]
        if copy.numbers() == [1, 2]:
            assert copy.undone() == []
            assert list(wrong_files(folder, copy.manifest(2))) == []
            undone(copy)
        copy.tidy()
        lines = (copy.path / "undone.jsonl").read_text().splitlines()
        assert [json.loads(line)["number"] for line in lines] == [2]
        assert sorted(path.name for path in copy.warcs.iterdir()) == ["one.warc.gz"]
        assert sorted(path.name for path in copy.path.iterdir()) == ["result-1.db", "result-1.sha256", "undone.jsonl"]

    assert kills(monkeypatch, results.crawl, lambda folder: undone(at(folder)), check) > 5
