"""The pages on which a result is looked at: tree, preview of pruning, comparison, history, logs, hosts."""

import json

import pytest

from opilio.archive.results.folder import ResultsFolder
from opilio.curation.models import Harvest, HarvestFigures, HarvestState, Result, ResultState
from opilio.curation.queries import result_compare, result_hosts, result_tree
from opilio.jobs.models import Job
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.pages.conftest import Visitor, enter, ready_roles, town, visitor
from tests.review_desk import ReviewDesk, at_home, crawled

__all__ = ["Visitor", "enter", "ready_roles", "town", "visitor"]
REVIEW = {Privilege.ENDORSE_HARVEST: Scope.AGENCY}
LOOK = {Privilege.MODIFY_TARGET: Scope.AGENCY}
HOSTILE = ["<script>alert(1)</script>", "‮🦉", "x" * 5_000, "%00", "é"]


@pytest.fixture
def desk(town):
    return ReviewDesk(town)


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


@pytest.fixture
def curator(enter):
    return enter("curator", privileges=REVIEW)


@pytest.fixture
def rows(desk, home):
    """Result 1, and result 2 without the herons."""
    return list(Result.objects.filter(harvest=desk.sealed(home, results=2)).order_by("number"))


@pytest.fixture
def pages(rows):
    """The addresses of both results."""
    return [f"/results/{row.pk}" for row in rows]


def host():
    return f"127.0.0.1:{crawled().port}"


def pick(path):
    return json.dumps({"url": crawled().url(path)})


def test_the_tree_opens_at_the_hosts_and_goes_down(curator, pages):
    """With counts, and boxes to tick; by links alone."""
    page = curator.see(f"{pages[0]}/tree")
    assert host() in page
    assert "2xx" in page
    page = curator.see(f"{pages[0]}/tree", host=host())
    assert "nests/" in page
    assert "style.css" in page
    page = curator.get(f"{pages[0]}/tree", {"host": host(), "path": "/nests/"}).content.decode()
    assert "1.html" in page
    assert "owls.html" not in page


def test_a_branch_is_sent_alone_where_scripts_ask_for_it(curator, pages):
    """The tree opens where it is."""
    found = curator.get(f"{pages[0]}/tree", {"host": host(), "branch": "1"}, headers={"HX-Request": "true"})
    assert b"nests/" in found.content
    assert b"<html" not in found.content


@pytest.mark.parametrize(
    ("asked", "there", "not_there"),
    [
        ({"text": "owl"}, "owls.html", "herons"),
        ({"text": "*/nests/*", "way": "wildcard"}, "nests/1.html", "owls.html"),
        ({"text": "(herons|owls)\\.html$", "way": "regex"}, "owls.html", "nests/1.html"),
        ({"status": "404"}, "gone.html", "owls.html"),
        ({"outcome": "robots-denied"}, "private.html", "owls.html"),
        ({"text": "no such thing"}, "No resource fits", "owls.html"),
    ],
)
def test_filters_find_resources(curator, pages, asked, there, not_there):
    """By text, wildcards, expressions, status and outcome."""
    page = curator.see(f"{pages[0]}/tree", **asked)
    assert there in page
    assert not_there not in page


def test_what_is_found_can_be_kept(curator, pages):
    """As CSV and as JSON."""
    found = b"".join(curator.get(f"{pages[0]}/tree", {"text": "owl", "format": "csv"}).streaming_content).decode()
    assert found.count("\r\n") == 3
    assert "owl.svg" in found
    found = b"".join(curator.get(f"{pages[0]}/tree", {"format": "json"}).streaming_content)
    assert len(json.loads(found)) > 5


@pytest.mark.parametrize("part", ["tree", "compare", "log"])
def test_hostile_words_do_no_harm(curator, pages, part):
    """They are escaped, or refused with a word."""
    for text in HOSTILE:
        for name in ("text", "host", "type", "status", "kind", "file", "mode", "after", "with", "url", "lines"):
            found = curator.get(f"{pages[0]}/{part}", {name: text, "way": "regex"})
            assert found.status_code in (200, 404, 422)
            assert b"<script>alert" not in found.content


