"""The pages on which reviewers name what is missing, patch, import and judge pages."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.view import ResultView
from opilio.archive.warc.sink import WarcSink
from opilio.curation.models import HarvestState, MissingUrl, PageVerdict, Result, ResultState
from opilio.kernel.capture import Resource
from opilio.kernel.clock import SYSTEM
from opilio.people.models import AuditEntry
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.pages.conftest import Visitor, enter, ready_roles, town, visitor
from tests.patch_desk import PatchDesk, run_making
from tests.review_desk import at_home, crawled

__all__ = ["Visitor", "enter", "ready_roles", "town", "visitor"]
REVIEW = {Privilege.ENDORSE_HARVEST: Scope.AGENCY}
LOOK = {Privilege.MODIFY_TARGET: Scope.AGENCY}
HOSTILE = "<script>alert(1)</script>\u202e😀"
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 64


@pytest.fixture
def desk(town):
    return PatchDesk(town)


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


@pytest.fixture
def curator(enter):
    return enter("curator", privileges=REVIEW)


@pytest.fixture
def row(desk, home):
    return desk.patchable(home)


def newest(row):
    return Result.objects.filter(harvest=row.harvest_id).order_by("-number").first()


def made(row, desk, home):
    """The newest result, made by an agent, open."""
    found = newest(row)
    run_making(found, desk.town.clock)
    assert found.state == ResultState.UNASSESSED, found.reason
    return ResultView(ResultsFolder(home / "harvests" / str(row.harvest_id)), found.number)


def version(row):
    return Result.objects.get(pk=row.pk).version


class TestMissing:
    def test_an_empty_list_says_what_to_do(self, curator, row):
        """And offers every way to fill it."""
        page = curator.see(f"/results/{row.pk}/missing")
        assert "Nothing is missing so far" in page
        assert f"/results/{row.pk}/missing/add" in page

    def test_urls_are_named_by_hand_and_by_file(self, curator, row):
        """Bad lines are told with their numbers; the good ones are taken, each once."""
        table = f"url,page\n{crawled().url('/b.png')},{crawled().url('/owls.html')}\n"
        path = f"/results/{row.pk}/missing/add"
        response = curator.send(path, {"text": f"{crawled().url('/a.png')}\nftp://nothing\n# remark\n"}, follow=True)
        page = response.content.decode()
        assert "1 URL is on the list" in page
        assert "Line 2" in page
        curator.send(path, {"text": "", "file": SimpleUploadedFile("list.csv", table.encode())})
        rows = list(MissingUrl.objects.order_by("id").values_list("url", "page", "noticed"))
        assert rows == [
            (crawled().url("/a.png"), "", "reviewer"),
            (crawled().url("/b.png"), crawled().url("/owls.html"), "reviewer"),
        ]

    @pytest.mark.parametrize(
        "text", ["", "   \n", "http://user:secret@site.example/", "javascript:alert(1)", "http://" + "x" * 9_000]
    )
    def test_nothing_useful_is_refused(self, curator, row, text):
        """With a word beside the field; a password is never kept."""
        response = curator.send(f"/results/{row.pk}/missing/add", {"text": text})
        assert response.status_code == 422
        assert not MissingUrl.objects.exists()

    def test_failed_embeds_are_found(self, curator, row):
        """A look through the result puts them on the list with the page that needs them."""
        response = curator.send(f"/results/{row.pk}/missing/find", {"what": "embed"}, follow=True)
        assert "pages were looked at" in response.content.decode()
        found = MissingUrl.objects.get(noticed="embed")
        assert (found.url, found.page) == (crawled().url("/lost.png"), crawled().url("/owls.html"))
        assert curator.send(f"/results/{row.pk}/missing/find", {"what": "sitemap"}).status_code == 302
        assert curator.send(f"/results/{row.pk}/missing/find", {"what": HOSTILE}).status_code == 422

    def test_rows_are_filtered_exported_and_taken_off(self, curator, row):
        """As in every list; what stands in a URL is never markup."""
        text = f"{crawled().url('/a.png')}\nhttp://b.example/?q=<script>alert(1)</script>"
        curator.send(f"/results/{row.pk}/missing/add", {"text": text})
        path = f"/results/{row.pk}/missing"
        assert "<script>alert(1)" not in curator.see(path)
        assert "b.example" not in curator.see(path, q="a.png")
        exported = curator.get(path, {"format": "csv"})
        assert "b.example" in b"".join(exported.streaming_content).decode()
        chosen = MissingUrl.objects.get(url=crawled().url("/a.png"))
        curator.send(path, {"action": "delete", "confirmed": "yes", "row": [chosen.pk]})
        assert MissingUrl.objects.count() == 1

    def test_a_patch_is_begun_and_given_up(self, curator, row):
        """Only what was chosen is taken; the page says how it stands."""
        curator.send(f"/results/{row.pk}/missing/add", {"text": crawled().url("/a.png")})
        curator.send(f"/results/{row.pk}/missing/find", {"what": "embed"})
        form = {"noticed": ["embed"], "note": HOSTILE, "existing": "if-failed", "version": version(row)}
        response = curator.send(f"/results/{row.pk}/patch", form, follow=True)
        page = response.content.decode()
        assert "A patch is under way" in page
        assert "<script>alert" not in page
        assert sorted(MissingUrl.objects.values_list("state", flat=True)) == ["taken", "waiting"]
        row.harvest.refresh_from_db()
        assert row.harvest.state == HarvestState.PATCHING
        curator.send(f"/results/{newest(row).pk}/patch/end")
        row.harvest.refresh_from_db()
        assert row.harvest.state == HarvestState.HARVESTED

    def test_a_patch_of_an_older_version_is_not_begun(self, curator, row):
        """Two reviewers at once do not run into each other."""
        curator.send(f"/results/{row.pk}/missing/add", {"text": crawled().url("/a.png")})
        form = {"noticed": ["reviewer"], "note": "More.", "existing": "keep", "version": 77}
        assert curator.send(f"/results/{row.pk}/patch", form).status_code == 409

    def test_whoever_only_looks_is_offered_nothing(self, enter, row):
        """And refused when they try."""
        looker = enter("looker", privileges=LOOK)
        assert "/missing/add" not in looker.see(f"/results/{row.pk}/missing")
        assert looker.send(f"/results/{row.pk}/missing/add", {"text": crawled().url("/a.png")}).status_code == 403
        assert looker.send(f"/results/{row.pk}/missing/find", {"what": "embed"}).status_code == 403
        assert looker.send(f"/results/{row.pk}/patch/end").status_code == 403


class TestImport:
    def send(self, curator, row, way, **form):
        form = {"note": "From the owner.", "existing": "replace", "version": version(row), **form}
        return curator.send(f"/results/{row.pk}/import/{way}", form)

    def test_a_file_stands_at_a_url(self, curator, row, desk, home):
        """Its type is found out, its time is now; the new result has it in place of what had failed."""
        url = crawled().url("/lost.png")
        response = self.send(curator, row, "file", url=url, file=SimpleUploadedFile("owl.png", PNG))
        assert response.status_code == 302, response.content
        with made(row, desk, home) as view:
            found = view.resource(url)
            assert (found.outcome, found.type, found.size) == ("fetched", "image", len(PNG))
        assert AuditEntry.objects.filter(action="result.import").exists()

    def test_a_page_with_a_type_and_time_of_its_own(self, curator, row, desk, home):
        """It is read like a crawled page."""
        url = crawled().url("/gone.html")
        at = (desk.town.clock.now() - timedelta(days=2)).replace(microsecond=0)
        file = SimpleUploadedFile("page.bin", b"<html lang=en><title>Back</title><p>It is back.")
        response = self.send(
            curator, row, "file", url=url, file=file, content_type="text/html; charset=utf-8",
            at=at.strftime("%Y-%m-%dT%H:%M:%S"),
        )  # fmt: skip
        assert response.status_code == 302, response.content
        with made(row, desk, home) as view:
            assert (view.resource(url).title, view.resource(url).at) == ("Back", at.timestamp())

    def test_warc_files_are_added(self, curator, row, desk, home, tmp_path):
        """Several at a time, under names of ours."""
        uploads = [self.warc(tmp_path, f"http://a.example/{name}") for name in ("one", "two")]
        assert self.send(curator, row, "warc", files_=uploads).status_code == 302
        with made(row, desk, home) as view:
            assert view.resource("http://a.example/two").outcome == "fetched"
            assert view.resource("http://a.example/one").outcome == "fetched"

    def warc(self, tmp_path, url):
        folder = tmp_path / url.rpartition("/")[2]
        sink = WarcSink(folder, worker="w0")
        sink.append_resource(Resource(url=url, content_type="text/plain", content=b"owl", at=SYSTEM.now()))
        sink.close()
        (path,) = folder.iterdir()
        return SimpleUploadedFile("../../same.warc.gz", path.read_bytes())

    @pytest.mark.parametrize(
        ("content", "words"),
        [(b"no warc at all", "no WARC file"), (b"WARC/1.1\r\ntorn", "WARC file"), (b"\x1f\x8b\x08torn", "WARC file")],
    )
    def test_what_is_no_sound_warc_file_is_refused(self, curator, row, home, content, words):
        """Before anything is begun, and nothing is left of it."""
        response = self.send(curator, row, "warc", files_=[SimpleUploadedFile("x.warc.gz", content)])
        assert (response.status_code, words in response.content.decode()) == (422, True)
        assert newest(row).number == 1
        left = home / "harvests" / str(row.harvest_id) / "imports"
        assert not left.exists() or not list(left.iterdir())

    @pytest.mark.parametrize(
        "wrong", [{"url": ""}, {"url": "mailto:a@b.example"}, {"note": " "}, {"at": "2999-01-01T00:00:00"},
                  {"existing": HOSTILE}, {"content_type": "no type at all"}],
    )  # fmt: skip
    def test_forms_that_make_no_sense_are_refused(self, curator, row, wrong):
        """With a word, and without a new result."""
        form = {"url": crawled().url("/lost.png"), "file": SimpleUploadedFile("owl.png", PNG), **wrong}
        assert self.send(curator, row, "file", **form).status_code == 422
        assert newest(row).number == 1

    def test_empty_and_large_files_are_refused(self, curator, row, settings):
        """The limit is a setting."""
        url = crawled().url("/lost.png")
        assert self.send(curator, row, "file", url=url, file=SimpleUploadedFile("e.png", b"")).status_code == 422
        settings.OPILIO = type(settings.OPILIO)(home=settings.OPILIO.home, server_max_upload_bytes=65_536)
        large = SimpleUploadedFile("l.png", b"x" * 65_537)
        response = self.send(curator, row, "file", url=url, file=large)
        assert (response.status_code, "65,537" in response.content.decode()) == (422, True)

    def test_a_url_is_fetched_now(self, curator, row):
        """An agent does it, as for a patch."""
        response = self.send(
            curator, row, "url", url=crawled().url("/extra.html"), stands_for=crawled().url("/gone.html")
        )
        assert response.status_code == 302, response.content
        assert newest(row).state == ResultState.CRAWLING

    @pytest.mark.parametrize("state", [HarvestState.ARCHIVING, HarvestState.ENDORSED])
    def test_a_harvest_that_was_decided_about_stays_as_it_is(self, curator, row, state):
        """Nothing is added to what is being archived."""
        row.harvest.state = state
        row.harvest.save(update_fields=["state"])
        file = SimpleUploadedFile("owl.png", PNG)
        assert self.send(curator, row, "file", url=crawled().url("/lost.png"), file=file).status_code == 409

    def test_whoever_only_looks_is_refused_before_anything_is_written(self, enter, row, home):
        """Not a byte."""
        looker = enter("looker", privileges=LOOK)
        file = SimpleUploadedFile("owl.png", PNG)
        assert self.send(looker, row, "file", url=crawled().url("/lost.png"), file=file).status_code == 403
        assert not (home / "harvests" / str(row.harvest_id) / "imports").exists()

    def test_other_ways_are_not_there(self, curator, row):
        """An address that names none leads nowhere."""
        assert curator.get(f"/results/{row.pk}/import/nonsense").status_code == 404


class TestPages:
    def test_pages_are_listed_searched_and_exported(self, curator, row):
        """Pages only: no pictures, no styles, nothing that failed."""
        path = f"/results/{row.pk}/pages"
        page = curator.see(path)
        assert "Owls" in page
        assert "style.css" not in page
        assert "Herons" not in curator.see(path, q="OWL")
        exported = b"".join(curator.get(path, {"format": "csv"}).streaming_content).decode()
        assert exported.lstrip("\ufeff").startswith("number,url,title")
        assert "nests/2.html" in exported

    def test_a_reviewer_says_what_a_page_is_worth(self, curator, enter, row):
        """Each has a say of their own, changed as often as needed; the list filters by it."""
        url = crawled().url("/owls.html")
        path = f"/results/{row.pk}/pages/page?url={url}"
        assert curator.send(path, {"verdict": "bad", "note": HOSTILE}).status_code == 302
        assert curator.send(path, {"verdict": "acceptable", "note": HOSTILE}).status_code == 302
        other = enter("archivist", privileges=REVIEW)
        assert other.send(path, {"verdict": "good", "note": ""}).status_code == 302
        rows = PageVerdict.objects.order_by("id").values_list("by__username", "verdict", "url")
        assert list(rows) == [("curator", "acceptable", url), ("archivist", "good", url)]
        page = curator.see(f"/results/{row.pk}/pages/page", url=url)
        assert "archivist" in page
        assert "<script>alert" not in page
        assert "Owls" in curator.see(f"/results/{row.pk}/pages", verdict="good")
        assert "Owls" not in curator.see(f"/results/{row.pk}/pages", verdict="bad")
        assert "Looked at: 1 page" in curator.see(f"/results/{row.pk}/pages")

    @pytest.mark.parametrize("form", [{}, {"verdict": "splendid"}, {"note": "x" * 4_001}])
    def test_verdicts_that_say_nothing_are_refused(self, curator, row, form):
        """With a word beside the field."""
        path = f"/results/{row.pk}/pages/page?url={crawled().url('/owls.html')}"
        assert curator.send(path, {"verdict": "", "note": "", **form}).status_code == 422

    def test_a_page_that_the_result_has_not(self, curator, row):
        """Is not there to be judged; nor is a picture."""
        for path in ("/nothing.html", "/owl.svg"):
            assert curator.get(f"/results/{row.pk}/pages/page", {"url": crawled().url(path)}).status_code == 404

    def test_files_that_are_elsewhere_are_told(self, curator, desk, home):
        """The tab says where to look."""
        row = Result.objects.get(harvest=desk.harvested(results=1))
        assert "not on this machine" in curator.see(f"/results/{row.pk}/pages")

    def test_whoever_only_looks_may_not_judge(self, enter, row):
        """They see pages and verdicts."""
        looker = enter("looker", privileges=LOOK)
        path = f"/results/{row.pk}/pages/page?url={crawled().url('/owls.html')}"
        assert "Your verdict" not in looker.see(f"/results/{row.pk}/pages/page", url=crawled().url("/owls.html"))
        assert looker.send(path, {"verdict": "good"}).status_code == 403
