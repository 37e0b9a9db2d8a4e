"""Logs read by line, time, text and expression, however long they are."""

import pytest

from opilio.works import log_reading
from opilio.works.log_reading import Mode, NoSuchLog, Question, log_files, log_path, read_log
from opilio.works.record_filters import BadFilter


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "logs" / "crawl.log"
    path.parent.mkdir()
    path.write_text("".join(f"2026-05-01T08:{n:02d}:00.000Z   200 http://a.example/{n}\n" for n in range(60)))
    return path


def numbers(path, **asked):
    return [line.number for line in read_log(path, Question(**asked)).lines]


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ({"mode": Mode.HEAD, "lines": 3}, 1, 3),
        ({"mode": Mode.TAIL, "lines": 3}, 58, 60),
        ({"mode": Mode.LINE, "text": "59"}, 59, 60),
        ({"mode": Mode.TIME, "text": "2026-05-01T08:30"}, 31, 60),
        ({"mode": Mode.TIME, "text": "2026-05-01 08:30:01"}, 32, 60),
        ({"mode": Mode.TIME, "text": "2026-04-30"}, 1, 60),
        ({"mode": Mode.CONTAINING, "text": "example/50"}, 51, 60),
        ({"mode": Mode.BEGINNING, "text": "2026-05-01T08:10"}, 11, 60),
        ({"mode": Mode.REGEX, "text": "/5[89]$"}, 59, 60),
        ({"mode": Mode.REGEX, "text": "/5[789]$", "after": 58}, 59, 60),
    ],
)
def test_lines_are_found(log, asked, first, last):
    """With their numbers."""
    found = numbers(log, **asked)
    assert (found[0], found[-1]) == (first, last)


def test_more_lines_are_told(log):
    """So that somebody can go on."""
    assert read_log(log, Question(mode=Mode.HEAD, lines=59)).more
    assert not read_log(log, Question(mode=Mode.HEAD, lines=60)).more
    assert numbers(log, mode=Mode.TIME, text="2027-01-01") == []


def test_long_lines_and_odd_bytes_are_cut_and_shown(tmp_path):
    """A line without end takes no memory, and counts as one."""
    path = tmp_path / "odd.log"
    path.write_bytes(b"\xff\xfe\n" + b"x" * 300_000 + b"\nlast")
    lines = read_log(path, Question(mode=Mode.HEAD)).lines
    assert [line.number for line in lines] == [1, 2, 3]
    assert len(lines[1].text) == 4_000
    assert lines[2].text == "last"


def test_the_end_of_a_long_log_has_its_numbers(tmp_path, monkeypatch):
    """Though only its end is taken apart."""
    monkeypatch.setattr(log_reading, "_PIECE", 64)
    path = tmp_path / "long.log"
    path.write_text("".join(f"line {number}\n" for number in range(1, 1_001)))
    found = read_log(path, Question(mode=Mode.TAIL, lines=2)).lines
    assert [(line.number, line.text) for line in found] == [(999, "line 999"), (1_000, "line 1000")]


@pytest.mark.parametrize(
    "asked",
    [
        {"mode": Mode.REGEX, "text": "("}, {"mode": Mode.LINE, "text": "three"}, {"mode": Mode.TIME, "text": "noon"},
        {"mode": Mode.CONTAINING, "text": " "}, {"lines": 0}, {"lines": 9_999},
        {"mode": Mode.REGEX, "text": "x" * 5_000},
        {"mode": Mode.LINE, "text": "٣"}, {"mode": Mode.REGEX, "text": "\ud800"},
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_refused(log, asked):
    """With what may be given."""
    with pytest.raises(BadFilter):
        read_log(log, Question(**asked))


def test_only_known_files_are_read(log, tmp_path):
    """Neither others of the folder, nor what links lead to."""
    (tmp_path / "crawl.db").write_text("store")
    (tmp_path / "outside.txt").write_text("secret")
    (log.parent / "link.log").symlink_to(tmp_path / "outside.txt")
    assert [file.name for file in log_files(tmp_path)] == ["logs/crawl.log"]
    for name in ("crawl.db", "logs/link.log", "../x", "/etc/passwd", "logs/../crawl.db", "", "logs/\x00"):
        with pytest.raises(NoSuchLog):
            log_path(tmp_path, name)
