"""What partners and people are told after a session, and what a partner may see."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta

import pytest

from opilio.cli.main import main
from opilio.people.models import Notification, OutboxMessage
from opilio.people.privileges import Privilege, Scope
from opilio.tracker import centre_report
from opilio.tracker.models import Centre, DeliveryFinding, DeliverySession, DocumentFinding
from opilio.tracker.queries.centre_report import made as made_for
from opilio.tracker.queries.issues import issues, not_resubmitted
from tests.hub import NAME, experiments, specimens
from tests.post_office import PostOffice

WRONG = "<centreProcedureSet><wrong/></centreProcedureSet>"
BAD_NAME = "J.2024-02-31.1.impc.zip"


@pytest.fixture
def failed(hub):
    """A delivery whose experiments are not valid, one whose record waits, and one with a wrong date."""
    hub.lay(specimen=specimens("M1"), experiment=WRONG)
    hub.lay("J.2024-03-01.1.impc.zip", experiment=experiments(("E1", "M9")))
    hub.lay(BAD_NAME)
    return hub


def test_people_of_the_agency_find_failures_in_their_in_tray(failed):
    """Whoever manages or sees its deliveries; once for each centre and session."""
    manager = failed.town.actor(privileges={Privilege.MANAGE_DELIVERIES: Scope.AGENCY})
    partner = failed.town.actor(privileges={Privilege.VIEW_DELIVERIES: Scope.AGENCY})
    stranger = failed.town.actor(agency=failed.town.museum, privileges={Privilege.VIEW_DELIVERIES: Scope.AGENCY})
    failed.run()
    rows = Notification.objects.filter(kind="deliveries-failed")
    assert {row.user_id for row in rows} == {manager.user, partner.user}
    assert stranger.user not in {row.user_id for row in rows}
    assert "2 deliveries of J failed" in rows[0].subject
    assert NAME in rows[0].message
    failed.run()
    assert Notification.objects.filter(kind="deliveries-failed").count() == 2


def test_a_centre_that_wants_it_gets_a_letter(failed):
    """With what became of its deliveries in this session; others get none."""
    failed.run()
    assert not OutboxMessage.objects.exists()
    Centre.objects.filter(short_name="J").update(report_mail=True)
    failed.lay("J.2024-03-02.1.impc.zip", specimen=specimens("M3"), experiment=WRONG)
    failed.run()
    (letter,) = OutboxMessage.objects.all()
    assert letter.to == "j@example.org"
    assert "J.2024-03-02.1.experiment.impc.xml, line 1, column 21" in letter.body
    assert NAME not in letter.body


def test_a_report_is_put_on_the_source_if_the_centre_wants_it(failed):
    """As JSON and as a page; a source that refuses is told in the session, which is no failure of it."""
    Centre.objects.filter(short_name="J").update(report_back=True)
    failed.run()
    base = failed.folder / "partners" / "J" / "main"
    told = json.loads((base / "opilio-report.json").read_text())
    assert told["centre"] == "J"
    assert {one["delivery"] for one in told["issues"]} >= {NAME, "J.2024-03-01.1.impc.zip"}
    assert "J.2024-03-01.1.impc.zip" in (base / "opilio-report.html").read_text()
    assert failed.last_session().figures["reports"] == 1
    (base / "opilio-report.json").unlink()
    (base / "opilio-report.json").mkdir()
    failed.lay("J.2024-03-02.1.impc.zip")
    failed.run()
    assert "J/main" in failed.last_session().figures["refused_reports"]


def test_webhooks_hear_of_deliveries_and_sessions(failed, settings):
    """Signed and sent as any other event."""
    office = PostOffice(failed.town, settings)
    office.webhook(agency=failed.town.library)
    office.webhook(agency=None, name="Everything")
    failed.lay("J.2024-03-02.1.impc.zip", specimen=specimens("M3"))
    failed.run()
    taken, bad = office.message("delivery.taken"), office.message("delivery.failed")
    assert taken.body["data"]["centre"] == bad.body["data"]["centre"] == "J"
    assert taken.body["subject"]["name"] == "J.2024-03-02.1.impc.zip"
    assert bad.body["data"]["status"] == "failed"
    ended = office.message("session.ended")
    assert ended.body["data"]["status"] == str(DeliverySession.objects.get().status)


def test_the_feed_gives_issues_since_a_time(failed):
    """New ones, and old ones that were solved since; ask again from the time of the last one."""
    failed.run()
    system = failed.town.system
    first = issues(system, centre="J")
    assert {one.delivery for one in first} == {NAME, "J.2024-03-01.1.impc.zip", BAD_NAME}
    assert [one.at for one in first] == sorted(one.at for one in first)
    wrong = next(one for one in first if one.document.endswith("experiment.impc.xml") and one.line)
    assert (wrong.line, wrong.column, wrong.level, wrong.active) == (1, 21, "fatal", True)
    assert len(issues(system, centre="J", limit=1)) == 1
    last = first[-1].at
    DeliveryFinding.objects.update(last_update=last - timedelta(days=1))
    DocumentFinding.objects.update(last_update=last - timedelta(days=1))
    failed.lay("J.2024-03-02.1.impc.zip", specimen=specimens("M9"))
    failed.run()
    (solved,) = issues(system, centre="J", since=last)
    assert (solved.record_key, solved.active) == ("E1", False)
    assert issues(system, centre="J", since=last, active=True) == []
    assert issues(system, centre="H") == []


def test_a_name_that_does_not_conform_is_an_issue_of_whoever_offers_it(failed):
    """Its maker is not known; its host is."""
    failed.run()
    named = [one for one in issues(failed.town.system) if one.delivery == BAD_NAME]
    assert named
    assert named[0].centre in ("", "J")


def test_what_failed_and_was_not_delivered_again(failed):
    """Records that were refused, until a version of them is loaded."""
    failed.run()
    centre = Centre.objects.get(short_name="J")
    assert not_resubmitted(centre) == [{"kind": "experiment", "key": "E1"}]
    failed.lay("J.2024-03-02.1.impc.zip", specimen=specimens("M8"), experiment=experiments(("E1", "M8")))
    failed.run()
    assert not_resubmitted(centre) == []


def test_a_partner_sees_its_own_centre_only(failed):
    """By the agency of its user."""
    failed.run()
    stranger = failed.town.actor(agency=failed.town.museum, privileges={Privilege.VIEW_DELIVERIES: Scope.AGENCY})
    partner = failed.town.actor(privileges={Privilege.VIEW_DELIVERIES: Scope.AGENCY})
    assert issues(stranger) == issues(stranger, centre="J") == []
    assert issues(partner, centre="J") == issues(failed.town.system, centre="J")


def test_forms_of_a_report(failed):
    """Text, page, JSON and CSV tell the same; what a partner wrote is not taken for code."""
    failed.run()
    DocumentFinding.objects.filter(kind__short_name="specimen-submitted").update(message="=1+1 <b>")
    centre = Centre.objects.get(short_name="J")
    report = made_for(centre, failed.clock.now())
    assert "<b>" in centre_report.as_text(report)
    assert "&lt;b&gt;" in centre_report.as_html(report)
    rows = list(csv.DictReader(io.StringIO(centre_report.as_csv(report))))
    assert len(rows) == len(report.issues)
    assert "'=1+1 <b>" in {row["message"] for row in rows}
    assert json.loads(centre_report.as_json(report))["counts"] == dict(report.counts)
    assert report.counts["schema failed"] == 1
    later = made_for(centre, failed.clock.now(), since=datetime(2999, 1, 1, tzinfo=UTC))
    assert later.empty
    assert "Nothing is wrong" in centre_report.as_text(later)


def test_a_centre_is_told_to_get_reports_by_command(hub, capsys):
    """And not to."""
    for word, wanted in (("--report-mail", True), ("--no-report-mail", False)):
        assert main(["centre", "update", "J", word, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["report mail"] is wanted
        assert Centre.objects.get(short_name="J").report_mail is wanted


def test_reports_by_command(failed, capsys, tmp_path):
    """To the screen or a file; a centre, a form or a time that is none is refused."""
    failed.run()
    page = tmp_path / "report.html"
    assert main(["delivery", "report", "J", "--form", "html", "--to", str(page)]) == 0
    assert NAME in page.read_text()
    capsys.readouterr()
    assert main(["delivery", "issues", "--centre", "J", "--since", "2020-01-01", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["issues"]) == len(issues(failed.town.system, centre="J"))
    assert main(["delivery", "report", "J", "--form", "pdf"]) == 2
    assert main(["delivery", "report", "J", "--since", "yesterday"]) == 2
    assert main(["delivery", "report", "Nobody"]) == 4
