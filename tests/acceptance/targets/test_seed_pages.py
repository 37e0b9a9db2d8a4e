"""The panel of a target's seeds: list, add, change, delete and done, with the rights of each in a sentence."""

import html

import pytest

from opilio.curation.actions.target_moves import approve_target
from opilio.curation.models import ExcludedUrl, PermissionStatus, Seed, SeedPermission, State, Target
from opilio.people.privileges import Privilege, Scope

URL = "http://www.site.example/"


@pytest.fixture
def curator(enter):
    """May edit targets of the library."""
    return enter("curator", privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})


@pytest.fixture
def target(desk, curator):
    """A pending target of the curator."""
    return desk.target(owner=curator.user)


def _send(browser, path, status=302, **fields):
    answer = browser.send(path, fields)
    assert answer.status_code == status, answer.content.decode()
    return html.unescape(answer.content.decode()) if status != 302 else answer["Location"]


def _add(browser, target, status=302, **fields):
    return _send(browser, f"/targets/{target.pk}/seeds", status, **{"active": "on", "link": "auto", **fields})


def test_a_seed_is_added_with_its_limits(curator, target):
    """Root string, depth limit, page limit, append string and flags."""
    _add(curator, target, url="WWW.Site.Example", root="http://www.site.example/news", depth_limit="3", page_limit="0",
         append="?print=1", primary="on")  # fmt: skip
    seed = Seed.objects.get(target=target)
    assert (seed.url, seed.host, seed.root) == (URL, "www.site.example", "http://www.site.example/news")
    assert (seed.depth_limit, seed.page_limit, seed.append) == (3, None, "?print=1")
    assert (seed.active, seed.primary) == (True, True)
    page = curator.see(f"/targets/{target.pk}/seeds")
    assert "depth 3" in page
    assert "appends ?print=1" in page


def test_a_new_seed_is_linked_with_what_matches(curator, desk, target):
    """And the panel tells its right in a sentence."""
    permission = desk.permission("http://www.site.example/*", domains=["www.site.example"], display_name="Site letter")
    _add(curator, target, url=URL)
    assert SeedPermission.objects.get().permission == permission
    page = html.unescape(curator.see(f"/targets/{target.pk}/seeds"))
    assert "It may be collected today by the permission “Site letter”, without end." in page


def test_a_seed_is_linked_later_or_with_a_quick_pick(curator, desk, target):
    """As the form says."""
    desk.permission("http://www.site.example/*", domains=["www.site.example"])
    pick = desk.permission("http://*.example/*", quick_pick=True, display_name="Legal deposit")
    _add(curator, target, url=URL, link="later")
    assert not SeedPermission.objects.exists()
    _add(curator, target, url="http://other.example/", link="permission", permission=pick.id)
    link = SeedPermission.objects.get()
    assert (link.permission, link.linked) == (pick, "quick-pick")


def test_a_permission_is_found_by_title_or_url_and_linked(curator, desk, target):
    """Also one whose patterns do not match."""
    authorisation = desk.authorisation("http://elsewhere.example/*", title="Harbour papers")
    permission = desk.permission(authorisation=authorisation)
    seed = desk.seed(target)
    for text in ("harbour", "elsewhere.ex"):
        assert f'<option value="{permission.id}">' in curator.see(f"/targets/{target.pk}/seeds", find=text)
    _send(curator, f"/seeds/{seed.id}/link", permission=permission.id)
    assert SeedPermission.objects.get().linked == "manual"
    _send(curator, f"/seeds/{seed.id}/unlink", permission=permission.id)
    assert not SeedPermission.objects.exists()


def test_a_permission_that_was_looked_for_is_taken_by_the_form(curator, desk, target):
    """The form carries along what was looked for."""
    permission = desk.permission(authorisation=desk.authorisation("http://b.example/*", title="Harbour papers"))
    _add(curator, target, url=URL, link="permission", permission=permission.id, find="harbour")
    assert SeedPermission.objects.get().permission == permission