def test_pruning_is_looked_at_first(curator, pages, rows):
    """What goes, what would break; nothing happens before somebody says why."""
    found = curator.send(f"{pages[0]}/prune", {"pick": [pick("/owl.svg"), pick("/nests/2.html")]})
    page = found.content.decode()
    assert "What else would break" in page
    assert "1 part missing" in page
    assert Result.objects.filter(harvest=rows[0].harvest).count() == 2
    kept = json.dumps([json.loads(pick("/owl.svg"))])
    found = curator.send(f"{pages[0]}/prune", {"picks": kept, "prune": "1", "note": " ", "version": "1"})
    assert found.status_code == 422
    assert "Say why" in found.content.decode()
    found = curator.send(
        f"{pages[0]}/prune", {"picks": kept, "prune": "1", "note": "An advertisement.", "version": "1"}
    )
    made = Result.objects.get(harvest=rows[0].harvest, number=3)
    assert found.headers["Location"] == f"/results/{made.pk}"
    assert (made.state, made.derived_from, made.provenance_note) == (ResultState.MODIFYING, 1, "An advertisement.")


def test_everything_cannot_be_pruned(curator, pages):
    """The page says what to do instead."""
    page = curator.send(f"{pages[0]}/prune", {"pick": json.dumps({"host": host()})}).content.decode()
    assert "Nothing would be left" in page
    assert "reject the result" in page
    found = curator.send(f"{pages[0]}/prune", {"pick": "{}", "prune": "1", "note": "All."})
    assert found.status_code == 422


@pytest.mark.parametrize(
    "data", [{}, {"pick": "no json"}, {"pick": "[1]"}, {"picks": '{"a": 1}'}, {"pick": "[" * 9_999}]
)
def test_what_was_ticked_must_be_readable(curator, pages, data):
    """Else the page says so."""
    assert curator.send(f"{pages[0]}/prune", data).status_code == 422


def test_who_may_only_look_sees_no_way_to_prune(enter, pages):
    """And is refused who tries."""
    looker = enter("archivist", privileges=LOOK)
    assert "Prune what is ticked" not in looker.see(f"{pages[0]}/tree")
    assert looker.send(f"{pages[0]}/prune", {"pick": pick("/owl.svg")}).status_code == 403


def test_a_decided_harvest_offers_no_pruning(curator, pages, rows):
    """Its results stay as they are."""
    Harvest.objects.filter(pk=rows[0].harvest_id).update(state=HarvestState.ENDORSED)
    page = curator.see(f"{pages[0]}/tree")
    assert "Prune what is ticked" not in page
    assert "stay as they are" in page


def test_a_derived_result_is_compared_with_its_parent(curator, pages, rows):
    """What is gone is listed, counted and plotted."""
    page = curator.see(f"{pages[1]}/compare")
    assert "herons.html" in page
    assert "removed" in page
    assert "owls.html" not in page
    found = b"".join(curator.get(f"{pages[1]}/compare", {"format": "csv"}).streaming_content).decode()
    assert "herons.html" in found
    page = curator.see(f"{pages[0]}/compare", **{"with": str(rows[1].pk), "kind": "added"})
    assert "herons.html" in page
    assert "No difference" in curator.see(f"{pages[0]}/compare", **{"with": str(rows[1].pk), "kind": "changed"})


def test_the_text_of_a_page_is_compared(curator, pages, rows):
    """Line by line; what has no text says so."""
    asked = {"with": str(rows[0].pk), "url": crawled().url("/owls.html")}
    assert "The text is the same" in curator.see(f"{pages[1]}/compare/page", **asked)
    asked["url"] = crawled().url("/herons.html")
    found = curator.get(f"{pages[1]}/compare/page", asked)
    assert "does not have this page" in found.content.decode()


def test_a_result_of_others_is_not_compared(curator, desk, home, pages):
    """Nobody sees by comparing what they may not see."""
    elsewhere = desk.harvested(desk.ready(agency=desk.town.museum))
    other = elsewhere.results.get()
    assert curator.get(f"{pages[0]}/compare", {"with": str(other.pk)}).status_code == 404


def test_a_lonely_result_says_what_to_do(curator, desk, home):
    """Nothing to compare with, one harvest of history."""
    row = desk.sealed(home).results.get()
    assert "Nothing to compare with" in curator.see(f"/results/{row.pk}/compare")
    assert "second harvest" in curator.see(f"/results/{row.pk}/history")


