"""Bags: whole ones, and each way in which one is not."""

import hashlib
from datetime import date

import pytest

from opilio.archive.packing.bag import BagInfo, write_bag
from opilio.archive.verify.places import places
from opilio.archive.verify.verifying import verify
from opilio.cli.main import main
from tests.unit.archive.parcels import small_crawl
from tests.unit.archive.verify.archives import archive, good

OWL = b"An owl."
HEX = hashlib.sha256(OWL).hexdigest()


@pytest.fixture
def bag(tmp_path):
    """A bag that Opilio made."""
    folder = tmp_path / "bag"
    folder.mkdir()
    write_bag(folder, small_crawl(tmp_path / "crawl"), BagInfo(date=date(2026, 1, 2), software="test"))
    return folder


@pytest.fixture
def foreign(tmp_path):
    """A bag of others, with one file that is no archive and an older version."""
    folder = tmp_path / "foreign"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "owl.txt").write_bytes(OWL)
    (folder / "bagit.txt").write_text("BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\n")
    (folder / "manifest-sha256.txt").write_text(f"{HEX}  data/owl.txt\n")
    return folder


def faults(folder):
    return [
        (one.code.value, one.file.removeprefix(f"{folder}/"), one.offset) for one in verify(places([folder])).faults
    ]


def codes(folder):
    return [code for code, _, _ in faults(folder)]


def test_a_bag_of_ours_is_whole(bag, capsys):
    """Its files are counted, and its WARC files are read as well."""
    found = verify(places([bag]))
    assert (found.faults, found.bags) == ([], 1)
    assert found.records > 0
    assert found.bag_files > len(list((bag / "data").iterdir()))
    assert main(["archive", "verify", str(bag)]) == 0
    assert "files of bags" in capsys.readouterr().out


def test_a_bag_without_archives_is_checked_too(foreign):
    """Whatever it holds."""
    found = verify(places([foreign]))
    assert (found.faults, found.files, found.bag_files) == ([], 0, 1)


def test_a_changed_file_is_told_for_each_manifest(bag):
    """By both digests, also where the file is no archive."""
    path = bag / "data" / "index.cdxj"
    path.write_bytes(b"\n" + path.read_bytes()[1:])
    assert faults(bag).count(("bag-changed", "data/index.cdxj", 0)) == 2


def test_a_changed_tag_file_is_told(bag):
    """What stands beside the payload has manifests of its own."""
    (bag / "bag-info.txt").write_text((bag / "bag-info.txt").read_text() + "Contact-Name: curator\n")
    assert faults(bag) == [("bag-changed", "bag-info.txt", 0)] * 2


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("bagit.txt", "", ["bag-declaration"]),
        ("bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: idna\n", ["bag-declaration"]),
        ("data/more.txt", "more", ["bag-unlisted"]),
        ("data/.hidden", "more", ["bag-unlisted"]),
        ("bag-info.txt", "Payload-Oxum: 7.1\n", []),
        ("bag-info.txt", "Payload-Oxum: 8.1\n", ["bag-size"]),
        ("bag-info.txt", "Payload-Oxum: owls\n", []),
        ("manifest-sha256.txt", "", ["bag-unlisted"]),
        ("manifest-sha256.txt", f"{HEX}  data/none.txt\n", ["bag-missing", "bag-unlisted"]),
        ("manifest-sha256.txt", f"{HEX}  data/owl.txt\n{HEX}  data/{'x' * 5_000}\n", ["bag-missing"]),
        ("manifest-sha256.txt", f"{HEX}  data/owl.txt\n{HEX}  data/owl.txt\n", ["bag-manifest"]),
        ("manifest-sha256.txt", f"{HEX} *./data/owl.txt\r\n", []),
        ("manifest-sha256.txt", f"{HEX}  data/owl.txt\n{HEX}  data/../../owl\n", ["bag-manifest"]),
        ("manifest-sha256.txt", f"{HEX}  data/owl.txt\n{HEX}  /etc/passwd\n", ["bag-manifest"]),
        ("manifest-sha256.txt", f"{HEX}  data/owl.txt\n{HEX}  ~/owl\n", ["bag-manifest"]),
        ("manifest-sha256.txt", f"{HEX}  data/owl.txt\n{HEX}  data/a\0b\n", ["bag-manifest"]),
        ("manifest-sha256.txt", f"{HEX}  data/owl.txt\n{HEX}  bagit.txt\n", ["bag-manifest"]),
        ("manifest-sha256.txt", f"{HEX[1:]}  data/owl.txt\n", ["bag-manifest", "bag-unlisted"]),
        ("manifest-sha256.txt", "\x00\xff" * 100, ["bag-manifest", "bag-unlisted"]),
        ("manifest-blake3.txt", f"{HEX}  data/owl.txt\n", ["digest-unknown"]),
        ("tagmanifest-md5.txt", f"{'0' * 32}  bagit.txt\n", ["bag-changed"]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_bag(foreign, name, text, wanted):
    """Each with its code; a name that leads out of the bag is never followed."""
    (foreign / name).write_bytes(text.encode())
    assert sorted(codes(foreign)) == wanted


def test_a_bad_line_is_told_with_its_place(foreign):
    """As bytes from the beginning of the manifest."""
    with (foreign / "manifest-sha256.txt").open("a") as stream:
        stream.write("nonsense\n")
    assert faults(foreign) == [("bag-manifest", "manifest-sha256.txt", len(f"{HEX}  data/owl.txt\n"))]


def test_a_bag_without_a_manifest(foreign):
    """Nothing of it can be checked."""
    (foreign / "manifest-sha256.txt").unlink()
    assert codes(foreign) == ["bag-manifest"]


def test_since_version_1_every_manifest_names_everything(foreign):
    """Before, one of them was enough."""
    (foreign / "manifest-sha512.txt").write_text("")
    assert codes(foreign) == []
    (foreign / "bagit.txt").write_text("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")
    assert codes(foreign) == ["bag-unlisted"]


def test_links_out_of_a_bag_are_not_followed(foreign, tmp_path):
    """Neither to files nor in a circle."""
    (tmp_path / "secret").write_bytes(OWL)
    (foreign / "data" / "out").symlink_to(tmp_path / "secret")
    (foreign / "data" / "round").symlink_to("round")
    with (foreign / "manifest-sha256.txt").open("a") as stream:
        stream.write(f"{HEX}  data/out\n{HEX}  data/round\n")
    found = codes(foreign)
    assert found.count("bag-manifest") == 2
    assert "bag-changed" not in found


def test_names_with_line_ends_and_percent_signs(foreign):
    """Three characters are escaped, and no others."""
    (foreign / "data" / "100%\n%41").write_bytes(OWL)
    with (foreign / "manifest-sha256.txt").open("a") as stream:
        stream.write(f"{HEX}  data/100%25%0A%41\n")
    assert codes(foreign) == []


def test_archives_in_a_bag_of_others_are_read(foreign):
    """Damage is told once by the bag and once by the record."""
    made = archive(good()).write(foreign / "data")
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    with (foreign / "manifest-sha256.txt").open("a") as stream:
        stream.write(f"{digest}  data/{made.name}\n")
    assert codes(foreign) == []
    made.write_bytes(made.read_bytes()[:-9])
    assert sorted(codes(foreign)) == ["bag-changed", "member-truncated"]
