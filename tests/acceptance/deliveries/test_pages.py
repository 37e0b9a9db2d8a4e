"""The pages of deliveries: where all stands, the list, the story of one, sessions, findings, centres, sources."""

import html
import re

import pytest

from opilio.deliveries.errors import SourceAway
from opilio.deliveries.states import Phase, Status
from opilio.jobs.models import Job
from opilio.people.models import AuditEntry
from opilio.people.privileges import Privilege, Scope
from opilio.tracker.models import (
    Attempt,
    Centre,
    Delivery,
    DeliverySession,
    DocumentFinding,
    FindingKind,
    LoadedRecord,
    Source,
    XmlDocument,
)
from opilio.tracker.queries.curtain import HIDDEN
from tests.acceptance.deliveries.conftest import HOSTILE
from tests.hub import NAME, experiments, specimens

OTHER = "H.2024-02-29.1.impc.zip"
BROKEN = (
    '<centreSpecimenSet>\n  <centre centreID="J">\n    <wrong a="&lt;script&gt;"/>\n  </centre>\n</centreSpecimenSet>\n'
)


def key(name=NAME):
    """The identifier of a delivery."""
    return Delivery.objects.get(zip__file_name=name).pk


def plain(text):
    """What a reader sees of a page, roughly."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text)))


def test_an_empty_tracker_says_what_to_do_next(town, enter):
    """To whoever may do it, and to whoever may not."""
    maker = enter("maker", privileges={Privilege.MANAGE_SOURCES: Scope.ALL, Privilege.RUN_SESSION: Scope.ALL})
    page = maker.see("/deliveries")
    assert "No centre yet" in page
    assert "/deliveries/centres/new" in page
    reader = enter("reader", privileges={Privilege.VIEW_DELIVERIES: Scope.AGENCY})
    assert "Ask whoever manages sources" in reader.see("/deliveries")
    told = (
        ("all", "No delivery yet"), ("sessions", "No session yet"), ("centres", "No centre yet"),
        ("sources", "No source yet"), ("findings", "Nothing is wrong"),
        ("findings/documents", "Nothing was found wrong"), ("findings/kinds", "No kind yet"),
    )  # fmt: skip
    for path, words in told:
        assert words in maker.see(f"/deliveries/{path}")


def test_the_matrix_counts_deliveries_and_leads_to_them(yard, coordinator):
    """Each cell is a link to the list that it counts; the age of the last delivery stands beside the centre."""
    yard.lay()
    yard.lay("J.2024-03-01.1.impc.zip", specimen="<wrong/>")
    yard.lay("Nobody.2024-03-01.1.impc.zip")
    yard.run()
    page = coordinator.see("/deliveries")
    links = dict(re.findall(r'href="(/deliveries/all\?centre=[^"]+status=\w+)">.*?</svg> (\d+)<', page, re.DOTALL))
    centre = yard.centres["J"].pk
    assert links[f"/deliveries/all?centre={centre}&amp;phase=integrity&amp;status=done"] == "1"
    assert links[f"/deliveries/all?centre={centre}&amp;phase=schema&amp;status=failed"] == "1"
    assert links["/deliveries/all?centre=none&amp;phase=name&amp;status=failed"] == "1"
    for link, number in links.items():
        listed = coordinator.see(html.unescape(link))
        assert len(set(re.findall(r'<a href="/deliveries/(\d+)">', listed))) == int(number)
    assert "1 h ago" in page or "min ago" in page
    assert "never" in page  # H
    assert "Waiting for somebody" in page
    assert "J.2024-03-01.1.impc.zip" in page


def test_the_story_of_a_delivery(yard, coordinator):
    """Attempts, sources, hashes, documents, records, each change with its reason."""
    yard.lay(specimen=specimens("M1", "M2"), experiment=experiments(("E1", "M1"), ("E2", "M9")))
    yard.run()
    row = Delivery.objects.get()
    page = coordinator.see(f"/deliveries/{row.pk}")
    text = plain(page)
    attempt = Attempt.objects.get()
    assert attempt.sha256 in page
    assert row.zip.content_md5 in page
    assert "main of J" in text
    assert "Integrity: failed" in text
    assert "J.2024-02-29.1.specimen.impc.xml" in text
    assert "by hub" in text
    assert f"/deliveries/{row.pk}/records?kind=specimen" in page
    listed = plain(coordinator.see(f"/deliveries/{row.pk}/records", kind="specimen"))
    assert "M1" in listed
    assert "E1" not in listed
    assert b"M2" in b"".join(coordinator.get(f"/deliveries/{row.pk}/records", {"format": "csv"}))


def test_findings_are_shown_with_the_lines_of_the_document(yard, coordinator):
    """Line and column, some lines around them, escaped; nothing when the document is gone."""
    yard.lay(specimen=BROKEN)
    yard.run()
    document, finding = XmlDocument.objects.get(), DocumentFinding.objects.get()
    assert (finding.line, finding.col) == (3, 5)
    path = f"/deliveries/{key()}/documents/{document.pk}"
    page = coordinator.see(path)
    assert "Line 3, column 5" in plain(page)
    shown = '<span class="xml-number">3</span>    <mark>&lt;</mark>wrong a=&quot;&amp;lt;script&amp;gt;&quot;/&gt;'
    assert shown in page
    assert '<span class="xml-number">1</span>&lt;centreSpecimenSet&gt;' in page
    assert "<wrong" not in page
    listed = coordinator.see("/deliveries/findings/documents", document=document.pk)
    assert path in listed
    assert "line 3, column 5" in listed
    Attempt.objects.update(folder="")
    assert "not kept here any more" in coordinator.see(path)


def test_hostile_text_is_shown_escaped(yard, coordinator):
    """Names, messages and reasons come from outside."""
    yard.lay(specimen=BROKEN)
    yard.run()
    DocumentFinding.objects.update(message=HOSTILE, record_key=HOSTILE)
    FindingKind.objects.update(description=HOSTILE)
    Delivery.objects.update(why=HOSTILE)
    XmlDocument.objects.update(fname=HOSTILE)
    Centre.objects.update(full_name=HOSTILE)
    Source.objects.update(base_path=HOSTILE)
    DeliverySession.objects.update(by=HOSTILE, figures={"fault": HOSTILE})
    session = DeliverySession.objects.get().pk
    kind, document = FindingKind.objects.get().pk, XmlDocument.objects.get().pk
    for path in ("", "/all", f"/{key()}", f"/{key()}/documents/{document}", "/findings", "/findings/documents",
                 f"/findings/kinds/{kind}", "/findings/kinds", "/sessions", f"/sessions/{session}", "/centres",
                 f"/centres/{yard.centres['J'].pk}", "/sources", f"/sources/{Source.objects.first().pk}"):  # fmt: skip
        page = coordinator.see(f"/deliveries{path}")
        assert "<script>alert" not in page, path


@pytest.mark.parametrize(
    "query",
    [
        {"centre": "x"}, {"centre": "9" * 30}, {"phase": "nowhere"}, {"status": "<b>"}, {"from": "31 February"},
        {"until": "2024-02-30"}, {"q": "x" * 500}, {"mark": "no"}, {"kind": "'"}, {"page": "-1", "sort": "nothing"},
    ],
)  # fmt: skip
def test_filters_that_make_no_sense_are_told_or_find_nothing(yard, coordinator, query):
    """And never fail."""
    yard.lay()
    yard.run()
    page = coordinator.see("/deliveries/all", **query)
    assert ("matches" in page) or ("Choose one of" in page) or ("page" in query) or ("Write" in page)


def test_deliveries_are_filtered_and_exported(yard, coordinator):
    """By phase, status, action, kind of document, text, day; as CSV too."""
    yard.lay()
    yard.lay("J.2024-03-01.1.impc.zip", action="edit", experiment=experiments(("E1", "M1")))
    yard.run()

    def found(**query):
        return len(set(re.findall(r'<a href="/deliveries/(\d+)">', coordinator.see("/deliveries/all", **query))))

    assert found() == 2
    assert found(action="edit") == 1
    assert found(kind="specimen") == 1
    assert found(kind="experiment", status="failed") == 1
    assert found(q="03-01") == 1
    assert found(status="done") == 1
    assert found(**{"from": "2100-01-01"}) == 0
    exported = b"".join(coordinator.get("/deliveries/all", {"format": "csv", "col": ["file", "status", "why"]}))
    assert NAME in exported.decode()


def test_decisions_from_the_page_of_a_delivery(yard, coordinator):
    """Retry, requeue, take in again, hold with a reason; what cannot be done is told."""
    yard.lay(specimen="<wrong/>")
    yard.run()
    page = f"/deliveries/{key()}"
    assert "Retry" in coordinator.see(page)
    assert coordinator.send(f"{page}/retry")["Location"] == page
    assert Delivery.objects.get().retried
    unreasoned = coordinator.send(f"{page}/hold", {"reason": " "})
    assert unreasoned.status_code == 422
    assert coordinator.send(f"{page}/hold", {"reason": HOSTILE}).status_code == 302
    assert Delivery.objects.get().held
    assert "held" in coordinator.see(page)
    assert coordinator.send(f"{page}/release", {"reason": "Over."}).status_code == 302
    refused = coordinator.send(f"{page}/cancel", {"reason": "No."})
    assert refused.status_code == 409
    assert "over already" in refused.content.decode()
    assert coordinator.send(f"{page}/requeue").status_code == 302
    again = coordinator.send(f"{page}/revalidate")
    assert again.status_code == 409
    assert coordinator.send(f"{page}/explode").status_code == 404
    assert coordinator.get("/deliveries/7").status_code == 404
    entry = AuditEntry.objects.filter(action="delivery.hold").order_by("id").first()
    assert entry.agency_id == yard.town.library.id


def test_records_are_taken_back_from_the_page(yard, coordinator):
    """With a reason; the page says how many."""
    yard.lay(specimen=specimens("M1", "M2"))
    yard.run()
    page = f"/deliveries/{key()}"
    assert "Take back its records" in coordinator.see(page)
    assert coordinator.send(f"{page}/undo", {"reason": "The wrong file."})["Location"] == page
    assert "2 records were taken back" in coordinator.see(page)
    assert not LoadedRecord.objects.filter(current=True).exists()


def test_several_deliveries_at_once(yard, coordinator):
    """Bulk retry; giving up asks for a reason and does nothing without one."""
    yard.lay(specimen="<wrong/>")
    yard.lay("J.2024-03-01.1.impc.zip", specimen="<wrong/>")
    yard.run()
    rows = [str(number) for number in Delivery.objects.values_list("pk", flat=True)]
    asked = coordinator.send("/deliveries/all", {"action": "retry", "row": rows})
    assert "Retry 2 deliveries" in asked.content.decode()
    assert coordinator.send("/deliveries/all", {"action": "retry", "row": rows, "confirmed": "yes"}).status_code == 302
    assert Delivery.objects.filter(retried=True).count() == 2
    unreasoned = coordinator.send("/deliveries/all", {"action": "hold", "row": rows, "confirmed": "yes"})
    assert unreasoned.status_code == 422
    assert "Say why." in unreasoned.content.decode()
    assert not Delivery.objects.filter(held=True).exists()
    whole = {"action": "hold", "all": "yes", "query": "status=failed", "confirmed": "yes", "reason": "A case."}
    assert coordinator.send("/deliveries/all", whole).status_code == 302
    assert Delivery.objects.filter(held=True).count() == 2
    refused = coordinator.send("/deliveries/all", {"action": "cancel", "row": rows})
    assert "Would be refused" in refused.content.decode()


def test_sessions_with_their_line_of_time(yard, coordinator):
    """Tasks with exit statuses, what came, and which task failed."""
    yard.lay()
    yard.run()
    yard.lay("J.2024-03-01.1.impc.zip", b"no zip at all")
    yard.run()
    first, second = DeliverySession.objects.order_by("id")
    page = coordinator.see("/deliveries/sessions")
    assert f'<a href="/deliveries/sessions/{first.pk}" aria-label="Session {first.pk}' in page
    assert "something failed" in page
    assert "all went well" in page
    shown = coordinator.see(f"/deliveries/sessions/{second.pk}")
    assert 'name="q" maxlength="100" placeholder="Search everything" value=""' in shown
    assert shown.count('class="span-name"') == second.tasks.count()
    one = plain(shown)
    assert "(the session task unpack)" in one
    assert "1 unpacked, 1 not good" in one
    assert "J.2024-03-01.1.impc.zip" in one
    assert coordinator.get("/deliveries/sessions/7").status_code == 404
    assert len(re.findall("Session \\d+", coordinator.see("/deliveries/sessions", outcome="failed"))) >= 1


def test_findings_by_kind_and_centre(yard, coordinator):
    """Each number leads to the findings that it counts."""
    yard.lay(specimen=BROKEN)
    yard.lay("J.2024-03-01.1.impc.zip", b"no zip at all")
    yard.run()
    page = coordinator.see("/deliveries/findings")
    links = re.findall(r'<a class="status status-failed" href="([^"]+)">(\d+) in (\w+)</a>', page)
    assert {place for _, _, place in links} == {"documents", "files"}
    for link, number, _ in links:
        listed = coordinator.see(html.unescape(link))
        assert f"<strong>{number}</strong>" in listed


def test_a_kind_of_finding_is_described_and_deleted_only_when_it_is_not_used(yard, coordinator, partner):
    """Kinds are shared by all centres: a partner may not change them."""
    yard.lay(specimen=BROKEN)
    yard.run()
    used, free = FindingKind.objects.get(), FindingKind.objects.create(short_name="old")
    path = "/deliveries/findings/kinds"
    assert coordinator.send(f"{path}/{used.pk}", {"description": "Ask for the schema."})["Location"] == path
    assert "Ask for the schema." in coordinator.see(f"{path}/{used.pk}")
    assert coordinator.send(f"{path}/{used.pk}/delete").status_code == 409
    assert coordinator.send(f"{path}/{free.pk}/delete").status_code == 302
    assert list(FindingKind.objects.all()) == [used]
    assert partner.send(f"{path}/{used.pk}/delete").status_code == 403
    refused = partner.send(f"{path}/{used.pk}", {"description": "x"})
    assert refused.status_code == 403
    assert coordinator.send(f"{path}/7/delete").status_code == 404
    assert coordinator.get(f"{path}/{used.pk}/delete").status_code == 405


def test_a_partner_sees_only_its_own_centre(yard, partner):
    """Everything of others is hidden, also where texts would tell of it."""
    yard.lay()
    yard.lay(OTHER, centre="H", source="mirror", specimen=specimens("X1", centre="H"))
    yard.lay(centre="H", source="mirror")
    yard.broken["J/main"] = SourceAway("It hung up", where="J/main")
    yard.broken["H/mirror"] = SourceAway("It hung up", where="H/mirror: folder/secret-place")
    yard.run()
    own, other = key(), key(OTHER)
    pages = ["", "/all", f"/{own}", "/findings", "/findings/files", "/centres", "/sources"]
    for path in pages:
        page = partner.see(f"/deliveries{path}")
        for word in (OTHER, "H/mirror", "secret-place", "Centre H", "mirror of H"):
            assert word not in page, (path, word)
    story = plain(partner.see(f"/deliveries/{own}"))
    assert "a source of another centre" in story
    assert HIDDEN in story
    hidden = [f"/{other}", f"/{other}/records", f"/centres/{yard.centres['H'].pk}",
              f"/sources/{Source.objects.get(name='mirror').pk}"]  # fmt: skip
    for path in hidden:
        assert partner.get(f"/deliveries{path}").status_code == 404, path
    assert partner.send(f"/deliveries/{other}/retry").status_code == 404
    assert partner.send(f"/deliveries/{own}/retry").status_code == 403
    assert "/deliveries/sessions" not in partner.see("/deliveries")
    session = DeliverySession.objects.get().pk
    assert partner.get(f"/deliveries/sessions/{session}").status_code == 404
    listed = partner.see("/deliveries/all")
    assert NAME in listed


def test_a_mistake_in_the_number_of_a_document_shows_nothing_of_others(yard, partner):
    """A document is found only below its own delivery."""
    yard.lay()
    yard.lay(OTHER, centre="H", source="mirror", specimen=specimens("X1", centre="H"))
    yard.run()
    document = XmlDocument.objects.get(attempt__offering__delivery_id=key(OTHER))
    assert partner.get(f"/deliveries/{key()}/documents/{document.pk}").status_code == 404
    assert partner.get(f"/deliveries/{key(OTHER)}/documents/{document.pk}").status_code == 404


def test_what_has_not_moved_for_a_day_waits_for_somebody(yard, coordinator):
    """Also when nothing failed."""
    yard.lay()
    yard.profile = yard.profile.model_copy(update={"settling": yard.profile.settling.model_copy(update={"looks": 9})})
    yard.run()
    row = Delivery.objects.get()
    assert (row.phase_id, row.status_id) in {(Phase.NAME, Status.DONE), (Phase.SETTLE, Status.RUNNING)}
    assert "Nothing waits for anybody" in coordinator.see("/deliveries")
    Delivery.objects.update(last_update="2020-01-01T00:00:00Z")
    page = coordinator.see("/deliveries")
    assert "Nothing waits for anybody" not in page


def test_a_session_is_run_by_an_agent_when_somebody_asks(yard, coordinator, partner):
    """One at a time; a job waits for an agent. A partner is not offered it, and refused."""
    assert "/deliveries/sessions/run" in coordinator.see("/deliveries")
    path = "/deliveries/sessions/run"
    assert coordinator.send(path, {"profile": "nothing"}).status_code == 422
    assert coordinator.send(path, {"profile": "impc", "downloaders": "0"}).status_code == 422
    assert coordinator.send(path, {"profile": "impc", "downloaders": "3"})["Location"] == "/deliveries/sessions"
    job = Job.objects.get(kind="tracker.run_delivery_session")
    assert (job.payload["profile"], job.payload["downloaders"], job.payload["by"]) == ("impc", 3, "coordinator")
    again = coordinator.send(path, {"profile": "impc"})
    assert again.status_code == 409
    assert "waits or is under way" in again.content.decode()
    assert path not in partner.see("/deliveries")
    assert partner.send(path, {"profile": "impc"}).status_code == 403


@pytest.mark.parametrize("form", ["csv", "json", "text", "html"])
def test_a_partner_takes_its_report_along(yard, partner, form):
    """In every form; of other centres none."""
    yard.lay(specimen=BROKEN)
    yard.run()
    path = f"/deliveries/centres/{yard.centres['J'].pk}/report"
    answer = partner.get(path, {"form": form})
    assert answer["Content-Disposition"].startswith("attachment")
    assert NAME in answer.content.decode()
    assert b"<wrong" not in answer.content
    assert partner.get(f"/deliveries/centres/{yard.centres['H'].pk}/report", {"form": form}).status_code == 404
    assert partner.get(path, {"form": "exe"}).status_code == 404
    assert f"{path}?form={form}" in partner.see(f"/deliveries/centres/{yard.centres['J'].pk}")
