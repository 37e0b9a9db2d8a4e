"""Overrides and credentials of targets: stored with switches, checked, audited without secrets, sealed."""

import pytest

from opilio.curation import credentials, overriding
from opilio.curation.actions.credentials import create_credential, update_credential
from opilio.curation.actions.overrides import update_overrides
from opilio.curation.models import AbstractTarget, Credential, Overrides, State, Target
from opilio.curation.queries import profiles as queries
from opilio.people.acting import action
from opilio.people.errors import InvalidFields, NotAllowed, NotFound, Stale
from opilio.people.models import AuditEntry
from opilio.people.privileges import Privilege, Scope

SECRET = "correct-horse-battery"


@pytest.fixture
def curator(town):
    return town.actor(
        privileges={
            Privilege.MODIFY_TARGET: Scope.AGENCY,
            Privilege.APPROVE_TARGET: Scope.AGENCY,
            Privilege.MANAGE_GROUP_OVERRIDES: Scope.AGENCY,
        }
    )


def _credential(actor, target, **more):
    given = {"kind": "basic", "domain": "www.site.example", "username": "reader", "secret": SECRET, **more}
    return create_credential(actor, holder_id=target.pk, **given)


def test_overrides_are_stored_with_their_switches(desk, curator):
    """Values, switches and patterns, in their order; what is not told stays."""
    target = desk.target()
    update_overrides(
        curator, holder_id=target.pk, version=1, max_documents=50, overrides_max_documents=True,
        excluded_mime_types="Video/*, audio/mpeg\nvideo/*", exclusions=["/b/", " /a/ ", "", "/b/"], inclusions=["/a/x"],
    )  # fmt: skip
    shown = queries.overrides_of(curator, target.pk)
    assert (shown.row.max_documents, shown.row.overrides_max_documents) == (50, True)
    assert shown.row.excluded_mime_types == "video/*\naudio/mpeg"
    assert (shown.exclusions, shown.inclusions) == (("/b/", "/a/"), ("/a/x",))
    update_overrides(curator, holder_id=target.pk, version=shown.row.version, max_hops=3)
    again = queries.overrides_of(curator, target.pk)
    assert (again.row.max_documents, again.row.max_hops, again.exclusions) == (50, 3, ("/b/", "/a/"))


def test_changes_of_patterns_are_audited(desk, curator):
    """The entry tells the patterns before and after."""
    target = desk.target()
    update_overrides(curator, holder_id=target.pk, version=1, exclusions=["/a/"])
    entry = AuditEntry.objects.filter(action="overrides.update", after__exclusions=["/a/"]).get()
    assert entry.before["exclusions"] == []


def test_overrides_that_cannot_be_used_are_refused(desk, curator):
    """Every field that is wrong is named; nothing is stored."""
    target = desk.target()
    with pytest.raises(InvalidFields) as refused:
        update_overrides(
            curator, holder_id=target.pk, version=1, max_bytes=-1, excluded_mime_types="video", exclusions=["(?=a)"],
            inclusions=["(b"],
        )  # fmt: skip
    assert set(refused.value.messages) == {"max_bytes", "excluded_mime_types", "exclusions", "inclusions"}
    assert not Overrides.objects.exists()
    with pytest.raises(InvalidFields):
        update_overrides(curator, holder_id=target.pk, version=1, robots_policy="sometimes")


def test_two_editors_of_overrides(desk, curator):
    """The second one is told, and sees both."""
    target = desk.target()
    update_overrides(curator, holder_id=target.pk, version=1, max_hops=1)
    with pytest.raises(Stale) as refused:
        update_overrides(curator, holder_id=target.pk, version=1, max_hops=2)
    assert refused.value.theirs["max_hops"] == 1


def test_an_approved_target_is_decided_upon_again(town, desk):
    """Somebody who may not approve changes overrides: the target is nominated, not approved, afterwards."""
    actor = town.actor(privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})
    target = desk.target(state=State.APPROVED)
    update_overrides(actor, holder_id=target.pk, version=1, max_hops=1)
    assert Target.objects.get(pk=target.pk).state == State.NOMINATED


def test_groups_need_a_privilege_of_their_own(town, desk, curator):
    """MODIFY_TARGET is not enough for a group."""
    group = desk.group()
    actor = town.holder(Privilege.MODIFY_TARGET, Scope.AGENCY)
    with pytest.raises(NotAllowed):
        update_overrides(actor, holder_id=group.pk, version=1, max_hops=1)
    update_overrides(curator, holder_id=group.pk, version=1, max_hops=1)
    with pytest.raises(NotFound):
        update_overrides(curator, holder_id=10**15, version=1)


