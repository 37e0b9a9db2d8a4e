"""`opilio result tree`, `prune`, `compare`, `history`, `log`, `hops` and `hosts`, run in this process."""

import json

import pytest
from typer.testing import CliRunner

from opilio.cli import result
from opilio.curation.models import Result, ResultState
from opilio.kernel.errors import InvalidInput, OpilioError
from tests.review_desk import ReviewDesk, at_home, crawled


@pytest.fixture
def rows(db, settings, tmp_path):
    """Result 1, and result 2 without the herons."""
    harvest = ReviewDesk().sealed(at_home(settings, tmp_path), results=2)
    return list(Result.objects.filter(harvest=harvest).order_by("number"))


def _run(*arguments, text=False):
    done = CliRunner().invoke(result.app, [*map(str, arguments), *([] if text else ["--json"])])
    if isinstance(done.exception, OpilioError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output if text else json.loads(done.output)


def test_the_tree_is_shown(rows):
    """Hosts, then what is in one, then what fits; as CSV too."""
    host = f"127.0.0.1:{crawled().port}"
    assert [one["host"] for one in _run("tree", rows[0].pk)["folders"]] == [host]
    assert [one["path"] for one in _run("tree", rows[0].pk, "--host", host)["folders"]] == ["/nests/"]
    assert _run("tree", rows[0].pk, "--status", "404")["counted"] == 2
    assert "gone.html" in _run("tree", rows[0].pk, "--status", "404", "--csv", text=True)


def test_pruning_is_looked_at_then_begun(rows):
    """Without a note nothing happens."""
    folder = f"127.0.0.1:{crawled().port}/nests/"
    found = _run("prune", rows[0].pk, "--folder", folder, "--url", crawled().url("/owl.svg"))
    assert (found["goes"]["resources"], found["pages_total"]) == (3, 1)
    assert rows[0].harvest.results.count() == 2
    made = _run("prune", rows[0].pk, "--folder", folder, "--note", "Another collection.")
    assert Result.objects.get(pk=made["result"]).state == ResultState.MODIFYING
    with pytest.raises(InvalidInput, match="nothing is to be pruned"):
        _run("prune", rows[0].pk, "--note", "x")


def test_results_are_compared(rows):
    """By resources, and by the text of a page."""
    found = _run("compare", rows[1].pk)
    assert [one["url"] for one in found["differences"]] == [crawled().url("/herons.html")]
    assert "removed" in _run("compare", rows[1].pk, "--csv", text=True)
    assert _run("compare-text", rows[1].pk, crawled().url("/owls.html"))["same"]


def test_history_logs_hops_and_hosts_are_shown(rows, tmp_path):
    """The whole log can be kept."""
    assert len(_run("history", rows[0].pk)["harvests"]) == 1
    assert "logs/crawl.log" in [one["name"] for one in _run("log", rows[0].pk)["files"]]
    assert _run("log", rows[0].pk, "--file", "logs/crawl.log", "--mode", "containing", "--text", "owls")["lines"]
    _run("log", rows[0].pk, "--file", "logs/crawl.log", "--output", tmp_path / "kept.log")
    assert "owls" in (tmp_path / "kept.log").read_text()
    assert _run("hops", rows[0].pk, crawled().url("/owls.html"))["hops"][0] == crawled().url("/")
    assert _run("hosts", rows[0].pk)["links"] == []