def test_a_permission_of_another_agency_is_refused(curator, desk, target, town):
    """Whoever asks for it."""
    foreign = desk.permission("http://www.site.example/*", agency=town.museum)
    seed = desk.seed(target)
    assert "another agency" in _send(curator, f"/seeds/{seed.id}/link", 422, permission=foreign.id)


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("ftp://site.example/", "http"), ("javascript:alert(1)", "http"), ("http://", "not a URL"),
        ("http://user:secret@site.example/", "credential"), ("http://site.example/" + "x" * 2_100, "at most"),
        ("http://exa mple/", "not a URL"), ("", "required"),
    ],
)  # fmt: skip
def test_an_address_that_cannot_be_fetched_is_refused(curator, target, url, word):
    """With a word on why, and what was typed kept."""
    told = _add(curator, target, 422, url=url)
    assert word in told
    assert not Seed.objects.exists()


@pytest.mark.parametrize(
    "fields", [{"depth_limit": "-1"}, {"page_limit": "many"}, {"append": "a b"}, {"root": "gopher://x"},
               {"credential": "99"}, {"link": "permission"}, {"link": "sideways"}, {"permission": "99999"}]
)  # fmt: skip
def test_a_faulty_field_is_told(curator, target, fields):
    """Nothing is added."""
    assert "another look" in _add(curator, target, 422, url=URL, **fields)
    assert not Seed.objects.exists()


def test_a_seed_is_there_once(curator, desk, target):
    """In its canonical form."""
    desk.seed(target, URL)
    assert "has this seed already" in _add(curator, target, 422, url="HTTP://WWW.SITE.EXAMPLE:80/#top")


def test_a_seed_is_changed_in_the_panel(curator, desk, target):
    """Its form is open in its place; with another URL its links are looked up anew."""
    old = desk.permission("http://www.site.example/*", domains=["www.site.example"])
    new = desk.permission("http://new.example/*", domains=["new.example"])
    by_hand = desk.permission("http://c.example/*")
    seed = desk.seed(target)
    desk.link(seed, old, "auto")
    desk.link(seed, by_hand)
    assert f'action="/seeds/{seed.id}"' in curator.see(f"/seeds/{seed.id}")
    _send(curator, f"/seeds/{seed.id}", version=1, url="http://new.example/", position=4, depth_limit=2)
    seed.refresh_from_db()
    assert (seed.url, seed.position, seed.depth_limit, seed.active) == ("http://new.example/", 4, 2, False)
    assert set(seed.links.values_list("permission_id", flat=True)) == {new.id, by_hand.id}
    told = _send(curator, f"/seeds/{seed.id}", 409, version=1, url="http://new.example/", position=4)
    assert "Two versions of" in told


def test_a_seed_is_deleted_from_the_panel(curator, desk, target):
    """And the browser comes back to it."""
    seed = desk.seed(target)
    where = _send(curator, f"/rows/seed/{seed.id}/delete", next=f"/targets/{target.pk}/seeds")
    assert where == f"/targets/{target.pk}/seeds"
    assert not Seed.objects.filter(id=seed.id).exists()


@pytest.mark.parametrize("change", ["add", "delete", "link", "exclude"])
def test_a_change_of_seeds_sends_an_approved_target_back(curator, desk, town, change):
    """For whoever may not approve it."""
    target = desk.approvable(owner=curator.user)
    second = desk.seed(target, "http://two.example/")
    permission = desk.permission("http://two.example/*")
    desk.link(second, permission)
    approve_target(town.system, target_id=target.pk)
    changes = {
        "add": (f"/targets/{target.pk}/seeds", {"url": "http://three.example/", "link": "later"}),
        "delete": (f"/rows/seed/{second.id}/delete", {}),
        "link": (f"/seeds/{second.id}/unlink", {"permission": permission.id}),
        "exclude": (f"/targets/{target.pk}/excluded", {"url": "http://two.example/private"}),
    }
    path, fields = changes[change]
    _send(curator, path, **fields)
    assert Target.objects.get(pk=target.pk).state == State.NOMINATED


