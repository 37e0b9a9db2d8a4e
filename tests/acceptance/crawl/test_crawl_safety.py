"""What a crawl must never do, and how it says no."""

import json
import subprocess
import sys

import pytest

from opilio.crawl.errors import AnotherPlan, BadPlan
from opilio.crawl.plan import Fetch
from opilio.kernel.errors import Conflict
from opilio.works.crawl_to_archive import crawl
from tests.acceptance.crawl.crawls import OPILIO, pages_of, plan_for
from tests.servers.http_server import HttpServer


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        yield running


def run(*arguments):
    return subprocess.run([*OPILIO, "crawl", *arguments], capture_output=True, text=True, check=False)


def test_no_private_address_is_reached_by_a_redirect(server, tmp_path):
    """The redirect is kept; its target, within the scope, is refused by the guard and recorded with the reason."""
    away = f"http://127.0.0.2:{server.port}/page"
    start = server.url(f"/redirect/to?url={away}")
    plan = plan_for(start, scope="any")
    narrow = Fetch(allow_private=("127.0.0.1",))
    crawl(plan.__class__(seeds=plan.seeds, scope=plan.scope, manners=plan.manners, fetch=narrow), tmp_path / "out")
    outcomes = {page.url: (page.outcome.value, page.reason) for page in pages_of(tmp_path / "out")}
    assert outcomes[start][0] == "redirected"
    assert outcomes[away][0] == "permanent-error"
    assert "private-address" in outcomes[away][1]
    assert not any(entry.host == "127.0.0.2" for entry in server.log())


def test_without_leave_a_private_start_is_refused(server, tmp_path):
    """Nothing is asked for; the crawl ends and says why."""
    before = len(server.log())
    done = run(server.url("/page"), "--into", str(tmp_path / "out"), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["troubles"]["listed"][0]["reason"].startswith("private-address")
    assert len(server.log()) == before


def test_public_sites_need_a_contact(tmp_path):
    """The message says what to give."""
    done = run("https://example.org/", "--into", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "contact" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["not a url", "--into", "DIR"], "is not a URL"),
        (["ftp://example.org/", "--into", "DIR"], "cannot be fetched"),
        (["--into", "DIR"], "no URL was given"),
        (["http://a.localhost/", "--into", "DIR", "--exclude", "("], "is no expression"),
        (["http://a.localhost/"], "--into"),
        (["http://a.localhost/", "--into", "DIR", "--depth", "-1"], "depth"),
        (["http://a.localhost/", "--into", "DIR", "--store", "mysql://x"], "PostgreSQL"),
        (["resume", "DIR"], "no crawl was begun"),
        (["explain", "DIR", "http://a.localhost/"], "no crawl was begun"),
    ],
)
def test_wrong_words_are_refused_with_a_remedy(tmp_path, arguments, said):
    """Each with the exit code for what cannot be used, and nothing is left behind."""
    done = run(*(str(tmp_path / "out") if word == "DIR" else word for word in arguments))
    assert done.returncode in (2, 4)
    assert said.lower() in done.stderr.lower()
    assert not (tmp_path / "out").exists()


def test_a_folder_with_something_else_in_it_is_refused(server, tmp_path):
    """Nothing in it is touched."""
    (tmp_path / "letter.txt").write_text("dear curator")
    with pytest.raises(Conflict) as caught:
        crawl(plan_for(server.url("/page")), tmp_path)
    assert "not empty" in caught.value.what
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]


def test_a_folder_of_another_plan_is_refused(server, tmp_path):
    """The crawl that is there stays as it is."""
    crawl(plan_for(server.url("/page")), tmp_path / "out")
    with pytest.raises(AnotherPlan):
        crawl(plan_for(server.url("/echo")), tmp_path / "out")


def test_a_public_seed_without_contact_is_refused_by_the_library_too(tmp_path):
    """Before anything is made."""
    with pytest.raises(BadPlan):
        crawl(plan_for("https://example.org/"), tmp_path / "out")


def test_crawling_imports_no_django():
    """The command and the library work without the web framework."""
    code = (
        "import sys; import opilio.works.crawl_to_archive, opilio.works.crawl_process, opilio.cli.crawl; "
        "print([name for name in sys.modules if name.split('.')[0] == 'django'])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
