"""Results as pywb collections and as bags."""

import json
from datetime import date

import bagit
import pytest

from opilio.archive.packing.aside import new_folder
from opilio.archive.packing.bag import BagInfo, write_bag
from opilio.archive.packing.pywb import collection_name, write_collection
from opilio.kernel.errors import Conflict, Damaged, InvalidInput
from tests.unit.archive.parcels import small_crawl

INFO = BagInfo(date=date(2026, 1, 2), software="test", organisation="A\nB", others=(("Contact-Name", "Curator"),))


@pytest.fixture
def parcel(tmp_path):
    return small_crawl(tmp_path / "barns")


def files(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_bag_is_valid_and_says_what_it_is(parcel, tmp_path):
    """Another program checks every digest; labels stay on one line."""
    count = write_bag(_made(tmp_path / "bag"), parcel, INFO)
    bag = bagit.Bag(str(tmp_path / "bag"))
    bag.validate()
    assert bag.info["Source-Organization"] == "A B"
    assert bag.info["Contact-Name"] == "Curator"
    assert bag.info["Payload-Oxum"].endswith(f".{count}")
    assert sorted(bag.algorithms) == ["sha256", "sha512"]
    warc = parcel.warcs[0]
    assert (tmp_path / "bag/data/warcs" / warc.name).read_bytes() == warc.path.read_bytes()
    assert "data/results/result-1.db" in files(tmp_path / "bag")
    assert (tmp_path / "bag/data/index.cdxj").read_bytes() == b"".join(parcel.lines())


def test_hard_links_take_no_room(parcel, tmp_path):
    """The bag is as valid, and shares its files with the crawl."""
    write_bag(_made(tmp_path / "bag"), parcel, INFO, link=True)
    bagit.Bag(str(tmp_path / "bag")).validate()
    assert (tmp_path / "bag/data/warcs" / parcel.warcs[0].name).samefile(parcel.warcs[0].path)
    collection = write_collection(_made(tmp_path / "pywb"), parcel, name="barns", link=True)
    assert (collection / "archive" / parcel.warcs[0].name).samefile(parcel.warcs[0].path)


def test_labels_that_would_begin_a_line_of_their_own_are_refused(parcel, tmp_path):
    """A colon or a line end in a label."""
    for label in ("a: b", "a\nb", "", " a"):
        info = BagInfo(date=date(2026, 1, 2), software="test", others=((label, "x"),))
        with pytest.raises(InvalidInput, match="label"):
            write_bag(_made(tmp_path / f"bag{len(label)}{label[:1].strip()}"), parcel, info)


def test_a_pywb_collection_is_where_pywb_looks_for_it(parcel, tmp_path):
    """Files, index, rules of access, and titles that cannot be taken for YAML."""
    rules = b'org,example)/ - {"access": "block"}\n'
    write_collection(
        _made(tmp_path / "pywb"), parcel, name="Barns & Owls", title="no: [yaml", acl=rules, default_access="block"
    )
    inside = "collections/Barns-Owls"
    assert files(tmp_path / "pywb") == sorted(
        [
            f"{inside}/acl/access-rules.aclj", f"{inside}/archive/{parcel.warcs[0].name}",
            f"{inside}/indexes/index.cdxj", f"{inside}/metadata.yaml", "config.yaml",
        ]
    )  # fmt: skip
    assert (tmp_path / "pywb" / inside / "acl/access-rules.aclj").read_bytes() == rules
    assert (tmp_path / "pywb" / inside / "metadata.yaml").read_text() == f"title: {json.dumps('no: [yaml')}\n"
    assert 'default_access: "block"\n' in (tmp_path / "pywb/config.yaml").read_text()


def test_a_name_of_which_nothing_is_left_is_refused():
    """pywb has it in its addresses."""
    assert collection_name("../Ä barn") == "barn"
    with pytest.raises(InvalidInput, match="--name"):
        collection_name("///")


def _bag(folder, parcel):
    write_bag(folder, parcel, INFO)


def _pywb(folder, parcel):
    write_collection(folder, parcel, name="barns")


@pytest.mark.parametrize("write", [_bag, _pywb])
def test_a_changed_warc_file_is_not_handed_over(parcel, tmp_path, write):
    """And no folder appears."""
    parcel.warcs[0].path.write_bytes(b"something else")
    target = tmp_path / "out"
    with pytest.raises(Damaged, match="not as it was sealed"), new_folder(target) as aside:
        write(aside, parcel)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["barns"]


def test_a_folder_that_a_killed_process_left_is_emptied(tmp_path):
    """And nobody else can make the same folder meanwhile."""
    (tmp_path / ".out.unfinished/warcs").mkdir(parents=True)
    (tmp_path / ".out.unfinished/plan.json").touch()
    with new_folder(tmp_path / "out") as aside:
        assert list(aside.iterdir()) == []
        with pytest.raises(Conflict, match="another process"), new_folder(tmp_path / "out"):
            pass
        (aside / "file").touch()
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_a_folder_with_something_in_it_is_not_taken(tmp_path):
    """An empty one is."""
    (tmp_path / "empty").mkdir()
    with new_folder(tmp_path / "empty") as aside:
        (aside / "file").touch()
    assert files(tmp_path / "empty") == ["file"]
    with pytest.raises(Conflict, match="there already"), new_folder(tmp_path / "empty"):
        pass
    with pytest.raises(Conflict), new_folder(tmp_path / "late"):
        (tmp_path / "late/other").mkdir(parents=True)
    assert [each.name for each in (tmp_path / "late").iterdir()] == ["other"]


def _made(path):
    path.mkdir()
    return path
