"""Profiles: those that come with Opilio, and what is refused in others."""

import pytest

from opilio.deliveries.errors import BadDeliveryProfile
from opilio.deliveries.profile import order_of, profile, read_profile, shipped

GOOD = b"""
name = "own"
[[actions]]
name = "add"
folder = "in"
[deliveries]
form = "{centre}-{n}.zip"
[deliveries.parts]
centre = { kind = "centre" }
n = { kind = "number" }
[[documents]]
name = "sheet"
names = { form = "{n}.csv", parts = { n = { kind = "number" } } }
"""


def test_profiles_come_with_opilio():
    """Each can be read."""
    assert shipped() == ["csv-manifest", "impc"]
    assert [profile(name).name for name in shipped()] == shipped()


def test_the_phenotyping_profile_has_its_centres_and_order():
    """Seventeen codes; specimens before experiments; three actions."""
    found = profile("impc")
    assert len(found.centres) == len(set(found.centres)) == 17
    assert order_of(found) == ["specimen", "experiment"]
    assert [action.folder for action in found.actions] == ["add", "edit", "delete"]


def test_a_document_has_a_kind_by_its_name():
    """Or a reason for each kind that it is not."""
    found = profile("impc")
    centres = frozenset(found.centres)
    kind, faults = found.kind_of("Ics.2013-06-19.11.specimen.impc.xml", centres)
    assert (kind.name, faults) == ("specimen", ())
    kind, faults = found.kind_of("Ics.2013-06-31.11.specimen.impc.xml", centres)
    assert kind is None
    assert len(faults) == 2


def test_a_file_is_a_profile(tmp_path):
    """By its path."""
    path = tmp_path / "own.toml"
    path.write_bytes(GOOD)
    assert profile(str(path)).name == "own"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ((b'name = "own"', b'name = "own"\nsurprise = 1'), "surprise"),
        ((b'folder = "in"', b'folder = "../in"'), "plain name"),
        ((b'folder = "in"', b"folder = 3"), "actions.0.folder"),
        ((b'kind = "number"', b'kind = "colour"'), "deliveries.parts.n.kind"),
        ((b'name = "own"', b"name = own"), "no TOML"),
        ((b'name = "own"', b'name = "own"\nlargest = -1'), "largest"),
        ((b'name = "sheet"', b'name = "sheet"\nafter = ["other"]'), "'other'"),
        ((b'name = "sheet"', b'name = "sheet"\nafter = ["sheet"]'), "wait for each other"),
        ((b"{centre}-{n}.zip", b"{centre}.zip"), "do not agree"),
        ((b'name = "own"', b'name = "\xff"'), "no TOML"),
        ((b"[deliveries]", b"[archive]\nratio = 0.5\n[deliveries]"), "archive.ratio"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(change, told):
    """The file and the field."""
    with pytest.raises(BadDeliveryProfile, match=r"own\.toml") as refused:
        read_profile(GOOD.replace(*change), "own.toml")
    assert told in str(refused.value)


def test_a_folder_is_given_once():
    """Else two actions would read one folder."""
    twice = GOOD.replace(b"[deliveries]\n", b'[[actions]]\nname = "edit"\nfolder = "in"\n[deliveries]\n')
    with pytest.raises(BadDeliveryProfile, match="twice"):
        read_profile(twice, "own.toml")


@pytest.mark.parametrize("name", ["nothing", "nothing.toml", "../impc", ""])
def test_a_profile_that_is_not_there(name):
    """Says which there are, or that the file cannot be read."""
    with pytest.raises(BadDeliveryProfile):
        profile(name)


def test_a_huge_profile_is_refused():
    """Before it is read."""
    with pytest.raises(BadDeliveryProfile, match="1 MiB"):
        read_profile(b"#" * (2 << 20), "huge.toml")
