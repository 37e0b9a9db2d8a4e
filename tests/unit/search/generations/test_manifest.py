"""Manifests."""

import contextlib
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.search.generations.errors import BrokenManifest
from opilio.search.generations.identifiers import new_id
from opilio.search.generations.manifest import FileEntry, Manifest, Probe, dumped, good_name, parsed

NOW = datetime(2026, 11, 16, tzinfo=UTC)
ENTRY = FileEntry(name="index/meta.json", size=3, sha256="0" * 64)


def manifest(**changes):
    given = {
        "id": new_id(NOW), "made": NOW, "parent": new_id(NOW), "software": "1", "analyzer": "a", "counts": {"pages": 3},
        "sources": {"crawl": "f"}, "files": (ENTRY,), "probes": (Probe(query="ü", total=1, expected=("u",)),),
    }  # fmt: skip
    return Manifest(**{**given, **changes})


def forged(**changes):
    """A manifest whose seal fits, whatever it says."""
    return dumped(replace(manifest(), **changes))


def test_what_is_written_is_read():
    """A manifest comes back as it was, the size of all files included."""
    written = manifest()
    assert parsed(dumped(written), where="here") == written
    assert written.size == 3


@given(st.data())
def test_a_flipped_bit_is_found(data):
    """Whichever bit of the file is turned round, the manifest is refused, or says the same."""
    written = manifest()
    text = bytearray(dumped(written))
    at = data.draw(st.integers(0, len(text) * 8 - 1))
    text[at // 8] ^= 1 << (at % 8)
    with contextlib.suppress(BrokenManifest):
        assert parsed(bytes(text), where="here") == written


@pytest.mark.parametrize(
    "text", [b"", b"{}", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"format": 2, "seal": ""}']
)
def test_what_is_no_manifest_is_refused(text):
    """Other files are refused with a message that names the place."""
    with pytest.raises(BrokenManifest, match="here"):
        parsed(text, where="here")


@pytest.mark.parametrize(
    "name", ["", "/etc/passwd", "../x", "a/../b", "a//b", "a/", "./a", "C:x", "a\\b", "a\x00", "a\nb", "x" * 256,
             "manifest.json", "/".join(["a" * 200] * 6)],
)  # fmt: skip
def test_names_that_lead_elsewhere_are_refused(name):
    """A sealed manifest with such a name is refused, too."""
    assert not good_name(name)
    with pytest.raises(BrokenManifest):
        parsed(forged(files=(replace(ENTRY, name=name),)), where="here")


@pytest.mark.parametrize(
    "changes",
    [
        {"files": (ENTRY, ENTRY)},
        {"files": (replace(ENTRY, name="a"), replace(ENTRY, name="a/b"))},
        {"files": (replace(ENTRY, size=-1),)},
        {"files": (replace(ENTRY, size="3"),)},
        {"files": (replace(ENTRY, sha256="xyz"),)},
        {"files": (replace(ENTRY, name=7),)},
        {"id": "x"},
        {"parent": "x"},
        {"counts": {"pages": "many"}},
        {"probes": (Probe(query="q", total=None, expected=()),)},
    ],
)
def test_fields_of_wrong_kinds_are_refused(changes):
    """A manifest with a good seal and senseless fields is refused."""
    with pytest.raises(BrokenManifest):
        parsed(forged(**changes), where="here")


def test_unknown_formats_are_refused():
    """A manifest of a later version is not guessed at."""
    document = json.loads(dumped(manifest())) | {"format": 99}
    with pytest.raises(BrokenManifest, match="format"):
        parsed(json.dumps(document).encode(), where="here")
