"""Letters, e-mail, answer forms, reminders and the clockwork."""

import dataclasses
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.agents.chores import CHORES, watch_permissions
from opilio.agents.periodic import Turn
from opilio.curation import clockwork
from opilio.curation.actions.permission_answers import Asked, Outcome, Reply, Word, answer_permission, asked_by
from opilio.curation.actions.permission_requests import (
    NoPublicAddress,
    announce_permission,
    remind_permission,
    request_permission,
    revoke_forms,
)
from opilio.curation.actions.permission_templates import create_template, update_template
from opilio.curation.actions.permissions import approve_permission
from opilio.curation.models import Communication, Invitation, PermissionStatus
from opilio.curation.placeholders import PLACEHOLDERS, UnknownPlaceholder, check, filled, filled_html, used
from opilio.kernel.errors import Conflict
from opilio.kernel.settings import Settings
from opilio.people.errors import InvalidFields
from opilio.people.mail import letter, mark_sent
from opilio.people.models import AuditEntry, Notification, OutboxMessage, Task
from opilio.people.throttle import Rules
from tests.unit.curation.rights_desk import everything

BASE = "https://opilio.library.example"
RULES = Rules(free_failures=3, first_delay=60.0, max_delay=600.0)
TEXT = (
    "Dear {contact_name},\n\nmay {agency_name} collect\n{urls_plain}?\n\n{answer_url} until {answer_until}\n{user_name}"
)


@pytest.fixture
def archivist(town):
    return town.actor(first_name="Ada", last_name="Archivist", email="ada@library.example", privileges=everything())


@pytest.fixture
def asked(desk, town):
    """A pending permission of a publisher with an e-mail address."""
    agent = desk.agent(name="Publisher", contact="The editor", email="rights@publisher.example", address="Street 1")
    return desk.permission("http://site.example/*", agent=agent, status=PermissionStatus.PENDING)


@pytest.fixture
def by_mail(archivist, town):
    return create_template(
        archivist, agency_id=town.library.id, name="Request", kind="Email Template", text=TEXT,
        subject="May we collect {site_name}?", cc="a@library.example, b@library.example", bcc="c@library.example",
        reply_to="answers@library.example",
    )  # fmt: skip


def send(actor, permission, template, **more):
    return request_permission(actor, permission_id=permission.id, template_id=template.id, **{"base_url": BASE, **more})


def token_of(message):
    return message.body.partition("/answer/")[2].split()[0]


@pytest.fixture
def stranger(town):
    """Whoever opens the form."""
    return dataclasses.replace(town.system, username="", address="192.0.2.9")


def say(stranger, token, word=Word.GRANT, name="The editor", text=""):
    return answer_permission(stranger, token=token, reply=Reply(word=word, name=name, text=text), rules=RULES)


def test_an_email_goes_out(archivist, asked, by_mail):
    """The e-mail is filled, sent with its further addresses, logged without the secret; the permission is requested."""
    sent = send(archivist, asked, by_mail)
    message = OutboxMessage.objects.get()
    assert message.to == "rights@publisher.example"
    assert message.subject.startswith("May we collect Authorisation")
    assert "Dear The editor" in message.body
    assert "http://site.example/*" in message.body
    assert "Ada Archivist" in message.body
    posted = letter(message.id)
    assert posted.envelope.cc == ("a@library.example", "b@library.example")
    assert (posted.envelope.bcc, posted.envelope.reply_to) == (("c@library.example",), "answers@library.example")
    token = token_of(message)
    asked.refresh_from_db()
    assert (asked.status, asked.requested_at) == (PermissionStatus.REQUESTED, archivist.clock.now())
    assert token not in sent.communication.text
    assert token not in str(Communication.objects.values_list())
    assert token not in str(AuditEntry.objects.values_list())
    assert token not in str(Invitation.objects.values_list())
    mark_sent(message.id, archivist.clock.now())
    message.refresh_from_db()
    assert token not in f"{message.body} {message.envelope}"


