"""The page of parameters: a save writes what was changed on it, and never over somebody else's change unasked."""

import html
import re

import pytest

from opilio.people.parameters import values
from opilio.people.privileges import Privilege, Scope

PATH = "/admin/parameters"


def sent_by(text):
    """What a browser would send of the form on a page, before anything is typed."""
    main = text.split("<main")[1]
    inputs = [dict(re.findall(r'([\w-]+)="([^"]*)"', one)) | {"checked": " checked" in one}
              for one in re.findall(r"<input[^>]*>", main)]  # fmt: skip
    return {
        one["name"]: html.unescape(one.get("value", "on" if one["checked"] else ""))
        for one in inputs
        if one["name"] != "csrfmiddlewaretoken" and (one.get("type") != "checkbox" or one["checked"])
    }


def rows_that_differ(text):
    """Of the page with both versions, what stands in the rows that differ: field, mine, theirs."""
    rows = re.findall(r'<tr class="differs">(.*?)</tr>', text, re.S)
    return {
        re.search(r'<th scope="row">([^<]*?) *<', row).group(1): tuple(
            re.findall(r'<td class="prewrap">(.*?)</td>', row)
        )
        for row in rows
    }


@pytest.fixture
def form(administrator):
    """The form as the administrator opened it, before anybody else changed anything."""
    return sent_by(administrator.see(PATH))


@pytest.fixture
def colleague(town):
    """Changes parameters as somebody else: `colleague("archivist", institution="…")`."""

    def change(username, **texts):
        actor = town.actor(username=username, privileges={Privilege.CONFIGURE_PARAMETERS: Scope.NONE})
        for name, text in texts.items():
            town.parameter(name, text, actor=actor)

    return change


def test_a_parameter_is_changed(administrator, form):
    """What was typed holds at once; a number out of range is told and not written."""
    assert administrator.send(PATH, {**form, "institution": "Town Archive"}).status_code == 302
    assert "Town Archive" in administrator.see("/in-tray")
    form = sent_by(administrator.see(PATH))
    assert administrator.send(PATH, {**form, "rows_per_page": "1"}).status_code == 422
    assert values()["rows_per_page"] == 50


def test_a_box_is_cleared_and_ticked(administrator, form):
    """A box that is cleared counts as changed, and so does one that is ticked again."""
    form.pop("offer_cross_agency_search")
    administrator.send(PATH, form)
    assert values()["offer_cross_agency_search"] is False
    form = sent_by(administrator.see(PATH))
    administrator.send(PATH, {**form, "offer_cross_agency_search": "on"})
    assert values()["offer_cross_agency_search"] is True


def test_an_old_page_writes_nothing_back(administrator, form, colleague):
    """Fields that were not touched keep what somebody else saved meanwhile, whatever the page still shows."""
    colleague("archivist", institution="Theirs", offer_cross_agency_search="no")
    assert administrator.send(PATH, {**form, "rows_per_page": "25"}).status_code == 302
    assert "1 changed." in administrator.see(PATH)
    now = values()
    assert (now["institution"], now["rows_per_page"], now["offer_cross_agency_search"]) == ("Theirs", 25, False)


def test_the_same_change_twice_is_no_conflict(administrator, form, colleague):
    """Two people who write the same need not compare it."""
    colleague("archivist", institution="Town Archive")
    assert administrator.send(PATH, {**form, "institution": "Town Archive"}).status_code == 302
    assert "Nothing was changed." in administrator.see(PATH)


@pytest.fixture
def conflict(administrator, form, colleague):
    """Both fields that the administrator changed were changed by others, and a third that nobody touched here."""
    colleague("archivist", institution="Theirs", sign_in_notice="Mind the step")
    colleague("curator", rows_per_page="75")
    mine = {**form, "institution": "Mine", "rows_per_page": "25", "keep_notifications_days": "30"}
    answer = administrator.send(PATH, mine)
    assert answer.status_code == 409
    return answer.content.decode()


def test_both_versions_are_shown(conflict):
    """Each field that two people changed is shown with both values, and who changed it; nothing is written yet."""
    assert rows_that_differ(conflict) == {
        "Name of the institution": ("Mine", "Theirs"),
        "Rows per page": ("25", "75"),
        "Days to keep read notifications": ("30", "90"),
    }
    assert "Parameters Name of the institution, Rows per page were changed by archivist, curator" in conflict
    now = values()
    assert (now["institution"], now["rows_per_page"], now["keep_notifications_days"]) == ("Theirs", 75, 90)


def test_mine_is_saved_over_theirs(administrator, conflict):
    """What was changed here is written; what only others changed stays theirs."""
    assert administrator.send(PATH, sent_by(conflict)).status_code == 302
    now = values()
    assert (now["institution"], now["rows_per_page"], now["keep_notifications_days"]) == ("Mine", 25, 30)
    assert now["sign_in_notice"] == "Mind the step"


def test_editing_goes_on(administrator, conflict):
    """The form comes back with what was typed here and, in the other fields, with what holds now."""
    text = administrator.send(PATH, {**sent_by(conflict), "keep-editing": "yes"}).content.decode()
    form = sent_by(text)
    assert (form["institution"], form["rows_per_page"], form["sign_in_notice"]) == ("Mine", "25", "Mind the step")
    assert administrator.send(PATH, {**form, "rows_per_page": "20"}).status_code == 302
    assert (values()["institution"], values()["rows_per_page"]) == ("Mine", 20)


def test_a_third_change_is_shown_again(administrator, conflict, colleague):
    """Whoever saves over a version sees the one that came meanwhile."""
    colleague("reviewer", institution="Third")
    answer = administrator.send(PATH, sent_by(conflict))
    assert answer.status_code == 409
    assert rows_that_differ(answer.content.decode())["Name of the institution"] == ("Mine", "Third")


@pytest.mark.parametrize("version", ["", "0", "x", "9" * 30])
def test_a_bad_version_is_refused(administrator, form, version):
    """A version that is missing or none is told; one that never was is stale. Nothing is written."""
    answer = administrator.send(PATH, {**form, "institution": "Mine", "version-of-institution": version})
    assert answer.status_code == (409 if version.startswith("9") else 422)
    assert values()["institution"] == "Opilio"
