"""The pages of profiles, overrides and credentials."""

import json

import pytest

from opilio.curation.actions.credentials import create_credential
from opilio.curation.models import Credential, Overrides, Profile, Target
from opilio.curation.profile_fields import to_typed
from opilio.curation.profile_settings import ProfileSettings, from_plain
from opilio.people.privileges import Privilege, Scope

HOSTILE = '<script>alert("x")</script> \u202e😀 \'"'
SECRET = "correct-horse-battery"


def _form(**changes):
    """What a browser sends for all fields of a profile."""
    typed = {**to_typed(ProfileSettings()), "name": "Weekly", "description": "", "level": "1", **changes}
    return {name: "on" if value is True else value for name, value in typed.items() if value not in (None, False)}


@pytest.fixture
def profile(desk):
    return desk.profile(name="Weekly", settings={"version": 1, "limits": {"pages": 5}})


def test_a_profile_is_made_on_the_page(manager, town):
    """Every field is read; the list shows it."""
    sent = _form(
        agency=town.library.id,
        **{"limits.pages": "50", "scope.exclude": "/print/\n/share/", "manners.preset": "gentle"},
    )
    answer = manager.send("/admin/profiles/new", sent)
    row = Profile.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/admin/profiles/{row.pk}")
    settings = from_plain(row.settings)
    assert (settings.limits.pages, settings.scope.exclude, settings.manners.preset) == (
        50,
        ("/print/", "/share/"),
        "gentle",
    )
    assert "Weekly" in manager.see("/admin/profiles")
    assert "/print/" in manager.see(f"/admin/profiles/{row.pk}")


def test_wrong_settings_stand_beside_their_fields(manager, town):
    """Nothing is lost of what was typed."""
    sent = _form(
        agency=town.library.id, **{"scope.exclude": "(?=x)", "limits.pages": "-4", "scope.query.names": HOSTILE}
    )
    answer = manager.send("/admin/profiles/new", sent)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "is no expression" in text
    assert "limits.pages" not in Profile.objects.values_list("name", flat=True)
    assert "<script>alert" not in text
    assert not Profile.objects.exists()


def test_a_profile_is_changed_and_its_versions_compared(manager, profile):
    """The diff names the setting, before and after."""
    start = to_typed(from_plain(profile.settings))
    manager.send(f"/admin/profiles/{profile.pk}", _form(**start, version="1"))
    manager.send(f"/admin/profiles/{profile.pk}", _form(**{**start, "limits.pages": "9"}, version="2"))
    text = manager.see(f"/admin/profiles/{profile.pk}/versions")
    assert "limits.pages" in text
    stale = manager.send(f"/admin/profiles/{profile.pk}", _form(**start, version="1"))
    assert stale.status_code == 409


def test_a_profile_goes_out_and_comes_in(manager, town, profile):
    """Export and import give the same settings under another name."""
    answer = manager.get(f"/admin/profiles/{profile.pk}/export")
    assert "attachment" in answer["Content-Disposition"]
    document = answer.content.decode()
    manager.send("/admin/profiles/import", {"agency": town.library.id, "name": "Again", "document": document})
    made = Profile.objects.get(name="Again")
    assert from_plain(made.settings) == from_plain(profile.settings)
    for wrong in ("{", "[]", json.dumps({"format": "other"}), json.dumps({"format": "opilio-profile", "name": 5})):
        refused = manager.send("/admin/profiles/import", {"agency": town.library.id, "name": "", "document": wrong})
        assert refused.status_code == 422


def test_a_profile_is_copied_switched_and_transferred(manager, desk, profile):
    """Each button does what it says."""
    target = desk.target(profile=profile)
    manager.send(f"/admin/profiles/{profile.pk}/copy", {"name": "Copy"})
    made = Profile.objects.get(name="Copy")
    manager.send(f"/admin/profiles/{made.pk}/default")
    manager.send(f"/admin/profiles/{profile.pk}/transfer", {"into": made.pk})
    assert Target.objects.get(pk=target.pk).profile_id == made.pk
    manager.send(f"/admin/profiles/{profile.pk}/deactivate")
    assert Profile.objects.get(pk=profile.pk).status == 0
    assert manager.send(f"/admin/profiles/{profile.pk}/explode").status_code == 409