def test_a_letter_is_printed(archivist, asked, town):
    """A letter is shown for printing: nothing is sent, and markup in it is shown, not obeyed."""
    town.library.logo_url = "https://library.example/logo.png"
    town.library.save()
    template = create_template(
        archivist, agency_id=town.library.id, name="Letter", kind="Print Template",
        text="{agency_logo_url}\n\n{contact_address}\n<script>{site_name}</script>\n\n{urls_html}",
    )  # fmt: skip
    asked.authorisation.title = "<b>bold</b>"
    asked.authorisation.save()
    sent = send(archivist, asked, template)
    assert not OutboxMessage.objects.exists()
    assert "&lt;script&gt;&lt;b&gt;bold&lt;/b&gt;&lt;/script&gt;" in sent.letter.html
    assert "<ul><li>http://site.example/*</li></ul>" in sent.letter.html
    assert '<img src="https://library.example/logo.png"' in sent.letter.html
    assert sent.communication.channel == "letter"


def test_a_letter_needs_to_know_where_the_form_is(archivist, asked, by_mail):
    """Without the address of the pages no letter with an answer form goes out."""
    with pytest.raises(NoPublicAddress):
        send(archivist, asked, by_mail, base_url="")
    asked.refresh_from_db()
    assert asked.status == PermissionStatus.PENDING


def test_who_has_no_address_cannot_be_mailed(archivist, asked, by_mail):
    """An authorising agent without an e-mail address is written a letter instead."""
    asked.agent.email = ""
    asked.agent.save()
    with pytest.raises(InvalidFields, match="no e-mail address"):
        send(archivist, asked, by_mail)
    assert not Invitation.objects.exists()


def test_only_open_permissions_are_asked_for(archivist, asked, by_mail):
    """What was decided is not asked for again."""
    approve_permission(archivist, permission_id=asked.id)
    with pytest.raises(Conflict, match="Approved already"):
        send(archivist, asked, by_mail)


def test_templates_of_another_agency_are_refused(archivist, desk, town, by_mail):
    """A request speaks for the agency of the permission."""
    other = desk.permission("http://b.example/*", agency=town.museum, status=PermissionStatus.PENDING)
    with pytest.raises(InvalidFields, match="template"):
        send(town.system, other, by_mail)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"text": "Dear {nobody}"}, "text"),
        ({"text": "Dear {}"}, "text"),
        ({"subject": "{contact_nam}"}, "text"),
        ({"subject": "{answer_url}"}, "subject"),
        ({"cc": "a@library.example, nobody"}, "cc"),
        ({"bcc": "<script>"}, "bcc"),
        ({"override_from": True}, "sender"),
        ({"sender": "nobody"}, "sender"),
        ({"kind": "Pigeon"}, "kind"),
        ({"text": "x" * 32_001}, "text"),
        ({"text": ""}, "text"),
        ({"name": ""}, "name"),
    ],
)
def test_templates_that_cannot_be_used(archivist, town, by_mail, fields, field):
    """Unknown placeholders and broken addresses are refused, when making and when changing a template."""
    good = {"name": "Another", "text": "Text", "kind": "Email Template"}
    with pytest.raises(InvalidFields) as refused:
        create_template(archivist, agency_id=town.library.id, **good | fields)
    assert field in refused.value.messages
    with pytest.raises(InvalidFields) as refused:
        update_template(archivist, template_id=by_mail.id, version=1, **fields)
    assert field in refused.value.messages


def test_every_placeholder_is_filled(archivist, asked, town):
    """Each name of the list stands for something in a letter."""
    text = "\n".join(f"{name}={{{name}}}" for name in PLACEHOLDERS)
    template = create_template(archivist, agency_id=town.library.id, name="All", kind="Email Template", text=text)
    lines = dict(line.partition("=")[::2] for line in send(archivist, asked, template).letter.text.splitlines())
    assert set(lines) == set(PLACEHOLDERS)
    assert lines["user_name"] == "Ada Archivist"
    assert lines["agency_name"] == "Library"
    assert lines["end_date"] == ""


def test_braces_that_are_meant():
    """Braces written twice stand for themselves, a single one without a name too."""
    assert filled("{{contact_name}} {contact_name} { x", {"contact_name": "N"}) == "{contact_name} N { x"
    assert used("{{contact_name}} { site_name }") == {"site_name"}
    with pytest.raises(UnknownPlaceholder, match="nothing"):
        check("{nothing}")