def test_a_credential_is_sealed_and_never_shown(desk, curator):
    """Neither the row, nor a query, nor the audit log holds the secret, sealed or not; a crawl can open it."""
    target = desk.target()
    row = _credential(curator, target)
    stored = Credential.objects.get(id=row.id)
    assert stored.secret
    assert SECRET not in stored.secret
    assert credentials.opened(stored) == SECRET
    assert credentials.for_crawl(stored, https_only=True).way.password == SECRET
    shown = queries.overrides_of(curator, target.pk)
    assert shown.credentials[0].has_secret
    assert shown.row.overrides_credentials
    told = str([(entry.before, entry.after, entry.message) for entry in AuditEntry.objects.all()])
    assert SECRET not in told
    assert stored.secret not in told
    assert SECRET not in repr(shown)


def test_where_a_secret_goes_is_changed_only_with_it(desk, curator):
    """Without the secret nobody sends it to another host; with it, or without such a change, they may."""
    row = _credential(curator, desk.target())
    for change in ({"domain": "evil.example"}, {"kind": "digest"}, {"login_url": "http://evil.example/"}):
        with pytest.raises(InvalidFields) as refused:
            update_credential(curator, credential_id=row.id, version=1, **change)
        assert "secret" in refused.value.messages
    update_credential(curator, credential_id=row.id, version=1, domain="other.example", secret="new secret")
    stored = Credential.objects.get(id=row.id)
    assert (stored.domain, credentials.opened(stored)) == ("other.example", "new secret")
    assert update_credential(curator, credential_id=row.id, version=stored.version).version == stored.version


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"secret": ""}, "secret"), ({"username": ""}, "username"), ({"username": "a:b"}, "username"),
        ({"domain": "http://www.site.example/"}, "domain"), ({"domain": ""}, "domain"), ({"kind": "oauth"}, "kind"),
        ({"kind": "form", "login_url": ""}, "login_url"), ({"kind": "header", "header_name": "Host"}, "header_name"),
        ({"kind": "form", "login_url": "http://elsewhere.example/login"}, "login_url"),
        ({"kind": "cookie", "secret": "no pair here, at all"}, "secret"), ({"secret": "a\nb"}, "secret"),
    ],
)  # fmt: skip
def test_credentials_that_cannot_be_used_are_refused(desk, curator, fields, wrong):
    """The field is named, and the message never repeats the secret."""
    with pytest.raises(InvalidFields) as refused:
        _credential(curator, desk.target(), **fields)
    assert set(refused.value.messages) == {wrong}
    assert SECRET not in str(refused.value.messages)
    assert not Credential.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "digest", "realm": "staff"}, {"kind": "header", "header_name": "X-Key", "username": ""},
        {"kind": "cookie", "secret": "sid=1; theme=dark", "username": ""},
        {"kind": "form", "login_url": "https://www.site.example/login", "username_field": "u", "password_field": "p"},
        {"domain": "192.0.2.7"}, {"domain": "Site.Example:8443"}, {"kind": "negotiate"},
    ],
)  # fmt: skip
def test_every_kind_of_credential_reaches_the_crawl(desk, curator, fields):
    """What is stored is what the crawl engine takes."""
    row = Credential.objects.get(id=_credential(curator, desk.target(), **fields).id)
    assert credentials.for_crawl(row, https_only=True).kind == row.kind


def test_overrides_are_copied_with_their_credentials(town, desk, curator):
    """The copy opens its own secret, sealed for its own place."""
    source, into = desk.target(), desk.target()
    update_overrides(curator, holder_id=source.pk, version=1, max_hops=2, overrides_max_hops=True, exclusions=["/a/"])
    row = _credential(curator, source)

    @action("test.copy", "Copy.")
    def copy(act, /):
        act.require_that(True, "copy", "")
        return overriding.copy_overrides(
            act, AbstractTarget.objects.get(pk=source.pk).overrides, AbstractTarget.objects.get(pk=into.pk)
        )

    copy(town.system)
    shown = queries.overrides_of(curator, into.pk)
    assert (shown.row.max_hops, shown.row.overrides_max_hops, shown.exclusions) == (2, True, ("/a/",))
    made = Credential.objects.get(id=shown.credentials[0].id)
    assert made.secret != Credential.objects.get(id=row.id).secret
    assert credentials.opened(made) == SECRET


def test_credentials_of_other_agencies_are_not_there(town, desk, curator):
    """Neither seen nor changed."""
    foreign = _credential(town.system, desk.target(agency=town.museum))
    with pytest.raises(NotFound):
        queries.credential(curator, foreign.id)
    with pytest.raises(NotAllowed):
        update_credential(curator, credential_id=foreign.id, version=1, secret="mine now")
