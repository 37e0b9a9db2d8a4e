"""WACZ files of others: harmful ones are refused before anything is unpacked, faults are named."""

import contextlib
import io
import json
import stat
import struct
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opilio.archive.wacz import packer
from opilio.archive.wacz.errors import NotAWacz, UnsafeZip
from opilio.archive.wacz.layout import About
from opilio.archive.wacz.reader import WaczFile
from opilio.archive.wacz.zip_safety import ZipLimits, is_safe_name
from opilio.kernel.errors import Damaged, Missing, OpilioError
from tests.unit.archive.parcels import small_crawl

ABOUT = About(created="2026-01-02T00:00:00Z", software="test")
CHANGES = st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=20)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    stream = io.BytesIO()
    packer.pack(stream, small_crawl(tmp_path_factory.mktemp("crawl") / "barns"), ABOUT)
    return stream.getvalue()


def zipped(*entries):
    """A ZIP file of names (or ZipInfos) with their contents."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name, content in entries:
            made.writestr(name, content)
    return stream.getvalue()


def info(name, **attributes):
    made = zipfile.ZipInfo(name)
    for attribute, value in attributes.items():
        setattr(made, attribute, value)
    return made


def opened(tmp_path, data, **limits):
    path = tmp_path / "given.wacz"
    path.write_bytes(data)
    return WaczFile(path, ZipLimits(**limits))


def changed(data, **contents):
    """The same WACZ with other contents of some files; None takes one out."""
    with zipfile.ZipFile(io.BytesIO(data)) as found:
        files = {name: found.read(name) for name in found.namelist()}
    files = {**files, **{name.replace("__", "/").replace("_json", ".json"): body for name, body in contents.items()}}
    return zipped(*((name, body) for name, body in files.items() if body is not None))


def test_what_we_pack_has_no_faults(tmp_path, whole):
    """And the reader gives the WARC file back as it was."""
    with opened(tmp_path, whole) as wacz:
        assert list(wacz.faults()) == []
        (name,) = wacz.warcs()
        assert b"".join(wacz.pieces(name)).startswith(b"\x1f\x8b")
        assert wacz.size(name) == len(b"".join(wacz.pieces(name)))
        assert [(page.url, page.seed) for page in wacz.pages()] == [
            ("http://example.com/", True),
            ("http://example.com/barn", False),
        ]


@pytest.mark.parametrize(
    "name",
    ["../out", "archive/../../out", "/etc/passwd", "a\\..\\b", "C:/x", "a//b", "./a", "a/./b", "a\nb", "x" * 2_000],
)
def test_names_that_lead_out_of_the_folder_are_refused(tmp_path, name):
    """Whatever way they are written."""
    assert not is_safe_name(name)
    with pytest.raises(UnsafeZip, match="outside of its folder"):
        opened(tmp_path, zipped((name, b"x")))


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (info("link", external_attr=(stat.S_IFLNK | 0o777) << 16), "a link or a device"),
        (info("pipe", external_attr=(stat.S_IFIFO | 0o666) << 16), "a link or a device"),
        (info("lzma", compress_type=zipfile.ZIP_LZMA), "method 14"),
    ],
)
def test_what_is_no_plain_file_is_refused(tmp_path, entry, words):
    """Links, devices, and packings that a WACZ does not use."""
    with pytest.raises(UnsafeZip, match=words):
        opened(tmp_path, zipped((entry, b"x")))


def test_encrypted_files_are_refused(tmp_path):
    """By the flag that both headers have."""
    data = bytearray(zipped(("secret", b"x")))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    with pytest.raises(UnsafeZip, match="is encrypted"):
        opened(tmp_path, bytes(data))


def test_a_bomb_is_refused_before_it_unfolds(tmp_path):
    """Ten megabytes of nothing pack to ten kilobytes."""
    bomb = info("pages/pages.jsonl", compress_type=zipfile.ZIP_DEFLATED)
    with pytest.raises(UnsafeZip, match="would unfold to 10,485,760 bytes"):
        opened(tmp_path, zipped((bomb, bytes(10 << 20))))


def test_too_many_files_are_refused_by_the_end_of_the_list(tmp_path):
    """The list itself is not even read."""
    data = zipped(*((f"f{number}", b"") for number in range(30)))
    with pytest.raises(UnsafeZip, match="it lists 30 files, and 20"):
        opened(tmp_path, data, entries=20)
    with pytest.raises(UnsafeZip, match="its list of files has"):
        opened(tmp_path, data, directory=100)


def test_files_that_lie_upon_each_other_are_refused(tmp_path):
    """Two entries of the list lead to the same bytes."""
    data = bytearray(zipped(("a", b"x" * 100), ("b", b"y" * 100)))
    second = data.rindex(b"PK\x01\x02")
    struct.pack_into("<L", data, second + 42, 0)
    with pytest.raises(UnsafeZip, match="upon another"):
        opened(tmp_path, bytes(data))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_is_there_twice_is_refused(tmp_path):
    """Readers would not agree which of both counts."""
    with pytest.raises(UnsafeZip, match="in it twice"):
        opened(tmp_path, zipped(("a", b"1"), ("a", b"2")))


def test_what_is_no_zip_file_is_told(tmp_path):
    """Empty, text, or cut off in its list."""
    for data in (b"", b"WARC/1.1", b"PK\x03\x04" + bytes(500), zipped(("a", b"x"))[:-30]):
        with pytest.raises((NotAWacz, Damaged)):
            opened(tmp_path, data)
    with pytest.raises(Missing):
        WaczFile(tmp_path / "nowhere.wacz")


def test_a_file_whose_bytes_were_changed_is_told_when_it_is_read(tmp_path, whole):
    """Its checksum in the ZIP file is wrong; the fault names it."""
    data = bytearray(whole)
    data[data.index(b"\x1f\x8b") + 30] ^= 0xFF
    with opened(tmp_path, bytes(data)) as wacz:
        assert [fault.name for fault in wacz.faults()] == ["indexes/index.cdx.gz"]
        with pytest.raises(Damaged, match=r"index.cdx.gz"):
            b"".join(wacz.pieces("indexes/index.cdx.gz"))


def test_faults_are_named_by_their_file(tmp_path, whole):
    """Missing, changed, not listed, and a datapackage that does not have its digest."""
    with opened(tmp_path, whole) as wacz:
        (warc,) = wacz.warcs()
        package = wacz.document()
    for resource in package["resources"]:
        if resource["path"] == "indexes/index.idx":
            resource["hash"] = "crc32:00000000"
    data = changed(
        whole, pages__pages=b"", datapackage_json=json.dumps(package).encode(),
        **{"pages/pages.jsonl": b"{}\n", warc: None, "extra.txt": b"x"},
    )  # fmt: skip
    with opened(tmp_path, data) as wacz:
        faults = {fault.name: fault.reason for fault in wacz.faults()}
    assert faults[warc] == "it is listed, and is not there"
    assert faults["pages/pages.jsonl"].startswith("it has the digest sha256:")
    assert "of a kind that is not known" in faults["indexes/index.idx"]
    assert faults["extra.txt"] == "the datapackage does not list it"
    assert "another is told" in faults["datapackage-digest.json"]


@pytest.mark.parametrize("package", [None, b"", b"[]", b'{"resources": 7}', b"{" * 100_000])
def test_without_a_readable_datapackage_there_is_one_fault(tmp_path, whole, package):
    """Its WARC files can be had all the same."""
    with opened(tmp_path, changed(whole, datapackage_json=package)) as wacz:
        assert [fault.name for fault in wacz.faults()] == ["datapackage.json"]
        assert len(wacz.warcs()) == 1


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changes=st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=20),
    cut=st.integers(0, 99),
)
def test_no_damage_brings_the_reader_down(tmp_path, whole, changes, cut):
    """Whatever bytes are changed or cut off: an error of ours, or a fault, and never more bytes than announced."""
    data = bytearray(whole)
    for place, byte in changes:
        data[-1 - place % len(data)] = byte
    data = data[: len(data) - cut * len(data) // 400]
    with contextlib.suppress(OpilioError), opened(tmp_path, bytes(data)) as wacz:
        list(wacz.faults())
        list(wacz.pages())
        for name in wacz.warcs():
            assert len(b"".join(wacz.pieces(name))) <= wacz.size(name)


def test_lists_of_pages_may_hold_anything(tmp_path):
    """What is no page is passed over."""
    lines = b'{"format": "json-pages-1.0"}\nno json\n7\n{"url": 7}\n{"url": "http://example.com/", "title": 3}\n'
    with opened(tmp_path, zipped(("pages/pages.jsonl", lines))) as wacz:
        assert [(page.url, page.title) for page in wacz.pages()] == [("http://example.com/", "")]
