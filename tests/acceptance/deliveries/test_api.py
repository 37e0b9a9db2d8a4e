"""Deliveries by the API: the same queries and actions, the same limits of sight."""

import pytest

from opilio.deliveries.errors import SourceAway
from opilio.jobs.models import Job
from opilio.people.models import Notification, OutboxMessage
from opilio.people.privileges import Privilege, Scope
from opilio.tracker.models import Centre, Delivery, DeliverySession, DocumentFinding, FindingKind, Source, XmlDocument
from opilio.tracker.queries.curtain import HIDDEN
from tests.acceptance.deliveries.conftest import ALL, HOSTILE, PARTNER
from tests.hub import NAME, experiments, specimens

OTHER = "H.2024-02-29.1.impc.zip"
BROKEN = '<centreSpecimenSet>\n  <centre centreID="J">\n    <wrong/>\n  </centre>\n</centreSpecimenSet>\n'
CENTRE = {"code": "Tcp", "name": "Centre T", "email": "t@example.org"}


@pytest.fixture
def hand(office):
    """Manages everything about deliveries."""
    return office.caller(privileges=ALL)


@pytest.fixture
def guest(office):
    """A partner: a user of the library, whose centre is J."""
    return office.caller(privileges=PARTNER)


def key(name=NAME):
    """The identifier of a delivery, as the API writes it."""
    return str(Delivery.objects.get(zip__file_name=name).pk)


def items(answer):
    """The items of a page."""
    assert answer.status_code == 200, answer.content
    return answer.json()["items"]


def test_deliveries_are_listed_filtered_and_paged(yard, hand, fault):
    """With a cursor; a filter that is not known is refused."""
    yard.lay()
    yard.lay("J.2024-03-01.1.impc.zip", action="edit", experiment=experiments(("E1", "M1")))
    yard.lay("J.2024-03-02.1.impc.zip", specimen="<wrong/>")
    yard.run()
    assert len(items(hand.get("/deliveries"))) == 3
    first = hand.get("/deliveries", limit=2).json()
    second = hand.get("/deliveries", limit=2, cursor=first["next"]).json()
    assert len({one["id"] for one in [*first["items"], *second["items"]]}) == 3
    assert second["next"] is None
    assert [one["file"] for one in items(hand.get("/deliveries", phase="schema", status="failed"))] == [
        "J.2024-03-02.1.impc.zip"
    ]
    assert len(items(hand.get("/deliveries", kind="experiment"))) == 1
    assert len(items(hand.get("/deliveries", action="edit", q="03-01"))) == 1
    assert len(items(hand.get("/deliveries", stuck="true"))) == 2
    assert items(hand.get("/deliveries", since="2100-01-01T00:00:00Z")) == []
    assert items(hand.get("/deliveries", held="true")) == []
    for query in ({"phase": "nowhere"}, {"status": "x"}, {"centre": "x"}, {"since": "soon"}, {"colour": "red"},
                  {"limit": 0}, {"cursor": "x"}):  # fmt: skip
        assert hand.get("/deliveries", **query).status_code in (400, 422), query
    cells = hand.get("/deliveries/matrix").json()["cells"]
    assert {"centre": "J", "phase": "integrity", "status": "done", "count": 1} in cells


def test_the_story_of_a_delivery(yard, hand, fault):
    """Attempts, documents, changes, records, lines."""
    yard.lay(specimen=specimens("M1"), experiment=BROKEN)
    yard.run()
    shown = hand.get(f"/deliveries/{key()}").json()
    assert (shown["phase"], shown["status"], shown["centre_code"]) == ("schema", "failed", "J")
    (attempt,) = items(hand.get(f"/deliveries/{key()}/attempts"))
    assert (attempt["source"], attempt["documents"], len(attempt["sha256"])) == ("main of J", 2, 64)
    documents = items(hand.get(f"/deliveries/{key()}/documents"))
    assert sorted((one["kind"], one["status"], one["findings"]) for one in documents) == [
        ("experiment", "failed", DocumentFinding.objects.count()), ("specimen", "done", 0)
    ]  # fmt: skip
    changes = items(hand.get(f"/deliveries/{key()}/changes"))
    assert changes[0]["phase"] == "name"
    assert {one["what"] for one in changes} == {"delivery", "attempt", "document"}
    (record,) = items(hand.get(f"/deliveries/{key()}/records"))
    assert (record["kind"], record["key"], record["current"]) == ("specimen", "M1", True)
    broken = next(one["id"] for one in documents if one["kind"] == "experiment")
    path = f"/deliveries/{key()}/documents/{broken}/lines"
    lines = hand.get(path, line=3, column=5, around=1).json()
    assert [one["number"] for one in lines["lines"]] == [2, 3, 4]
    assert lines["lines"][1]["text"] == "    <wrong/>"
    assert hand.get(path, line=999).json() == {"kept": True, "lines": []}
    fault(hand.get(path, line=0), 422)
    fault(hand.get(path), 422)
    fault(hand.get(f"/deliveries/{key()}/documents/7/lines", line=1), 404)
    fault(hand.get("/deliveries/7"), 404)
    fault(hand.get("/deliveries/x"), 422)


