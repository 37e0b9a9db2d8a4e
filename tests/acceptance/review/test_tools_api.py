"""Missing URLs, patches, imports, pages, verdicts and replay by the API and by commands."""

import base64
import json

import pytest
from typer.testing import CliRunner

from opilio.archive.warc.sink import WarcSink
from opilio.cli import result as command
from opilio.curation.models import HarvestState, MissingUrl, PageVerdict, Result, ResultState
from opilio.kernel.capture import Resource
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import OpilioError
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import Office
from tests.patch_desk import PatchDesk
from tests.review_desk import at_home, crawled

REVIEW = {Privilege.ENDORSE_HARVEST: Scope.AGENCY}
HOSTILE = "<script>alert(1)</script>\u202e😀"
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 64


@pytest.fixture
def office(db, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return Office()


@pytest.fixture
def desk(office):
    return PatchDesk(office.town)


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


@pytest.fixture
def row(desk, home):
    return desk.patchable(home)


@pytest.fixture
def caller(office):
    return office.caller(privileges=REVIEW)


def newest(row):
    return Result.objects.filter(harvest=row.harvest_id).order_by("-number").first()


def told(response, status=200):
    assert response.status_code == status, response.content
    return response.json() if response.content else None


def run(*arguments):
    done = CliRunner().invoke(command.app, [*map(str, arguments), "--json"])
    if isinstance(done.exception, OpilioError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


class TestApi:
    def test_missing_urls_are_named_listed_tried_again_and_taken_off(self, caller, row):
        """Lines that name no URL are told with their numbers."""
        path = f"/results/{row.pk}/missing"
        body = {"text": f"{crawled().url('/a.png')}\n{crawled().url('/b.png')}\nmailto:a@b.example"}
        taken = told(caller.post(path, body))
        assert (taken["added"], taken["known"], taken["faults"][0]["line"]) == (2, 0, 3)
        page = told(caller.get(path, limit=1))
        assert page["items"][0]["url"] == crawled().url("/a.png")
        assert told(caller.get(path, cursor=page["next"]))["items"][0]["url"] == crawled().url("/b.png")
        assert told(caller.get(path, q="B.PNG", state="waiting", noticed="reviewer"))["items"]
        MissingUrl.objects.update(state="failed")
        number = page["items"][0]["id"]
        assert told(caller.post(f"/results/missing/{number}/again"))["state"] == "waiting"
        told(caller.delete(f"/results/missing/{number}"), 204)
        assert MissingUrl.objects.count() == 1

    def test_gaps_are_looked_for(self, caller, row):
        """What pages embed and the result has not."""
        found = told(caller.post(f"/results/{row.pk}/missing/find", {"what": "embed"}))
        assert (found["added"], found["whole"]) == (1, True)
        told(caller.post(f"/results/{row.pk}/missing/find", {"what": "stars"}), 422)

    def test_a_patch_is_begun_and_given_up(self, caller, row):
        """One at a time; the new result is answered."""
        caller.post(f"/results/{row.pk}/missing", {"text": crawled().url("/a.png")})
        made = told(caller.post(f"/results/{row.pk}/patch", {"note": HOSTILE}))
        assert (made["number"], made["state"], made["provenance_note"]) == (2, "crawling", HOSTILE)
        told(caller.post(f"/results/{row.pk}/patch", {"note": "Again."}), 409)
        ended = told(caller.post(f"/results/{made['id']}/patch/end", {"reason": "Enough."}))
        assert (ended["state"], ended["reason"]) == ("aborted", "Enough.")

    def test_a_file_a_warc_and_a_url_are_added(self, caller, row, tmp_path):
        """Each begins a result."""
        content = base64.b64encode(PNG).decode()
        body = {"note": "From the owner.", "url": crawled().url("/lost.png"), "content": content}
        assert told(caller.post(f"/results/{row.pk}/import", body))["state"] == "modifying"
        sink = WarcSink(tmp_path / "w", worker="w0")
        sink.append_resource(
            Resource(url="http://a.example/", content_type="text/plain", content=b"owl", at=SYSTEM.now())
        )
        sink.close()
        (file,) = (tmp_path / "w").iterdir()
        body = {"note": "More.", "files": [base64.b64encode(file.read_bytes()).decode()]}
        assert told(caller.post(f"/results/{row.pk}/import/warc", body))["number"] == 3
        body = {"note": "It moved.", "url": crawled().url("/b.html"), "stands_for": crawled().url("/gone.html")}
        assert told(caller.post(f"/results/{row.pk}/import/url", body))["state"] == "crawling"

    @pytest.mark.parametrize(
        "wrong", [{"content": "%%%%"}, {"url": "mailto:a@b.example"}, {"note": ""}, {"at": "2999-01-01T00:00:00Z"},
                  {"content_type": "x"}, {"existing": "perhaps"}, {"note": 7}],
    )  # fmt: skip
    def test_imports_that_make_no_sense_are_refused(self, caller, row, wrong):
        """Without a new result."""
        body = {"note": "More.", "url": crawled().url("/lost.png"), "content": base64.b64encode(PNG).decode(), **wrong}
        told(caller.post(f"/results/{row.pk}/import", body), 422)
        assert newest(row).number == 1

    def test_pages_are_listed_and_judged(self, caller, row):
        """What one said before is replaced; an older version is refused."""
        url = crawled().url("/owls.html")
        first = told(caller.get(f"/results/{row.pk}/pages", limit=2))
        assert len(first["items"]) == 2
        assert told(caller.get(f"/results/{row.pk}/pages", cursor=first["next"]))["items"]
        said = told(caller.put(f"/results/{row.pk}/verdicts", {"url": url, "verdict": "bad", "note": HOSTILE}))
        assert (said["verdict"], said["note"], said["by"]) == ("bad", HOSTILE, caller.user.username)
        again = told(caller.put(f"/results/{row.pk}/verdicts", {"url": url, "verdict": "good"}))
        assert again["id"] == said["id"]
        told(caller.put(f"/results/{row.pk}/verdicts", {"url": url, "verdict": "bad", "version": 1}), 409)
        told(caller.put(f"/results/{row.pk}/verdicts", {"url": url}), 422)
        assert len(told(caller.get(f"/results/{row.pk}/verdicts"))["items"]) == 1
        told(caller.delete(f"/results/verdicts/{said['id']}"), 204)
        assert not PageVerdict.objects.exists()

    def test_replay_gives_an_address_for_a_minute(self, caller, row):
        """Under the host name of the result."""
        found = told(caller.get(f"/results/{row.pk}/replay", url=crawled().url("/owls.html")))
        assert found["host"] == f"r{row.pk}.replay.localhost"
        assert found["address"].startswith(f"http://{found['host']}/_opilio/open?token=open.{row.pk}.")
        told(caller.get(f"/results/{row.pk}/replay", url="mailto:a@b.example"), 422)

    def test_other_agencies_see_nothing(self, office, row):
        """Nor do they learn that it is there."""
        other = office.caller(agency=office.museum, privileges=REVIEW)
        for path in ("missing", "pages", "verdicts", "replay?url=http://a.example/"):
            assert other.get(f"/results/{row.pk}/{path}").status_code == 404, path
        for path in ("missing", "patch", "patch/end", "import/url"):
            body = {"missing": {"text": "http://a.example/"}, "patch": {"note": "x"}, "patch/end": {},
                    "import/url": {"note": "x", "url": "http://a.example/"}}[path]  # fmt: skip
            assert other.post(f"/results/{row.pk}/{path}", body).status_code == 404, path


class TestCommands:
    def test_missing_urls_and_a_patch(self, row, tmp_path):
        """From a file; found; tried again; taken off; fetched; given up."""
        (tmp_path / "list.txt").write_text(f"{crawled().url('/a.png')}\n")
        assert run("add-missing", row.pk, tmp_path / "list.txt")["added"] == 1
        assert run("find-missing", row.pk, "embed")["added"] == 1
        listed = run("missing", row.pk)["missing"]
        assert [one["noticed"] for one in listed] == ["reviewer", "embed"]
        MissingUrl.objects.update(state="failed")
        assert run("wait-again", listed[0]["id"])["state"] == "waiting"
        made = run("patch", row.pk, "--note", "Lost.", "--only", listed[0]["id"])
        assert made["number"] == 2
        run("end-patch", made["result"])
        run("forget-missing", listed[1]["id"])
        row.harvest.refresh_from_db()
        assert (row.harvest.state, MissingUrl.objects.count()) == (HarvestState.HARVESTED, 1)

    def test_files_are_added(self, row, tmp_path):
        """At a URL, with the time of the file; WARC files; a URL that is fetched."""
        (tmp_path / "owl.png").write_bytes(PNG)
        url = crawled().url("/lost.png")
        assert run("import", row.pk, tmp_path / "owl.png", "--url", url, "--note", "A", "--at", "file")["number"] == 2
        sink = WarcSink(tmp_path / "w", worker="w0")
        sink.append_resource(Resource(url=url, content_type="image/png", content=PNG, at=SYSTEM.now()))
        sink.close()
        (file,) = (tmp_path / "w").iterdir()
        assert run("import-warc", row.pk, file, "--note", "B")["number"] == 3
        assert run("import-url", row.pk, crawled().url("/b.html"), "--note", "C")["number"] == 4
        assert newest(row).state == ResultState.CRAWLING

    def test_pages_verdicts_and_replay(self, row, office):
        """A verdict is somebody's, whom the operator names."""
        reviewer = office.user("reviewer", privileges=REVIEW)
        url = crawled().url("/owls.html")
        assert "Owls" in [one["title"] for one in run("pages", row.pk)["pages"]]
        assert [one["title"] for one in run("pages", row.pk, "--text", "OWLS")["pages"]] == ["Owls"]
        made = run("judge", row.pk, url, "--by", reviewer.username, "--verdict", "good")
        assert run("verdicts", row.pk)["verdicts"][0]["by"] == "reviewer"
        run("forget-verdict", made["id"])
        assert not PageVerdict.objects.exists()
        assert f"r{row.pk}.replay.localhost" in run("replay", row.pk, url)["address"]