def test_the_last_seed_of_an_approved_target_stays(curator, desk):
    """It would be approved for nothing."""
    target = desk.approvable(owner=curator.user, state=State.APPROVED)
    assert "last seed" in _send(curator, f"/rows/seed/{target.seeds.get().id}/delete", 409)


def test_a_list_of_seeds_tells_its_bad_lines(curator, desk, target):
    """Nothing is added until the good ones are asked for."""
    desk.seed(target, "http://known.example/")
    text = "http://a.example/\n\n# later\nftp://b.example/\nhttp://a.example/#x\nhttp://known.example/\nc.example\n"
    path = f"/targets/{target.pk}/seeds/import"
    told = _send(curator, path, 422, text=text, link="later")
    assert "3 lines cannot be used, 2 can" in told
    for number, word in ((4, "ftp"), (5, "line 1 already"), (6, "has this seed already")):
        assert f'<td class="numeric">{number}</td>' in told
        assert word in told
    assert target.seeds.count() == 1
    _send(curator, path, text=text, link="later", only_good="on")
    assert set(target.seeds.values_list("url", flat=True)) == {
        "http://known.example/", "http://a.example/", "http://c.example/",
    }  # fmt: skip


def test_a_list_without_a_bad_line_is_added_at_once(curator, target):
    """In its order."""
    text = "\n".join(f"http://site{number}.example/" for number in range(60))
    _send(curator, f"/targets/{target.pk}/seeds/import", text=text, link="later")
    assert target.seeds.count() == 60
    assert "http://site59.example/" not in curator.see(f"/targets/{target.pk}/seeds")
    assert "http://site59.example/" in curator.see(f"/targets/{target.pk}/seeds", page="2")
    assert target.seeds.filter(primary=True).get().url == "http://site0.example/"


def test_the_panel_explains_what_is_wrong(curator, desk, target):
    """A refused permission by its name."""
    refused = desk.permission(
        "http://www.site.example/*", status=PermissionStatus.REJECTED, display_name="Refusal of May"
    )
    desk.link(desk.seed(target), refused)
    page = html.unescape(curator.see(f"/targets/{target.pk}/seeds"))
    assert "“Refusal of May”" in page
    assert "rejected" in page.lower()


def test_what_matches_is_linked_at_the_press_of_a_button(curator, desk, target):
    """For seeds that were to be linked later."""
    seed = desk.seed(target)
    desk.permission("http://www.site.example/*", domains=["www.site.example"])
    _send(curator, f"/seeds/{seed.id}/match")
    assert seed.links.count() == 1
    assert curator.send(f"/seeds/{seed.id}/juggle").status_code == 404


def test_a_page_is_left_out_exactly(curator, target):
    """Added, changed and deleted in one panel."""
    path = f"/targets/{target.pk}/excluded"
    _send(curator, path, url="http://www.site.example/private", reason="Personal data")
    row = ExcludedUrl.objects.get()
    assert "Personal data" in curator.see(path)
    _send(curator, f"/excluded-urls/{row.id}", version=1, url="http://www.site.example/old", reason="")
    row.refresh_from_db()
    assert row.url == "http://www.site.example/old"
    assert "leaves this page out already" in _send(curator, path, 422, url="http://www.site.example/old")
    _send(curator, f"/rows/excluded-url/{row.id}/delete", next=path)
    assert not ExcludedUrl.objects.exists()


def test_the_list_of_all_seeds_finds_those_without_a_permission(curator, desk, target, django_assert_max_num_queries):
    """In few questions to the database."""
    desk.seed(target, "http://bare.example/")
    linked = desk.seed(target, "http://linked.example/")
    desk.link(linked, desk.permission("http://linked.example/*"))
    with django_assert_max_num_queries(15):
        page = curator.see("/seeds", state="unlinked")
    assert "http://bare.example/" in page
    assert "http://linked.example/" not in page