def test_decisions(yard, hand, guest, fault):
    """The same as on the pages; a reason where it is asked for."""
    yard.lay(specimen="<wrong/>")
    yard.run()
    path = f"/deliveries/{key()}"
    assert hand.post(f"{path}/retry").json()["retried"] is True
    assert hand.post(f"{path}/hold", {"reason": HOSTILE}).json()["held"] is True
    assert hand.post(f"{path}/release", {"reason": "Over."}).json()["held"] is False
    fault(hand.post(f"{path}/hold", {"reason": ""}), 422)
    fault(hand.post(f"{path}/hold", {"reason": "   "}), 422)
    fault(hand.post(f"{path}/hold", {"reason": 7}), 422)
    fault(hand.post(f"{path}/hold", {"reason": "a", "held": False}), 422)
    fault(hand.post(f"{path}/cancel", {"reason": "No."}), 409)
    assert hand.post(f"{path}/revalidate").status_code == 200
    assert hand.post(f"{path}/requeue").status_code == 200
    assert hand.post(f"{path}/undo", {"reason": "Wrong."}).json() == {"count": 0}
    fault(guest.post(f"{path}/retry"), 403)
    fault(hand.post("/deliveries/7/retry"), 404)


def test_a_delivery_is_given_up(yard, hand):
    """As long as it goes on."""
    yard.lay()
    yard.profile = yard.profile.model_copy(update={"settling": yard.profile.settling.model_copy(update={"looks": 9})})
    yard.run()
    assert hand.post(f"/deliveries/{key()}/cancel", {"reason": "By mistake."}).json()["status"] == "cancelled"


def test_a_partner_sees_only_its_own_centre(yard, guest, hand, fault):
    """In every list and by every number; texts tell nothing of other sources."""
    yard.lay()
    yard.lay(OTHER, centre="H", source="mirror", specimen=specimens("X1", centre="H"))
    yard.lay(centre="H", source="mirror")
    yard.broken["J/main"] = SourceAway("It hung up", where="J/main")
    yard.broken["H/mirror"] = SourceAway("It hung up", where="H/mirror: folder/secret-place")
    yard.run()
    own, other = key(), key(OTHER)
    texts = [guest.get(path).content.decode() for path in (
        "/deliveries", "/deliveries/matrix", f"/deliveries/{own}", f"/deliveries/{own}/attempts",
        f"/deliveries/{own}/changes", "/delivery-findings/files", "/delivery-findings/documents", "/centres",
        "/delivery-sources",
    )]  # fmt: skip
    for text in texts:
        for word in (OTHER, "H/mirror", "secret-place", "Centre H", "mirror of H"):
            assert word not in text
    assert HIDDEN in "".join(texts)
    assert "a source of another centre" in "".join(texts)
    session = DeliverySession.objects.get().pk
    assert items(guest.get("/delivery-sessions")) == []
    assert len(items(hand.get("/delivery-sessions"))) == 1
    for path in (f"/deliveries/{other}", f"/deliveries/{other}/attempts", f"/deliveries/{other}/records",
                 f"/centres/{yard.centres['H'].pk}", f"/delivery-sources/{Source.objects.get(name='mirror').pk}",
                 f"/delivery-sessions/{session}"):  # fmt: skip
        fault(guest.get(path), 404)


def test_letters_and_notices_tell_nothing_of_other_sources(yard, office):
    """A partner reads in them what its own pages would show."""
    Centre.objects.filter(short_name="J").update(report_mail=True, email="j@example.org")
    reader = office.town.actor(privileges={Privilege.VIEW_DELIVERIES: Scope.AGENCY})
    yard.lay()
    yard.lay(centre="H", source="mirror")
    yard.broken["J/main"] = SourceAway("It hung up", where="J/main")
    yard.broken["H/mirror"] = SourceAway("It hung up", where="H/mirror: folder/secret-place")
    yard.run()
    (letter,) = OutboxMessage.objects.all()
    (notice,) = Notification.objects.filter(user_id=reader.user)
    assert HIDDEN in letter.body + notice.message
    assert "secret-place" not in letter.body + notice.message
    assert "H/mirror" not in letter.body + notice.message