@given(st.text(max_size=80), st.text(max_size=40))
def test_letters_obey_no_markup(text, value):
    """Whatever stands in a template and in its values, the page gets no tags but our own."""
    html = filled_html(text + "{contact_name}", dict.fromkeys(PLACEHOLDERS, value))
    for ours in ("<p>", "</p>", "<br>", "<ul>", "</ul>", "<li>", "</li>"):
        html = html.replace(ours, "")
    assert "<" not in html


def test_the_form_opens_once(archivist, asked, by_mail, stranger, desk):
    """A grant by the form approves the permission, tells owners, is logged and audited, and closes the form."""
    target = desk.target(seeds=["http://site.example/"])
    desk.link(target.seeds.get(), asked)
    send(archivist, asked, by_mail)
    token = token_of(OutboxMessage.objects.get())
    shown = asked_by(stranger, token, RULES)
    assert isinstance(shown, Asked)
    assert (shown.agency, shown.urls) == ("Library", ("http://site.example/*",))
    assert say(stranger, token, text="With pleasure.") == Outcome(taken=True)
    asked.refresh_from_db()
    assert asked.status == PermissionStatus.APPROVED
    assert asked.response == "Granted by The editor: With pleasure."
    assert Notification.objects.get(kind="permission-approved").user_id == target.owner_id
    said = Communication.objects.get(channel="form")
    assert (said.outgoing, said.address) == (False, "rights@publisher.example")
    used_one = Invitation.objects.get()
    assert (used_one.used_from, used_one.answer["word"]) == ("192.0.2.9", "grant")
    entry = AuditEntry.objects.get(action="permission.answer", after__has_key="answer")
    assert entry.address == "192.0.2.9"
    assert say(stranger, token) == Outcome(taken=False)


def test_a_refusal_by_the_form(archivist, asked, by_mail, stranger):
    """A refusal rejects the permission."""
    send(archivist, asked, by_mail)
    assert say(stranger, token_of(OutboxMessage.objects.get()), Word.REFUSE).taken
    asked.refresh_from_db()
    assert asked.status == PermissionStatus.REJECTED


def test_conditions_are_decided_by_people(archivist, asked, by_mail, stranger):
    """Conditions are written down, and wait as a task for whoever confirms permissions."""
    send(archivist, asked, by_mail)
    token = token_of(OutboxMessage.objects.get())
    with pytest.raises(InvalidFields, match="conditions"):
        say(stranger, token, Word.CONDITIONS)
    assert say(stranger, token, Word.CONDITIONS, text="Not the forum.").taken
    asked.refresh_from_db()
    assert asked.status == PermissionStatus.REQUESTED
    assert "Not the forum." in Task.objects.get(kind="request-approval", resource_id=asked.id).message


@pytest.mark.parametrize("closed_by", ["time", "revoking", "deciding", "asking again", "deleting", "nonsense"])
def test_a_closed_form_says_nothing(archivist, asked, by_mail, stranger, town, closed_by):
    """Whatever closed a form, the answer is the same."""
    send(archivist, asked, by_mail)
    token = token_of(OutboxMessage.objects.get())
    if closed_by == "time":
        town.clock.advance(61 * 86_400)
    elif closed_by == "revoking":
        assert revoke_forms(archivist, permission_id=asked.id) == 1
    elif closed_by == "deciding":
        approve_permission(archivist, permission_id=asked.id)
    elif closed_by == "asking again":
        send(archivist, asked, by_mail)
    elif closed_by == "deleting":
        type(asked).everything.filter(id=asked.id).update(deleted=True)
    else:
        token = "\ud800" * 3
    assert asked_by(stranger, token, RULES) == Outcome()
    assert say(stranger, token) == Outcome()
    assert not Communication.objects.filter(channel="form").exists()


def test_guessing_must_wait(archivist, asked, by_mail, stranger, town):
    """After some wrong addresses even the right one must wait a while."""
    send(archivist, asked, by_mail)
    token = token_of(OutboxMessage.objects.get())
    for _ in range(4):
        waited = asked_by(stranger, "x" * 43, RULES)
    assert waited.wait > 0
    assert asked_by(stranger, token, RULES).wait > 0
    assert say(stranger, token).wait > 0
    town.clock.advance(700)
    assert isinstance(asked_by(stranger, token, RULES), Asked)


