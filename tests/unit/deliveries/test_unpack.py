"""Archives, also those that no honest partner makes."""

import io
import struct
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opilio.deliveries.errors import BadArchive
from opilio.deliveries.profile import ArchiveLimits
from opilio.deliveries.unpack import unpack

LIMITS = ArchiveLimits(entries=10, entry_bytes=1_000_000, total_bytes=1_500_000, ratio=100.0, directory_bytes=100_000)


def packed(*entries, method=zipfile.ZIP_DEFLATED):
    """The bytes of an archive; entries are (name or ZipInfo, content)."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return made.getvalue()


@pytest.fixture
def place(tmp_path):
    """Where an archive lies."""
    return tmp_path / "a.zip"


def refused(place, content, limits=LIMITS):
    """The kind of fault; nothing is left of what was unpacked."""
    place.write_bytes(content)
    with pytest.raises(BadArchive) as fault:
        unpack(place, place.parent / "into", limits)
    assert not (place.parent / "into").exists()
    assert "a.zip" in str(fault.value)
    return fault.value.kind


def test_documents_are_stored_by_number(place):
    """Their names are data; digests and sizes are taken."""
    place.write_bytes(packed(("J.1.xml", b"<a/>"), ("J.2.xml", b"<b/>")))
    found = unpack(place, place.parent / "into", LIMITS)
    assert [(one.number, one.name, one.path.name, one.size) for one in found.documents] == [
        (1, "J.1.xml", "00001", 4), (2, "J.2.xml", "00002", 4),
    ]  # fmt: skip
    assert found.documents[0].path.read_bytes() == b"<a/>"
    assert len(found.documents[0].sha256) == 64


def test_two_archives_may_hold_the_same_names(place):
    """Each has a folder of its own."""
    for name in ("one", "two"):
        place.write_bytes(packed(("same.xml", name.encode())))
        (document,) = unpack(place, place.parent / name, LIMITS).documents
        assert document.path.read_text() == name


def test_unpacking_again_begins_anew(place):
    """Nothing of an earlier attempt is left."""
    place.write_bytes(packed(("a.xml", b"1"), ("b.xml", b"2")))
    unpack(place, place.parent / "into", LIMITS)
    place.write_bytes(packed(("a.xml", b"3")))
    (document,) = unpack(place, place.parent / "into", LIMITS).documents
    assert document.path.read_bytes() == b"3"
    assert len(list((place.parent / "into").iterdir())) == 1


def test_some_entries_are_left_out_and_said_so(place):
    """Folders, what lies in them, archives in the archive."""
    place.write_bytes(packed(("dir/", b""), ("dir/a.xml", b"1"), ("b.zip", b"PK"), ("c.xml", b"3")))
    found = unpack(place, place.parent / "into", LIMITS)
    assert [one.name for one in found.documents] == ["c.xml"]
    assert [one.name for one in found.left_out] == ["dir/", "dir/a.xml", "b.zip"]
    assert all(one.why for one in found.left_out)


def test_an_archive_with_nothing_in_it(place):
    """Is an archive with nothing in it."""
    place.write_bytes(packed())
    assert unpack(place, place.parent / "into", LIMITS).documents == []


def link(name):
    """A symbolic link as an entry."""
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o120777 << 16
    return info


HOSTILE = {
    "zeros": ("ratio", lambda: packed(("zeros.xml", b"\0" * 900_000))),
    "a large entry": ("too-large", lambda: packed(("big.xml", b"\0" * 1_000_001), method=zipfile.ZIP_STORED)),
    "a large whole": (
        "too-large", lambda: packed(*((f"{one}.xml", b"1" * 900_000) for one in "ab"), method=zipfile.ZIP_STORED)
    ),
    "many": ("too-many", lambda: packed(*((f"{number}.xml", b"") for number in range(11)))),
    "upwards": ("path", lambda: packed(("../x.xml", b"1"))),
    "from the root": ("path", lambda: packed(("/x.xml", b"1"))),
    "a drive": ("path", lambda: packed(("C:\\x.xml", b"1"))),
    "upwards later": ("path", lambda: packed(("a/../../x.xml", b"1"))),
    "a link": ("link", lambda: packed((link("a.xml"), b"/etc/passwd"))),
    "letters": ("name", lambda: packed(("größe.xml", b"1"))),
    "a tab": ("name", lambda: packed(("a\tb.xml", b"1"))),
    "bzip2": ("method", lambda: packed(("a.xml", b"1"), method=zipfile.ZIP_BZIP2)),
    "lzma": ("method", lambda: packed(("a.xml", b"1"), method=zipfile.ZIP_LZMA)),
    "nothing": ("corrupt", lambda: b""),
    "a beginning": ("corrupt", lambda: b"PK\x03\x04 nothing"),
    "a web page": ("corrupt", lambda: b"<html>not found</html>" * 100),
    "cut off": ("corrupt", lambda: packed(("a.xml", b"1" * 1_000))[:-30]),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_what_no_honest_partner_makes_is_refused(place, case):
    """With its kind, and nothing is left."""
    kind, made = HOSTILE[case]
    assert refused(place, made()) == kind


def test_two_entries_of_one_name_are_refused(place):
    """Two readers could see two documents."""
    with pytest.warns(UserWarning, match="Duplicate"):
        content = packed(("a.xml", b"1"), ("a.xml", b"2"))
    assert refused(place, content) == "duplicate-name"


def test_an_encrypted_entry_is_refused(place):
    """By its flag, in both headers."""
    content = bytearray(packed(("a.xml", b"1")))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert refused(place, bytes(content)) == "encrypted"


def test_overlapping_entries_are_refused(place):
    """Three names for the same bytes."""
    content = packed(("a.xml", b"1" * 100))
    at, end = content.index(b"PK\x01\x02"), content.index(b"PK\x05\x06")
    entry = content[at:end]
    others = b"".join(entry.replace(b"a.xml", name) for name in (b"b.xml", b"c.xml"))
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 3, 3, len(entry) * 3, at, 0)
    assert refused(place, content[:end] + others + tail) == "overlap"


def test_a_size_that_was_understated_is_found(place):
    """By counting what comes out."""
    content = bytearray(packed(("a.xml", bytes(range(256)) * 2_000), method=zipfile.ZIP_STORED))
    at = content.index(b"PK\x01\x02")
    struct.pack_into("<L", content, at + 24, 10)
    assert refused(place, bytes(content)) == "corrupt"


def test_bytes_that_were_changed_are_found(place):
    """By their checksum."""
    content = bytearray(packed(("a.xml", b"1234567890" * 50), method=zipfile.ZIP_STORED))
    content[60] ^= 0xFF
    assert refused(place, bytes(content)) == "corrupt"


def test_a_header_that_names_another_file_is_refused(place):
    """The two places must agree."""
    content = packed(("a.xml", b"1")).replace(b"a.xml", b"b.xml", 1)
    assert refused(place, content) == "corrupt"


def test_a_huge_directory_is_refused_before_it_is_read(place):
    """By what the last record says."""
    content = packed(*((f"{number:04d}" * 50 + ".xml", b"") for number in range(600)))
    assert refused(place, content) == "too-large"


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_garbage_is_refused_or_unpacked_within_limits(tmp_path_factory, data):
    """Whatever bytes are changed."""
    content = bytearray(packed(("a.xml", b"<a>text</a>" * 20), ("b.xml", b"<b/>")))
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    folder = tmp_path_factory.mktemp("garbage")
    (folder / "a.zip").write_bytes(content)
    try:
        found = unpack(folder / "a.zip", folder / "into", LIMITS)
    except BadArchive:
        assert not (folder / "into").exists()
    else:
        assert all(one.path.stat().st_size == one.size for one in found.documents)
