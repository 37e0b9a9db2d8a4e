"""Forms keep what was typed, tell faults beside the fields, and never lose anybody's change."""

import pytest

from opilio.people.actions.agencies import update_agency
from opilio.people.actions.roles import update_role
from opilio.people.queries import people
from tests.acceptance.pages.words import checked, value_of


@pytest.fixture
def ready_roles():
    """The agencies have the ready roles."""
    return True


@pytest.fixture
def agency(town):
    return town.museum


def form_of(agency, **changes):
    """What the form of an agency sends."""
    values = {name: getattr(agency, name) for name in ("name", "url", "logo_url", "email", "phone", "fax", "address")}
    return {**values, "time_zone": agency.time_zone, "version": agency.version, **changes}


def test_help_stands_beside_every_field(administrator):
    """The sentence of the table's column is the help text, tied to the field for screen readers."""
    text = administrator.see("/admin/agencies/new")
    assert "Postal address, as it should stand in letters." in text
    assert 'aria-describedby="id_address_helptext"' in text
    assert 'id="id_address_helptext"' in text


def test_faults_are_told_and_values_kept(administrator):
    """A faulty form comes back with a summary, words beside the fields, and all that was typed."""
    answer = administrator.send(
        "/admin/agencies/new", {"name": "", "email": "no address", "phone": "12 34", "time_zone": "UTC"}
    )
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "2 fields need another look:" in text
    assert '<a href="#id_email">E-mail</a>' in text
    assert 'aria-invalid="true"' in text
    assert value_of(text, "phone") == "12 34"
    assert value_of(text, "email") == "no address"


def test_what_the_action_refuses_is_told_in_the_form(administrator, town):
    """A name that is taken is told in the form, with what was typed."""
    answer = administrator.send("/admin/agencies/new", {"name": "Museum", "phone": "12 34", "time_zone": "UTC"})
    assert answer.status_code == 422
    assert "There is an agency of this name already; choose another." in answer.content.decode()
    assert value_of(answer.content.decode(), "phone") == "12 34"


def test_a_save_is_told_and_audited(administrator, agency):
    """A saved form leads back with a word, and the audit log has what changed."""
    path = f"/admin/agencies/{agency.id}"
    assert administrator.send(path, form_of(agency, phone="99")).headers["Location"] == path
    assert "Saved." in administrator.see(path)
    assert "agency.update" in administrator.see("/admin/audit", user="administrator")


@pytest.fixture
def stale(administrator, agency, town):
    """The answer to a save of an agency that somebody else changed meanwhile, and what was typed."""
    typed = form_of(agency, phone="mine 1", fax="mine 2")
    update_agency(
        town.system, agency_id=agency.id, version=agency.version, phone="theirs 1", email="theirs@house.example"
    )
    return administrator.send(f"/admin/agencies/{agency.id}", typed), typed


def test_a_stale_save_shows_both_versions(stale):
    """Both versions stand side by side, with the differing fields marked."""
    answer, _ = stale
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "was changed by the system since you opened it" in text
    assert '<td class="prewrap">mine 1</td><td class="prewrap">theirs 1</td>' in text
    assert '<td class="prewrap">–</td><td class="prewrap">theirs@house.example</td>' in text
    assert text.count('<tr class="differs">') == 3


def test_mine_can_be_saved_over_theirs(stale, administrator, agency, town):
    """Sending the page's own form again saves one's version over the newer one."""
    answer, typed = stale
    version = value_of(answer.content.decode(), "version")
    assert version == str(agency.version + 1)
    assert administrator.send(f"/admin/agencies/{agency.id}", {**typed, "version": version}).status_code == 302
    assert people.agency(town.system, agency.id).phone == "mine 1"


def test_editing_can_go_on(stale, administrator, agency, town):
    """One's own version goes back into the form, unsaved, on top of the newer one."""
    answer, typed = stale
    version = value_of(answer.content.decode(), "version")
    again = administrator.send(
        f"/admin/agencies/{agency.id}", {**typed, "version": version, "keep-editing": "yes"}
    ).content.decode()
    assert value_of(again, "phone") == "mine 1"
    assert value_of(again, "version") == version
    assert people.agency(town.system, agency.id).phone == "theirs 1"


def test_theirs_can_be_taken(stale, administrator, agency):
    """The page of the row shows their version."""
    assert value_of(administrator.see(f"/admin/agencies/{agency.id}"), "phone") == "theirs 1"