@pytest.mark.parametrize("reply", [{"name": " "}, {"name": "x" * 256}, {"text": "x" * 4_001}])
def test_answers_that_cannot_be_used(archivist, asked, by_mail, stranger, reply):
    """A faulty answer is refused, and the form stays open."""
    send(archivist, asked, by_mail)
    token = token_of(OutboxMessage.objects.get())
    with pytest.raises(InvalidFields):
        say(stranger, token, **reply)
    assert say(stranger, token).taken


def test_reminders_then_word_of_silence(archivist, asked, by_mail, town, desk):
    """After some weeks the agent is reminded, as often as the installation allows; then people are told."""
    target = desk.target(seeds=["http://site.example/"])
    desk.link(target.seeds.get(), asked)
    send(archivist, asked, by_mail)
    told = []
    for _ in range(5):
        town.clock.advance(22 * 86_400)
        told.append([(one.step.value, one.permission) for one in clockwork.due(town.clock.now())])
        clockwork.turn(town.system, base_url=BASE)
        assert clockwork.turn(town.system, base_url=BASE) == 0
    remind, tell = [("remind", asked.id)], [("announce", asked.id)]
    assert told == [remind, remind, tell, tell, tell]
    subjects = OutboxMessage.objects.order_by("id").values_list("subject", flat=True)
    assert [subject.startswith("Reminder: ") for subject in subjects] == [False, True, True]
    heard = set(Notification.objects.filter(kind="permission-unanswered").values_list("user_id", flat=True))
    assert heard == {target.owner_id, archivist.user}


def test_a_reminder_opens_a_new_form(archivist, asked, by_mail, stranger):
    """The address in a reminder works, the one before it does not."""
    send(archivist, asked, by_mail)
    remind_permission(archivist, permission_id=asked.id, base_url=BASE)
    first, second = (token_of(message) for message in OutboxMessage.objects.order_by("id"))
    assert not say(stranger, first).taken
    assert say(stranger, second).taken
    with pytest.raises(Conflict, match="not Requested"):
        remind_permission(archivist, permission_id=asked.id, base_url=BASE)


def test_expiry_is_announced_once(archivist, desk, town):
    """Owners and those who confirm permissions are told before the last day, once."""
    today = town.clock.now().date()
    near = desk.permission("http://a.example/*", end_date=today + timedelta(days=50))
    desk.permission("http://b.example/*", end_date=today + timedelta(days=500))
    desk.permission("http://c.example/*", end_date=today + timedelta(days=5), status=PermissionStatus.REJECTED)
    desk.permission("http://d.example/*", end_date=today - timedelta(days=5))
    assert clockwork.turn(town.system, base_url="") == 1
    (told,) = Notification.objects.filter(kind="permission-expiring")
    assert (told.user_id, told.resource_id) == (archivist.user, near.id)
    assert clockwork.turn(town.system, base_url="") == 0


def test_nothing_to_announce(archivist, desk):
    """A permission that neither expires nor waits has no news."""
    quiet = desk.permission("http://a.example/*", end_date=date(2030, 1, 1))
    with pytest.raises(Conflict, match="nothing to tell"):
        announce_permission(archivist, permission_id=quiet.id)


def test_the_clock_is_a_chore(desk, town, archivist):
    """Agents do what the calendar wants, with the address of the pages."""
    today = town.clock.now().date()
    desk.permission("http://a.example/*", end_date=today + timedelta(days=5))
    watch_permissions(
        Turn(held=None, clock=town.clock, settings=Settings(server_public_url=BASE), should_stop=lambda: False)
    )
    assert Notification.objects.filter(kind="permission-expiring", user_id=archivist.user).count() == 1
    assert "watch_permissions" in {chore.name for chore in CHORES}


def test_what_fails_is_told_and_tried_again(desk, town, monkeypatch):
    """A permission whose reminder cannot be made does not keep others from theirs."""
    waiting = desk.permission("http://a.example/*", agent=desk.agent(email="a@b.example"), status=1)
    type(waiting).objects.filter(id=waiting.id).update(requested_at=town.clock.now() - timedelta(days=99))
    desk.permission("http://b.example/*", end_date=town.clock.now().date() + timedelta(days=5))

    def stuck(actor, **given):
        raise Conflict("Somebody else changed it")

    monkeypatch.setattr(clockwork, "remind_permission", stuck)
    assert clockwork.turn(town.system, base_url=BASE) == 1
    assert [one.step.value for one in clockwork.due(town.clock.now())] == ["remind"]
