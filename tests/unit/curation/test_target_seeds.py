"""Seeds: what their URLs may be, how lists are read, what a copy takes along."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.curation.actions.seeds import add_seed, import_seeds, update_seed
from opilio.curation.actions.targets import copy_target, create_target, update_target
from opilio.curation.models import Credential, DublinCore, Overrides, Seed, State, Target
from opilio.curation.seed_lists import MOST_LINES, read_list
from opilio.curation.seed_urls import LONGEST, append_string, page_url, root_string
from opilio.kernel.urls import canonical
from opilio.people.errors import InvalidFields, NotAllowed, NotFound
from opilio.people.privileges import Privilege, Scope


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("www.Example.ORG", "http://www.example.org/"), (" https://example.org/a?b#c ", "https://example.org/a?b"),
        ("http://example.org:80/../x", "http://example.org/x"), ("http://bücher.example", "http://xn--bcher-kva.example/"),
        ("example.org/path", "http://example.org/path"), ("http://[::1]:8080/", "http://[::1]:8080/"),
    ],
)  # fmt: skip
def test_an_address_is_kept_in_its_canonical_form(typed, kept):
    """Without a scheme, http is meant."""
    assert page_url(typed) == kept


@given(st.text(max_size=300))
def test_whatever_is_typed_is_canonical_or_refused(typed):
    """Never anything else."""
    try:
        kept = page_url(typed)
    except InvalidFields as error:
        told = error.messages["url"]
        kept = "http://refused.example/"
    else:
        told = ["kept"]
    assert told
    assert canonical(kept) == kept
    assert kept.startswith(("http://", "https://"))
    assert len(kept) <= LONGEST


def test_root_and_append_strings():
    """A root is a beginning of canonical URLs; an append string has no gap."""
    assert root_string("") == ""
    assert root_string("HTTP://Example.org/news") == "http://example.org/news"
    assert append_string(" &print=1 ") == "&print=1"
    for faulty in ("a b", "a\nb", "a\x00b"):
        with pytest.raises(InvalidFields):
            append_string(faulty)


def test_a_list_keeps_its_order_and_tells_each_bad_line():
    """Byte order mark, empty lines and comments do not count; a repeated one is told with its first line."""
    found = read_list("\ufeffb.example\r\n\n#no\na.example\nb.example/\nftp://c\n", known=["http://d.example/"])
    assert found.urls == ("http://b.example/", "http://a.example/")
    assert [(one.line, one.text) for one in found.faults] == [(5, "b.example/"), (6, "ftp://c")]
    assert "line 1" in found.faults[0].reason
    assert read_list("d.example", known=["http://d.example/"]).faults[0].reason == "The target has this seed already."


def test_a_list_that_is_too_long_is_refused_whole():
    """Before anything is read."""
    with pytest.raises(InvalidFields):
        read_list("a.example\n" * (MOST_LINES + 1))


def _credential(desk, target):
    now = {"created": desk.now, "updated": desk.now}
    overrides = Overrides.objects.create(**now)
    target.overrides = overrides
    target.save()
    return Credential.objects.create(overrides=overrides, kind="basic", domain="site.example", **now)


def test_a_seed_shows_only_credentials_of_its_target(desk):
    """Another target's are refused."""
    ours, theirs = desk.target(), desk.target()
    own, foreign = _credential(desk, ours), _credential(desk, theirs)
    seed = add_seed(desk.town.system, target_id=ours.pk, url="http://a.example/", credential_id=own.id)
    assert seed.credential == own
    with pytest.raises(InvalidFields):
        update_seed(desk.town.system, seed_id=seed.id, version=1, credential_id=foreign.id)


def test_a_copy_takes_along_what_belongs_to_it(desk):
    """Seeds with limits, links and credentials, excluded URLs, description, overrides; not the state or history."""
    source = desk.approvable(state=State.APPROVED, selection_date=desk.now, run_on_approval=True)
    credential = _credential(desk, source)
    source.dublin_core = DublinCore.objects.create(title="Site", created=desk.now, updated=desk.now)
    source.save()
    Seed.objects.filter(target=source).update(credential=credential, depth_limit=3)
    source.excluded_urls.create(url="http://www.site.example/x", created=desk.now, updated=desk.now)
    maker = desk.town.actor(privileges={Privilege.CREATE_TARGET: Scope.OWNER})
    copy = Target.objects.get(pk=copy_target(maker, target_id=source.pk).pk)
    assert (copy.name, copy.state, copy.owner_id) == (f"Copy of {source.name}", State.PENDING, maker.user)
    assert (copy.selection_date, copy.run_on_approval) == (None, True)
    seed = copy.seeds.get()
    assert (seed.depth_limit, seed.links.count()) == (3, 1)
    assert seed.credential is not None
    assert seed.credential.overrides_id == copy.overrides_id != source.overrides_id
    assert copy.dublin_core.title == "Site"
    assert copy.dublin_core_id != source.dublin_core_id
    assert copy.excluded_urls.count() == 1


def test_the_operator_says_who_owns_a_target(desk):
    """A user makes targets only for themselves."""
    town = desk.town
    with pytest.raises(InvalidFields):
        create_target(town.system, name="X", agency_id=town.library.id)
    maker, other = town.actor(privileges={Privilege.CREATE_TARGET: Scope.AGENCY}), town.user()
    with pytest.raises(NotAllowed):
        create_target(maker, name="X", agency_id=town.library.id, owner_id=other.id)


def test_a_profile_is_chosen_by_level_and_agency(desk):
    """The default is taken where none is named; one of too high a level or another agency is refused."""
    town = desk.town
    default = desk.profile(is_default=True)
    high, foreign = desk.profile(level=3), desk.profile(agency=town.museum)
    maker = town.actor(privileges={Privilege.CREATE_TARGET: Scope.AGENCY, Privilege.MODIFY_TARGET: Scope.AGENCY,
                                   Privilege.SET_HARVEST_PROFILE_LV1: Scope.AGENCY})  # fmt: skip
    made = create_target(maker, name="X", agency_id=town.library.id)
    assert made.profile == default
    for profile, error in ((high, NotAllowed), (foreign, InvalidFields)):
        with pytest.raises(error):
            update_target(maker, target_id=made.pk, version=1, profile_id=profile.id)
    with pytest.raises(InvalidFields):
        update_target(maker, target_id=made.pk, version=1, profile_id=999)


@pytest.mark.parametrize("field", ["selection_type", "harvest_type"])
def test_types_come_from_their_lists(desk, field):
    """A value that the list does not offer is refused; a retired one may be kept."""
    target = desk.target(**{field: "bygone"})
    with pytest.raises(InvalidFields):
        update_target(desk.town.system, target_id=target.pk, version=1, **{field: "made up"})
    kept = update_target(desk.town.system, target_id=target.pk, version=1, **{field: "bygone"}, reference="1")
    assert kept.reference == "1"


def test_many_seeds_are_one_change_of_the_target(desk):
    """A deleted target takes none."""
    target = desk.target(state=State.APPROVED)
    curator = desk.town.actor(privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})
    taken = import_seeds(curator, target_id=target.pk, text="a.example\nb.example")
    assert (taken.done, len(taken.added)) == (True, 2)
    assert Target.objects.get(pk=target.pk).state == State.NOMINATED
    Target.everything.filter(pk=target.pk).update(deleted=True)
    with pytest.raises(NotFound):
        add_seed(curator, target_id=target.pk, url="c.example")