def test_a_form_without_its_version_is_refused(administrator, agency):
    """Leaving the version out does not go round the comparison."""
    typed = form_of(agency, phone="blind")
    del typed["version"]
    assert administrator.send(f"/admin/agencies/{agency.id}", typed).status_code == 422


def test_the_matrix_of_a_role(administrator, town):
    """The matrix shows what a role gives and saves what is chosen."""
    role = people.roles(town.system).get(agency=town.library, name="Reader")
    path = f"/admin/roles/{role.id}"
    text = administrator.see(path)
    assert checked(text, "privilege-VIEW_DELIVERIES") == "100"
    assert checked(text, "privilege-CREATE_TARGET") == ""
    chosen = {"privilege-LOGIN": "500", "privilege-CREATE_TARGET": "200", "privilege-VIEW_DELIVERIES": ""}
    form = {"name": "Reader", "description": "Reads.", "version": role.version, **chosen}
    assert administrator.send(path, form).status_code == 302
    assert people.privileges_of(role.id) == {"LOGIN": 500, "CREATE_TARGET": 200}
    assert checked(administrator.see(path), "privilege-CREATE_TARGET") == "200"


def test_a_stale_matrix_shows_each_privilege(administrator, town):
    """Two people who change a role at once see privilege by privilege what differs."""
    role = people.roles(town.system).get(agency=town.library, name="Reader")
    update_role(
        town.system, role_id=role.id, version=role.version, name="Reader", privileges={"LOGIN": 500, "TAKEDOWN": 100}
    )
    form = {"name": "Reader", "description": "", "version": role.version, "privilege-LOGIN": "500",
            "privilege-PURGE": "0"}  # fmt: skip
    answer = administrator.send(f"/admin/roles/{role.id}", form)
    text = answer.content.decode()
    assert answer.status_code == 409
    assert '<th scope="row">PURGE <span class="badge badge-warn">differs</span></th>' in text
    assert '<td class="prewrap">all</td><td class="prewrap">not given</td>' in text
    assert 'name="privilege-PURGE" value="0"' in text


def test_nobody_gives_more_than_they_hold(enter, town):
    """The refusal stands in the form, with the choice kept."""
    from_town = people.roles(town.system).get(agency=town.library, name="Administrator")
    browser = enter("chief", roles=[from_town])
    role = people.roles(town.system).get(agency=town.library, name="Reader")
    form = {"name": "Reader", "description": "", "version": role.version, "privilege-PURGE": "0"}
    answer = browser.send(f"/admin/roles/{role.id}", form)
    assert answer.status_code == 403
    assert "may not give away PURGE over everything" in answer.content.decode()
    assert checked(answer.content.decode(), "privilege-PURGE") == "0"


@pytest.mark.parametrize("odd", ["abc", "-1", "1e3", "99999999", "²"])
def test_odd_scopes(administrator, town, odd):
    """A scope that is none is told in the form."""
    role = people.roles(town.system).get(agency=town.library, name="Reader")
    form = {"name": "Reader", "description": "", "version": role.version, "privilege-PURGE": odd}
    assert administrator.send(f"/admin/roles/{role.id}", form).status_code == 422


def test_roles_given_at_once_by_two_are_set_side_by_side(administrator, town):
    """The second sees both sets and what they ticked; saving again goes over the newer version."""
    user = town.user("newcomer")
    chosen = town.role({}, name="Chosen here")
    other = town.role({}, name="Chosen elsewhere")
    field = f"agency-{town.library.id}"
    version = town.version_of(user)
    town.give(user, other)
    page = administrator.send(f"/admin/users/{user.id}/roles", {field: [chosen.id], "version": version})
    text = page.content.decode()
    assert page.status_code == 409
    assert "Chosen here" in text
    assert "Chosen elsewhere" in text
    again = {field: [chosen.id], "version": town.version_of(user)}
    assert administrator.send(f"/admin/users/{user.id}/roles", again).status_code == 302


def test_an_address_of_a_form_that_is_opened_tells_what_it_is(administrator):
    """As after a sign-in in between: a page, not an empty answer that a browser shows as a broken server."""
    told = administrator.get("/sign-out")
    assert told.status_code == 405
    assert told.headers["Allow"] == "POST"
    assert "Open the page with the form again" in told.content.decode()


def test_a_fault_begins_as_sentences_do(administrator):
    """Whatever part of the program tells it."""
    told = administrator.get("/reports/nothing").content.decode()
    assert "There is no report" in told