def test_whoever_has_nothing_to_do_with_deliveries_is_refused(yard, office, stranger, fault):
    """With a message that names the privileges."""
    nobody = office.caller()
    for path in ("/deliveries", "/deliveries/matrix", "/centres", "/delivery-sources", "/delivery-sessions",
                 "/delivery-findings/files", "/finding-kinds"):  # fmt: skip
        assert "VIEW_DELIVERIES" in fault(nobody.get(path), 403)["remedy"]
        fault(stranger.get(path), 401)


def test_sessions_are_told_with_their_tasks(yard, hand):
    """And with the task that failed."""
    yard.lay(content=b"no zip at all")
    yard.run()
    (one,) = items(hand.get("/delivery-sessions", good="false"))
    shown = hand.get(f"/delivery-sessions/{one['id']}").json()
    failed = next(task for task in shown["tasks"] if task["id"] == shown["status"])
    assert (failed["phase"], failed["status"]) == ("unpack", 1)
    assert items(hand.get("/delivery-sessions", good="true")) == []


def test_centres_are_made_changed_and_deleted(yard, hand, office, fault):
    """With versions; in the agencies that the privilege reaches."""
    made = hand.post("/centres", {**CENTRE, "agency": str(office.museum.id)})
    assert made.status_code == 201, made.content
    path = f"/centres/{made.json()['id']}"
    changed = hand.patch(path, {"version": 1, "name": HOSTILE, "active": False})
    assert (changed.json()["name"], changed.json()["active"], changed.headers["ETag"]) == (HOSTILE, False, '"2"')
    fault(hand.patch(path, {"version": 1, "name": "Late"}), 409)
    fault(hand.patch(path, {"version": 2, "code": "a b"}), 422)
    fault(hand.patch(path, {"version": 2, "profile": "no-such"}), 422)
    fault(hand.patch(path, {"name": "x"}), 422)
    fault(hand.post("/centres", {**CENTRE, "agency": str(office.museum.id)}), 422)
    fault(hand.post("/centres", {**CENTRE, "agency": "7", "code": "Q"}), 422)
    fault(hand.post("/centres", {**CENTRE, "agency": office.museum.id}), 422)
    librarian = office.manager(Privilege.MANAGE_SOURCES)
    fault(librarian.post("/centres", {**CENTRE, "code": "Q", "agency": str(office.museum.id)}), 403)
    fault(librarian.patch(path, {"version": 2, "name": "x"}), 404)
    assert hand.delete(path).status_code == 204
    fault(hand.get(path), 404)
    assert [one["code"] for one in items(hand.get("/centres", q="Centre", active="true"))] == ["H", "J"]
    assert Centre.everything.get(short_name="Tcp").deleted


def test_a_folder_of_the_machine_is_named_by_few(yard, hand, office, fault):
    """Whoever manages the sources of one agency could read what is no partner's; other changes are open to them."""
    given = {"centre": str(yard.centres["J"].pk), "name": "server", "protocol": "folder", "base": "/etc"}
    librarian = office.manager(Privilege.MANAGE_SOURCES)
    assert "SFTP or HTTPS" in fault(librarian.post("/delivery-sources", given), 403)["remedy"]
    path = f"/delivery-sources/{Source.objects.get(name='main').pk}"
    fault(librarian.patch(path, {"version": 1, "base": "/etc"}), 403)
    assert librarian.patch(path, {"version": 1, "state": "maintenance"}).status_code == 200
    assert hand.post("/delivery-sources", given).status_code == 201


def test_sources_are_made_changed_and_tried(yard, hand, office, fault):
    """Secrets never come out; one that leads elsewhere needs them anew."""
    centre = str(yard.centres["J"].pk)
    given = {"centre": centre, "name": "server", "protocol": "sftp", "host": "files.example.org", "user": "hub",
             "password": "open sesame", "host_keys": ["SHA256:abc"],
             "windows": [{"days": [0, 1], "start": "22:00", "end": "06:00"}]}  # fmt: skip
    made = hand.post("/delivery-sources", given)
    assert made.status_code == 201, made.content
    shown = made.json()
    assert shown["has_secret"] is True
    assert "sesame" not in made.content.decode()
    path = f"/delivery-sources/{shown['id']}"
    moved = fault(hand.patch(path, {"version": 1, "host": "elsewhere.example.org"}), 422)
    assert "hostname" in moved["fields"]
    assert hand.patch(path, {"version": 1, "host": "b.example.org", "password": "x"}).json()["host"] == "b.example.org"
    kept = hand.patch(path, {"version": 2, "windows": [], "state": "maintenance"}).json()
    assert (kept["windows"], kept["state"], kept["has_secret"]) == ([], "maintenance", True)
    for wrong in ({"protocol": "gopher"}, {"port": 0}, {"port": "22"}, {"connections": 99}, {"timeout": 0},
                  {"host": ""}, {"host": "a\nb"}, {"windows": [{"start": "25:00"}]}, {"windows": [{"days": [9]}]},
                  {"state": "asleep"}, {"host_keys": [""]}, {"preference": "high"}, {"colour": "red"},
                  {"centre": "7"}):  # fmt: skip
        assert hand.post("/delivery-sources", {**given, "name": "other", **wrong}).status_code in (404, 422), wrong
    fault(hand.post("/delivery-sources", given), 422)
    folder = Source.objects.get(name="main").pk
    tried = hand.post(f"/delivery-sources/{folder}/try").json()
    assert (tried["reached"], tried["folders"]) == (True, {"add": 0, "edit": 0, "delete": 0})
    assert [one["name"] for one in items(hand.get("/delivery-sources", state="maintenance"))] == ["server"]
    librarian = office.manager(Privilege.MANAGE_SOURCES)
    fault(librarian.post(f"/delivery-sources/{Source.objects.get(name='mirror').pk}/try"), 404)
    fault(office.manager(Privilege.VIEW_DELIVERIES).post(f"/delivery-sources/{folder}/try"), 403)
    assert hand.delete(path).status_code == 204


