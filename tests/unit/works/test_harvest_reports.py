"""Reports on a harvest, made from its store or its sealed result, without a catalogue."""

import pytest

from opilio.crawl.frontier.rows import Counts
from opilio.crawl.plan import Limits
from opilio.crawl.report.live import Look
from opilio.works.harvest_records import NothingHere
from opilio.works.harvest_reports.all_reports import BY_NAME, BadChoice, NoSuchHarvestReport, chosen, named
from opilio.works.harvest_reports.declared import Column, Form, lacking
from opilio.works.harvest_reports.reading import read
from opilio.works.harvest_reports.written import as_csv, as_values
from opilio.works.run_harvest import HarvestFolder, figures_of
from tests.harvest_report_folder import LONG, reported

EVERYTHING = tuple({part for report in BY_NAME.values() for part in report.parts})


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """A harvest that is not sealed."""
    return HarvestFolder(path=reported(tmp_path_factory.mktemp("live") / "1").path)


@pytest.fixture(scope="module")
def sealed(tmp_path_factory):
    """The same, sealed."""
    return HarvestFolder(path=reported(tmp_path_factory.mktemp("sealed") / "1", sealed=True).path)


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """A harvest that has just begun."""
    return HarvestFolder(path=reported(tmp_path_factory.mktemp("empty") / "1", rounds=0).path)


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_a_report_is_the_same_running_and_sealed(live, sealed, name):
    """What was counted at the end is what was counted on the way; none is empty; pictures have no markup of others."""
    report = BY_NAME[name]
    number = chosen(report, None)
    before, after = read(live, report.parts), read(sealed, report.parts)
    assert (before.sealed, after.sealed) == (False, True)
    rows = list(report.rows(before.parts, number))
    assert rows == list(report.rows(after.parts, number)) != []
    assert report.total(before.parts, number) == report.total(after.parts, number) > 0
    assert report.plots(before.parts, number) == report.plots(after.parts, number)
    assert {len(row) for row in rows} == {len(report.columns)}
    assert "<script" not in "".join(report.plots(after.parts, number))


def test_only_what_is_needed_is_counted_while_it_runs(live):
    """A walk through all links is spared where nobody asks for it."""
    parts = read(live, ("statuses",)).parts
    assert "statuses" in parts
    assert "broken_links" not in parts


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_an_empty_harvest_has_empty_reports(empty, name):
    """No page yet: nothing is listed, nothing is drawn, nothing fails."""
    report = BY_NAME[name]
    parts = read(empty, report.parts).parts
    assert list(report.rows(parts, 255)) == []
    assert (report.total(parts, 255), report.plots(parts, 255)) == (0, [])


def test_a_folder_that_is_not_here(tmp_path):
    """Is told with what to do."""
    with pytest.raises(NothingHere, match="not on this machine"):
        read(HarvestFolder(path=tmp_path / "1"), EVERYTHING)


def test_a_report_of_an_earlier_version_lacks_parts(sealed):
    """And says which."""
    parts = dict(read(sealed, ()).parts)
    del parts["by_mime"]
    assert lacking(BY_NAME["types"], parts) == ("by_mime",)
    assert lacking(BY_NAME["hosts"], parts) == ()


def test_numbers_are_chosen_within_bounds():
    """The usual one unless told otherwise; reports without a choice have none."""
    long = BY_NAME["long-urls"]
    assert (chosen(long, None), chosen(long, ""), chosen(long, " 400 ")) == (255, 255, 400)
    assert chosen(BY_NAME["hosts"], "400") == 0
    for text in ("99", "100001", "x", "1e3", "٣٣٣", "4" * 5_000):
        with pytest.raises(BadChoice):
            chosen(long, text)
    with pytest.raises(NoSuchHarvestReport):
        named("x" * 10_000)


def test_every_limit_counts_exactly(sealed):
    """Also where not all long URLs are listed."""
    report = BY_NAME["long-urls"]
    parts = read(sealed, report.parts).parts
    assert [report.total(parts, limit) for limit in (255, len(LONG) - 1, len(LONG))] == [1, 1, 0]


def test_cells_are_written_for_spreadsheets_and_programs():
    """A formula is defused, a list is joined, a moment is UTC."""
    report = BY_NAME["over-time"]
    assert as_values(report, [(0.0, 1, 2)]) == [{"from": "1970-01-01T00:00:00Z", "urls": 1, "bytes": 2}]
    broken = BY_NAME["broken-links"]
    row = ("=cmd()", None, "@x", 2, ("https://a.example/", "https://b.example/"))
    text = "".join(as_csv(broken, [row]))
    assert text.startswith("\ufeffURL,Status,")
    assert text.splitlines()[1] == "'=cmd(),,'@x,2,https://a.example/ https://b.example/"
    assert Column(name="x", label="X", form=Form.SHARE).form.numeric


def test_figures_of_a_sealed_harvest(sealed):
    """HARVEST_STATUS: how the crawl ended, what came and failed, what somebody should look at."""
    figures = sealed.figures()
    assert (figures["status"], figures["alerts"]) == ("finished", 0)
    assert (figures["urls_down"], figures["urls_failed"], figures["urls_waiting"]) == (
        6,
        1,
        0,
    )  # robots.txt forbids one
    assert figures["data_amount"] > 5_000_000


def test_walls_lost_logins_and_traps_are_alerts():
    """While it runs, too."""
    counts = Counts(pages=9, bytes=1, seconds=2.0, outcomes={"fetched": 4, "blocked": 2, "trap": 1, "auth-lost": 2})
    figures = figures_of(Look(at=0.0, counts=counts, limits=Limits()))
    assert (figures["alerts"], figures["status"]) == (5, "running")


def test_hosts_of_a_domain_are_counted_together():
    """Domains with the most URLs come first; ports do not count, addresses stand for themselves."""
    listed = [
        {"host": host, "pages": pages, "bytes": 10}
        for host, pages in (("www.owls.co.uk", 3), ("a.owls.co.uk:8080", 4), ("127.0.0.1:99", 5), ("b.github.io", 1))
    ]
    report = BY_NAME["domains"]
    rows = list(report.rows({"by_host": {"listed": listed}}, 0))
    assert rows[0] == ("owls.co.uk", 2, 7, 20, "www.owls.co.uk, a.owls.co.uk:8080")
    assert [row[0] for row in rows[1:]] == ["127.0.0.1", "b.github.io"]


def test_a_page_that_says_it_does_not_exist_is_not_drawn_as_success():
    """Its status claims success; the plot of broken URLs tells what it says."""
    listed = [
        {"url": f"http://a.example/{number}", "outcome": outcome, "reason": "", "status": status, "pages": 1,
         "linked_from": []}
        for number, (outcome, status) in enumerate([("soft-404", 200), ("soft-404", 200), ("gone", 404)])
    ]  # fmt: skip
    drawn = "".join(BY_NAME["broken-links"].plots({"broken_links": {"listed": listed}}, 0))
    assert "status 200" not in drawn
    assert "says that it does not exist" in drawn
    assert "status 404" in drawn