def test_who_may_only_look_cannot_save(enter, profile):
    """The fields are shown, disabled; a form that is sent nevertheless is refused."""
    reader = enter("reader", privileges={Privilege.VIEW_PROFILES: Scope.AGENCY})
    text = reader.see(f"/admin/profiles/{profile.pk}")
    assert "disabled" in text
    assert reader.send(f"/admin/profiles/{profile.pk}", _form(version="1")).status_code == 403


def test_overrides_are_tried_and_saved(manager, desk):
    """“Try” says which pattern decides and saves nothing; “Save” saves."""
    target = desk.target(name=HOSTILE[:60])
    path = f"/overrides/{target.pk}"
    sent = {
        "version": "1", "robots_policy": "obey", "politeness": "polite", "exclusions": "/print/\n/x/",
        "inclusions": "/print/me", "overrides_exclusions": "on", "overrides_inclusions": "on", "max_hops": "3",
        "overrides_max_hops": "on", "urls": "http://www.site.example/print/1\nhttp://www.site.example/print/me\nnonsense",
    }  # fmt: skip
    tried = manager.send(path, {**sent, "keep-editing": "try"})
    text = tried.content.decode()
    assert tried.status_code == 200
    assert "/print/ leaves it out." in text
    assert "keeps it nevertheless" in text
    assert "<script>alert" not in text
    assert not Overrides.objects.exists()
    assert manager.send(path, sent)["Location"] == path
    assert "/print/me" in manager.see(path)
    wrong = manager.send(path, {**sent, "version": "2", "exclusions": "(?<=x)", "keep-editing": "try"})
    assert "is no expression" in wrong.content.decode()
    stale = manager.send(path, {**sent, "version": "1", "max_hops": "4"})
    assert stale.status_code == 409


def test_credentials_are_typed_and_never_shown(manager, desk):
    """The form takes a secret; no page gives it back."""
    target = desk.target()
    sent = {"kind": "basic", "domain": "www.site.example", "username": "reader", "secret": SECRET}
    assert manager.send(f"/overrides/{target.pk}/credentials/new", sent).status_code == 302
    row = Credential.objects.get()
    page = manager.see(f"/overrides/{target.pk}") + manager.see(f"/overrides/credentials/{row.pk}")
    assert "kept, encrypted" in page
    assert SECRET not in page
    assert row.secret not in page
    again = manager.send(f"/overrides/{target.pk}/credentials/new", {**sent, "username": "a:b"})
    assert again.status_code == 422
    assert SECRET not in again.content.decode()
    moved = manager.send(
        f"/overrides/credentials/{row.pk}", {**sent, "domain": "evil.example", "secret": "", "version": "1"}
    )
    assert moved.status_code == 422
    assert (
        manager.send(f"/overrides/credentials/{row.pk}", {**sent, "secret": "other", "version": "1"}).status_code == 302
    )


def test_foreign_overrides_are_hidden(manager, town, desk):
    """Another agency's target and its credential are not there."""
    target = desk.target(agency=town.museum)
    row = create_credential(
        town.system, holder_id=target.pk, kind="basic", domain="a.example", username="a", secret="b"
    )
    for path in (
        f"/overrides/{target.pk}",
        f"/overrides/credentials/{row.pk}",
        f"/overrides/{target.pk}/credentials/new",
    ):
        assert manager.get(path).status_code == 404


def test_pages_ask_few_questions(manager, desk, django_assert_max_num_queries):
    """However many profiles there are."""
    rows = [desk.profile(settings={"version": 1}) for _ in range(8)]
    for path in ("/admin/profiles", f"/admin/profiles/{rows[0].pk}", f"/admin/profiles/{rows[0].pk}/versions"):
        with django_assert_max_num_queries(15):
            manager.see(path)
    target = desk.target()
    with django_assert_max_num_queries(15):
        manager.see(f"/overrides/{target.pk}")
