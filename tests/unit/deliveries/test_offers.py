"""What a source offers, and when a file may be fetched."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from opilio.deliveries.offers import LookedAt, Offer, offers, settled
from opilio.deliveries.profile import Settling, profile
from opilio.deliveries.source import Entry

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
IMPC = profile("impc")
CENTRES = frozenset(IMPC.centres)
NAME = "J.2024-04-30.1.impc.zip"


def offered(*entries, action="add", using=IMPC, centres=CENTRES):
    """The offers of one folder."""
    return list(offers({action: list(entries)}, using, centres))


def test_the_folder_is_the_action():
    """The same name in two folders is two deliveries."""
    found = list(offers({"add": [Entry(name=NAME)], "delete": [Entry(name=NAME)]}, IMPC, CENTRES))
    assert [(one.action, one.path) for one in found] == [("add", f"add/{NAME}"), ("delete", f"delete/{NAME}")]


@pytest.mark.parametrize(
    "entry",
    [
        Entry(name="readme.txt"), Entry(name=NAME, file=False), Entry(name=f"{NAME}.part"), Entry(name=f".{NAME}"),
        Entry(name=f"{NAME}.filepart"), Entry(name=f"{NAME}.TMP"),
    ],
)  # fmt: skip
def test_some_are_no_offers(entry):
    """Folders, other files, and what is still being written."""
    assert offered(entry) == []


def test_a_name_that_does_not_conform_is_offered_with_its_faults():
    """So that it can be recorded; zip files only."""
    (one,) = offered(Entry(name="nonsense.ZIP"))
    assert one.parsed is None
    assert one.faults


def test_a_file_that_is_too_large_is_not_taken():
    """And says so before a byte is fetched."""
    (one,) = offered(Entry(name=NAME, size=IMPC.largest + 1))
    assert "not taken" in one.faults[0]


def test_checksums_lie_beside():
    """And are no offers themselves, also where they end like one."""
    (one,) = offered(Entry(name=NAME), Entry(name=f"{NAME}.md5"))
    assert one.checksum == f"add/{NAME}.md5"
    using = IMPC.model_copy(update={"checksums": ("{name}.sums.zip",)})
    (one,) = offered(Entry(name=NAME), Entry(name=f"{NAME}.sums.zip"), using=using)
    assert one.checksum == f"add/{NAME}.sums.zip"


def look(**changes):
    """An offer of one file."""
    return replace(Offer(action="add", name=NAME, path=f"add/{NAME}", entry=Entry(name=NAME, size=5)), **changes)


def before(times=1, ago=3600, size=5):
    """How it looked the last time."""
    mark = Entry(name=NAME, size=size).mark
    return LookedAt(mark=mark, times=times, last=NOW - timedelta(seconds=ago))


@pytest.mark.parametrize(
    ("earlier", "expected", "times"),
    [
        (None, False, 1),
        (before(), True, 2),
        (before(ago=5), False, 1),  # too soon to count
        (before(size=4), False, 1),  # it grew
        (before(times=7), True, 8),
    ],
)
def test_two_equal_looks_settle_a_file(earlier, expected, times):
    """Apart by the time that counts."""
    found = settled(look(), earlier, Settling(), NOW)
    assert (found.settled, found.times) == (expected, times)


@pytest.mark.parametrize(("minutes", "expected"), [(61, True), (59, False), (-60, False)])
def test_an_old_file_needs_one_look(minutes, expected):
    """A file from the future has no age."""
    entry = Entry(name=NAME, size=5, modified=NOW - timedelta(minutes=minutes))
    assert settled(look(entry=entry), None, Settling(age=3600), NOW).settled is expected


def test_the_partner_may_say_that_it_is_whole():
    """By a file beside it; then nothing else counts."""
    rule = profile("csv-manifest").settling
    assert settled(look(done=True), None, rule, NOW).settled
    assert not settled(look(), before(times=9), rule, NOW).settled


def test_the_done_file_is_found():
    """In the same folder."""
    using = profile("csv-manifest")
    names = [Entry(name="J_20240430_001.zip"), Entry(name="J_20240430_001.zip.done"), Entry(name="J_20240430_002.zip")]
    found = offered(*names, using=using)
    assert [(one.name[-7:], one.done) for one in found] == [("001.zip", True), ("002.zip", False)]