def test_findings_and_their_kinds(yard, hand, guest, office, fault):
    """A kind that is used cannot be deleted; only those who reach everything change kinds."""
    yard.lay(specimen=BROKEN)
    yard.lay("J.2024-03-01.1.impc.zip", b"no zip at all")
    yard.run()
    (found,) = items(hand.get("/delivery-findings/documents", active="true"))
    assert (found["line"], found["column"], found["file"], found["centre_code"]) == (3, 5, NAME, "J")
    assert items(hand.get("/delivery-findings/documents", kind="no such")) == []
    assert len(items(guest.get("/delivery-findings/files", centre=str(yard.centres["J"].pk)))) == 1
    kinds = items(hand.get("/finding-kinds"))
    assert all(one["used"] for one in kinds)
    path = f"/finding-kinds/{kinds[0]['id']}"
    assert hand.put(f"{path}/description", {"description": HOSTILE}).json()["description"] == HOSTILE
    fault(hand.delete(path), 409)
    free = FindingKind.objects.create(short_name="old").pk
    librarian = office.manager(Privilege.MANAGE_SOURCES, Scope.AGENCY)
    fault(librarian.delete(f"/finding-kinds/{free}"), 403)
    assert hand.delete(f"/finding-kinds/{free}").status_code == 204
    fault(hand.delete(f"/finding-kinds/{free}"), 404)
    fault(hand.put(f"{path}/description", {"description": "x" * 5_000}), 422)
    assert XmlDocument.objects.count() == 1


def test_a_session_is_started(yard, hand, guest, fault):
    """As a job for an agent, one at a time."""
    for wrong in ({"profile": ""}, {"downloaders": 0}, {"validators": "2"}, {"dry_run": "no"}, {"colour": "red"},
                  {"profile": "no-such"}):  # fmt: skip
        fault(hand.post("/delivery-sessions", wrong), 422)
    made = hand.post("/delivery-sessions", {"downloaders": 2, "dry_run": True})
    assert made.status_code == 202, made.content
    job = Job.objects.get(pk=made.json()["job"])
    assert job.payload["dry_run"] is True
    fault(hand.post("/delivery-sessions", {}), 409)
    fault(guest.post("/delivery-sessions", {}), 403)


def test_issues_since_a_time_and_the_report_of_a_centre(yard, guest, hand, fault):
    """For programs of partners: what changed since they last asked."""
    yard.lay(specimen=BROKEN)
    yard.lay(OTHER, b"no zip at all", centre="H", source="mirror")
    yard.run()
    (own,) = guest.get("/delivery-issues").json()["items"]
    assert (own["delivery"], own["line"], own["column"], own["active"]) == (NAME, 3, 5, True)
    assert len(hand.get("/delivery-issues").json()["items"]) == 2
    assert guest.get("/delivery-issues", since=own["at"], centre="J").json()["items"] == [own]
    assert guest.get("/delivery-issues", since="2100-01-01T00:00:00Z").json() == {"items": []}
    assert guest.get("/delivery-issues", centre="H").json() == {"items": []}
    fault(guest.get("/delivery-issues", since="yesterday"), 422)
    fault(guest.get("/delivery-issues", limit=0), 422)
    told = guest.get(f"/centres/{yard.centres['J'].pk}/report").json()
    assert (told["centre"], told["counts"]) == ("J", {"schema failed": 1})
    fault(guest.get(f"/centres/{yard.centres['H'].pk}/report"), 404)