def test_the_history_shows_every_harvest_of_the_target(curator, desk, rows, pages, town):
    """With what each came to, the reference, and plots; also as CSV."""
    target = rows[0].harvest.abstract_target
    earlier = desk.harvested(target, state=HarvestState.ARCHIVED)
    HarvestFigures(harvest=earlier, urls_down=1_234, urls_failed=7, data_amount=5_000_000, elapsed=3_700,
                   updated_at=town.clock.now()).save()  # fmt: skip
    type(target).objects.filter(pk=target.pk).update(reference_harvest=earlier)
    page = curator.see(f"{pages[0]}/history")
    assert "1,234" in page
    assert "1:01:40" in page
    assert "reference:" in page
    assert "<svg" in page
    found = b"".join(curator.get(f"{pages[0]}/history", {"format": "csv"}).streaming_content).decode()
    assert ",1234,7,5000000,3700," in found


def test_logs_are_read_line_by_line(curator, pages):
    """By number, text, expression; the whole file can be kept."""
    page = curator.see(f"{pages[0]}/log")
    assert "owls.html" in page
    assert "<h1>logs/" not in page
    assert curator.see(f"{pages[0]}/log", mode="regex", text="owl[s].html").count('<th scope="row">') >= 1
    assert curator.see(f"{pages[0]}/log", mode="head", lines="1").count('<th scope="row">') == 1
    assert "report.json" in page
    found = curator.get(f"{pages[0]}/log", {"file": "logs/crawl.log", "format": "file"})
    assert b"owls.html" in b"".join(found.streaming_content)


def test_the_way_to_a_url_is_told(curator, pages):
    """From the seed, hop by hop."""
    page = curator.see(f"{pages[0]}/log", url=crawled().url("/nests/2.html"))
    assert "The way to it" in page
    assert page.index("/nests/1.html") < page.index("/nests/2.html</bdi>")


@pytest.mark.parametrize(
    "name", ["../../opilio.toml", "/etc/passwd", "results/result-1.db", "warcs/x", "logs/../plan.json"]
)
def test_only_logs_and_reports_can_be_read(curator, pages, name):
    """Whatever the address says."""
    for form in ("", "file"):
        found = curator.get(f"{pages[0]}/log", {"file": name, "format": form})
        assert found.status_code == 404
        assert b"There is no log" in found.content


def test_hosts_that_link_hosts_are_drawn(curator, pages):
    """A lonely host says so."""
    assert "No host links another" in curator.see(f"{pages[0]}/hosts")


def test_large_results_are_prepared_in_the_background(curator, pages, rows, monkeypatch):
    """The page says so at once, and a job does it."""
    for module in (result_tree, result_compare, result_hosts):
        monkeypatch.setattr(module, "AT_ONCE", 3)
    assert "being counted" in curator.see(f"{pages[0]}/tree")
    assert "being compared" in curator.see(f"{pages[1]}/compare")
    assert "being counted" in curator.see(f"{pages[0]}/hosts")
    kinds = set(Job.objects.values_list("kind", flat=True))
    assert {"curation.make_tree", "curation.compare_results"} <= kinds


@pytest.mark.parametrize("part", ["tree", "compare", "log", "hosts", "history"])
def test_data_that_is_elsewhere_is_said_so(curator, desk, home, part):
    """Also after it was purged, or when it came from another catalogue."""
    harvest = desk.harvested(results=2)
    row = harvest.results.get(number=2)
    page = curator.see(f"/results/{row.pk}/{part}")
    assert "not on this machine" in page or part == "history"
    Harvest.objects.filter(pk=harvest.pk).update(purged=True)
    page = curator.see(f"/results/{row.pk}/{part}")
    assert "removed" in page or part in ("history", "log", "compare")


def test_a_damaged_result_is_told_and_not_shown(curator, pages, rows, home):
    """With what to do."""
    results = ResultsFolder(home / "harvests" / str(rows[0].harvest_id))
    results.file(1).chmod(0o644)
    results.file(1).write_bytes(b"rubbish")
    found = curator.get(f"{pages[0]}/tree")
    assert found.status_code in (400, 422, 500, 503, 409)
    assert b"Restore" in found.content
